// Yes: the automaton of types.  Its states are what the letters read so far leave for the types of depth r,
// together with the state of the Dfa.  When no two of its states with different verdicts have the same type
// at the end, the language is a union of types, and the types give a formula.
//
// No: a system of classes gives each class a letter and what its window must hold.  Words of classes that
// obey the system are paths in a graph over the last k classes; with the state of the Dfa beside them, a
// cycle, two paths from it, and equal windows at ends with different verdicts are a BisimilarPair.
#include "automata/windows.hpp"

#include "automata/express.hpp"
#include "automata/from_formula.hpp"
#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "logic/separate.hpp"
#include "logic/simplify.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

namespace automata {
namespace {

using logic::Arena;
using logic::Formula;
using logic::Places;
using logic::Types;
using logic::WindowLogic;
using Class = std::uint32_t;
using Content = std::vector<Class>;  // of a window: ascending, each class once unless windows count

Content content_of(std::vector<Class> window, bool counting) {
  std::sort(window.begin(), window.end());
  if (!counting) window.erase(std::unique(window.begin(), window.end()), window.end());
  return window;
}

// ---- replaying a pair
// --------------------------------------------------------------------------------------

/// The classes of the k positions before position `n` of ...period·period·tail, where 0 is the first of the
/// tail.
std::vector<Class> window_before(const BisimilarPair::Side& side, std::ptrdiff_t n, std::uint32_t k) {
  const auto length = static_cast<std::ptrdiff_t>(side.period.size());
  std::vector<Class> window;
  for (std::ptrdiff_t m = n - k; m < n; ++m)
    window.push_back(m >= 0 ? side.tail_classes[static_cast<std::size_t>(m)]
                            : side.period_classes[static_cast<std::size_t>((m % length + length) % length)]);
  return window;
}

bool replay_side(const Dfa& dfa, const BisimilarPair::Side& side, bool accepted) {
  if (side.period.empty() || side.period_classes.size() != side.period.size() ||
      side.tail_classes.size() != side.tail.size())
    return false;
  for (const Word* word : {&side.access, &side.period, &side.tail})
    for (const Letter a : *word)
      if (a >= dfa.letters()) return false;
  const State q = dfa.run(dfa.start(), side.access);
  return dfa.run(q, side.period) == q && dfa.is_accepting(dfa.run(q, side.tail)) == accepted;
}

// ---- looking for a pair
// ------------------------------------------------------------------------------------

struct System {
  std::vector<Letter> letter;    // of each class
  std::vector<Content> content;  // of its window
};

/// The graph of a system: node (w, q) for the last k classes w, as a number in base `classes` with the oldest
/// class in front, and a state q of the Dfa.
class SystemGraph {
 public:
  SystemGraph(const Dfa& dfa, const WindowLogic& logic, const System& system)
      : dfa_(dfa), logic_(logic), system_(system), classes_(system.letter.size()) {
    for (std::uint32_t i = 0; i < logic.window; ++i) windows_ *= classes_;
    std::map<Content, std::vector<Class>> of_content;
    for (Class c = 0; c < classes_; ++c) of_content[system.content[c]].push_back(c);
    next_.resize(windows_);
    content_.resize(windows_);
    for (std::size_t w = 0; w < windows_; ++w) {
      content_[w] = content_of(split(w), logic.counting);
      if (const auto found = of_content.find(content_[w]); found != of_content.end())
        next_[w] = found->second;
    }
  }

  /// How many nodes there are for a system of that many classes; SIZE_MAX when it is out of reach.
  static std::size_t nodes(const Dfa& dfa, const WindowLogic& logic, std::size_t classes) {
    std::size_t count = dfa.states();
    for (std::uint32_t i = 0; i < logic.window; ++i)
      if (__builtin_mul_overflow(count, classes, &count) || count > 10'000'000) return SIZE_MAX;
    return count;
  }

  std::optional<BisimilarPair> find() {
    components();
    return logic_.previously ? find_with_past() : find_without_past();
  }

 private:
  using Node = std::size_t;
  struct Step {
    Node from;
    Class read;
  };
  static constexpr Node none = SIZE_MAX;

