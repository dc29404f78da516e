// Each decision follows its theorem in docs/ladder.md, which has the proofs.
#include "automata/ladder.hpp"

#include "automata/counters.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "automata/semigroup.hpp"
#include "automata/walks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace automata {

std::string_view name(Logic logic) {
  switch (logic) {
    case Logic::y: return "LTL[Y]";
    case Logic::p: return "LTL[P]";
    case Logic::py: return "LTL[P,Y]";
    case Logic::s: return "LTL[S]";
    case Logic::y_mod: return "LTL[Y,MOD]";
    case Logic::p_mod: return "LTL[P,MOD]";
    case Logic::py_mod: return "LTL[P,Y,MOD]";
    case Logic::s_mod: return "LTL[S,MOD]";
  }
  throw std::invalid_argument("name: no logic");
}

std::optional<Logic> logic_of_name(std::string_view text) {
  for (const Logic logic : all_logics)
    if (name(logic) == text) return logic;
  return std::nullopt;
}

// Runs words and compares states; nothing here knows how the words were found.
bool replay(const Dfa& dfa, const Witness& w) {
  for (const Word* word : {&w.access_p, &w.access_q, &w.loop, &w.to_q, &w.to_p, &w.rest, &w.suffix})
    for (const Letter a : *word)
      if (a >= dfa.letters()) return false;
  if (w.p >= dfa.states() || w.q >= dfa.states() || w.p == w.q) return false;
  if (dfa.run(dfa.start(), w.access_p) != w.p || dfa.run(dfa.start(), w.access_q) != w.q) return false;
  if (dfa.is_accepting(dfa.run(w.p, w.suffix)) == dfa.is_accepting(dfa.run(w.q, w.suffix))) return false;

  const auto fixes = [&](const Word& word, State q) { return !word.empty() && dfa.run(q, word) == q; };
  const auto divides = [](const Word& x, const Word& y) { return y.size() % x.size() == 0; };
  const auto connected = [&] { return dfa.run(w.p, w.to_q) == w.q && dfa.run(w.q, w.to_p) == w.p; };
  // Whether p moves on a cycle of p·loop^i whose length divides `period`, and `rest` (if asked) fixes it.
  const auto rotates = [&](bool with_rest) {
    if (w.period < 2 || dfa.run(w.p, w.loop) != w.q) return false;
    State q = w.p;
    for (State i = 1; i <= dfa.states(); ++i) {
      if (with_rest && dfa.run(q, w.rest) != q) return false;
      q = dfa.run(q, w.loop);
      if (q == w.p) return w.period % i == 0;
    }
    return false;
  };
  switch (w.logic) {
    case Logic::y: return fixes(w.loop, w.p) && fixes(w.loop, w.q);
    case Logic::p: return connected();
    case Logic::py: return fixes(w.loop, w.p) && fixes(w.loop, w.q) && connected();
    case Logic::s: return rotates(false);
    case Logic::y_mod:
      return fixes(w.loop, w.p) && fixes(w.loop, w.q) && w.access_p.size() == w.access_q.size();
    case Logic::p_mod:
      return connected() && fixes(w.loop, w.p) && divides(w.loop, w.to_q) && fixes(w.rest, w.q) &&
             divides(w.rest, w.to_p);
    case Logic::py_mod:
      return connected() && fixes(w.loop, w.p) && fixes(w.loop, w.q) && divides(w.loop, w.to_q) &&
             divides(w.loop, w.to_p);
    case Logic::s_mod: return rotates(true) && w.rest.size() == w.loop.size();
  }
  return false;
}

