// The ordered pairs of different states of an automaton, as a graph, and its products.
//
// Its components with a cycle are where two states stay different for ever under a common loop.
#pragma once

#include "automata/dfa.hpp"
#include "automata/walks.hpp"

#include <vector>

namespace automata {

/// Ordered pairs of different states; pair (p, q) is node p·n + q, and moves until the two meet.
struct PairGraph {
  State n;
  std::vector<Node> table;
  Graph graph;
  Partition components;
  std::vector<bool> cyclic;                // of each component
  std::vector<std::vector<Node>> members;  // of each cyclic component, ascending
  std::vector<std::vector<bool>> letters;  // of each cyclic component: those of its edges

  explicit PairGraph(const Dfa& dfa);    // O(k n²)
  PairGraph(const PairGraph&) = delete;  // graph views table
  PairGraph& operator=(const PairGraph&) = delete;

  State first(Node x) const { return x / n; }
  State second(Node x) const { return x % n; }
  Node pair(State p, State q) const { return p * n + q; }
  bool is_cyclic(Node x) const { return cyclic[components.of[x]]; }
  bool inside(Node x, Letter a) const {
    const Node y = graph.at(x, a);
    return y != no_node && components.of[y] == components.of[x];
  }
};

/// A graph that owns its table.
struct OwnGraph {
  std::vector<Node> table;
  Letter letters;
  Graph view() const { return {table, letters}; }
};

/// A cyclic component C of pairs by itself: node i is its i-th member.
OwnGraph component_graph(const PairGraph& pairs, Node c);

/// C x Q: node i·n + r is the i-th member of C with the state r.
OwnGraph with_state(const OwnGraph& component, const Dfa& dfa);

/// C x C: node i·|C| + j.
OwnGraph squared(const OwnGraph& component);

}  // namespace automata
