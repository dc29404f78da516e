// The transition semigroup of an automaton, and the algebraic definition of each logic of the ladder on it.
//
// The semigroup is that of the *non-empty* words: definiteness and locality are properties of the semigroup
// and not of the monoid.  These definitions are the second, independent route for automata/ladder.hpp.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace automata {

/// The state maps that the non-empty words induce, in short-lex order of their least words, with the right
/// Cayley graph.
class Semigroup {
 public:
  using Element = std::uint32_t;

  /// Throws std::length_error once more than `max_elements` elements are found: there can be n^n.
  /// O(|S| k n) expected time for n states and k letters.
  explicit Semigroup(const Dfa& dfa, std::size_t max_elements = 1'000'000);

  std::size_t size() const { return last_letter_.size(); }
  Letter letters() const { return letters_; }
  State degree() const { return degree_; }

  /// The element of the one-letter word.
  Element generator(Letter a) const { return generators_[a]; }
  /// x·a: read x, then the letter.
  Element right(Element x, Letter a) const { return right_[std::size_t{x} * letters_ + a]; }
  /// x·y: read x, then y.  O(length of y's least word).
  Element multiply(Element x, Element y) const;
  /// The state map of x: entry q is where x leads from q.
  std::span<const State> map(Element x) const;
  /// The short-lex least word of x.
  Word least_word(Element x) const;
  /// The element of a non-empty word.
  Element of(std::span<const Letter> word) const;
  /// Whether some non-empty word induces the identity map.  The monoid has one element more when not.
  bool has_identity() const;
  std::size_t monoid_size() const { return size() + (has_identity() ? 0 : 1); }
  bool is_idempotent(Element x) const;
  /// The idempotent power of x.
  Element omega(Element x) const;

 private:
  Letter letters_;
  State degree_;
  std::vector<Element> generators_;
  std::vector<State> maps_;
  std::vector<Element> right_;
  std::vector<Element>
      prefix_;  // the element without the last letter of its least word; itself for one letter
  std::vector<Letter> last_letter_;
};

/// The least s >= 1 such that the words of length s and those of length 2s induce the same maps, with those
/// maps; none when it is above `max_index`.  (Iterating until the set is closed under products can stop
/// early.)
struct Stability {
  std::uint64_t index;
  std::vector<Semigroup::Element> elements;  // the stable semigroup, ascending
};
std::optional<Stability> stability(const Semigroup& semigroup, std::uint64_t max_index = 1'000'000);

// The definitions, literally, over the elements given (a subsemigroup of `s`; empty span: all of `s`).
// Each is a loop over pairs or triples of elements: O(|T|^2) to O(|T|^3) products.

/// Se = e for every idempotent e.
bool is_definite(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// x R y implies x = y, in the monoid.
bool is_r_trivial(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// eSe is R-trivial for every idempotent e.
bool is_locally_r_trivial(const Semigroup& s, std::span<const Semigroup::Element> part = {});
/// x^n = x^(n+1) for some n.
bool is_aperiodic(const Semigroup& s, std::span<const Semigroup::Element> part = {});

}  // namespace automata