  std::vector<Class> split(std::size_t w) const {
    std::vector<Class> window(logic_.window);
    for (std::size_t i = window.size(); i-- > 0; w /= classes_) window[i] = static_cast<Class>(w % classes_);
    return window;
  }
  Node node(std::size_t w, State q) const { return w * dfa_.states() + q; }
  State state(Node n) const { return static_cast<State>(n % dfa_.states()); }
  const std::vector<Class>& readable(Node n) const { return next_[n / dfa_.states()]; }
  const Content& content(Node n) const { return content_[n / dfa_.states()]; }
  Node follow(Node n, Class c) const {
    return node((n / dfa_.states() * classes_ + c) % windows_, dfa_.next(state(n), system_.letter[c]));
  }

  /// Tarjan's algorithm: component_ of the nodes, and which components have a cycle.
  void components() {
    const std::size_t count = windows_ * dfa_.states();
    component_.assign(count, none);
    std::vector<Node> number(count, none);
    std::vector<Node> low(count);
    std::vector<Node> stack;
    std::vector<std::pair<Node, std::size_t>> open;
    Node numbered = 0;
    for (Node root = 0; root < count; ++root) {
      if (number[root] != none || readable(root).empty()) continue;
      open.emplace_back(root, 0);
      while (!open.empty()) {
        const Node n = open.back().first;
        const std::size_t edge = open.back().second;
        if (edge == 0) {
          number[n] = low[n] = numbered++;
          stack.push_back(n);
        }
        if (edge < readable(n).size()) {
          ++open.back().second;
          const Node m = follow(n, readable(n)[edge]);
          if (number[m] == none) {
            open.emplace_back(m, 0);
          } else if (component_[m] == none) {
            low[n] = std::min(low[n], number[m]);
          }
          continue;
        }
        open.pop_back();
        if (!open.empty()) low[open.back().first] = std::min(low[open.back().first], low[n]);
        if (low[n] != number[n]) continue;
        std::vector<Node> members;
        do {
          members.push_back(stack.back());
          component_[stack.back()] = cyclic_.size();
          stack.pop_back();
        } while (members.back() != n);
        const bool loop =
            std::any_of(readable(n).begin(), readable(n).end(), [&](Class c) { return follow(n, c) == n; });
        cyclic_.push_back(members.size() > 1 || loop);
        std::sort(members.begin(), members.end());
        members_.push_back(std::move(members));
      }
    }
  }

  /// The classes of a shortest path inside the component of `from` from there to a node where `arrived`
  /// holds, with the node; at least one step.
  template <class Predicate>
  std::pair<std::vector<Class>, Node> walk(Node from, Predicate arrived) const {
    std::map<Node, Step> came;
    std::vector<Node> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Class c : readable(queue[i])) {
        const Node m = follow(queue[i], c);
        if (component_[m] != component_[from]) continue;
        if (arrived(m, c)) {
          std::vector<Class> path{c};
          for (Node n = queue[i]; n != from; n = came.at(n).from) path.push_back(came.at(n).read);
          std::reverse(path.begin(), path.end());
          return {path, m};
        }
        if (m != from && came.try_emplace(m, Step{queue[i], c}).second) queue.push_back(m);
      }
    }
    throw std::logic_error("SystemGraph::walk: no way inside the component");
  }

