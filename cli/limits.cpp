#include "cli/limits.hpp"

#include <algorithm>

namespace cli {

void LimitOptions::add_to(Options& options) {
  options.group("Options");
  options.number("--max-elements", "N", max_elements,
                 "Largest transition semigroup to build (1,000,000; fewer from 50 states on)", 1,
                 std::uint64_t{1} << 32);
  options.number("--max-pairs", "N", max_pairs, "Most pairs of states to look at, for LTL[P,Y] (20,000,000)");
}

automata::LadderLimits LimitOptions::limits(automata::State states) const {
  automata::LadderLimits limits;
  limits.max_elements = max_elements.value_or(std::clamp<std::size_t>(50'000'000 / states, 1'000, 1'000'000));
  limits.max_pairs = max_pairs;
  return limits;
}

}  // namespace cli
