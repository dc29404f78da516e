// A counter of prime period j moves a tuple (p_0, ..., p_(j-1)) of different states to (p_1, ..., p_(j-1),
// p_0). Its states are in one component of the automaton, and all pairs (p_i, p_(i+1)) in one component C of
// the graph of pairs, since the word takes each to the next.  So the tuples are the closed walks of length j
// in C, read as a graph on states; each is followed as far as it goes, and a counter is there when a tuple
// reaches its own rotation.
#include "automata/counters.hpp"

#include "automata/interner.hpp"
#include "automata/walks.hpp"

#include <algorithm>
#include <vector>

namespace automata {
namespace {

bool is_prime(std::uint64_t number) {
  for (std::uint64_t d = 2; d * d <= number; ++d)
    if (number % d == 0) return false;
  return number >= 2;
}

/// All tuples of one period that can pass for cycles, and where the letters take them.
class Tuples {
 public:
  Tuples(const Dfa& dfa, const Partition& pairs, std::size_t period, std::size_t max_edges)
      : dfa_(dfa), pairs_(pairs), period_(period), max_edges_(max_edges) {}

  /// Takes all cycles p_0, ..., p_(j-1) in component c, of which p_0 is the least state; false past the
  /// limit.
  bool add_cycles(const std::vector<std::vector<State>>& successors, State least, Node c) {
    std::vector<State> path{least};
    std::vector<std::size_t> next{0};
    while (!path.empty()) {
      const auto& choices = successors[path.back()];
      if (next.back() == choices.size()) {
        path.pop_back();
        next.pop_back();
        continue;
      }
      if (++walks_ > max_edges_) return false;
      const State q = choices[next.back()++];
      if (pairs_.of[std::size_t{path.back()} * dfa_.states() + q] != c) continue;
      if (path.size() == period_) {
        if (q == least && !add(path)) return false;
        continue;
      }
      if (q <= least || std::find(path.begin(), path.end(), q) != path.end()) continue;
      path.push_back(q);
      next.push_back(0);
    }
    return true;
  }

  std::optional<Counter> counter() const {
    const Graph graph{table_, dfa_.letters()};
    const Partition components = strong_components(graph);
    std::vector<State> rotated(period_);
    for (Node x = 0; x < graph.nodes(); ++x) {
      const auto tuple = tuples_[x];
      std::rotate_copy(tuple.begin(), tuple.begin() + 1, tuple.end(), rotated.begin());
      const Node y = find(rotated);
      if (y == no_node || components.of[x] != components.of[y]) continue;
      return Counter{tuple[0], shortest_walk(graph, x, y), period_};
    }
    return std::nullopt;
  }

  std::uint64_t edges() const { return table_.size() + walks_; }

 private:
  bool add(const std::vector<State>& cycle) {
    // All rotations: the one that a tuple reaches need not be the one that starts at the least state.
    std::vector<State> tuple(cycle);
    for (std::size_t i = 0; i < period_; ++i) {
      tuples_.intern(tuple);
      std::rotate(tuple.begin(), tuple.begin() + 1, tuple.end());
    }
    for (; done_ < tuples_.size(); ++done_) {
      for (Letter a = 0; a < dfa_.letters(); ++a) {
        if (edges() >= max_edges_) return false;
        for (std::size_t i = 0; i < period_; ++i) tuple[i] = dfa_.next(tuples_[done_][i], a);
        bool moves_on = true;
        const auto pair = [&](std::size_t i) {
          return pairs_.of[std::size_t{tuple[i]} * dfa_.states() + tuple[(i + 1) % period_]];
        };
        const auto from = tuples_[done_];
        const Node c = pairs_.of[std::size_t{from[0]} * dfa_.states() + from[1]];
        for (std::size_t i = 0; i < period_ && moves_on; ++i)
          moves_on = tuple[i] != tuple[(i + 1) % period_] && pair(i) == c;
        table_.push_back(moves_on ? tuples_.intern(tuple).first : no_node);
      }
    }
    return true;
  }