  /// Breadth-first from `roots`, by classes where `allowed` holds; then the first two nodes with equal
  /// windows and different verdicts, with the paths to them and where these begin.
  struct Ends {
    Node root[2];  // of the accepting one, of the rejecting one
    std::vector<Class> path[2];
  };
  std::optional<Ends> meet(const std::vector<Node>& roots, const std::vector<bool>& allowed) const {
    std::map<Node, Step> came;
    std::vector<Node> queue = roots;
    for (const Node n : roots) came[n] = {none, 0};
    std::map<Content, std::array<Node, 2>> ends;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Node n = queue[i];
      const std::size_t side = dfa_.is_accepting(state(n)) ? 0 : 1;
      std::array<Node, 2>& pair = ends.try_emplace(content(n), std::array{none, none}).first->second;
      if (pair[side] == none) pair[side] = n;
      if (pair[1 - side] != none) {
        Ends found;
        for (const std::size_t s : {0, 1}) {
          Node m = pair[s];
          for (; came.at(m).from != none; m = came.at(m).from) found.path[s].push_back(came.at(m).read);
          std::reverse(found.path[s].begin(), found.path[s].end());
          found.root[s] = m;
        }
        return found;
      }
      for (const Class c : readable(n)) {
        if (!allowed[c]) continue;
        const Node m = follow(n, c);
        if (came.try_emplace(m, Step{n, c}).second) queue.push_back(m);
      }
    }
    return std::nullopt;
  }

  Word letters(const std::vector<Class>& path) const {
    Word word;
    for (const Class c : path) word.push_back(system_.letter[c]);
    return word;
  }

  BisimilarPair::Side side(Node root, const std::vector<Class>& period,
                           const std::vector<Class>& tail) const {
    return {access_word(state(root)), letters(period), letters(tail), period, tail};
  }

  Word access_word(State q) const {
    std::map<State, std::pair<State, Letter>> came;
    std::vector<State> queue{dfa_.start()};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (Letter a = 0; a < dfa_.letters(); ++a) {
        const State p = dfa_.next(queue[i], a);
        if (p != dfa_.start() && came.try_emplace(p, queue[i], a).second) queue.push_back(p);
      }
    }
    Word word;
    for (; q != dfa_.start(); q = came.at(q).first) word.push_back(came.at(q).second);
    std::reverse(word.begin(), word.end());
    return word;
  }

  std::optional<BisimilarPair> find_without_past() const {
    std::vector<Node> roots;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (cyclic_[i]) roots.insert(roots.end(), members_[i].begin(), members_[i].end());
    std::sort(roots.begin(), roots.end());
    const auto ends = meet(roots, std::vector<bool>(classes_, true));
    if (!ends) return std::nullopt;
    const auto make = [&](std::size_t s) {
      const Node root = ends->root[s];
      return side(root, walk(root, [&](Node m, Class) { return m == root; }).first, ends->path[s]);
    };
    return BisimilarPair{logic_, make(0), make(1)};
  }

  std::optional<BisimilarPair> find_with_past() const {
    std::optional<BisimilarPair> best;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!cyclic_[i]) continue;
      std::vector<bool> inside(classes_, false);  // the classes that the component reads
      for (const Node n : members_[i])
        for (const Class c : readable(n))
          if (component_[follow(n, c)] == i) inside[c] = true;
      const Node root = members_[i][0];
      const auto ends = meet({root}, inside);
      if (!ends) continue;
      // the period: through each class once, and back
      std::vector<Class> period;
      std::vector<bool> missing = inside;
      Node now = root;
      while (std::find(missing.begin(), missing.end(), true) != missing.end()) {
        const auto [path, there] = walk(now, [&](Node, Class c) { return missing[c]; });
        for (const Class c : path) missing[c] = false;
        period.insert(period.end(), path.begin(), path.end());
        now = there;
      }
      if (now != root) {
        const auto [path, there] = walk(now, [&](Node m, Class) { return m == root; });
        period.insert(period.end(), path.begin(), path.end());
      }
      const BisimilarPair found{logic_, side(root, period, ends->path[0]), side(root, period, ends->path[1])};
      const auto length = [](const BisimilarPair& pair) {
        return pair.in.period.size() + pair.in.tail.size() + pair.out.tail.size() + pair.in.access.size();
      };
      if (!best || length(found) < length(*best)) best = found;
    }
    return best;
  }

  const Dfa& dfa_;
  const WindowLogic& logic_;
  const System& system_;
  std::size_t classes_;
  std::size_t windows_ = 1;
  std::vector<std::vector<Class>> next_;  // for each window: the classes that it allows
  std::vector<Content> content_;
  std::vector<Node> component_;
  std::vector<bool> cyclic_;
  std::vector<std::vector<Node>> members_;
};