namespace {

std::string count_of(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

Witness against(Logic logic) {
  Witness w;
  w.logic = logic;
  return w;
}

// The coarsest partition reached by merging states with equal rows, again and again: p and q are merged
// exactly when all long enough words lead from both to one state.  Each merge relabels the edges into the
// state that has fewer of them, so an edge is relabelled O(log n) times.
//
// The states are found by their rows in an open-addressed table that nothing is taken out of: an entry counts
// as long as its state is no part of another one and has the row that is looked for.
class RowMerging {
 public:
  explicit RowMerging(const Dfa& dfa)
      : k_(dfa.letters()),
        next_(dfa.table()),
        parent_(dfa.states()),
        hash_(dfa.states(), 0),
        edges_(dfa.states()),
        next_edge_(next_.size()),
        slots_(std::bit_ceil(4 * std::size_t{dfa.states()})) {
    std::iota(parent_.begin(), parent_.end(), State{0});
    for (std::size_t e = next_.size(); e-- > 0;) {
      hash_[e / k_] += mix(e % k_, next_[e]);
      Edges& edges = edges_[next_[e]];
      if (edges.count++ == 0) edges.last = e;
      next_edge_[e] = edges.first;
      edges.first = e;
    }
    for (State q = 0; q < dfa.states(); ++q) insert(q);
    // In rounds, which go through neighbouring memory where the first pass did.
    for (std::vector<std::pair<State, State>> round; !equal_.empty(); round.clear()) {
      round.swap(equal_);
      for (const auto& [p, q] : round) merge(find(p), find(q));
    }
  }

  // The class of each state, as a state.
  std::vector<State> classes() {
    std::vector<State> result(parent_.size());
    for (State q = 0; q < result.size(); ++q) result[q] = find(q);
    return result;
  }

 private:
  // Edge q·k + a is that of letter a from q.  A list of edges into one state.
  struct Edges {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t count = 0;
  };
  struct Slot {
    std::uint32_t hash = 0;
    State taken_by = no_node;
  };

  static std::uint64_t mix(std::uint64_t a, State q) {
    std::uint64_t h = (a << 32 | q) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
  }

  State find(State q) {
    while (parent_[q] != q) q = parent_[q] = parent_[parent_[q]];
    return q;
  }

  bool have_equal_rows(State p, State q) const {
    const State* const rows = next_.data();
    return std::equal(rows + std::size_t{p} * k_, rows + (std::size_t{p} + 1) * k_,
                      rows + std::size_t{q} * k_);
  }

  void insert(State q) {
    if (2 * taken_ >= slots_.size()) {  // mostly by entries that no longer count
      std::fill(slots_.begin(), slots_.end(), Slot{});
      taken_ = 0;
      for (State p = 0; p < parent_.size(); ++p)
        if (parent_[p] == p) place(p);
    }
    place(q);
  }

  void place(State q) {
    const auto hash = static_cast<std::uint32_t>(hash_[q]);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.taken_by == no_node) {
        slot = {hash, q};
        ++taken_;
        return;
      }
      if (slot.hash != hash) continue;
      const State p = slot.taken_by;
      if (p == q) return;
      if (parent_[p] == p && have_equal_rows(p, q)) {
        equal_.emplace_back(p, q);
        return;
      }
    }
  }

  void merge(State x, State y) {
    if (x == y) return;
    if (edges_[x].count < edges_[y].count) std::swap(x, y);
    parent_[y] = x;
    insert(x);  // it may have been y that the table held
    Edges& kept = edges_[x];
    const Edges moved = edges_[y];
    if (moved.count == 0) return;
    std::size_t e = moved.first;
    for (std::size_t i = 0; i < moved.count; ++i, e = next_edge_[e]) {
      const auto q = static_cast<State>(e / k_);
      if (parent_[q] != q) continue;
      hash_[q] += mix(e % k_, x) - mix(e % k_, next_[e]);
      next_[e] = x;
      insert(q);
    }
    next_edge_[moved.last] = kept.first;
    kept.first = moved.first;
    kept.count += moved.count;
  }

  std::size_t k_;
  std::vector<State> next_;  // rows of merged-away states are not kept up
  std::vector<State> parent_;
  std::vector<std::uint64_t> hash_;
  std::vector<Edges> edges_;  // into each state
  std::vector<std::size_t> next_edge_;
  std::vector<Slot> slots_;
  std::size_t taken_ = 0;
  std::vector<std::pair<State, State>> equal_;
};

// Finds cycles of length two or more in state maps; keeps its memory between calls.
class CycleFinder {
 public:
  explicit CycleFinder(State states) : seen_(states, 0) {}

  // The states of one such cycle, in its order from its smallest state; empty when there is none.
  std::vector<State> operator()(std::span<const State> map) {
    const std::uint64_t begin = stamp_ + 1;
    for (State start = 0; start < map.size(); ++start) {
      ++stamp_;
      State q = start;
      for (; seen_[q] < begin; q = map[q]) seen_[q] = stamp_;
      if (seen_[q] != stamp_ || map[q] == q) continue;
      std::vector<State> cycle{q};
      for (State p = map[q]; p != q; p = map[p]) cycle.push_back(p);
      std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
      stamp_ = begin + map.size();
      return cycle;
    }
    return {};
  }