  Node find(const std::vector<State>& tuple) const {
    if (numbers_.size() != tuples_.size()) {
      numbers_.resize(tuples_.size());
      for (Node x = 0; x < numbers_.size(); ++x) numbers_[x] = x;
      std::sort(numbers_.begin(), numbers_.end(), [&](Node x, Node y) {
        return std::lexicographical_compare(tuples_[x].begin(), tuples_[x].end(), tuples_[y].begin(),
                                            tuples_[y].end());
      });
    }
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), tuple,
                                     [&](Node x, const std::vector<State>& other) {
                                       return std::lexicographical_compare(
                                           tuples_[x].begin(), tuples_[x].end(), other.begin(), other.end());
                                     });
    return at != numbers_.end() && std::equal(tuple.begin(), tuple.end(), tuples_[*at].begin()) ? *at
                                                                                                : no_node;
  }

  const Dfa& dfa_;
  const Partition& pairs_;
  std::size_t period_, max_edges_;
  Interner<State> tuples_;
  std::vector<Node> table_;
  std::uint32_t done_ = 0;
  std::uint64_t walks_ = 0;
  mutable std::vector<Node> numbers_;  // of the tuples, in lexicographic order
};

}  // namespace

CounterSearch find_counter(const Dfa& dfa, std::size_t max_edges) {
  const State n = dfa.states();
  const Letter k = dfa.letters();
  CounterSearch result;
  if (std::uint64_t{n} * n * k > max_edges) return result;
  const Partition components = strong_components({dfa.table(), k});
  std::vector<State> sizes(components.count, 0);
  for (const Node c : components.of) ++sizes[c];
  const State largest = *std::max_element(sizes.begin(), sizes.end());

  // Pairs of different states of one component, as long as they are that.
  std::vector<Node> table(std::size_t{n} * n * k, no_node);
  for (State p = 0; p < n; ++p) {
    for (State q = 0; q < n; ++q) {
      if (p == q || components.of[p] != components.of[q]) continue;
      for (Letter a = 0; a < k; ++a) {
        const State pa = dfa.next(p, a), qa = dfa.next(q, a);
        if (pa != qa && components.of[pa] == components.of[p] && components.of[qa] == components.of[p])
          table[(std::size_t{p} * n + q) * k + a] = pa * n + qa;
      }
    }
  }
  const Graph graph{table, k};
  const Partition pairs = strong_components(graph);
  result.edges = table.size();
  for (State p = 0; p < n; ++p) {
    for (State q = p + 1; q < n; ++q) {
      if (pairs.of[p * n + q] != pairs.of[q * n + p]) continue;
      result.counter = Counter{p, shortest_walk(graph, p * n + q, q * n + p), 2};
      return result;
    }
  }
  result.primes = 1;

  // Which components of pairs may hold a cycle: those with two pairs or more.
  std::vector<Node> pairs_in(pairs.count, 0);
  for (State p = 0; p < n; ++p)
    for (State q = 0; q < n; ++q)
      if (p != q && components.of[p] == components.of[q]) ++pairs_in[pairs.of[p * n + q]];
  std::vector<std::vector<State>> successors(n);
  for (State p = 0; p < n; ++p)
    for (State q = 0; q < n; ++q)
      if (p != q && pairs_in[pairs.of[p * n + q]] > 1) successors[p].push_back(q);

  for (State period = 3; period <= largest; ++period) {
    if (!is_prime(period)) continue;
    if (result.edges >= max_edges) return result;
    Tuples tuples(dfa, pairs, period, max_edges - result.edges);
    bool within = true;
    std::vector<Node> tried;
    for (State p = 0; p < n && within; ++p) {
      tried.clear();
      for (const State q : successors[p]) tried.push_back(pairs.of[p * n + q]);
      std::sort(tried.begin(), tried.end());
      tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
      for (const Node c : tried) {
        within = tuples.add_cycles(successors, p, c);
        if (!within) break;
      }
    }
    result.edges += tuples.edges();
    if (within) {
      result.counter = tuples.counter();
      if (result.counter) return result;
      ++result.primes;
    } else {
      return result;
    }
  }
  result.complete = true;
  return result;
}

}  // namespace automata
