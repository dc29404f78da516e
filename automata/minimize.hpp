// The minimal complete DFA: the identity of a language in this program.
#pragma once

#include "automata/dfa.hpp"

namespace automata {

/// The minimal complete Dfa of the same language, numbered breadth-first from the start in letter order, so
/// that equal languages give equal values.  Hopcroft's algorithm: O(k n log n) for n states and k letters.
Dfa minimize(const Dfa& dfa);

}  // namespace automata
