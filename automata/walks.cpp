#include "automata/walks.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

namespace automata {

using logic::Letter;
using logic::Word;

Partition strong_components(const Graph& graph) {
  struct Frame {
    Node x;
    Letter a;
  };
  const Node n = graph.nodes();
  Partition result{std::vector<Node>(n, no_node), 0};
  std::vector<Node> index(n, no_node), low(n), open;
  std::vector<Frame> stack;
  Node visited = 0;
  const auto enter = [&](Node x) {
    index[x] = low[x] = visited++;
    open.push_back(x);
    stack.push_back({x, 0});
  };
  for (Node root = 0; root < n; ++root) {
    if (index[root] != no_node) continue;
    enter(root);
    while (!stack.empty()) {
      const Node x = stack.back().x;
      if (stack.back().a < graph.letters) {
        const Node y = graph.at(x, stack.back().a++);
        if (y == no_node) continue;
        if (index[y] == no_node)
          enter(y);
        else if (result.of[y] == no_node)
          low[x] = std::min(low[x], index[y]);
        continue;
      }
      stack.pop_back();
      if (!stack.empty()) low[stack.back().x] = std::min(low[stack.back().x], low[x]);
      if (low[x] != index[x]) continue;
      Node y;
      do {
        y = open.back();
        open.pop_back();
        result.of[y] = result.count;
      } while (y != x);
      ++result.count;
    }
  }
  return result;
}

CyclicClasses cyclic_classes(const Graph& graph, const Partition& components) {
  const Node n = graph.nodes();
  CyclicClasses result{{std::vector<Node>(n), 0}, std::vector<Node>(components.count, 0)};
  std::vector<Node> distance(n, no_node), component;
  for (Node root = 0; root < n; ++root) {
    if (distance[root] != no_node) continue;
    const Node c = components.of[root];
    component.assign(1, root);
    distance[root] = 0;
    Node period = 0;
    for (std::size_t i = 0; i < component.size(); ++i) {
      const Node x = component[i];
      for (Letter a = 0; a < graph.letters; ++a) {
        const Node y = graph.at(x, a);
        if (y == no_node || components.of[y] != c) continue;
        if (distance[y] == no_node) {
          distance[y] = distance[x] + 1;
          component.push_back(y);
        }
        // Every cycle length is a sum of such differences, and each difference is one of two closed walks.
        const Node ahead = distance[x] + 1;
        period = std::gcd(period, ahead > distance[y] ? ahead - distance[y] : distance[y] - ahead);
      }
    }
    result.period[c] = period;
    for (const Node x : component)
      result.classes.of[x] = result.classes.count + (period == 0 ? 0 : distance[x] % period);
    result.classes.count += std::max(period, Node{1});
  }
  return result;
}

Word BreadthFirst::word_to(Node x) const {
  assert(reaches(x));
  Word word(distance[x]);
  for (std::size_t i = word.size(); i > 0; x = parent[x]) word[--i] = letter[x];
  return word;
}

BreadthFirst breadth_first(const Graph& graph, Node from) {
  const Node n = graph.nodes();
  BreadthFirst result{
      std::vector<Node>(n, no_node), std::vector<Node>(n, no_node), std::vector<Letter>(n, 0), {from}};
  result.distance[from] = 0;
  for (std::size_t i = 0; i < result.order.size(); ++i) {
    const Node x = result.order[i];
    for (Letter a = 0; a < graph.letters; ++a) {
      const Node y = graph.at(x, a);
      if (y == no_node || result.reaches(y)) continue;
      result.distance[y] = result.distance[x] + 1;
      result.parent[y] = x;
      result.letter[y] = a;
      result.order.push_back(y);
    }
  }
  return result;
}

Word shortest_walk(const Graph& graph, Node from, Node to) {
  return breadth_first(graph, from).word_to(to);
}

Word shortest_closed_walk(const Graph& graph, Node x) {
  const BreadthFirst from_x = breadth_first(graph, x);
  for (const Node y : from_x.order) {
    for (Letter a = 0; a < graph.letters; ++a) {
      if (graph.at(y, a) != x) continue;
      Word word = from_x.word_to(y);
      word.push_back(a);
      return word;
    }
  }
  throw std::logic_error("shortest_closed_walk: node " + std::to_string(x) + " is on no cycle");
}

namespace {

// The walks to one node: its distance from everywhere, and the first letter of a shortest walk.
struct Backward {
  std::vector<Node> distance;
  std::vector<Letter> letter;
};

struct Edge {
  Node from;
  Letter letter;
};

// All edges, sorted by where they lead.
class Reversed {
 public:
  explicit Reversed(const Graph& graph) : begin_(std::size_t{graph.nodes()} + 1, 0) {
    for (const Node y : graph.next)
      if (y != no_node) ++begin_[y + std::size_t{1}];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    edges_.resize(begin_.back());
    std::vector<std::size_t> place(begin_.begin(), begin_.end() - 1);
    for (Node x = 0; x < graph.nodes(); ++x)
      for (Letter a = 0; a < graph.letters; ++a)
        if (const Node y = graph.at(x, a); y != no_node) edges_[place[y]++] = {x, a};
  }

