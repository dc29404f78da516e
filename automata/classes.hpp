// The classes of the field beside the ladder: is a regular language piecewise testable, locally testable, of
// dot-depth one, ..., and if not, which equation fails, on which words.
//
// Each class but LTT is decided by a forbidden pattern on the minimal automaton, in polynomial time, however
// large its semigroup is.  A pattern that is found is turned into words that break an equation of the class.
// docs/classes.md has the patterns with their proofs.
#pragma once

#include "automata/class_failure.hpp"
#include "automata/dfa.hpp"
#include "automata/language_class.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace automata {

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
