// How far the decision of a logic may go before it is left undecided.
#pragma once

#include "automata/ladder.hpp"
#include "cli/options.hpp"

#include <cstdint>
#include <optional>

namespace cli {

struct LimitOptions {
  std::optional<std::uint64_t> max_elements;
  std::uint64_t max_pairs = automata::LadderLimits{}.max_pairs;

  void add_to(Options& options);

  /// For an automaton of `states` states: a million elements of its semigroup unless the user says otherwise,
  /// but fewer where their tables would pass 200 MB.
  automata::LadderLimits limits(automata::State states) const;
};

}  // namespace cli