  Backward walks_to(Node to) const {
    Backward result{std::vector<Node>(begin_.size() - 1, no_node), std::vector<Letter>(begin_.size() - 1, 0)};
    std::vector<Node> order{to};
    result.distance[to] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Node y = order[i];
      for (std::size_t j = begin_[y]; j < begin_[y + std::size_t{1}]; ++j) {
        const auto [x, a] = edges_[j];
        if (result.distance[x] != no_node) continue;
        result.distance[x] = result.distance[y] + 1;
        result.letter[x] = a;
        order.push_back(x);
      }
    }
    return result;
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Edge> edges_;
};

// A shortest walk through an edge.
struct Detour {
  std::uint64_t length;
  Edge edge;
};

// For each length, in ascending order, the first of the shortest walks through one edge that has it.
std::vector<Detour> detours(const Graph& graph, const BreadthFirst& forward, const Backward& backward) {
  std::vector<Edge> of_length;
  std::vector<bool> have;
  for (const Node x : forward.order) {
    for (Letter a = 0; a < graph.letters; ++a) {
      const Node y = graph.at(x, a);
      if (y == no_node || backward.distance[y] == no_node) continue;
      const std::size_t length = std::size_t{forward.distance[x]} + 1 + backward.distance[y];
      if (length >= have.size()) {
        have.resize(length + 1, false);
        of_length.resize(length + 1);
      }
      if (have[length]) continue;
      have[length] = true;
      of_length[length] = {x, a};
    }
  }
  std::vector<Detour> result;
  for (std::size_t length = 0; length < have.size(); ++length)
    if (have[length]) result.push_back({length, of_length[length]});
  return result;
}

}  // namespace

// Closed walks at `from` are added to a walk from `from` to `to` until the length is right.  The closed walks
// through single edges have the period as their gcd, so some multiset of them fits; a cheapest multiset is a
// shortest path among the residues of lengths.  To keep that graph small only few closed walks are offered:
// the short ones, and those that bring the gcd down.
Word divisible_walk(const Graph& graph, Node from, Node to, std::uint64_t modulus) {
  constexpr std::size_t enough = 16;
  const BreadthFirst forward = breadth_first(graph, from);
  const Reversed reversed(graph);
  const Backward to_from = reversed.walks_to(from);
  const Backward to_to = reversed.walks_to(to);

  std::vector<Detour> starts, loops;
  std::vector<bool> have(modulus, false);
  for (const Detour& d : detours(graph, forward, to_to)) {
    if (have[d.length % modulus] || starts.size() == enough) continue;
    have[d.length % modulus] = true;
    starts.push_back(d);
  }
  std::fill(have.begin(), have.end(), false);
  std::uint64_t gcd = modulus;
  for (const Detour& d : detours(graph, forward, to_from)) {
    if (have[d.length % modulus] || (loops.size() >= enough && d.length % gcd == 0)) continue;
    have[d.length % modulus] = true;
    gcd = std::gcd(gcd, d.length);
    loops.push_back(d);
  }

  constexpr auto unknown = static_cast<std::uint64_t>(-1);
  struct Step {
    std::uint64_t length = unknown;
    std::uint32_t item = 0;  // a start, or a loop numbered after the starts
  };
  std::vector<Step> best(modulus);
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // length, residue
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto offer = [&](std::uint64_t length, std::size_t item) {
    Step& step = best[length % modulus];
    if (step.length <= length) return;
    step = {length, static_cast<std::uint32_t>(item)};
    queue.emplace(length, length % modulus);
  };
  for (std::size_t i = 0; i < starts.size(); ++i) offer(starts[i].length, i);
  while (!queue.empty() && best[0].length > queue.top().first) {
    const auto [length, residue] = queue.top();
    queue.pop();
    if (best[residue].length != length) continue;
    for (std::size_t i = 0; i < loops.size(); ++i) offer(length + loops[i].length, starts.size() + i);
  }
  if (best[0].length == unknown)
    throw std::logic_error("divisible_walk: no walk from " + std::to_string(from) + " to " +
                           std::to_string(to) + " has a length divisible by " + std::to_string(modulus));

  Word word;
  word.reserve(best[0].length);
  const auto append = [&](Edge edge, const Backward& backward, Node end) {
    const Word there = forward.word_to(edge.from);
    word.insert(word.end(), there.begin(), there.end());
    word.push_back(edge.letter);
    for (Node x = graph.at(edge.from, edge.letter); x != end; x = graph.at(x, backward.letter[x]))
      word.push_back(backward.letter[x]);
  };
  std::uint64_t left = best[0].length;
  while (best[left % modulus].item >= starts.size()) {
    const Detour& loop = loops[best[left % modulus].item - starts.size()];
    append(loop.edge, to_from, from);
    left -= loop.length;
  }
  append(starts[best[left % modulus].item].edge, to_to, to);
  return word;
}

Reachability::Reachability(const Graph& graph, const Partition& components)
    : components_(components), width_((components.count + 63) / 64), bits_(components.count * width_, 0) {
  std::vector<std::vector<Node>> members(components.count);
  for (Node x = 0; x < graph.nodes(); ++x) members[components.of[x]].push_back(x);
  for (Node c = 0; c < components.count; ++c) {
    bits_[c * width_ + c / 64] |= std::uint64_t{1} << c % 64;
    for (const Node x : members[c]) {
      for (Letter a = 0; a < graph.letters; ++a) {
        const Node y = graph.at(x, a);
        if (y == no_node || components.of[y] == c) continue;
        for (std::size_t i = 0; i < width_; ++i)
          bits_[c * width_ + i] |= bits_[components.of[y] * width_ + i];
      }
    }
  }
}

std::vector<bool> with_cycles(const Graph& graph, const Partition& components) {
  std::vector<bool> result(components.count, false);
  for (Node x = 0; x < graph.nodes(); ++x) {
    for (Letter a = 0; a < graph.letters; ++a) {
      const Node y = graph.at(x, a);
      if (y != no_node && components.of[y] == components.of[x]) result[components.of[x]] = true;
    }
  }
  return result;
}

std::vector<bool> reaching(const Graph& graph, const Partition& components,
                           const std::vector<bool>& targets) {
  // Components come after their successors.
  std::vector<Node> order(graph.nodes()), begin(components.count + 1, 0);
  for (const Node c : components.of) ++begin[c + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (Node x = 0; x < graph.nodes(); ++x) order[begin[components.of[x]]++] = x;
  std::vector<bool> good(components.count, false), result(graph.nodes());
  for (const Node x : order) {
    const Node c = components.of[x];
    if (good[c]) continue;
    bool found = targets[x];
    for (Letter a = 0; a < graph.letters && !found; ++a) {
      const Node y = graph.at(x, a);
      found = y != no_node && good[components.of[y]];
    }
    if (found) good[c] = true;
  }
  for (Node x = 0; x < graph.nodes(); ++x) result[x] = good[components.of[x]];
  return result;
}

Word closed_walk_with(const Graph& graph, Node x, const Word& word) {
  Word letters(word);
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  Word walk;
  Node at = x;
  for (const Letter a : letters) {
    if (std::find(walk.begin(), walk.end(), a) != walk.end()) continue;
    const auto search = breadth_first(graph, at);
    const auto from = std::find_if(search.order.begin(), search.order.end(),
                                   [&](Node y) { return graph.at(y, a) != no_node; });
    const Word way = search.word_to(*from);
    walk.insert(walk.end(), way.begin(), way.end());
    walk.push_back(a);
    at = graph.at(*from, a);
  }
  if (walk.empty()) return shortest_closed_walk(graph, x);
  const Word back = shortest_walk(graph, at, x);
  walk.insert(walk.end(), back.begin(), back.end());
  return walk;
}

}  // namespace automata