 private:
  std::vector<std::uint64_t> seen_;
  std::uint64_t stamp_ = 0;
};

// The map that `word` induces.
std::vector<State> map_of(const Dfa& dfa, const Word& word) {
  std::vector<State> map(dfa.states());
  for (State q = 0; q < dfa.states(); ++q) map[q] = dfa.run(q, word);
  return map;
}

// How tuples of states move when they read letters, from one tuple on and as far as it was explored.
struct TupleGraph {
  std::vector<std::vector<State>> tuples;
  std::vector<Node> next;
};

TupleGraph tuple_graph(const Dfa& dfa, const std::vector<State>& from, std::size_t max_entries) {
  struct HashOf {
    std::size_t operator()(const std::vector<State>& tuple) const {
      std::uint64_t h = 0x9e3779b97f4a7c15u;
      for (const State q : tuple) h = ((h ^ q) * 0xff51afd7ed558ccdu) ^ (h >> 29);
      return h;
    }
  };
  TupleGraph graph;
  std::unordered_map<std::vector<State>, Node, HashOf> node_of{{from, 0}};
  graph.tuples.push_back(from);
  std::vector<State> tuple(from.size());
  for (std::size_t x = 0; x < graph.tuples.size(); ++x) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      for (std::size_t i = 0; i < tuple.size(); ++i) tuple[i] = dfa.next(graph.tuples[x][i], a);
      Node y = no_node;
      if (const auto known = node_of.find(tuple); known != node_of.end()) {
        y = known->second;
      } else if (graph.tuples.size() * tuple.size() < max_entries) {
        y = static_cast<Node>(graph.tuples.size());
        node_of.emplace(tuple, y);
        graph.tuples.push_back(tuple);
      }
      graph.next.push_back(y);
    }
  }
  return graph;
}

// Decides logic after logic and keeps what the next one can use.
class Decider {
 public:
  Decider(const Dfa& dfa, const LadderLimits& limits)
      : dfa_(dfa),
        limits_(limits),
        graph_{dfa.table(), dfa.letters()},
        access_(breadth_first(graph_, dfa.start())),
        components_(strong_components(graph_)),
        cyclic_(cyclic_classes(graph_, components_)) {
    const State minimal = minimize(dfa).states();
    if (minimal != dfa.states())
      throw std::invalid_argument("ladder: the automaton has " + count_of(dfa.states(), "state") +
                                  ", the minimal one " + std::to_string(minimal));
  }

  const Membership& decide(Logic logic) {
    auto& known = known_[static_cast<std::size_t>(logic)];
    if (!known) known = compute(logic);
    return *known;
  }

 private:
  Membership compute(Logic logic) {
    switch (logic) {
      case Logic::y: return decide_y();
      case Logic::p: return decide_p();
      case Logic::py: return decide_py(Logic::py, components_.of, components_.count);
      case Logic::s: return decide_s();
      case Logic::y_mod: return decide_y_mod();
      case Logic::p_mod: return decide_p_mod();
      case Logic::py_mod: return decide_py(Logic::py_mod, cyclic_.classes.of, cyclic_.classes.count);
      case Logic::s_mod: return decide_s_mod();
    }
    throw std::invalid_argument("decide: no logic");
  }

  static Membership yes(Logic logic, std::string note) {
    return {logic, true, std::nullopt, std::move(note)};
  }
  static Membership unknown(Logic logic, std::string note) {
    return {logic, std::nullopt, std::nullopt, std::move(note)};
  }
  // Adds what every witness has, and replays it.
  Membership no(Witness w, std::string note) const {
    if (w.access_p.empty()) w.access_p = access_.word_to(w.p);
    if (w.access_q.empty()) w.access_q = access_.word_to(w.q);
    w.suffix = difference(dfa_, w.p, w.q).value();  // states of a minimal automaton
    const bool replays = replay(dfa_, w);
    assert(replays);
    if (!replays)
      throw std::logic_error("ladder: the witness against " + std::string(name(w.logic)) +
                             " does not replay");
    const Logic logic = w.logic;
    return {logic, false, std::move(w), std::move(note)};
  }

