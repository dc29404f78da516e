// Does a network accept the words that it should?  All short words, and words around the length at which
// attention vanishes, where a wrong construction shows first.
//
// This is a test and not a proof: it says for which words it was tried.
#pragma once

#include "automata/dfa.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace bridge {

struct WordSample {
  std::vector<logic::Word> words;     // in short-lex order
  std::size_t exhaustive_length = 0;  // every word up to this length is in it
};

/// About `budget` words over the alphabet of `model`: all up to some length; then blocks a^n, a^n b, b a^n, b
/// a^n b and (ab)^n with n around N_max and 2 N_max of the model's arithmetic (256 where it has no N_max),
/// and as many random words of such lengths (from a fixed seed), as far as they stay below `letters_beyond`
/// letters together.  Over one letter the budget is 20 letters for each word, since there is but one word of
/// each length.
///
/// No word is longer than the model's max_length or its table of learned positions allows.
WordSample agreement_words(const transformer::Model& model, std::size_t budget = 100'000,
                           std::size_t letters_beyond = 1'000'000);

/// The sample without the longest of its words, such that the squares of the lengths of those beyond the
/// exhaustive ones sum up to at most `squares`: for engines whose cost grows with the square of the length.
WordSample within_squares(WordSample sample, std::uint64_t squares);

struct Agreement {
  std::uint64_t words = 0;                    // how many were compared
  std::size_t exhaustive_length = 0;          // as in WordSample
  std::size_t longest = 0;                    // letters of the longest
  std::optional<logic::Word> counterexample;  // the short-lex least word on which they differ
};

/// Compares `accepted`, one answer for each word of the sample, with `language`.
Agreement compare(const WordSample& sample, const std::vector<bool>& accepted, const automata::Dfa& language);

/// Runs `model` in its declared arithmetic on all words of up to `length` letters, as far as the model has
/// positions; words with a common prefix share the work, so a word costs about as much as a letter.
///
/// Once a counterexample is found, words that cannot be less in the short-lex order are left out.  Throws
/// std::invalid_argument when the numbers of letters differ.
Agreement compare_all_words(const transformer::Model& model, std::size_t length,
                            const automata::Dfa& language);

/// Whether `model`, run in its declared arithmetic, accepts each word of the sample.
///
/// O(n) for a word of n letters in fixed point, O(n^2) where transformer::Engine keeps the past: see
/// within_squares.
std::vector<bool> answers(const transformer::Model& model, const WordSample& sample);

/// Runs `model` in its declared arithmetic, on the words within_squares of 20 million where the past is kept.
/// Throws std::invalid_argument when the numbers of letters differ.
Agreement compare_exact(const transformer::Model& model, const WordSample& sample,
                        const automata::Dfa& language);

}  // namespace bridge
