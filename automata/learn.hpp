// The automaton of a language that can only be asked for words: active learning and conformance tests.
//
// No number of answers proves that an automaton is right for words of every length, unless the number of
// states of the language is known.  So the result says what was tested and what follows.  docs/extract.md has
// the statements and their proofs.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace automata {

/// One answer for each of the words: is it in the language?  A word is asked for once.
using Oracle = std::function<std::vector<bool>(std::span<const Word> words)>;

struct LearnOptions {
  /// Test all words up to the greatest length for which there are at most so many, and at most twenty times
  /// as many letters together.
  std::size_t exhaustive_words = 10'000;
  /// Test by the W-method with up to so many states more than the automaton has, as far as max_queries goes.
  State extra_states = 2;
  /// Test so many random words: half of them uniform of uniform lengths, half of them walks from a random
  /// state, which keep out of sinks.
  std::size_t random_words = 2'000;
  std::size_t random_length = 100;  // of a uniform word, and of the walk, at most
  std::uint64_t seed = 1;

  std::size_t max_queries = 1'000'000;  // how many different words may be asked
  State max_states = 10'000;
  /// Called before each batch of words; false ends the learning.
  std::function<bool(std::size_t queries, State states)> go_on = nullptr;
};

struct Learned {
  Dfa dfa;  // minimal

  /// No limit was reached: every word asked, and every test that fits into max_queries, agrees with dfa.
  bool complete = false;
  /// dfa is right for all words of up to so many letters.
  std::optional<std::size_t> exhaustive_length = std::nullopt;
  /// If some automaton of the language has at most so many states, dfa is right for all words.
  std::optional<State> exact_up_to_states = std::nullopt;
  /// So many random words were drawn, and dfa is right for them.
  std::size_t random_words = 0;
  /// The short-lex least word that was asked and for which dfa is wrong; none when it is complete.
  std::optional<Word> refuted_by = std::nullopt;

  std::size_t queries = 0;          // different words that were asked,
  std::size_t test_queries = 0;     // those of them that were asked as tests,
  std::size_t longest_query = 0;    // and the letters of the longest
  std::size_t counterexamples = 0;  // tests that failed, and made the automaton grow
};

/// Learns the language that `oracle` answers for, whose letters are 0, ..., letters - 1.
///
/// With a discrimination tree and one suffix for each counterexample, found by a binary search: O(k n^2 +
/// n log m) words for n states, k letters and counterexamples of m letters, besides the tests.  An oracle of
/// a language that is not regular gives an automaton that a limit ended or that the tests did not refute.
///
/// Throws std::invalid_argument when there is no letter or the oracle does not give one answer for each word,
/// std::length_error when the limits end it before the first automaton is there.
Learned learn(Letter letters, const Oracle& oracle, const LearnOptions& options = {});

}  // namespace automata