  const std::vector<State>& merged();
  std::optional<Word> shortest_pair_loop(State p, State q, const std::vector<Node>& classes,
                                         std::size_t max_length) const;
  bool short_loop(Witness& w, const std::vector<Node>& classes) const;
  void loop_after(Witness& w, State p, State q, const std::vector<State>& classes) const;

  Membership decide_y();
  Membership decide_y_mod();
  Membership decide_p();
  Membership decide_p_mod();
  Membership decide_py(Logic logic, const std::vector<Node>& classes, Node count);
  Membership decide_s();
  Membership decide_s_mod();
  std::optional<Witness> rotation_by_tuples(std::vector<State> cycle, std::size_t& budget) const;
  std::optional<Witness> rotation_by_semigroup(const Semigroup& semigroup) const;

  const Dfa& dfa_;
  const LadderLimits& limits_;
  Graph graph_;
  BreadthFirst access_;
  Partition components_;
  CyclicClasses cyclic_;
  std::optional<std::vector<State>> merged_;
  std::array<std::optional<Membership>, 8> known_;
};

std::uint64_t key(State p, State q) {
  return std::uint64_t{p} << 32 | q;
}

// A breadth-first search among ordered pairs of states, as lists of what was reached.
struct PairSearch {
  struct Entry {
    State p;
    State q;
    std::uint32_t parent;
    Letter letter;
    std::uint32_t length;
  };
  std::vector<Entry> entries;

  Word word_to(std::size_t i) const {
    Word word(entries[i].length);
    for (std::size_t j = word.size(); j > 0; i = entries[i].parent) word[--j] = entries[i].letter;
    return word;
  }
};

const std::vector<State>& Decider::merged() {
  if (!merged_) merged_ = RowMerging(dfa_).classes();
  return *merged_;
}

// A shortest word that fixes p and q while every pair on the way stays different and inside one class, if
// one of at most `max_length` letters is near enough.
std::optional<Word> Decider::shortest_pair_loop(State p, State q, const std::vector<Node>& classes,
                                                std::size_t max_length) const {
  constexpr std::size_t enough = 4096;
  PairSearch search{{{p, q, 0, 0, 0}}};
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i < search.entries.size() && i < enough; ++i) {
    const auto entry = search.entries[i];
    if (entry.length >= max_length) break;
    for (Letter a = 0; a < dfa_.letters(); ++a) {
      const State pa = dfa_.next(entry.p, a), qa = dfa_.next(entry.q, a);
      if (pa == qa || classes[pa] != classes[qa] || components_.of[pa] != components_.of[p]) continue;
      if (pa == p && qa == q) {
        Word word = search.word_to(i);
        word.push_back(a);
        return word;
      }
      if (seen.insert(key(pa, qa)).second)
        search.entries.push_back({pa, qa, static_cast<std::uint32_t>(i), a, entry.length + 1});
    }
  }
  return std::nullopt;
}

// Tries the words of a few letters: whether one of them fixes two states of one class.  Sets p, q and loop.
bool Decider::short_loop(Witness& w, const std::vector<Node>& classes) const {
  constexpr std::size_t max_words = 1000, max_entries = 4'000'000;
  const State n = dfa_.states();
  const std::size_t limit = std::min(max_words, max_entries / n);
  std::vector<std::vector<State>> maps(1,
                                       std::vector<State>(n));  // the empty word's, then in short-lex order
  std::iota(maps[0].begin(), maps[0].end(), State{0});
  std::unordered_map<Node, State> fixed_in;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    for (Letter a = 0; a < dfa_.letters(); ++a) {
      if (maps.size() > limit) return false;
      std::vector<State> map(n);
      for (State q = 0; q < n; ++q) map[q] = dfa_.next(maps[i][q], a);
      fixed_in.clear();
      for (const State q : access_.order) {
        if (map[q] != q) continue;
        const auto [first, is_new] = fixed_in.emplace(classes[q], q);
        if (is_new) continue;
        w.p = first->second;
        w.q = q;
        // Words are numbered as in a number system without zero: word i·k + a + 1 is word i, then a.
        std::size_t number = maps.size();
        for (; number > 0; number = (number - 1) / dfa_.letters())
          w.loop.push_back(static_cast<Letter>((number - 1) % dfa_.letters()));
        std::reverse(w.loop.begin(), w.loop.end());
        return true;
      }
      maps.push_back(std::move(map));
    }
  }
  return false;
}

