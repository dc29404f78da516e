// The tests follow docs/classes.md, which has the patterns, their proofs and their sources.
//
// Almost all of them live in the graph of ordered pairs of different states.  A third state (a fourth) that
// runs along with a cyclic component C makes the products C x Q (C x C).
#include "automata/classes.hpp"

#include "automata/equation.hpp"
#include "automata/minimize.hpp"
#include "automata/pair_graph.hpp"
#include "automata/semigroup.hpp"
#include "automata/threshold_equation.hpp"
#include "automata/walks.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace automata {

namespace {

using enum LanguageClass;

std::string count_of(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

class Classifier {
 public:
  Classifier(const Dfa& dfa, const ClassLimits& limits)
      : dfa_(dfa),
        limits_(limits),
        graph_{dfa.table(), dfa.letters()},
        access_(breadth_first(graph_, dfa.start())),
        components_(strong_components(graph_)),
        cyclic_(with_cycles(graph_, components_)) {
    const State minimal = minimize(dfa).states();
    if (minimal != dfa.states())
      throw std::invalid_argument("decide: the automaton has " + count_of(dfa.states(), "state") +
                                  ", the minimal one " + std::to_string(minimal));
  }

  ClassMembership decide(LanguageClass c) {
    const ClassMembership& own = direct(c);
    if (own.member) return own;
    for (const auto other : all_language_classes) {
      if (other == c || other == locally_threshold_testable) continue;
      if (included(other, c) && direct(other).member == true) return implied_yes(c, other);
      if (included(c, other) && direct(other).member == false) return implied_no(c, other);
    }
    return own;
  }

 private:
  const ClassMembership& direct(LanguageClass c) {
    auto& known = known_[static_cast<std::size_t>(c)];
    if (!known) {
      auto answer = compute(c);
      known = std::move(answer);
    }
    return *known;
  }

  ClassMembership compute(LanguageClass c) {
    switch (c) {
      case reverse_definite: return decide_reverse_definite();
      case generalized_definite: return decide_generalized_definite();
      case finite:
      case cofinite: return decide_finite(c);
      case locally_testable: return decide_locally_testable();
      case locally_threshold_testable: return decide_locally_threshold_testable();
      case piecewise_testable: return decide_piecewise_testable();
      case l_trivial: return decide_l_trivial();
      case da: return decide_da();
      case locally_da: return decide_locally_da();
      case locally_j_trivial: search_triples(); return *locally_j_trivial_;
      case dot_depth_one: search_triples(); return *dot_depth_one_;
      case group: return decide_group();
    }
    throw std::invalid_argument("decide: no class");
  }

  static ClassMembership yes(LanguageClass c, std::string note) {
    return {c, true, std::nullopt, std::move(note)};
  }
  static ClassMembership unknown(LanguageClass c, std::string note) {
    return {c, std::nullopt, std::nullopt, "undecided: " + std::move(note)};
  }
  ClassMembership implied_yes(LanguageClass c, LanguageClass smaller) {
    return yes(c, "follows from " + std::string(name(smaller)));
  }
  ClassMembership implied_no(LanguageClass c, LanguageClass larger) {
    return {c, false, direct(larger).failure, "not even " + std::string(name(larger))};
  }

  ClassMembership no(LanguageClass c, std::string_view equation, Values values, State p,
                     std::string note) const {
    return {c, false, break_equation(dfa_, c, equation, std::move(values), access_.word_to(p)),
            std::move(note)};
  }
  ClassMembership pumped(LanguageClass c, Word u, State p, std::string note) const {
    return {c, false, pump(dfa_, c, std::move(u), access_.word_to(p)), std::move(note)};
  }
  Word way(State p, State q) const { return shortest_walk(graph_, p, q); }
  std::uint64_t longest_way_to_cycle() const;

  const PairGraph* pairs();
  const Reachability& reaches();
  std::string too_many_pairs() const {
    return count_of(std::uint64_t{dfa_.states()} * dfa_.states() * dfa_.letters(), "edge") +
           " of pairs of states are more than the limit of " + std::to_string(limits_.max_edges);
  }
  std::uint64_t cyclic_pairs();
  const std::optional<Node>& mutual_pair();
  const std::optional<Node>& swapped_pair();
  std::vector<std::vector<bool>> letter_sets();
  Graph restricted(const std::vector<bool>& letters, std::vector<Node>& table) const;

  ClassMembership decide_reverse_definite();
  ClassMembership decide_generalized_definite();
  ClassMembership decide_finite(LanguageClass c);
  ClassMembership decide_locally_testable();
  ClassMembership decide_locally_threshold_testable();
  ClassMembership decide_piecewise_testable();
  ClassMembership decide_l_trivial();
  ClassMembership decide_da();
  ClassMembership decide_locally_da();
  void search_triples();
  ClassMembership decide_group();

  const Dfa& dfa_;
  const ClassLimits& limits_;
  Graph graph_;
  BreadthFirst access_;
  Partition components_;
  std::vector<bool> cyclic_;  // of each component
  std::optional<Reachability> reaches_;
  std::unique_ptr<PairGraph> pairs_;
  std::optional<std::optional<Node>> mutual_pair_, swapped_pair_;
  std::optional<ClassMembership> locally_j_trivial_, dot_depth_one_;
  std::array<std::optional<ClassMembership>, 13> known_;
};

const PairGraph* Classifier::pairs() {
  if (std::uint64_t{dfa_.states()} * dfa_.states() * dfa_.letters() > limits_.max_edges) return nullptr;
  if (!pairs_) pairs_ = std::make_unique<PairGraph>(dfa_);
  return pairs_.get();
}

const Reachability& Classifier::reaches() {
  if (!reaches_) reaches_.emplace(graph_, components_);
  return *reaches_;
}

std::uint64_t Classifier::cyclic_pairs() {
  std::uint64_t count = 0;
  for (const auto& members : pairs()->members) count += members.size();
  return count / 2;
}

// A pair with a common loop whose states reach each other.
const std::optional<Node>& Classifier::mutual_pair() {
  if (mutual_pair_) return *mutual_pair_;
  mutual_pair_.emplace();
  for (Node c = 0; c < pairs()->components.count && !*mutual_pair_; ++c) {
    if (!pairs()->cyclic[c]) continue;
    const Node x = pairs()->members[c].front();
    if (components_.of[pairs()->first(x)] == components_.of[pairs()->second(x)]) *mutual_pair_ = x;
  }
  return *mutual_pair_;
}

// A pair that some word swaps.
const std::optional<Node>& Classifier::swapped_pair() {
  if (swapped_pair_) return *swapped_pair_;
  swapped_pair_.emplace();
  const auto& of = pairs()->components.of;
  for (State p = 0; p < dfa_.states() && !*swapped_pair_; ++p)
    for (State q = 0; q < p && !*swapped_pair_; ++q)
      if (of[pairs()->pair(p, q)] == of[pairs()->pair(q, p)]) *swapped_pair_ = pairs()->pair(p, q);
  return *swapped_pair_;
}

// The different sets of letters of the cyclic components.
std::vector<std::vector<bool>> Classifier::letter_sets() {
  std::vector<std::vector<bool>> sets;
  for (Node c = 0; c < pairs()->components.count; ++c)
    if (pairs()->cyclic[c]) sets.push_back(pairs()->letters[c]);
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

// The automaton with these letters alone.
Graph Classifier::restricted(const std::vector<bool>& letters, std::vector<Node>& table) const {
  table = dfa_.table();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (!letters[i % dfa_.letters()]) table[i] = no_node;
  return {table, dfa_.letters()};
}

// The number of letters after which every word is on a cycle, which a single letter keeps in its place.
std::uint64_t Classifier::longest_way_to_cycle() const {
  std::vector<std::uint64_t> longest(components_.count, 0);  // successors have smaller numbers
  std::vector<State> order(dfa_.states());
  std::iota(order.begin(), order.end(), State{0});
  std::sort(order.begin(), order.end(),
            [&](State p, State q) { return components_.of[p] < components_.of[q]; });
  for (const State q : order) {
    const Node c = components_.of[q];
    if (cyclic_[c]) continue;
    for (Letter a = 0; a < dfa_.letters(); ++a)
      longest[c] = std::max(longest[c], longest[components_.of[dfa_.next(q, a)]] + 1);
  }
  return longest[components_.of[dfa_.start()]];
}

ClassMembership Classifier::decide_reverse_definite() {
  for (const State q : access_.order) {
    if (!cyclic_[components_.of[q]]) continue;
    for (Letter a = 0; a < dfa_.letters(); ++a) {
      if (dfa_.next(q, a) == q) continue;
      return no(reverse_definite, "u^v = u^", {{'u', shortest_closed_walk(graph_, q)}, {'v', {a}}}, q,
                "after a loop a letter still changes the state");
    }
  }
  return yes(reverse_definite,
             "the first " + count_of(longest_way_to_cycle(), "letter") + " of a word decide");
}

ClassMembership Classifier::decide_finite(LanguageClass c) {
  // Backwards from the states where a word may end.
  std::vector<bool> ends(dfa_.states());
  for (State q = 0; q < dfa_.states(); ++q) ends[q] = dfa_.is_accepting(q) == (c == finite);
  const auto alive = reaching(graph_, components_, ends);
  for (const State q : access_.order) {
    if (!cyclic_[components_.of[q]] || !alive[q]) continue;
    return pumped(c, shortest_closed_walk(graph_, q), q,
                  c == finite ? "a loop can be repeated in accepted words"
                              : "a loop can be repeated in rejected words");
  }
  // Every cycle is in the one state that ends nothing, so the last end comes before it on the longest way.
  std::vector<std::uint64_t> longest(components_.count, 0);
  std::vector<State> order(dfa_.states());
  std::iota(order.begin(), order.end(), State{0});
  std::sort(order.begin(), order.end(),
            [&](State p, State q) { return components_.of[p] < components_.of[q]; });
  for (const State q : order) {
    if (!alive[q]) continue;
    for (Letter a = 0; a < dfa_.letters(); ++a)
      if (alive[dfa_.next(q, a)])
        longest[components_.of[q]] =
            std::max(longest[components_.of[q]], longest[components_.of[dfa_.next(q, a)]] + 1);
  }
  const std::string kind = c == finite ? "accepted" : "rejected";
  if (!alive[dfa_.start()]) return yes(c, "no word is " + kind);
  return yes(
      c, "the longest " + kind + " word has " + count_of(longest[components_.of[dfa_.start()]], "letter"));
}

ClassMembership Classifier::decide_group() {
  std::vector<bool> hit(dfa_.states());
  for (Letter a = 0; a < dfa_.letters(); ++a) {
    std::fill(hit.begin(), hit.end(), false);
    for (State q = 0; q < dfa_.states(); ++q) hit[dfa_.next(q, a)] = true;
    for (const State q : access_.order)
      if (!hit[q])
        return no(group, "u^ = 1", {{'u', {a}}}, q,
                  "a letter leads nowhere to some state, so it has no inverse");
  }
  return yes(group, "every letter permutes the " + count_of(dfa_.states(), "state"));
}

ClassMembership Classifier::decide_piecewise_testable() {
  if (components_.count < dfa_.states()) {
    std::vector<State> first(components_.count, no_node);
    for (const State q : access_.order) {
      State& p = first[components_.of[q]];
      if (p == no_node) {
        p = q;
        continue;
      }
      const Word x = way(p, q), y = way(q, p);
      return no(piecewise_testable, "u^v = u^", {{'u', join(x, y)}, {'v', x}}, p,
                "two states reach each other");
    }
  }
  // Klíma and Polák: from q·a and q·b, the letters a and b alone lead to one state.
  const std::uint64_t work = std::uint64_t{dfa_.letters()} * dfa_.letters() * dfa_.states();
  if (work > 2 * limits_.max_steps)
    return unknown(piecewise_testable, count_of(work, "step") + " are more than the limit of " +
                                           std::to_string(2 * limits_.max_steps));
  std::vector<State> order(dfa_.states()), end(dfa_.states());
  std::iota(order.begin(), order.end(), State{0});
  std::sort(order.begin(), order.end(),
            [&](State p, State q) { return components_.of[p] < components_.of[q]; });
  for (Letter a = 0; a < dfa_.letters(); ++a) {
    for (Letter b = a + 1; b < dfa_.letters(); ++b) {
      for (const State q : order) {  // end[q] = q·(ab)^ω
        const State after = dfa_.next(dfa_.next(q, a), b);
        end[q] = after == q ? q : end[after];
      }
      for (const State q : access_.order) {
        if (end[dfa_.next(q, a)] == end[dfa_.next(q, b)]) continue;
        const Letter v = end[dfa_.next(q, a)] == end[q] ? b : a;
        return no(piecewise_testable, "vu^ = u^", {{'u', {a, b}}, {'v', {v}}}, q,
                  "the first of two letters matters, however often both are repeated");
      }
    }
  }
  // The longest way from the start without loops bounds the length of the subwords (Klíma and Polák).
  std::vector<std::uint64_t> depth(dfa_.states(), 0);
  for (const State q : order)
    for (Letter a = 0; a < dfa_.letters(); ++a)
      if (dfa_.next(q, a) != q) depth[q] = std::max(depth[q], depth[dfa_.next(q, a)] + 1);
  return yes(piecewise_testable,
             "the subwords of at most " + count_of(depth[dfa_.start()], "letter") + " decide");
}

ClassMembership Classifier::decide_l_trivial() {
  if (components_.count == dfa_.states()) {
    ClassMembership answer = direct(piecewise_testable);
    answer.language_class = l_trivial;
    if (answer.failure) answer.failure->language_class = l_trivial;
    if (answer.member == true) answer.note = "follows from piecewise-testable";
    return answer;
  }
  if (pairs() == nullptr) return unknown(l_trivial, too_many_pairs());
  const auto& graph = pairs()->graph;
  const auto sets = letter_sets();
  const std::uint64_t work = sets.size() * std::uint64_t{graph.nodes()} * graph.letters;
  if (work > limits_.max_steps)
    return unknown(l_trivial, count_of(sets.size(), "set") + " of letters with " +
                                  count_of(graph.nodes(), "pair") + " each are more than the limit");
  // Forwards from the pairs (q, q·a) by the letters of a set: to a cyclic component with just these letters?
  std::vector<Node> parent;
  std::vector<Letter> letter;
  for (const auto& set : sets) {
    constexpr Node source = no_node - 1;
    parent.assign(graph.nodes(), no_node);
    letter.assign(graph.nodes(), 0);
    std::vector<Node> queue;
    for (const State q : access_.order) {
      for (Letter a = 0; a < graph.letters; ++a) {
        if (!set[a] || dfa_.next(q, a) == q) continue;
        const Node x = pairs()->pair(q, dfa_.next(q, a));
        if (parent[x] != no_node) continue;
        parent[x] = source;
        letter[x] = a;
        queue.push_back(x);
      }
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Node x = queue[i];
      const Node c = pairs()->components.of[x];
      if (pairs()->cyclic[c] && pairs()->letters[c] == set) {
        Node start = x;
        Word walk;
        for (; parent[start] != source; start = parent[start]) walk.push_back(letter[start]);
        std::reverse(walk.begin(), walk.end());
        Word longer(walk);
        longer.insert(longer.begin(), letter[start]);
        const State p = pairs()->first(start);
        const OwnGraph own = component_graph(*pairs(), c);
        const auto& members = pairs()->members[c];
        const auto at = std::lower_bound(members.begin(), members.end(), x) - members.begin();
        const Word u = closed_walk_with(own.view(), static_cast<Node>(at), longer);
        // u leads from p by walk and by longer to different states, so one of them differs from p·u^ω.
        const Values plain{{'u', u}};
        const State without = Side("u^", plain).run(dfa_, p, std::nullopt);
        const State with = Side("u^", plain).run(dfa_, dfa_.run(p, longer), std::nullopt);
        return no(l_trivial, "vu^ = u^", {{'u', u}, {'v', with != without ? longer : walk}}, p,
                  "what came before a loop is remembered, though only letters of the loop");
      }
      for (Letter a = 0; a < graph.letters; ++a) {
        const Node y = graph.at(x, a);
        if (!set[a] || y == no_node || parent[y] != no_node) continue;
        parent[y] = x;
        letter[y] = a;
        queue.push_back(y);
      }
    }
  }
  return yes(l_trivial, "nothing before a loop is remembered that has only letters of the loop: " +
                            count_of(cyclic_pairs(), "pair") + " of states with a common loop, " +
                            count_of(sets.size(), "set") + " of letters");
}

ClassMembership Classifier::decide_da() {
  if (pairs() == nullptr) {
    if (direct(piecewise_testable).member == true) return implied_yes(da, piecewise_testable);
    if (components_.count == dfa_.states()) return yes(da, "no two states reach each other: LTL[P]");
    return unknown(da, too_many_pairs());
  }
  const auto sets = letter_sets();
  const std::uint64_t work =
      sets.size() * std::uint64_t{dfa_.states()} * dfa_.letters() * (dfa_.states() / 64 + 1);
  if (work > limits_.max_steps)
    return unknown(da, count_of(sets.size(), "set") + " of letters are more than the limit");
  for (const auto& set : sets) {
    std::vector<Node> table;
    const Graph graph = restricted(set, table);
    const Partition components = strong_components(graph);
    const Reachability reach(graph, components);
    for (Node c = 0; c < pairs()->components.count; ++c) {
      if (!pairs()->cyclic[c] || pairs()->letters[c] != set) continue;
      const Node x = pairs()->members[c].front();
      const State p = pairs()->first(x), q = pairs()->second(x);
      if (!reach(p, q)) continue;
      const Word v = shortest_walk(graph, p, q);
      const OwnGraph own = component_graph(*pairs(), c);
      return no(da, "u^vu^ = u^", {{'u', closed_walk_with(own.view(), 0, v)}, {'v', v}}, p,
                "letters of a common loop lead from one of its states to the other");
    }
  }
  return yes(da, "no two states with a common loop reach each other by letters of the loop: " +
                     count_of(cyclic_pairs(), "pair") + ", " + count_of(sets.size(), "set") + " of letters");
}

ClassMembership Classifier::decide_generalized_definite() {
  if (direct(reverse_definite).member == true) return implied_yes(generalized_definite, reverse_definite);
  if (pairs() == nullptr) return unknown(generalized_definite, too_many_pairs());
  for (Node c = 0; c < pairs()->components.count; ++c) {
    if (!pairs()->cyclic[c]) continue;
    const Node x = pairs()->members[c].front();
    const State p = pairs()->first(x), q = pairs()->second(x);
    if (!reaches()(p, q)) continue;
    const OwnGraph own = component_graph(*pairs(), c);
    return no(generalized_definite, "u^vu^ = u^",
              {{'u', shortest_closed_walk(own.view(), 0)}, {'v', way(p, q)}}, p,
              "a state reaches another one that has a common loop with it");
  }
  return yes(generalized_definite, "of " + count_of(cyclic_pairs(), "pair") +
                                       " of states with a common loop, none reaches the other");
}

// Trahtman's conditions, with the proof of docs/classes.md.
ClassMembership Classifier::decide_locally_testable() {
  if (direct(generalized_definite).member == true) return implied_yes(locally_testable, generalized_definite);
  if (pairs() == nullptr) return unknown(locally_testable, too_many_pairs());
  if (mutual_pair()) return implied_no(locally_testable, locally_j_trivial);
  // Forwards from the pairs (p, q) with a common loop, p before q, as long as q stays in its component.
  const auto& graph = pairs()->graph;
  std::vector<Node> parent(graph.nodes(), no_node);
  std::vector<Letter> letter(graph.nodes(), 0);
  std::vector<Node> queue;
  for (Node x = 0; x < graph.nodes(); ++x) {
    if (!pairs()->is_cyclic(x) || !reaches()(pairs()->first(x), pairs()->second(x))) continue;
    parent[x] = x;
    queue.push_back(x);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Node x = queue[i];
    for (Letter a = 0; a < graph.letters; ++a) {
      const State q = pairs()->second(x);
      const State pa = dfa_.next(pairs()->first(x), a), qa = dfa_.next(q, a);
      const bool q_returns = components_.of[qa] == components_.of[q], p_comes = reaches()(pa, q);
      if (q_returns && p_comes) {
        if (pa != qa && parent[pairs()->pair(pa, qa)] == no_node) {
          parent[pairs()->pair(pa, qa)] = x;
          letter[pairs()->pair(pa, qa)] = a;
          queue.push_back(pairs()->pair(pa, qa));
        }
        continue;
      }
      if (q_returns == p_comes) continue;
      Word s{a};
      Node start = x;
      for (; parent[start] != start; start = parent[start]) s.push_back(letter[start]);
      std::reverse(s.begin(), s.end());
      const State p0 = pairs()->first(start), q0 = pairs()->second(start);
      const Node c = pairs()->components.of[start];
      const OwnGraph own = component_graph(*pairs(), c);
      const auto& members = pairs()->members[c];
      const auto at = std::lower_bound(members.begin(), members.end(), start) - members.begin();
      const Word u = shortest_closed_walk(own.view(), static_cast<Node>(at));
      const Word back = way(q_returns ? qa : pa, q0);
      const Word there = join(s, back);
      if (q_returns)
        return no(locally_testable, "u^xu^yu^ = u^yu^xu^", {{'u', u}, {'x', way(p0, q0)}, {'y', there}}, p0,
                  "the order of two words between loops matters");
      return no(locally_testable, "u^xu^xu^ = u^xu^", {{'u', u}, {'x', there}}, p0,
                "it matters how often a word comes between loops");
    }
  }
  return yes(locally_testable, "Trahtman's two conditions hold: " + count_of(cyclic_pairs(), "pair") +
                                   " of states with a common loop");
}

// Both locally J-trivial and dot-depth one: in each C x Q, which states can join the first, the second of the
// pair?
void Classifier::search_triples() {
  if (locally_j_trivial_) return;
  const auto both = [&](auto make) {
    locally_j_trivial_ = make(locally_j_trivial);
    dot_depth_one_ = make(dot_depth_one);
  };
  for (const auto smaller : {piecewise_testable, reverse_definite}) {
    if (direct(smaller).member != true) continue;
    both([&](LanguageClass c) { return implied_yes(c, smaller); });
    return;
  }
  if (pairs() == nullptr) {
    both([&](LanguageClass c) { return unknown(c, too_many_pairs()); });
    return;
  }
  const auto triple_no = [&](const Word& u, const Word& x, const Word& y, State p, bool left,
                             std::string note) {
    locally_j_trivial_ =
        no(locally_j_trivial, left ? "u^yu^(u^xu^yu^)^ = (u^xu^yu^)^" : "(u^xu^yu^)^u^xu^ = (u^xu^yu^)^",
           {{'u', u}, {'x', x}, {'y', y}}, p, std::move(note));
  };
  if (const auto x = mutual_pair()) {
    const OwnGraph own = component_graph(*pairs(), pairs()->components.of[*x]);
    const State p = pairs()->first(*x), q = pairs()->second(*x);
    // The pair is the first of its component.
    triple_no(shortest_closed_walk(own.view(), 0), way(p, q), way(q, p), p, false,
              "two states with a common loop reach each other");
    dot_depth_one_ = {dot_depth_one, false, locally_j_trivial_->failure, "not even locally-J-trivial"};
    return;
  }
  const State n = dfa_.states();
  const Letter k = dfa_.letters();
  std::uint64_t steps = 0, triples = 0;
  for (Node c = 0; c < pairs()->components.count; ++c) {
    if (!pairs()->cyclic[c]) continue;
    // (p, q) and (q, p) say the same.
    const Node front = pairs()->members[c].front();
    const Node mirrored =
        pairs()->components.of[pairs()->pair(pairs()->second(front), pairs()->first(front))];
    if (mirrored < c) continue;
    const std::uint64_t edges = std::uint64_t{pairs()->members[c].size()} * n * k;
    steps += edges;
    if (edges > limits_.max_edges || steps > limits_.max_steps) {
      const std::string note = std::to_string(steps) + " edges of triples of states are more than the limit";
      if (!dot_depth_one_) dot_depth_one_ = unknown(dot_depth_one, note);
      locally_j_trivial_ = unknown(locally_j_trivial, note);
      return;
    }
    const OwnGraph component = component_graph(*pairs(), c);
    const OwnGraph own = with_state(component, dfa_);
    const Graph graph = own.view();
    const Partition parts = strong_components(graph);
    const auto cyclic = with_cycles(graph, parts);
    const auto& members = pairs()->members[c];
    std::vector<bool> is_first(graph.nodes(), false), is_second(graph.nodes(), false);
    for (std::size_t i = 0; i < members.size(); ++i) {
      is_first[i * n + pairs()->first(members[i])] = true;
      is_second[i * n + pairs()->second(members[i])] = true;
    }
    const auto joins_first = reaching(graph, parts, is_first),
               joins_second = reaching(graph, parts, is_second);
    const auto target = [&](Node x, bool first) {  // the node with the pair of x that has joined
      const Node pair = members[x / n];
      return static_cast<Node>(x / n * n + (first ? pairs()->first(pair) : pairs()->second(pair)));
    };

    std::vector<Node> first_of(components_.count, no_node), second_of(components_.count, no_node);
    for (Node x = 0; x < graph.nodes(); ++x) {
      if (!cyclic[parts.of[x]]) continue;
      ++triples;
      const Node d = components_.of[x % n];
      if (joins_first[x] && joins_second[x]) {
        triple_no(shortest_closed_walk(graph, x), shortest_walk(graph, x, target(x, true)),
                  shortest_walk(graph, x, target(x, false)), x % n, true,
                  "which of two words came first is remembered");
        dot_depth_one_ = {dot_depth_one, false, locally_j_trivial_->failure, "not even locally-J-trivial"};
        return;
      }
      if (joins_first[x] && first_of[d] == no_node) first_of[d] = x;
      if (joins_second[x] && second_of[d] == no_node) second_of[d] = x;
    }
    if (dot_depth_one_) continue;
    for (Node d = 0; d < components_.count; ++d) {
      const Node x = first_of[d], y = second_of[d];
      if (x == no_node || y == no_node) continue;
      const State p = x % n, r = y % n;
      const Word u = shortest_closed_walk(graph, x), v = shortest_closed_walk(graph, y);
      const auto or_else = [](Word word, const Word& otherwise) { return word.empty() ? otherwise : word; };
      // From x the state joins the first of the pair of y; from y, the second of the pair of x.
      dot_depth_one_ = no(dot_depth_one, describe(dot_depth_one).equations,
                          {{'u', u},
                           {'v', v},
                           {'a', or_else(way(p, r), u)},
                           {'b', or_else(way(r, p), u)},
                           {'c', or_else(shortest_walk(graph, x, static_cast<Node>(target(y, true))), u)},
                           {'d', or_else(shortest_walk(graph, y, static_cast<Node>(target(x, false))), v)}},
                          p, "Knast's equation fails");
      break;
    }
  }
  const std::string note =
      "no bad one among " + count_of(triples, "triple") + " of states with a common loop";
  locally_j_trivial_ = yes(locally_j_trivial, note);
  if (!dot_depth_one_) dot_depth_one_ = yes(dot_depth_one, note);
}

ClassMembership Classifier::decide_locally_da() {
  for (const auto smaller : {da, locally_j_trivial})
    if (direct(smaller).member == true) return implied_yes(locally_da, smaller);
  if (pairs() == nullptr) return unknown(locally_da, too_many_pairs());
  if (!mutual_pair()) return yes(locally_da, "follows from LTL[P,Y]");
  constexpr std::string_view equation = "(u^xu^yu^)^u^xu^(u^xu^yu^)^ = (u^xu^yu^)^";
  if (const auto x = swapped_pair()) {
    const State p = pairs()->first(*x), q = pairs()->second(*x);
    const Word swap = shortest_walk(pairs()->graph, *x, pairs()->pair(q, p));
    return no(locally_da, equation, {{'u', join(swap, swap)}, {'x', swap}, {'y', swap}}, p,
              "a word swaps two states");
  }
  const State n = dfa_.states();
  const Letter k = dfa_.letters();
  std::uint64_t steps = 0, quadruples = 0;
  for (Node c = 0; c < pairs()->components.count; ++c) {
    if (!pairs()->cyclic[c]) continue;
    const auto& members = pairs()->members[c];
    const std::size_t size = members.size();
    // p leads to q in the end, and back to p inside of one component of the automaton.
    const State p0 = pairs()->first(members.front()), q0 = pairs()->second(members.front());
    if (!reaches()(p0, q0)) continue;
    const std::uint64_t edges = std::uint64_t{size} * std::max<std::size_t>(size, n) * k;
    steps += edges;
    if (edges > limits_.max_edges || steps > limits_.max_steps)
      return unknown(locally_da,
                     std::to_string(steps) + " edges of quadruples of states are more than the limit");
    const OwnGraph component = component_graph(*pairs(), c);
    const OwnGraph own = with_state(component, dfa_);
    const Graph triples = own.view();
    std::vector<bool> is_second(triples.nodes(), false);
    for (std::size_t i = 0; i < size; ++i) is_second[i * n + pairs()->second(members[i])] = true;
    const auto joins_second = reaching(triples, strong_components(triples), is_second);
    const auto candidate = [&](std::size_t i, std::size_t j) {
      return i != j && joins_second[i * n + pairs()->first(members[j])];
    };
    const OwnGraph square = squared(component);
    const Graph graph = square.view();
    const Partition parts = strong_components(graph);
    const auto cyclic = with_cycles(graph, parts);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const auto x = static_cast<Node>(i * size + j);
        if (!cyclic[parts.of[x]]) continue;
        ++quadruples;
        if (!candidate(i, j)) continue;
        const State r = pairs()->first(members[j]), end = pairs()->second(members[j]);
        return no(
            locally_da, equation,
            {{'u', shortest_closed_walk(graph, x)},
             {'x', shortest_walk(triples, static_cast<Node>(i * n + r), static_cast<Node>(j * n + end))},
             {'y', shortest_walk(component.view(), static_cast<Node>(j), static_cast<Node>(i))}},
            pairs()->first(members[i]), "a regular element of eSe is in no group");
      }
    }
  }
  return yes(locally_da,
             "no bad one among " + count_of(quadruples, "quadruple") + " of states with a common loop");
}

ClassMembership Classifier::decide_locally_threshold_testable() {
  constexpr auto c = locally_threshold_testable;
  if (decide(locally_testable).member == true) return implied_yes(c, locally_testable);
  const auto larger = decide(dot_depth_one);
  if (larger.member == false)
    return {c, false, larger.failure, "not even " + std::string(name(larger.failure->language_class))};
  if (!larger.member) return unknown(c, "so is dot-depth-one");
  // Dot-depth one makes the semigroup aperiodic.
  try {
    const Semigroup semigroup(dfa_, limits_.max_elements);
    const auto [broken, idempotents] = threshold_equation(semigroup, limits_.max_steps);
    if (!broken)
      return yes(c, "the equation of Beauquier and Pin holds: " + count_of(semigroup.size(), "element") +
                        ", " + std::to_string(idempotents) + " with idempotents of J-classes");
    const Values values{{'u', semigroup.least_word(broken->e)},
                        {'v', semigroup.least_word(broken->f)},
                        {'x', semigroup.least_word(broken->x)},
                        {'y', semigroup.least_word(broken->y)},
                        {'z', semigroup.least_word(broken->z)}};
    constexpr std::string_view equation = "u^xv^yu^zv^ = u^zv^yu^xv^";
    const auto [left, right] = sides(equation);
    for (const State p : access_.order)
      if (Side(left, values).run(dfa_, p, std::nullopt) != Side(right, values).run(dfa_, p, std::nullopt))
        return no(c, equation, values, p, "the order of two words between loops matters");
    throw std::logic_error("classes: elements that differ nowhere");
  } catch (const std::length_error& limit) {
    return unknown(c, limit.what());
  }
}

}  // namespace

ClassMembership decide(const Dfa& dfa, LanguageClass language_class, const ClassLimits& limits) {
  return Classifier(dfa, limits).decide(language_class);
}

std::vector<ClassMembership> decide_classes(const Dfa& dfa, const ClassLimits& limits) {
  Classifier classifier(dfa, limits);
  std::vector<ClassMembership> result;
  for (const auto c : all_language_classes) result.push_back(classifier.decide(c));
  return result;
}

}  // namespace automata
