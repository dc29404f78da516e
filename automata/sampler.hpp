// Words for training and testing: uniform ones by exact counting, near misses, boundary and periodic words.
//
// Every function that draws takes a Random; with Random(seed, purpose, i) for the i-th word, that word
// depends on nothing else.  docs/sampling.md has the definitions and what they cost.
#pragma once

#include "automata/dfa.hpp"
#include "automata/random.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace automata {

/// Which words: those of the language, or the others.
enum class Side { inside, outside };

/// How much the tables of a sampler may take: 1 GiB.
inline constexpr std::size_t default_table_bytes = std::size_t{1} << 30;

/// Draws words of a given length uniformly, by their exact number.
///
/// A value; copies share the tables, which are never changed, so threads may draw at once.  The tables hold
/// for each state and each length up to max_length how many words lead into the language: about
/// n·N·(48 + N log2(k) / 16) bytes for n states, k letters and N = max_length.
class Sampler {
 public:
  /// Throws std::length_error when the tables would take more than `max_bytes`.
  /// O(n k N) additions of numbers with at most N log2(k) bits.
  explicit Sampler(Dfa dfa, std::size_t max_length, std::size_t max_bytes = default_table_bytes);

  const Dfa& dfa() const;
  std::size_t max_length() const;

  // What follows throws std::invalid_argument when `length` is above max_length().

  /// How many words of that length there are, in decimal: the exact number.
  std::string count(Side side, std::size_t length) const;

  /// The base-2 logarithm of that number, minus infinity for 0; for people and for mixtures of lengths.
  double log2_count(Side side, std::size_t length) const;

  bool has_words(Side side, std::size_t length) const;

  /// A uniform one of the words of that length; none when there is none, as for odd lengths in (ab)*.
  ///
  /// O(length·k) comparisons and subtractions of numbers with at most length·log2(k) bits.
  std::optional<Word> uniform(Side side, std::size_t length, Random& random) const;

  /// A uniform one of the words of that length that lead from the state `from` to acceptance (or not).
  ///
  /// Throws std::invalid_argument when `from` is no state.
  std::optional<Word> uniform_from(State from, Side side, std::size_t length, Random& random) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

/// One change of a word.
struct Edit {
  enum class Kind { substitution, insertion, deletion };
  Kind kind = Kind::substitution;
  std::size_t position = 0;  // in the word that is changed, from 0; an insertion comes before that letter
  Letter letter = 0;         // the new letter; not used by a deletion

  friend bool operator==(const Edit&, const Edit&) = default;
};

/// `word` after the edit.  Throws std::invalid_argument where the position is out of range, or where a
/// substitution puts the letter that is there already.
Word apply_edit(const Edit& edit, std::span<const Letter> word);

struct NearMissOptions {
  bool substitutions = true;
  bool insertions = false;
  bool deletions = false;
  bool stratified = true;  // first a final state, uniformly, then a pair that ends there
  std::size_t max_bytes = default_table_bytes;
};

/// A word, and the word on the other side of the language that one edit turned into it.
struct NearMiss {
  Word word;
  Word base;
  Edit edit;  // apply_edit(edit, base) == word
};

/// Draws near misses: pairs of a word on one side and an edit that takes it to the other side.
///
/// A value as Sampler.  All pairs (base, edit) with the wanted length of the result are counted exactly, by
/// the state of the run before the edit and the two states after it; so a near miss is found whenever there
/// is one.  With m such states and pairs that can be reached (at most n + n^2) and f final states of the
/// results (1 where it is not stratified), about f·m·N·(48 + N log2(k) / 16) bytes, and k times as many
/// additions as numbers.
class NearMissSampler {
 public:
  /// `side` is that of the results: outside gives words that one edit took out of the language.
  ///
  /// Throws std::invalid_argument when no kind of edit is allowed, std::length_error past max_bytes.
  NearMissSampler(Dfa dfa, Side side, std::size_t max_length, const NearMissOptions& options = {});

  /// How many pairs (base, edit) give a word of that length, in decimal.
  ///
  /// Throws std::invalid_argument when `length` is above the maximum, as does sample().
  std::string count(std::size_t length) const;

  /// As count(), for the results that lead to the state `final_state` alone.
  ///
  /// Throws std::invalid_argument, too, when `final_state` is no state or the sampler is not stratified.
  std::string count(std::size_t length, State final_state) const;

  /// A pair whose result has that length; none when there is none.
  ///
  /// Stratified: one of the final states that some pair leads to, uniformly, then one of its pairs,
  /// uniformly.  Otherwise one of all pairs, uniformly.
  std::optional<NearMiss> sample(std::size_t length, Random& random) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

/// Words that tell `dfa` from every other automaton with at most as many states: for each state its short-lex
/// least access word, followed by nothing or one letter, followed by each suffix of a set that tells all
/// states apart (the W-method: Chow 1978, Vasilevskii 1973).
///
/// Sorted by length, then by letters; `dfa` must be minimal (throws std::invalid_argument).  Throws
/// std::length_error when there are more than `max_words` before equal ones are removed: there can be n^2 k.
std::vector<Word> boundary_words(const Dfa& dfa, std::size_t max_words = 1'000'000);

/// u v^r w.
Word periodic_word(std::span<const Letter> u, std::span<const Letter> v, std::size_t r,
                   std::span<const Letter> w);

/// A random word u v^r w of that length and side, with |v| <= max_period, |u| < |v| and |w| <= |v|.
///
/// |v| is drawn uniformly, up to half of the length, then v, then |w|, then u; r follows, and w is drawn
/// among the words that lead to the wanted side.  What leads nowhere is drawn again, up to 10,000 times: none
/// after that, and at once when the length has no words.  Throws std::invalid_argument when `length` is above
/// the sampler's maximum or max_period is 0.
std::optional<Word> random_periodic_word(const Sampler& sampler, Side side, std::size_t length,
                                         std::size_t max_period, Random& random);

/// The automaton of the words in which `factor` occurs exactly `times` times; occurrences may overlap.
///
/// Minimal.  The intersection with a language, given to a Sampler, draws words with exactly one occurrence.
/// Throws std::invalid_argument when `factor` is empty or has a letter out of range.
Dfa exactly_occurring(std::span<const Letter> factor, Letter letters, std::size_t times = 1);

}  // namespace automata
