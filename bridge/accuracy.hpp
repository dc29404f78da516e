// How often, at each length, does a box that answers for words agree with a language?  All short words, and
// samples of longer ones.
//
// This is a test and not a proof beyond the lengths whose words are all tried: docs/agree.md says how words
// are drawn.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace bridge {

/// One answer for each of the words: is it accepted?
using Answers = std::function<std::vector<bool>(std::span<const logic::Word> words)>;

struct AccuracyOptions {
  std::size_t exhaustive_length = 10;  // all words up to here,
  std::size_t longest = 100;           // and samples of the lengths beyond, up to here,
  std::size_t step = 1;                // of each so many-th length
  std::size_t samples = 100;           // so many words of such a length
  std::uint64_t seed = 1;
  std::size_t max_bytes = std::size_t{1} << 28;  // for the tables of one sampler
  /// Called before each batch with the length of its words.
  std::function<void(std::size_t length)> progress = nullptr;
};

struct LengthAccuracy {
  std::size_t length;
  bool exhaustive;      // the words are all of that length, otherwise they are drawn
  std::uint64_t words;  // how many; a word that is drawn twice counts twice
  std::uint64_t right;  // how many have the right answer
};

struct Accuracy {
  std::vector<LengthAccuracy> lengths;  // in their order
  /// The greatest of these lengths such that all answers up to it are right; none when the empty word fails.
  std::optional<std::size_t> perfect_length = std::nullopt;
  /// A word with a wrong answer: the short-lex least of all words up to the exhaustive length, otherwise the
  /// short-lex least of those drawn, with letters taken out as long as a wrong answer remains.
  std::optional<logic::Word> counterexample = std::nullopt;
};

/// Compares the answers with `language`.
///
/// Half of the words drawn at a length are in the language, if there are any, and half are not; of each half
/// a quarter are uniform, near misses, periodic, and with one occurrence of a factor of one or two letters.
/// Where a kind has no word, its tables would pass max_bytes, or the language has more than 1,000 states (for
/// near misses), the word is uniform.
///
/// Throws std::invalid_argument when `step` is 0 or there is not one answer for each word, std::length_error
/// when the tables of uniform words pass max_bytes.
Accuracy accuracy(const Answers& answers, const automata::Dfa& language, const AccuracyOptions& options = {});

struct Interval {
  double low;
  double high;
};

/// The 95 % interval of Wilson (J. Amer. Stat. Assoc. 22, 1927) for a probability of which `right` of `words`
/// independent trials are a sample; [0, 1] when there are none.
Interval wilson_interval(std::uint64_t right, std::uint64_t words);

}  // namespace bridge