// From the pair {p, q}, whose states are in different classes of merged(), walks to a pair that a word
// fixes, preferring short words.  Appends the way to both access words; sets p, q and loop.
void Decider::loop_after(Witness& w, State p, State q, const std::vector<State>& merged_classes) const {
  constexpr std::size_t near = 64;
  const auto live = [&](State x, State y) { return merged_classes[x] != merged_classes[y]; };
  const auto take = [&](const Word& way, State p_end, State q_end) {
    w.access_p.insert(w.access_p.end(), way.begin(), way.end());
    w.access_q.insert(w.access_q.end(), way.begin(), way.end());
    w.p = p_end;
    w.q = q_end;
  };

  PairSearch search{{{p, q, 0, 0, 0}}};
  std::unordered_set<std::uint64_t> seen{key(p, q)};
  const std::vector<Node> one_class(dfa_.states(), 0);
  std::size_t best = 0, best_length = dfa_.states() * std::size_t{2} + 2;
  std::optional<Word> loop;
  for (std::size_t i = 0; i < search.entries.size() && i < near; ++i) {
    const auto entry = search.entries[i];
    if (entry.length + 1 >= best_length) break;
    if (auto found = shortest_pair_loop(entry.p, entry.q, one_class, best_length - 1 - entry.length)) {
      best = i;
      best_length = entry.length + found->size();
      loop = std::move(found);
    }
    for (Letter a = 0; a < dfa_.letters(); ++a) {
      const State pa = dfa_.next(entry.p, a), qa = dfa_.next(entry.q, a);
      if (live(pa, qa) && seen.insert(key(pa, qa)).second)
        search.entries.push_back({pa, qa, static_cast<std::uint32_t>(i), a, entry.length + 1});
    }
  }
  if (loop) {
    take(search.word_to(best), search.entries[best].p, search.entries[best].q);
    w.loop = std::move(*loop);
    return;
  }

  // A pair in different classes has a letter that keeps it so: walk until a pair comes again.
  Word walk;
  std::unordered_map<std::uint64_t, std::size_t> visited;
  State x = p, y = q;
  while (visited.emplace(key(x, y), walk.size()).second) {
    Letter a = 0;
    while (!live(dfa_.next(x, a), dfa_.next(y, a))) ++a;
    walk.push_back(a);
    x = dfa_.next(x, a);
    y = dfa_.next(y, a);
  }
  const auto turn = walk.begin() + std::ptrdiff_t(visited[key(x, y)]);
  take(Word(walk.begin(), turn), x, y);
  w.loop.assign(turn, walk.end());
}

Membership Decider::decide_y() {
  const auto& classes = merged();
  const auto other = std::find_if(access_.order.begin(), access_.order.end(),
                                  [&](State q) { return classes[q] != classes[dfa_.start()]; });
  if (other == access_.order.end())
    return yes(Logic::y, "definite: merging states with equal rows leaves one state");
  Witness w = against(Logic::y);
  if (!short_loop(w, std::vector<Node>(dfa_.states(), 0))) {
    w.access_q = access_.word_to(*other);
    loop_after(w, dfa_.start(), *other, classes);
  }
  return no(std::move(w), "a word loops at two different states");
}

Membership Decider::decide_y_mod() {
  const auto& classes = merged();
  for (const State q : access_.order) {
    for (Letter a = 1; a < dfa_.letters(); ++a) {
      if (classes[dfa_.next(q, a)] == classes[dfa_.next(q, 0)]) continue;
      Witness w = against(Logic::y_mod);
      w.access_p = access_.word_to(q);
      w.access_q = w.access_p;
      w.access_p.push_back(0);
      w.access_q.push_back(a);
      loop_after(w, dfa_.next(q, 0), dfa_.next(q, a), classes);
      return no(std::move(w), "a word loops at two different states that words of one length reach");
    }
  }
  std::vector<State> distinct(classes);
  std::sort(distinct.begin(), distinct.end());
  const auto modulus = std::unique(distinct.begin(), distinct.end()) - distinct.begin();
  return yes(Logic::y_mod,
             "merging states with equal rows leaves a cycle: modulus " + std::to_string(modulus));
}