/// What a window can hold when there are that many classes: the larger first.
std::vector<Content> possible_contents(Class classes, const WindowLogic& logic) {
  std::set<Content> all;
  std::vector<Class> window(logic.window, 0);
  while (true) {
    all.insert(content_of(window, logic.counting));
    std::size_t i = 0;
    while (i < window.size() && ++window[i] == classes) window[i++] = 0;
    if (i == window.size()) break;
  }
  std::vector<Content> contents(all.begin(), all.end());
  const auto different = [](Content c) { return std::unique(c.begin(), c.end()) - c.begin(); };
  std::stable_sort(contents.begin(), contents.end(),
                   [&](const Content& x, const Content& y) { return different(x) > different(y); });
  return contents;
}

/// The classes of the periodic word ...period·period: the coarsest partition in which positions of one class
/// have the same letter and the same classes in their windows.  Numbered by what they are, not by where they
/// are.
System classes_of(const Word& period, const WindowLogic& logic) {
  const std::size_t n = period.size();
  std::vector<Class> of(period.begin(), period.end());
  std::size_t count = 0;
  while (true) {
    std::vector<std::pair<Class, Content>> look(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<Class> window;
      for (std::size_t d = 1; d <= logic.window; ++d) window.push_back(of[(i + n * logic.window - d) % n]);
      look[i] = {of[i], content_of(window, logic.counting)};
    }
    auto sorted = look;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.size() == count) {
      System system;
      system.letter.resize(count);
      system.content.resize(count);
      for (std::size_t i = 0; i < n; ++i) {
        system.letter[of[i]] = period[i];
        system.content[of[i]] = look[i].second;
      }
      return system;
    }
    count = sorted.size();
    for (std::size_t i = 0; i < n; ++i)
      of[i] = static_cast<Class>(std::lower_bound(sorted.begin(), sorted.end(), look[i]) - sorted.begin());
  }
}

/// Whether `word` is less than each of its proper rotations: one word stands for a periodic word.
bool is_lyndon(const Word& word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    Word rotated(word.begin() + static_cast<std::ptrdiff_t>(i), word.end());
    rotated.insert(rotated.end(), word.begin(), word.begin() + static_cast<std::ptrdiff_t>(i));
    if (rotated <= word) return false;
  }
  return true;
}

// ---- looking for a formula
// ---------------------------------------------------------------------------------

/// The automaton of types of one depth, as far as it was explored.
class TypeAutomaton {
 public:
  TypeAutomaton(const Dfa& dfa, const WindowLogic& logic, std::uint32_t depth, std::size_t max_states)
      : dfa_(dfa), types_(logic, depth) {
    explore(max_states);
  }

  bool complete() const { return complete_; }
  const std::optional<std::pair<Word, Word>>& alike() const { return alike_; }

  /// The union of the types at the ends of the words of the language, when complete and nothing is alike.
  Formula formula(Arena& arena) {
    std::vector<Types::Type> in;
    std::vector<Types::Type> out;
    for (const auto& [type, end] : ends_) (dfa_.is_accepting(state_[end]) ? in : out).push_back(type);
    return logic::TypeFormulas(arena, types_, places_, place_of_).separate(in, out);
  }

 private:
  Word word(std::uint32_t i) const {
    Word result;
    for (; i != 0; i = parent_[i]) result.push_back(letter_[i]);
    std::reverse(result.begin(), result.end());
    return result;
  }

  void note(std::span<const Types::Type> types, Places::Place place) {
    place_of_.resize(types_.size(), Places::none);
    for (const auto t : types)
      if (place_of_[t] == Places::none) place_of_[t] = place;
  }

  void explore(std::size_t max_states) {
    Interner<std::uint32_t> numbers;
    std::vector<Places::Place> place{Places::none};  // of the last letter
    const auto intern = [&](Types::Past past, State q) {
      past.push_back(q);
      return numbers.intern(past);
    };
    intern(types_.start(), dfa_.start());
    parent_ = {0};
    letter_ = {0};
    state_ = {dfa_.start()};
    for (std::uint32_t i = 0; i < state_.size(); ++i) {
      const auto key = numbers[i];
      const Types::Past past(key.begin(), key.end() - 1);
      const auto end = types_.at(past, std::nullopt);
      note(end, places_.add(place[i], std::nullopt));
      const auto [other, fresh] = ends_.emplace(end.back(), i);
      if (!fresh && dfa_.is_accepting(state_[other->second]) != dfa_.is_accepting(state_[i])) {
        alike_.emplace(word(other->second), word(i));
        if (!dfa_.is_accepting(state_[other->second])) std::swap(alike_->first, alike_->second);
        return;
      }
      for (Letter a = 0; a < dfa_.letters(); ++a) {
        Types::Past longer = past;
        const auto types = types_.at(past, a);
        types_.append(longer, types);
        const State q = dfa_.next(state_[i], a);
        if (!intern(std::move(longer), q).second) continue;
        if (numbers.size() > max_states) return;
        parent_.push_back(i);
        letter_.push_back(a);
        state_.push_back(q);
        place.push_back(places_.add(place[i], a));
        note(types, place.back());
      }
    }
    complete_ = true;
  }

