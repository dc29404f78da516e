// Strongly connected components of an automaton, with their periods.
#pragma once

#include "automata/dfa.hpp"

#include <cstdint>
#include <vector>

namespace automata {

struct Component {
  std::vector<State> states;         // ascending
  std::vector<std::uint32_t> level;  // of each state: all words from p to q inside have length
                                     // level(q) - level(p) modulo the period
  std::uint32_t period = 0;          // gcd of the lengths of the cycles; 0 when there is no cycle
};

/// The components in topological order: every transition stays in its component or leads to a later one.
///
/// O(k n) for n states and k letters.
std::vector<Component> components(const Dfa& dfa);

}  // namespace automata
