#include "automata/components.hpp"

#include "automata/walks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace automata {

std::vector<Component> components(const Dfa& dfa) {
  const Partition parts = strong_components(Graph{dfa.table(), dfa.letters()});
  std::vector<Component> result(parts.count);
  for (State q = 0; q < dfa.states(); ++q) result[parts.count - 1 - parts.of[q]].states.push_back(q);
  std::vector<std::uint32_t> distance(dfa.states(), UINT32_MAX);
  for (Component& component : result) {
    std::vector<State> queue{component.states[0]};
    distance[queue[0]] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const State p = queue[i];
      for (Letter a = 0; a < dfa.letters(); ++a) {
        const State q = dfa.next(p, a);
        if (parts.of[q] != parts.of[p]) continue;
        if (distance[q] == UINT32_MAX) {
          distance[q] = distance[p] + 1;
          queue.push_back(q);
        }
        // distances are potentials: the period divides the error of every edge, and nothing larger does
        const std::uint32_t there = distance[p] + 1;
        component.period =
            std::gcd(component.period, std::max(there, distance[q]) - std::min(there, distance[q]));
      }
    }
    for (const State q : component.states)
      component.level.push_back(component.period == 0 ? 0 : distance[q] % component.period);
  }
  return result;
}

}  // namespace automata