Membership Decider::decide_p() {
  std::vector<State> first(components_.count, no_node);
  for (const State q : access_.order) {
    State& p = first[components_.of[q]];
    if (p == no_node) {
      p = q;
      continue;
    }
    Witness w = against(Logic::p);
    w.p = p;
    w.q = q;
    w.to_q = shortest_walk(graph_, p, q);
    w.to_p = shortest_walk(graph_, q, p);
    return no(std::move(w), "two states reach each other");
  }
  return yes(Logic::p, "no two states reach each other");
}

Membership Decider::decide_p_mod() {
  std::vector<State> first(cyclic_.classes.count, no_node);
  for (const State q : access_.order) {
    State& p = first[cyclic_.classes.of[q]];
    if (p == no_node) {
      p = q;
      continue;
    }
    Witness w = against(Logic::p_mod);
    w.p = p;
    w.q = q;
    w.loop = shortest_closed_walk(graph_, p);
    w.rest = shortest_closed_walk(graph_, q);
    w.to_q = divisible_walk(graph_, p, q, w.loop.size());
    w.to_p = divisible_walk(graph_, q, p, w.rest.size());
    return no(std::move(w),
              "two states reach each other, by words of every large length that fits the period");
  }
  return yes(Logic::p_mod, "states that reach each other differ modulo the period of their component");
}

// Depth-first search for a cycle among the unordered pairs of different states inside one class.
Membership Decider::decide_py(Logic logic, const std::vector<Node>& classes, Node count) {
  const State n = dfa_.states();
  const bool modular = logic == Logic::py_mod;
  const auto answer_no = [&](Witness w) {
    if (modular) {
      w.to_q = divisible_walk(graph_, w.p, w.q, w.loop.size());
      w.to_p = divisible_walk(graph_, w.q, w.p, w.loop.size());
      return no(std::move(w), "a word loops at two states that reach each other, whatever the modulus");
    }
    w.to_q = shortest_walk(graph_, w.p, w.q);
    w.to_p = shortest_walk(graph_, w.q, w.p);
    return no(std::move(w), "a word loops at two states that reach each other");
  };
  const auto smaller_logics = modular ? std::vector{Logic::y, Logic::p, Logic::py, Logic::y_mod, Logic::p_mod}
                                      : std::vector{Logic::y, Logic::p};
  for (const Logic smaller : smaller_logics)
    if (decide(smaller).member == true) return yes(logic, "follows from " + std::string(name(smaller)));
  Witness w = against(logic);
  if (short_loop(w, classes)) return answer_no(std::move(w));

  std::vector<std::vector<State>> members(count);
  std::vector<State> place(n);
  for (State q = 0; q < n; ++q) {
    place[q] = static_cast<State>(members[classes[q]].size());
    members[classes[q]].push_back(q);
  }
  std::vector<std::uint64_t> begin(count);
  std::uint64_t pairs = 0;
  for (Node c = 0; c < count; ++c) {
    begin[c] = pairs;
    const std::uint64_t size = members[c].size();
    pairs += size * (size - 1) / 2;
  }
  if (pairs > limits_.max_pairs)
    return unknown(logic, "undecided: " + std::to_string(pairs) +
                              " pairs of states are more than the limit of " +
                              std::to_string(limits_.max_pairs));
  const auto number = [&](State p, State q) {
    std::uint64_t i = place[p], j = place[q];
    if (i < j) std::swap(i, j);
    return begin[classes[p]] + i * (i - 1) / 2 + j;
  };

  enum : std::uint8_t { unseen, open, closed };
  struct Frame {
    State p;
    State q;
    Letter a;
  };
  std::vector<std::uint8_t> color(pairs, unseen);
  std::vector<Frame> stack;
  for (const auto& members_of_class : members) {
    for (std::size_t i = 1; i < members_of_class.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const State p0 = members_of_class[j], q0 = members_of_class[i];
        if (color[number(p0, q0)] != unseen) continue;
        color[number(p0, q0)] = open;
        stack.push_back({p0, q0, 0});
        while (!stack.empty()) {
          Frame& top = stack.back();
          if (top.a == dfa_.letters()) {
            color[number(top.p, top.q)] = closed;
            stack.pop_back();
            continue;
          }
          const Letter a = top.a++;
          const State p = dfa_.next(top.p, a), q = dfa_.next(top.q, a);
          if (p == q || classes[p] != classes[q] || components_.of[p] != components_.of[top.p]) continue;
          auto& c = color[number(p, q)];
          if (c == closed) continue;
          if (c == unseen) {
            c = open;
            stack.push_back({p, q, 0});
            continue;
          }
          // The stack from {p, q} on is a cycle.  Look for a shorter one through its pairs; the cycle itself,
          // twice where it swaps the two states, is what to fall back on.
          std::size_t from = stack.size() - 1;
          while (std::minmax(stack[from].p, stack[from].q) != std::minmax(p, q)) --from;
          Word cycle;
          for (std::size_t k = from; k < stack.size(); ++k) cycle.push_back(stack[k].a - 1);
          w.p = stack[from].p;
          w.q = stack[from].q;
          w.loop = cycle;
          if (p != w.p) w.loop.insert(w.loop.end(), cycle.begin(), cycle.end());
          const std::size_t tries = std::min(stack.size(), from + 64);
          for (std::size_t k = from; k < tries; ++k) {
            auto loop = shortest_pair_loop(stack[k].p, stack[k].q, classes, w.loop.size() - 1);
            if (!loop) continue;
            w.p = stack[k].p;
            w.q = stack[k].q;
            w.loop = std::move(*loop);
          }
          return answer_no(std::move(w));
        }
      }
    }
  }
  return yes(logic, "no cycle among " + count_of(pairs, "pair") + " of states that " +
                        (modular ? "no modulus tells apart" : "reach each other"));
}

