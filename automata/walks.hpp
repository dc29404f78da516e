// Walks in graphs whose edges are numbered by letters: transition tables, Cayley graphs.
#pragma once

#include "logic/alphabet.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace automata {

using Node = std::uint32_t;

/// No node: where an edge is missing.
inline constexpr Node no_node = static_cast<Node>(-1);

/// A view of a table with a row for each node and a column for each letter.
struct Graph {
  std::span<const Node> next;
  logic::Letter letters;

  Node nodes() const { return static_cast<Node>(next.size() / letters); }
  Node at(Node x, logic::Letter a) const { return next[std::size_t{x} * letters + a]; }
};

/// A partition of the nodes into `count` numbered classes.
struct Partition {
  std::vector<Node> of;
  Node count = 0;
};

/// The strongly connected components, successors before predecessors.  Tarjan's algorithm: linear.
Partition strong_components(const Graph& graph);

/// Which component reaches which, by walks of any length, 0 included.
///
/// The components must come after their successors, as those of strong_components do, and outlive it.
/// O(edges · count / 64) time and count² bits.
class Reachability {
 public:
  Reachability(const Graph& graph, const Partition& components);

  bool operator()(Node x, Node y) const {
    const Node c = components_.of[x], d = components_.of[y];
    return (bits_[c * width_ + d / 64] >> d % 64 & 1) != 0;
  }

 private:
  const Partition& components_;
  std::size_t width_;
  std::vector<std::uint64_t> bits_;
};

/// Which components hold an edge.  Linear.
std::vector<bool> with_cycles(const Graph& graph, const Partition& components);

/// Which nodes reach one of `targets`.  The components must come after their successors.  Linear.
std::vector<bool> reaching(const Graph& graph, const Partition& components, const std::vector<bool>& targets);

/// Two nodes share a class when they lie in one component and the lengths of the walks from one to the other
/// are multiples of its period, the gcd of its cycle lengths.  A node on no cycle is alone.  Linear.
struct CyclicClasses {
  Partition classes;
  std::vector<Node> period;  // of each component; 0 where there is no cycle
};
CyclicClasses cyclic_classes(const Graph& graph, const Partition& components);

/// Shortest walks from a node, the first in letter order of their kind.  Linear.
struct BreadthFirst {
  std::vector<Node> distance;  // no_node where there is no walk
  std::vector<Node> parent;
  std::vector<logic::Letter> letter;
  std::vector<Node> order;  // the nodes that are reached, in breadth-first order

  bool reaches(Node x) const { return distance[x] != no_node; }
  logic::Word word_to(Node x) const;
};
BreadthFirst breadth_first(const Graph& graph, Node from);

/// A shortest walk; there must be one.
logic::Word shortest_walk(const Graph& graph, Node from, Node to);

/// A shortest walk of one or more edges from x to x; there must be one.
logic::Word shortest_closed_walk(const Graph& graph, Node x);

/// A closed walk from x, of one or more edges, whose letters contain those of `word`.
///
/// Each of these letters must be on an edge that x reaches and that reaches x.
logic::Word closed_walk_with(const Graph& graph, Node x, const logic::Word& word);

/// A short, not always shortest, walk from `from` to `to` whose length is a multiple of `modulus`.
///
/// The two must share a cyclic class, and `modulus` must be a multiple of its period.
/// O(k n + modulus log modulus) time and O(k n + modulus) memory.
logic::Word divisible_walk(const Graph& graph, Node from, Node to, std::uint64_t modulus);

}  // namespace automata