  const Dfa& dfa_;
  Types types_;
  Places places_;
  std::vector<Places::Place> place_of_;        // of each type
  std::vector<std::uint32_t> parent_;          // of each state of the automaton; 0 is the start
  std::vector<Letter> letter_;                 // that led to it
  std::vector<State> state_;                   // of the Dfa
  std::map<Types::Type, std::uint32_t> ends_;  // a state for each type at the end
  bool complete_ = false;
  std::optional<std::pair<Word, Word>> alike_;
};

/// A formula of at most that depth, by examples: words that were mistaken join the sample.  The shortest if
/// it is within reach of the search, otherwise with `cover` one that covers the language by pieces.
std::optional<Formula> search(Arena& arena, const Dfa& dfa, const WindowLogic& logic, std::uint32_t depth,
                              bool cover, const WindowLimits& limits) {
  constexpr std::size_t max_sample = 200;
  Places places;
  std::vector<Places::Place> yes;
  std::vector<Places::Place> no;
  const auto add = [&](std::span<const Letter> word) {
    (dfa.accepts(word) ? yes : no).push_back(places.add_word(word));
  };
  std::vector<Word> words{{}};
  for (std::size_t i = 0; i < words.size() && i < max_sample; ++i) {
    add(words[i]);
    for (Letter a = 0; a < dfa.letters() && words.size() < max_sample; ++a) {
      words.push_back(words[i]);
      words.back().push_back(a);
    }
  }
  const auto find = cover ? logic::cover_formula : logic::search_formula;
  for (std::size_t budget = cover ? limits.search_formulas / 4 : limits.search_formulas; budget > 0;) {
    const auto f = find(arena, places, yes, no, logic, depth, budget);
    if (!f) return std::nullopt;
    try {
      const auto wrong = difference(from_formula(*f, dfa.letters(), limits.max_formula_states), dfa);
      if (!wrong) return f;
      for (std::size_t length = cover ? 0 : wrong->size(); length <= wrong->size(); ++length)
        add(std::span(*wrong).first(length));
    } catch (const std::length_error&) {
      return std::nullopt;
    }
    budget -= std::max<std::size_t>(1, budget / 20);
  }
  return std::nullopt;
}

bool equivalent(Formula f, const Dfa& dfa, std::size_t max_states) {
  return !difference(from_formula(f, dfa.letters(), max_states), dfa);
}

}  // namespace

Word unroll(const BisimilarPair::Side& side, std::uint64_t periods) {
  Word word = side.access;
  for (std::uint64_t i = 0; i < periods; ++i) word.insert(word.end(), side.period.begin(), side.period.end());
  word.insert(word.end(), side.tail.begin(), side.tail.end());
  return word;
}

std::uint64_t periods_for_depth(const BisimilarPair& pair, std::uint32_t depth) {
  const std::uint64_t k = pair.logic.window;
  const std::uint64_t shorter = std::min(pair.in.period.size(), pair.out.period.size());
  // the types of one depth are settled these many periods after those of one depth less
  const std::uint64_t lag = (k + shorter - 1) / shorter + 1;
  return (depth + 1) * lag;
}

