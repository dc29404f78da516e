#include "automata/pair_graph.hpp"

#include <algorithm>
#include <cstddef>

namespace automata {

PairGraph::PairGraph(const Dfa& dfa) : n(dfa.states()), table(std::size_t{n} * n * dfa.letters(), no_node) {
  const Letter k = dfa.letters();
  for (State p = 0; p < n; ++p) {
    for (State q = 0; q < n; ++q) {
      if (p == q) continue;
      for (Letter a = 0; a < k; ++a) {
        const State pa = dfa.next(p, a), qa = dfa.next(q, a);
        if (pa != qa) table[(std::size_t{p} * n + q) * k + a] = pa * n + qa;
      }
    }
  }
  graph = {table, k};
  components = strong_components(graph);
  cyclic = with_cycles(graph, components);
  members.resize(components.count);
  letters.resize(components.count);
  for (Node x = 0; x < graph.nodes(); ++x) {
    const Node c = components.of[x];
    if (!cyclic[c]) continue;
    members[c].push_back(x);
    letters[c].resize(k, false);
    for (Letter a = 0; a < k; ++a)
      if (inside(x, a)) letters[c][a] = true;
  }
}

OwnGraph component_graph(const PairGraph& pairs, Node c) {
  const auto& members = pairs.members[c];
  OwnGraph result{{}, pairs.graph.letters};
  result.table.assign(members.size() * result.letters, no_node);
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (Letter a = 0; a < result.letters; ++a) {
      if (!pairs.inside(members[i], a)) continue;
      const Node y = pairs.graph.at(members[i], a);
      result.table[i * result.letters + a] =
          static_cast<Node>(std::lower_bound(members.begin(), members.end(), y) - members.begin());
    }
  }
  return result;
}

OwnGraph with_state(const OwnGraph& component, const Dfa& dfa) {
  const State n = dfa.states();
  const Letter k = component.letters;
  OwnGraph result{std::vector<Node>(component.table.size() * n, no_node), k};
  for (std::size_t i = 0; i < component.table.size() / k; ++i) {
    for (Letter a = 0; a < k; ++a) {
      const Node j = component.table[i * k + a];
      if (j == no_node) continue;
      for (State r = 0; r < n; ++r)
        result.table[(i * n + r) * k + a] = static_cast<Node>(std::size_t{j} * n + dfa.next(r, a));
    }
  }
  return result;
}

OwnGraph squared(const OwnGraph& component) {
  const Letter k = component.letters;
  const std::size_t size = component.table.size() / k;
  OwnGraph result{std::vector<Node>(size * size * k, no_node), k};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (Letter a = 0; a < k; ++a) {
        const Node x = component.table[i * k + a], y = component.table[j * k + a];
        if (x != no_node && y != no_node)
          result.table[(i * size + j) * k + a] = static_cast<Node>(std::size_t{x} * size + y);
      }
    }
  }
  return result;
}

}  // namespace automata
