// The shortest formula for a language, by trying formulas in the order of their size.
#pragma once

#include "automata/dfa.hpp"
#include "automata/ladder.hpp"
#include "logic/formula.hpp"

#include <cstddef>
#include <optional>

namespace automata {

/// A short formula of `logic` for the language of the minimal automaton `dfa`, if the search finds one among
/// at most `budget` formulas; its minimal Dfa has been compared with `dfa`.
///
/// Formulas that agree on a sample of words count as one, the first stands for all; so the result is the
/// shortest as long as its size is reached within the budget (docs/express.md).  Of equally short ones it has
/// the plainest operators.  Letters that `dfa` cannot tell apart are tried together only.  Candidates whose
/// automaton passes `max_states` are passed over.  Deterministic.
std::optional<logic::Formula> search_formula(logic::Arena& arena, const Dfa& dfa, Logic logic,
                                             std::size_t budget, std::size_t max_states = 100'000);

}  // namespace automata
