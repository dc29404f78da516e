// The classes of the field beside the ladder: is a regular language piecewise testable, locally testable, of
// dot-depth one, ..., and if not, which equation fails, on which words.
//
// Each class but LTT is decided by a forbidden pattern on the minimal automaton, in polynomial time, however
// large its semigroup is.  A pattern that is found is turned into words that break an equation of the class.
// docs/classes.md has the patterns with their proofs.
#pragma once

#include "automata/dfa.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace automata {

enum class LanguageClass {
  reverse_definite,
  generalized_definite,
  finite,
  cofinite,
  locally_testable,
  locally_threshold_testable,
  piecewise_testable,
  l_trivial,
  da,
  locally_da,
  locally_j_trivial,
  dot_depth_one,
  group,
};

/// All of them, in the order of the command-line contract.
inline constexpr std::array<LanguageClass, 13> all_language_classes{
    LanguageClass::reverse_definite,
    LanguageClass::generalized_definite,
    LanguageClass::finite,
    LanguageClass::cofinite,
    LanguageClass::locally_testable,
    LanguageClass::locally_threshold_testable,
    LanguageClass::piecewise_testable,
    LanguageClass::l_trivial,
    LanguageClass::da,
    LanguageClass::locally_da,
    LanguageClass::locally_j_trivial,
    LanguageClass::dot_depth_one,
    LanguageClass::group,
};

/// What is known of a class, one line each.
///
/// In equations letters stand for words, u^ for the ω-power of u and 1 for the empty word.  The words are not
/// empty where the algebra is the semigroup; for the group languages that makes no difference.
struct ClassDescription {
  LanguageClass language_class;
  std::string_view name;       // as in the command-line contract
  std::string_view meaning;    // the languages
  std::string_view logic;      // empty where none is usual
  std::string_view algebra;    // of the syntactic semigroup or monoid
  std::string_view equations;  // separated by "; "
  std::string_view source;
};

const ClassDescription& describe(LanguageClass language_class);
std::string_view name(LanguageClass language_class);
std::optional<LanguageClass> language_class_of_name(std::string_view text);

/// Whether every language of `smaller` is in `larger`; reflexive.
bool included(LanguageClass smaller, LanguageClass larger);

/// Words that break an equation of a class.
///
/// With e(i) for one side of the equation, the words put in and each ω-power replaced by an i-th power: the
/// two sides lead to different states after `prefix`, both in truth (with ω) and written out with i =
/// exponent; `suffix` is accepted from one of these states.  `in` and `out` are prefix·side·suffix, written
/// out.  In PT, L-trivial and DA the letters of v are among those of u.
///
/// For finite and cofinite `equation` is "u^": all words prefix·u^i·suffix, i = 0, 1, ..., are in the
/// language (out of it, for cofinite); `in` (`out`) is the one with i = exponent = 1, and the other one is
/// none.
struct Failure {
  LanguageClass language_class = LanguageClass::finite;  // the class asked for, or a larger one
  std::string_view equation;
  std::vector<std::pair<char, Word>> values;
  Word prefix;
  Word suffix;
  std::uint64_t exponent = 1;
  std::optional<Word> in;
  std::optional<Word> out;

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Whether every claim above holds of `failure` on `dfa`, by running the words.
bool replay(const Dfa& dfa, const Failure& failure);

struct ClassMembership {
  LanguageClass language_class;
  std::optional<bool> member;      // none when a limit was reached
  std::optional<Failure> failure;  // exactly when member is false; it has been replayed
  std::string note;                // how it was decided, or why not; one line
};

struct ClassLimits {
  std::size_t max_elements = 1'000'000;  // of the semigroup, for LTT alone
  std::size_t max_edges = 40'000'000;    // of any one graph of pairs, triples, quadruples of states
  std::size_t max_steps = 200'000'000;   // edges of all graphs for one class together; products for LTT
};

/// Decides one class.  `dfa` must be minimal (throws std::invalid_argument when it is not).
///
/// For n states and k letters, O(k n) for RD, finite, cofinite and group; O(k^2 n) for PT; O(k n^2) for GD,
/// LT, and, for each set of letters of a cycle of pairs, L-trivial and DA; O(k n^3) for LJ and dot-depth one;
/// O(k n^4) for LDA.  Smaller classes that say yes and larger ones that say no are asked first where that is
/// cheaper.
ClassMembership decide(const Dfa& dfa, LanguageClass language_class, const ClassLimits& limits = {});

/// All of them, in the order of all_language_classes, sharing the work.
std::vector<ClassMembership> decide_classes(const Dfa& dfa, const ClassLimits& limits = {});

}  // namespace automata