bool replay(const Dfa& dfa, const BisimilarPair& pair) {
  if (pair.logic.modulus != 1 || !replay_side(dfa, pair.in, true) || !replay_side(dfa, pair.out, false))
    return false;
  const std::uint32_t k = pair.logic.window;
  std::map<Class, std::pair<Letter, Content>> looks;
  std::vector<Content> ends;
  for (const BisimilarPair::Side* side : {&pair.in, &pair.out}) {
    const auto content = [&](std::ptrdiff_t n) {
      return content_of(window_before(*side, n, k), pair.logic.counting);
    };
    const auto length = static_cast<std::ptrdiff_t>(side->period.size());
    const auto behind = static_cast<std::ptrdiff_t>(side->tail.size());
    for (std::ptrdiff_t n = -length; n < behind; ++n) {
      const bool in_tail = n >= 0;
      const auto i = static_cast<std::size_t>(in_tail ? n : n + length);
      const std::pair look{in_tail ? side->tail[i] : side->period[i], content(n)};
      const Class c = in_tail ? side->tail_classes[i] : side->period_classes[i];
      if (looks.emplace(c, look).first->second != look) return false;
    }
    ends.push_back(content(behind));
  }
  if (ends[0] != ends[1]) return false;
  if (!pair.logic.previously) return true;
  if (pair.in.access != pair.out.access || pair.in.period != pair.out.period ||
      pair.in.period_classes != pair.out.period_classes)
    return false;
  const std::set<Class> inside(pair.in.period_classes.begin(), pair.in.period_classes.end());
  for (const BisimilarPair::Side* side : {&pair.in, &pair.out})
    for (const Class c : side->tail_classes)
      if (!inside.contains(c)) return false;
  return true;
}

std::optional<BisimilarPair> find_bisimilar(const Dfa& dfa, const WindowLogic& logic,
                                            const BisimilarLimits& limits) {
  if (logic.window == 0 || logic.modulus != 1)
    throw std::invalid_argument("find_bisimilar: " + name(logic) + " has no window or has MOD");
  std::size_t work = 0;
  // none: nothing found; false: the work is done
  const auto search_in = [&](const System& system) -> std::optional<BisimilarPair> {
    const std::size_t nodes = SystemGraph::nodes(dfa, logic, system.letter.size());
    if (nodes > limits.max_work - work) return std::nullopt;
    work += nodes;
    const auto pair = SystemGraph(dfa, logic, system).find();
    if (pair && !replay(dfa, *pair))
      throw std::logic_error("find_bisimilar: a pair for " + name(logic) + " that does not replay");
    return pair;
  };
  // one class for each letter, and each choice of what their windows hold
  System system;
  for (Letter a = 0; a < dfa.letters(); ++a) system.letter.push_back(a);
  const std::size_t nodes = SystemGraph::nodes(dfa, logic, dfa.letters());
  if (nodes <= limits.max_work) {
    const std::vector<Content> contents = possible_contents(dfa.letters(), logic);
    std::vector<std::size_t> choice(dfa.letters(), 0);
    while (work <= limits.max_work / 2) {
      system.content.clear();
      for (const std::size_t i : choice) system.content.push_back(contents[i]);
      if (auto pair = search_in(system)) return pair;
      std::size_t i = 0;
      while (i < choice.size() && ++choice[i] == contents.size()) choice[i++] = 0;
      if (i == choice.size()) break;
    }
  }
  // the classes of short periodic words
  std::set<std::pair<std::vector<Letter>, std::vector<Content>>> seen;
  std::vector<Word> words{{}};
  for (std::size_t length = 1; length <= limits.max_period && words.size() * dfa.letters() <= 100'000;
       ++length) {
    std::vector<Word> longer;
    for (const Word& word : words) {
      for (Letter a = 0; a < dfa.letters(); ++a) {
        longer.push_back(word);
        longer.back().push_back(a);
      }
    }
    words = std::move(longer);
    for (const Word& word : words) {
      if (work > limits.max_work) return std::nullopt;
      work += length;
      if (!is_lyndon(word)) continue;
      const System classes = classes_of(word, logic);
      if (!seen.emplace(classes.letter, classes.content).second) continue;
      if (auto pair = search_in(classes)) return pair;
    }
  }
  return std::nullopt;
}

