// The transition semigroup of an automaton, and the algebraic definition of each logic of the ladder on it.
//
// The semigroup is that of the *non-empty* words: definiteness and locality are properties of the semigroup
// and not of the monoid.  These definitions are the second, independent route for automata/ladder.hpp.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace automata {

/// The state maps that the non-empty words induce, in short-lex order of their least words, with the right
/// Cayley graph.
class Semigroup {
 public:
  using Element = std::uint32_t;

  /// Throws std::length_error once more than `max_elements` elements are found (there can be n^n), or more
  /// than fit into max_entries entries of all maps together.
  /// O(|S| k n) expected time for n states and k letters.
  explicit Semigroup(const Dfa& dfa, std::size_t max_elements = 1'000'000);

  /// The memory that the maps may take, in states: 2^27, which is 512 MiB.
  static constexpr std::size_t max_entries = std::size_t{1} << 27;

  std::size_t size() const { return first_letter_.size(); }
  Letter letters() const { return letters_; }
  State degree() const { return degree_; }

  /// The element of the one-letter word.
  Element generator(Letter a) const { return generators_[a]; }
  /// x·a: read x, then the letter.
  Element right(Element x, Letter a) const { return right_[std::size_t{x} * letters_ + a]; }
  /// right(x, a) in row x, column a.
  std::span<const Element> right_cayley_graph() const { return right_; }
  /// x·y: read x, then y.  O(length of y's least word).
  Element multiply(Element x, Element y) const;
  /// The state map of x: entry q is where x leads from q.
  std::span<const State> map(Element x) const { return {maps_.data() + std::size_t{x} * degree_, degree_}; }
  /// The element with that state map, if there is one.  O(n) expected time.
  std::optional<Element> find(std::span<const State> map) const;
  /// The short-lex least word of x.
  Word least_word(Element x) const;
  /// The element of a non-empty word.  Throws std::invalid_argument when the word is empty.
  Element of(std::span<const Letter> word) const;
  /// Whether some non-empty word induces the identity map.  The monoid has one element more when not.
  bool has_identity() const { return has_identity_; }
  std::size_t monoid_size() const { return size() + (has_identity() ? 0 : 1); }
  bool is_idempotent(Element x) const;
  /// The idempotent power of x.  O(n) expected time.
  Element omega(Element x) const;

 private:
  using Visitor = std::function<bool(std::span<const State>)>;
  static constexpr Element none = static_cast<Element>(-1);

  Semigroup(const Dfa& dfa, std::size_t max_elements, const Visitor& wanted);
  Element intern(const std::vector<State>& map);
  void grow();
  friend std::optional<Word> least_word_where(const Dfa& dfa,
                                              const std::function<bool(std::span<const State>)>& wanted,
                                              std::size_t max_elements);

  Letter letters_;
  State degree_;
  bool has_identity_ = false;
  bool stopped_ = false;  // the last element is the wanted one
  std::vector<Element> generators_;
  std::vector<State> maps_;           // element after element
  std::vector<Element> right_;        // element after element, letter after letter
  std::vector<Letter> first_letter_;  // of the least word
  std::vector<Element> suffix_;       // the element of the least word without its first letter, or none
  std::vector<std::uint64_t> slots_;  // open addressing: hash in the upper half, element + 1 in the lower
};

/// The short-lex least non-empty word whose state map is `wanted`; none when no map is.
///
/// Stops at that word, so it may answer where the whole semigroup is too large.  `wanted` is asked once for
/// each map, in short-lex order of least words.  Throws std::length_error as Semigroup does.
std::optional<Word> least_word_where(const Dfa& dfa,
                                     const std::function<bool(std::span<const State>)>& wanted,
                                     std::size_t max_elements = 1'000'000);

/// The idempotent power of a map of {0, ..., n-1} to itself.  O(n).
std::vector<State> idempotent_power(std::span<const State> map);

/// The least s >= 1 such that the words of length s and those of length 2s induce the same maps, with those
/// maps; none when it is above `max_index`.  (Iterating until the set is closed under products can stop
/// early.)  O(s |S| k) time.
struct Stability {
  std::uint64_t index;
  std::vector<Semigroup::Element> elements;  // the stable semigroup, ascending
};
std::optional<Stability> stability(const Semigroup& semigroup, std::uint64_t max_index = 1'000'000);

// The definitions, literally, over the elements given (a subsemigroup of `s`; empty span: all of `s`).
// Each is a loop over pairs or triples of elements: O(|T|^2) to O(|T|^3) products.

/// Te = e for every idempotent e.
bool is_definite(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// x R y implies x = y, in the monoid.
bool is_r_trivial(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// eTe is R-trivial for every idempotent e.
bool is_locally_r_trivial(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// x^n = x^(n+1) for some n.
bool is_aperiodic(const Semigroup& s, std::span<const Semigroup::Element> part = {});

}  // namespace automata
