// The minimal complete DFA: the identity of a language in this program.
#pragma once

#include "automata/dfa.hpp"

namespace automata {

/// The minimal complete Dfa of the same language, numbered breadth-first from the start in letter order, so
/// that equal languages give equal values.  Hopcroft's algorithm: O(k n log n) for n states and k letters.
Dfa minimize(const Dfa& dfa);

/// The block of each state in the coarsest partition that refines `classes` and that every letter respects:
/// the states that no word leads to different classes, for machines that say more of a state than yes or no.
///
/// Row q, column a of `next` is where letter a leads from state q, as in a Dfa; `classes` has one number
/// below the number of states for each.  Blocks are numbered in the order of their least states. O(k n log n)
/// for n states and k letters.
std::vector<State> coarsest_congruence(Letter letters, const std::vector<State>& next,
                                       std::span<const State> classes);

}  // namespace automata
