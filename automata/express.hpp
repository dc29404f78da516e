// Automaton to formula.
#pragma once

#include "automata/dfa.hpp"
#include "automata/ladder.hpp"
#include "logic/formula.hpp"

#include <cstddef>
#include <optional>

namespace automata {

struct ExpressOptions {
  std::size_t search_formulas = 200'000;  // how many the search for a short one may try; 0: no search
  std::size_t max_size = 1'000'000;       // nodes of the result, written out
  std::size_t max_states = 1'000'000;     // for the re-check of the result
  LadderLimits limits{};                  // for the decision whether there is one
};

/// A formula of `logic` for the language of `dfa`; none when the language is not in the logic.
///
/// The shortest formula that the search reaches, otherwise that of a construction (docs/express.md).  The
/// result has been checked: its minimal Dfa is `dfa`, and its operators are those of `logic`.  `dfa` must be
/// minimal (throws std::invalid_argument).  There is a construction for every logic but LTL[S] and
/// LTL[S,MOD]: a language of these that is in none of the others has the search alone, and std::length_error
/// when it fails. Throws std::length_error past a limit, too.
std::optional<logic::Formula> express(logic::Arena& arena, const Dfa& dfa, Logic logic,
                                      const ExpressOptions& options = {});

}  // namespace automata