WindowMembership decide(Arena& arena, const Dfa& dfa, const WindowLogic& logic, const WindowLimits& limits) {
  if (minimize(dfa) != dfa) throw std::invalid_argument("decide: the automaton is not minimal");
  if (logic.modulus != 1 || (!logic.previously && logic.window == 0))
    throw std::invalid_argument("decide: " + name(logic) + " has MOD or no operator");
  WindowMembership answer;
  answer.logic = logic;
  // a window of width k is k nested Y: these logics are larger, and for k <= 1 they are the same
  const Logic larger = !logic.previously ? Logic::y : logic.window > 0 ? Logic::py : Logic::p;
  Membership necessary = decide(dfa, larger);
  if (!*necessary.member) {
    answer.member = false;
    answer.witness = std::move(necessary.witness);
    answer.note = "not in " + std::string(name(larger)) + (logic.window > 1 ? ", which is larger" : "");
    return answer;
  }
  if (logic.window > 1) {
    answer.pair = find_bisimilar(dfa, logic, limits.bisimilar);
    if (answer.pair) {
      answer.member = false;
      answer.note = "words in and outside the language whose ends look alike";
      return answer;
    }
  }

  const auto found = [&](Formula f) {
    const Formula shorter = logic::simplify(arena, f);
    answer.member = true;
    answer.formula = shorter->depth <= f->depth && belongs(shorter, logic) ? shorter : f;
    answer.exact = (*answer.formula)->depth == answer.depth;
  };
  const auto shrunk = [&](Formula f) {
    const std::size_t step = f->size * dfa.states() + 1;
    return logic::shrink(arena, f, std::min<std::size_t>(2'000, 20'000'000 / step), [&](Formula g) {
      try {
        return equivalent(g, dfa, 10'000);
      } catch (const std::length_error&) {
        return false;
      }
    });
  };
  for (std::uint32_t depth = 0; depth <= limits.max_depth; ++depth) {
    TypeAutomaton automaton(dfa, logic, depth, limits.max_states);
    if (automaton.alike()) {
      answer.depth = depth + 1;
      answer.alike = automaton.alike();
      continue;
    }
    if (automaton.complete()) {
      answer.member = true;
      answer.exact = true;
      try {
        std::optional<Formula> f = search(arena, dfa, logic, depth, false, limits);
        if (!f) {
          const Formula general = automaton.formula(arena);
          if (general->size > limits.max_size)
            throw std::length_error("a formula of " + std::to_string(general->size) + " nodes");
          f = shrunk(general);
          if (!equivalent(*f, dfa, limits.max_formula_states))
            throw std::logic_error("decide: a formula of " + name(logic) + " that is not equivalent");
          if (const auto covering = search(arena, dfa, logic, depth, true, limits)) {
            const Formula other = shrunk(*covering);
            if (other->size < (*f)->size) f = other;
          }
        }
        found(*f);
        answer.note = "a formula of the least depth";
      } catch (const std::length_error& error) {
        answer.note =
            "definable with depth " + std::to_string(depth) + ", but a limit was reached: " + error.what();
      }
      return answer;
    }
    // too many types to go on; a formula may still be short
    std::optional<Formula> f = search(arena, dfa, logic, limits.max_depth, false, limits);
    for (std::uint32_t more = depth; !f && more <= std::min(depth + 1, limits.max_depth); ++more)
      f = search(arena, dfa, logic, more, true, limits);
    if (f) {
      found(shrunk(*f));
      answer.note = answer.exact ? "a formula of the least depth" : "a formula; less depth may do";
      return answer;
    }
    answer.note = "no formula of depth less than " + std::to_string(answer.depth) + "; more than " +
                  std::to_string(limits.max_states) + " states in the automaton of types for depth " +
                  std::to_string(depth);
    break;
  }
  if (logic.window <= 1) {
    answer.member = true;
    try {
      if (const auto f = express(arena, dfa, larger, {.max_size = limits.max_size})) found(*f);
      answer.note = answer.exact ? "a formula of the least depth" : "a formula; less depth may do";
    } catch (const std::length_error& error) {
      answer.note = std::string("in the logic, but a limit was reached: ") + error.what();
    }
    return answer;
  }
  if (answer.note.empty())
    answer.note = "no formula of depth " + std::to_string(limits.max_depth) + " or less";
  return answer;
}

}  // namespace automata