Membership Decider::decide_s() {
  for (const Logic smaller : {Logic::y, Logic::p, Logic::py})
    if (decide(smaller).member == true) return yes(Logic::s, "follows from " + std::string(name(smaller)));

  CycleFinder cycle_of(dfa_.states());
  std::size_t elements = 0;
  std::optional<Word> word;
  try {
    word = least_word_where(
        dfa_,
        [&](std::span<const State> map) {
          ++elements;
          return !cycle_of(map).empty();
        },
        limits_.max_elements);
  } catch (const std::length_error&) {
    const auto search = find_counter(dfa_, limits_.max_counter_edges);
    if (search.counter) {
      Witness w = against(Logic::s);
      w.p = search.counter->p;
      w.q = dfa_.run(w.p, search.counter->word);
      w.loop = search.counter->word;
      w.period = search.counter->period;
      return no(std::move(w), "a word permutes " + count_of(w.period, "state"));
    }
    if (search.complete)
      return yes(Logic::s, "no word permutes states in a cycle of prime length: " +
                               count_of(search.edges, "edge") + " of tuples of states");
    return unknown(Logic::s, "undecided: the first " + count_of(elements, "element") +
                                 " of the transition semigroup are aperiodic, and there are more; no counter "
                                 "was found along " +
                                 count_of(search.edges, "edge") + " of tuples of states (" +
                                 count_of(search.primes, "prime period") + " in full)");
  }
  if (!word) return yes(Logic::s, "aperiodic: " + count_of(elements, "element"));

  const auto cycle = cycle_of(map_of(dfa_, *word));
  Witness w = against(Logic::s);
  w.p = cycle[0];
  w.q = cycle[1];
  w.loop = std::move(*word);
  w.period = cycle.size();
  return no(std::move(w), "a word permutes " + count_of(cycle.size(), "state"));
}

