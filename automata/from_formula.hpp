// Formula to automaton: the registers that decide a formula from left to right are the states.
#pragma once

#include "automata/dfa.hpp"
#include "automata/nfa.hpp"
#include "logic/formula.hpp"

#include <cstddef>

namespace automata {

/// The minimal Dfa of the words over `letters` letters that `f` accepts (THEORY: docs/automata.md).
///
/// Throws std::invalid_argument when `f` names a letter out of range, std::length_error once more than
/// `max_states` register contents are reached: there can be 2^|f|.
Dfa from_formula(logic::Formula f, Letter letters, std::size_t max_states = default_max_states);

}  // namespace automata
