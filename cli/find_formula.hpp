// The search for a formula in the order of logics that the contract fixes; for express, compile and demo.
#pragma once

#include "automata/express.hpp"
#include "automata/ladder.hpp"
#include "automata/language.hpp"

#include <optional>
#include <span>
#include <vector>

namespace cli {

/// LTL[Y], LTL[P], LTL[P,Y], their MOD versions, LTL[S].
std::span<const automata::Logic> express_order();

/// The same without LTL[S]: what has a network.
std::span<const automata::Logic> compile_order();

struct Found {
  automata::Logic logic;
  logic::Formula formula;
};

/// Where a language stands in a list of logics, as far as it was looked at.
struct Search {
  std::optional<Found> found;
  std::vector<automata::Membership> tried;  // the answers up to and with the first that is not `no`
};

/// A formula in the first of `logics` that holds the language.
///
/// Stops without one at a logic whose membership is unknown, or when none holds it.  Throws
/// std::length_error when the formula passes a limit.
Search find_formula(logic::Arena& arena, const automata::Dfa& dfa, std::span<const automata::Logic> logics,
                    const automata::LadderLimits& limits = {}, const automata::ExpressOptions& options = {});

}  // namespace cli