// With (p_0, p_1, ...) the states that a power of the map moves in a cycle of prime length, looks for words
// of one length that lead from this tuple to itself and to (p_1, p_2, ..., p_0).  What is found in an
// explored part of the tuples is right; what is not may exist.
std::optional<Witness> Decider::rotation_by_tuples(std::vector<State> cycle, std::size_t& budget) const {
  constexpr std::size_t max_entries = 400'000;
  std::size_t prime = 2;
  while (cycle.size() % prime != 0) ++prime;
  const std::size_t stride = cycle.size() / prime;
  for (std::size_t i = 0; i < prime; ++i) cycle[i] = cycle[i * stride];
  cycle.resize(prime);

  const TupleGraph tuples = tuple_graph(dfa_, cycle, std::min(max_entries, budget));
  budget -= std::min(budget, tuples.tuples.size() * cycle.size());
  std::vector<State> rotated(cycle);
  std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
  const auto found = std::find(tuples.tuples.begin(), tuples.tuples.end(), rotated);
  if (found == tuples.tuples.end()) return std::nullopt;
  const auto to = static_cast<Node>(found - tuples.tuples.begin());
  const Graph graph{tuples.next, dfa_.letters()};
  const auto classes = cyclic_classes(graph, strong_components(graph)).classes;
  if (classes.of[to] != classes.of[0]) return std::nullopt;

  Witness w = against(Logic::s_mod);
  w.p = cycle[0];
  w.q = cycle[1];
  w.period = cycle.size();
  const Word closed = shortest_closed_walk(graph, 0);
  w.loop = divisible_walk(graph, 0, to, closed.size());
  while (w.rest.size() < w.loop.size()) w.rest.insert(w.rest.end(), closed.begin(), closed.end());
  return w;
}

// The same in the whole right Cayley graph, from an idempotent to another element of its group.
std::optional<Witness> Decider::rotation_by_semigroup(const Semigroup& semigroup) const {
  const Graph graph{semigroup.right_cayley_graph(), semigroup.letters()};
  const auto classes = cyclic_classes(graph, strong_components(graph)).classes;
  CycleFinder cycle_of(dfa_.states());
  for (Semigroup::Element x = 0; x < semigroup.size(); ++x) {
    const auto cycle = cycle_of(semigroup.map(x));
    if (cycle.empty()) continue;
    const auto e = semigroup.omega(x);
    if (semigroup.multiply(e, x) != x || classes.of[e] != classes.of[x]) continue;
    Witness w = against(Logic::s_mod);
    w.p = cycle[0];
    w.q = cycle[1];
    w.period = cycle.size();
    const Word closed = shortest_closed_walk(graph, e);
    w.loop = divisible_walk(graph, e, x, closed.size());
    while (w.rest.size() < w.loop.size()) w.rest.insert(w.rest.end(), closed.begin(), closed.end());
    return w;
  }
  return std::nullopt;
}

Membership Decider::decide_s_mod() {
  for (const Logic smaller : {Logic::s, Logic::y_mod, Logic::p_mod, Logic::py_mod})
    if (decide(smaller).member == true)
      return yes(Logic::s_mod, "follows from " + std::string(name(smaller)));
  if (!decide(Logic::s).member) return unknown(Logic::s_mod, decide(Logic::s).note);

  constexpr auto note_no = "words of one length permute states and leave them fixed";
  // First a few short words, each with a small part of its tuples: often enough where the semigroup is huge.
  constexpr std::size_t few = 2000;
  std::size_t budget = 4'000'000;
  CycleFinder cycle_of(dfa_.states());
  std::size_t elements = 0;
  std::optional<Witness> witness;
  const auto try_tuples = [&](std::span<const State> map) {
    if (++elements > few || budget == 0) return true;
    const auto cycle = cycle_of(map);
    if (cycle.empty()) return false;
    witness = rotation_by_tuples(cycle, budget);
    return witness.has_value();
  };
  try {
    least_word_where(dfa_, try_tuples, limits_.max_elements);
    if (witness) return no(std::move(*witness), note_no);
    const Semigroup semigroup(dfa_, limits_.max_elements);
    if ((witness = rotation_by_semigroup(semigroup))) return no(std::move(*witness), note_no);
    return yes(Logic::s_mod, "the stable semigroup is aperiodic: " + count_of(semigroup.size(), "element") +
                                 " in the whole semigroup");
  } catch (const std::length_error& limit) {
    return unknown(Logic::s_mod, "undecided: " + std::string(limit.what()));
  }
}

}  // namespace

Membership decide(const Dfa& dfa, Logic logic, const LadderLimits& limits) {
  return Decider(dfa, limits).decide(logic);
}

std::array<Membership, 8> ladder(const Dfa& dfa, const LadderLimits& limits) {
  Decider decider(dfa, limits);
  std::array<Membership, 8> result;
  std::transform(all_logics.begin(), all_logics.end(), result.begin(),
                 [&](Logic logic) { return decider.decide(logic); });
  return result;
}

}  // namespace automata
