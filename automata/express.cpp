// Automaton to formula: the constructions of docs/express.md, which has the proofs.
//
// A run visits the components of the automaton one after the other.  For each component we write
//     entered(n)   the run entered the component before position n
//     inside(n)    the run is in the component before reading position n
// and, for a set B of its states, a formula that is right as long as the run is inside:
//     within(B)(n) the state before reading position n is in B.
// within(B) looks back letter by letter until the letters decide, or until the entry is met.  The logic
// decides how far this is possible: LTL[P] has components of one state (for each residue of the position),
// LTL[Y] takes the whole automaton as one component that is never left.
#include "automata/express.hpp"

#include "automata/components.hpp"
#include "automata/formula_search.hpp"
#include "automata/from_formula.hpp"
#include "automata/minimize.hpp"
#include "logic/simplify.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace automata {
namespace {

using logic::Arena;
using logic::Formula;
using logic::Kind;

constexpr std::uint64_t max_modulus = 100'000;
constexpr std::uint64_t max_pairs = 100'000'000;
constexpr std::uint32_t none = UINT32_MAX;

/// A set of states, letters or residues.
using Set = std::vector<bool>;

bool is_empty(const Set& x) {
  return std::find(x.begin(), x.end(), true) == x.end();
}

Set minus(Set x, const Set& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (y[i]) x[i] = false;
  return x;
}

/// Some states, and which of them are possible before positions of each residue.
///
/// Sections with the same states share no residue of a state; sets of states are sets of indices into
/// `states`.
struct Section {
  std::vector<State> states;  // ascending
  std::uint32_t part = 0;     // the number of `states` among the disjoint sets of states
  std::uint32_t modulus = 1;
  std::vector<Set> allowed;  // for each residue of the position
  bool initial = false;
};

/// Builders that fold constants.
class Builder {
 public:
  explicit Builder(Arena& arena) : arena_(arena) {}

  Formula constant(bool value) { return arena_.constant(value); }
  bool is(Formula f, bool value) const { return f->kind == (value ? Kind::true_ : Kind::false_); }

  Formula negate(Formula f) {
    if (is(f, true)) return constant(false);
    if (is(f, false)) return constant(true);
    return f->kind == Kind::negation ? f->left : arena_.negation(f);
  }
  Formula both(Formula f, Formula g) {
    if (is(f, false) || is(g, true) || f == g) return f;
    if (is(g, false) || is(f, true)) return g;
    return arena_.conjunction(f, g);
  }
  Formula either(Formula f, Formula g) {
    if (is(f, true) || is(g, false) || f == g) return f;
    if (is(g, true) || is(f, false)) return g;
    return arena_.disjunction(f, g);
  }
  Formula previously(Formula f) {
    if (is(f, false)) return f;
    return is(f, true) ? negate(arena_.first()) : arena_.previously(f);
  }
  Formula yesterday(Formula f) {
    if (is(f, false)) return f;
    return is(f, true) ? negate(arena_.first()) : arena_.yesterday(f);
  }
  static Formula smaller(Formula f, Formula g) { return g->size < f->size ? g : f; }

  /// The position carries a letter of the set.
  Formula letters(const Set& set) {
    return one_of(set, [&](std::size_t a) { return arena_.letter(static_cast<Letter>(a)); });
  }

  /// The position's residue modulo |set| is in the set.
  Formula residues(const Set& set) {
    std::size_t m = 1;
    const auto repeats = [&] {
      for (std::size_t i = m; i < set.size(); ++i)
        if (set[i] != set[i - m]) return false;
      return true;
    };
    while (set.size() % m != 0 || !repeats()) ++m;
    const Set shorter(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(m));
    return one_of(shorter, [&](std::size_t r) {
      return arena_.modulo(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(r));
    });
  }

  /// The formula values[i] where case i holds, for exhaustive and exclusive cases; an empty value stands for
  /// any formula, and the result is empty when all are.  `test(set)` says that one of the cases in the set
  /// holds.
  Formula cases(const std::vector<Formula>& values, const std::function<Formula(const Set&)>& test);

 private:
  template <class Atom>
  Formula one_of(const Set& set, Atom atom) {
    const auto any = [&](bool member) {
      Formula all = constant(false);
      for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] == member) all = either(all, atom(i));
      return all;
    };
    const Formula direct = any(true);
    const Formula other = negate(any(false));
    return is(other, true) ? other : smaller(direct, other);
  }
  Formula assemble(const std::vector<std::pair<Formula, Set>>& groups,
                   const std::function<Formula(const Set&)>& test);

  Arena& arena_;
};

Formula Builder::cases(const std::vector<Formula>& values, const std::function<Formula(const Set&)>& test) {
  std::vector<std::pair<Formula, Set>> groups;
  Set any(values.size(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      any[i] = true;
      continue;
    }
    const auto place = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.first == values[i]; });
    if (place != groups.end()) {
      place->second[i] = true;
    } else {
      groups.emplace_back(values[i], Set(values.size(), false));
      groups.back().second[i] = true;
    }
  }
  if (groups.empty()) return Formula();
  if (groups.size() == 1) return groups[0].first;
  if (is_empty(any)) return assemble(groups, test);
  Formula best;
  for (std::size_t g = 0; g < groups.size() && g < 8; ++g) {
    auto filled = groups;
    for (std::size_t i = 0; i < any.size(); ++i)
      if (any[i]) filled[g].second[i] = true;
    const Formula result = assemble(filled, test);
    best = best ? smaller(best, result) : result;
  }
  return best;
}

Formula Builder::assemble(const std::vector<std::pair<Formula, Set>>& groups,
                          const std::function<Formula(const Set&)>& test) {
  if (groups.size() == 2 && negate(groups[0].first) == groups[1].first && !is(groups[0].first, true) &&
      !is(groups[0].first, false)) {
    const auto& [f, in_f] = groups[0];
    const auto& [g, in_g] = groups[1];
    return smaller(smaller(arena_.equivalence(test(in_f), f), arena_.equivalence(test(in_g), g)),
                   smaller(arena_.exclusive_or(test(in_g), f), arena_.exclusive_or(test(in_f), g)));
  }
  Formula result = constant(false);
  bool never = false;
  for (const auto& [f, set] : groups) {
    never = never || is(f, false);
    if (is(f, true)) result = test(set);
  }
  const std::size_t open = groups.size() - (never ? 1 : 0) - (is(result, false) ? 0 : 1);
  for (const auto& [f, set] : groups) {
    if (is(f, true) || is(f, false)) continue;
    // the last group needs no test when all other cases are true already
    result = either(result, !never && open == 1 ? f : both(test(set), f));
  }
  return result;
}

/// Whether no two different states of `part` with `alike(p, q)` can read a common word for ever inside
/// `part`. `alike` must be kept by transitions.
bool letters_decide(const Dfa& dfa, const std::vector<State>& part,
                    const std::function<bool(std::size_t, std::size_t)>& alike) {
  const std::size_t n = part.size();
  if (std::uint64_t{n} * n > max_pairs)
    throw std::length_error("express: " + std::to_string(n) + " states have more pairs than the limit of " +
                            std::to_string(max_pairs));
  std::vector<std::uint32_t> index(dfa.states(), none);
  for (std::size_t i = 0; i < n; ++i) index[part[i]] = static_cast<std::uint32_t>(i);
  // remove pairs that nothing leads to, until none is left or there is a cycle
  std::vector<std::uint32_t> entries(n * n, 0);
  const auto for_each_next = [&](std::size_t i, std::size_t j, auto f) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const std::uint32_t x = index[dfa.next(part[i], a)];
      const std::uint32_t y = index[dfa.next(part[j], a)];
      if (x != none && y != none && x != y) f(std::size_t{std::min(x, y)} * n + std::max(x, y));
    }
  };
  std::size_t left = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!alike(i, j)) continue;
      ++left;
      for_each_next(i, j, [&](std::size_t pair) { ++entries[pair]; });
    }
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (alike(i, j) && entries[i * n + j] == 0) free.push_back(i * n + j);
  while (!free.empty()) {
    const std::size_t pair = free.back();
    free.pop_back();
    --left;
    for_each_next(pair / n, pair % n, [&](std::size_t next) {
      if (--entries[next] == 0) free.push_back(next);
    });
  }
  return left == 0;
}

/// The sections of `dfa` for a logic with P, in topological order; none when the logic does not hold it.
std::optional<std::vector<Section>> sections_by_component(const Dfa& dfa, bool yesterday, bool modulo) {
  const std::vector<Component> parts = components(dfa);
  std::vector<Section> sections;
  for (std::uint32_t c = 0; c < parts.size(); ++c) {
    const Component& part = parts[c];
    const std::uint32_t period = std::max(part.period, 1u);
    std::uint32_t m = 1;
    for (; m <= period; ++m) {
      if (period % m != 0) continue;
      if (m > 1 && !modulo) return std::nullopt;
      if (yesterday ? letters_decide(dfa, part.states,
                                     [&](std::size_t i, std::size_t j) {
                                       return part.level[i] % m == part.level[j] % m;
                                     })
                    : part.states.size() <= m)
        break;
    }
    if (m > period) return std::nullopt;
    const auto start = std::lower_bound(part.states.begin(), part.states.end(), dfa.start());
    const bool first = start != part.states.end() && *start == dfa.start();
    for (std::uint32_t shift = 0; shift < m; ++shift) {
      Section section;
      section.states = part.states;
      section.part = c;
      section.modulus = m;
      section.allowed.assign(m, Set(part.states.size(), false));
      for (std::size_t i = 0; i < part.states.size(); ++i)
        section.allowed[(part.level[i] + shift) % m][i] = true;
      section.initial =
          first && section.allowed[1 % m][static_cast<std::size_t>(start - part.states.begin())];
      if (first && !section.initial) continue;  // no run is there
      sections.push_back(std::move(section));
    }
  }
  return sections;
}

/// One section for a logic without P; none when the logic does not hold `dfa`.
std::optional<std::vector<Section>> one_section(const Dfa& dfa, bool modulo) {
  std::uint64_t all = 1;  // the least common multiple of the periods, up to the limit
  if (modulo) {
    for (const Component& part : components(dfa))
      if (part.period > 1 && all <= max_modulus * max_modulus)
        all = std::lcm(all, std::uint64_t{part.period});
  }
  std::vector<State> states(dfa.states());
  std::iota(states.begin(), states.end(), State{0});
  for (std::uint64_t m = 1; m <= all; ++m) {
    if (all % m != 0) continue;
    if (m > max_modulus || m * dfa.states() > max_pairs)
      throw std::length_error("express: the modulus passes " + std::to_string(m - 1) + " for " +
                              std::to_string(dfa.states()) + " states");
    Section section;
    section.states = states;
    section.modulus = static_cast<std::uint32_t>(m);
    section.initial = true;
    section.allowed.assign(m, Set(dfa.states(), false));
    std::vector<std::pair<State, std::uint64_t>> queue{{dfa.start(), 1 % m}};
    section.allowed[1 % m][dfa.start()] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto [p, r] = queue[i];
      for (Letter a = 0; a < dfa.letters(); ++a) {
        const State q = dfa.next(p, a);
        if (section.allowed[(r + 1) % m][q]) continue;
        section.allowed[(r + 1) % m][q] = true;
        queue.emplace_back(q, (r + 1) % m);
      }
    }
    const auto alike = [&](std::size_t p, std::size_t q) {
      return std::any_of(section.allowed.begin(), section.allowed.end(),
                         [&](const Set& possible) { return possible[p] && possible[q]; });
    };
    if (letters_decide(dfa, states, alike)) return std::vector<Section>{std::move(section)};
  }
  return std::nullopt;
}

class Construction {
 public:
  Construction(Arena& arena, const Dfa& dfa, std::vector<Section> sections, bool yesterday,
               std::size_t max_size);

  /// A formula for the words that lead to a state of `accepting`.
  Formula accept(const Set& accepting);

 private:
  /// Is the state before a position of that residue in `good`?  The letters read since then leave `possible`.
  struct Question {
    std::uint32_t residue;
    Set good;
    Set possible;
    friend bool operator<(const Question& x, const Question& y) {
      return std::tie(x.residue, x.good, x.possible) < std::tie(y.residue, y.good, y.possible);
    }
  };
  /// A section that leads here, and the formula for having come from it.
  struct Arrival {
    std::uint32_t from;
    Formula before;
  };
  struct Knowledge {
    Formula entered;
    Formula inside;
    std::vector<Arrival> arrivals;
    std::vector<std::uint32_t> to;
    std::map<Question, Formula> answers;
  };

  void find_successors();
  void learn(std::uint32_t s);
  Set back(std::uint32_t s, const Set& from, Letter a, std::uint32_t t, const Set& to) const;
  Question earlier(std::uint32_t s, const Question& question, Letter a) const;
  Formula within(std::uint32_t s, std::uint32_t residue, Set good);
  Formula answer(std::uint32_t s, const Question& question);
  Formula look_back(std::uint32_t s, const Question& question);
  Formula entry(std::uint32_t s, std::uint32_t residue, Letter a, const Set& good);
  bool can_enter(std::uint32_t s, std::uint32_t residue, Letter a, const Set& good) const;
  Formula leaves_to(std::uint32_t s, std::uint32_t target);
  Formula leaves(std::uint32_t s);
  Formula by_residue(std::vector<Formula> values);
  Formula by_letter(const std::vector<Formula>& values);
  void check_size() const;

  Arena& arena_;
  Builder build_;
  const Dfa& dfa_;
  std::vector<Section> sections_;
  std::vector<std::uint32_t> part_;   // of each state
  std::vector<std::uint32_t> index_;  // of each state in its part
  bool yesterday_;
  std::size_t limit_;
  std::size_t questions_ = 0;
  std::vector<Knowledge> know_;
};

Construction::Construction(Arena& arena, const Dfa& dfa, std::vector<Section> sections, bool yesterday,
                           std::size_t max_size)
    : arena_(arena),
      build_(arena),
      dfa_(dfa),
      sections_(std::move(sections)),
      part_(dfa.states()),
      index_(dfa.states()),
      yesterday_(yesterday),
      limit_(std::max<std::size_t>(max_size, 100'000)),
      know_(sections_.size()) {
  for (const Section& section : sections_) {
    for (std::uint32_t i = 0; i < section.states.size(); ++i) {
      part_[section.states[i]] = section.part;
      index_[section.states[i]] = i;
    }
  }
  find_successors();
  for (std::uint32_t s = 0; s < sections_.size(); ++s) learn(s);
}

void Construction::check_size() const {
  if (arena_.size() > limit_ || questions_ > limit_)
    throw std::length_error("express: the construction passes " + std::to_string(limit_) + " subformulas");
}

void Construction::find_successors() {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_part;
  for (std::uint32_t s = 0; s < sections_.size(); ++s) of_part[sections_[s].part].push_back(s);
  for (std::uint32_t s = 0; s < sections_.size(); ++s) {
    const Section& from = sections_[s];
    std::set<std::uint32_t> found;
    for (std::size_t i = 0; i < from.states.size(); ++i) {
      for (Letter a = 0; a < dfa_.letters(); ++a) {
        const State q = dfa_.next(from.states[i], a);
        if (part_[q] == from.part) continue;
        for (const std::uint32_t t : of_part.at(part_[q])) {
          const Section& to = sections_[t];
          const std::uint32_t m = std::lcm(from.modulus, to.modulus);
          for (std::uint32_t r = 0; r < m; ++r)
            if (from.allowed[r % from.modulus][i] && to.allowed[(r + 1) % to.modulus][index_[q]])
              found.insert(t);
        }
      }
    }
    for (const std::uint32_t t : found) {
      know_[s].to.push_back(t);
      know_[t].arrivals.push_back({s, {}});
    }
  }
}

/// The states of `from`, in section s, that `a` leads into `to`, in section t.
Set Construction::back(std::uint32_t s, const Set& from, Letter a, std::uint32_t t, const Set& to) const {
  Set result(from.size(), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const State q = dfa_.next(sections_[s].states[i], a);
    result[i] = from[i] && part_[q] == sections_[t].part && to[index_[q]];
  }
  return result;
}

Formula Construction::by_letter(const std::vector<Formula>& values) {
  return build_.cases(values, [&](const Set& set) { return build_.letters(set); });
}

/// values[r] at the positions that are r modulo their number.
Formula Construction::by_residue(std::vector<Formula> values) {
  // the least modulus that the values agree on, where they are given
  for (std::size_t m = 1; m < values.size(); ++m) {
    if (values.size() % m != 0) continue;
    std::vector<Formula> shorter(m);
    bool agree = true;
    for (std::size_t i = 0; i < values.size() && agree; ++i) {
      if (!values[i]) continue;
      agree = !shorter[i % m] || shorter[i % m] == values[i];
      shorter[i % m] = values[i];
    }
    if (!agree) continue;
    values = std::move(shorter);
    break;
  }
  return build_.cases(values, [&](const Set& set) { return build_.residues(set); });
}

/// The question one position before, when that position carries `a` and the run was inside already.
Construction::Question Construction::earlier(std::uint32_t s, const Question& question, Letter a) const {
  const std::uint32_t m = sections_[s].modulus;
  const std::uint32_t residue = (question.residue + m - 1) % m;
  const Set& allowed = sections_[s].allowed[residue];
  return {residue, back(s, allowed, a, s, question.good), back(s, allowed, a, s, question.possible)};
}

/// Empty when nothing is possible; otherwise the question must be trivial or have been asked by within().
Formula Construction::answer(std::uint32_t s, const Question& question) {
  if (is_empty(question.possible)) return Formula();
  if (is_empty(question.good)) return build_.constant(false);
  if (question.good == question.possible) return build_.constant(true);
  return know_[s].answers.at(question);
}

/// The state before reading this position is in `good`, which is a set of states allowed at positions of this
/// residue; right where the run is inside the section.  Empty when there is no such position.
Formula Construction::within(std::uint32_t s, std::uint32_t residue, Set good) {
  std::map<Question, Formula>& answers = know_[s].answers;
  const auto is_open = [&](const Question& q) {
    return !is_empty(q.good) && q.good != q.possible && answers.count(q) == 0;
  };
  const Question root{residue, std::move(good), sections_[s].allowed[residue]};
  std::vector<std::pair<Question, Letter>> stack;  // with the next letter to look back over
  if (is_open(root)) stack.emplace_back(root, 0);
  while (!stack.empty()) {
    if (stack.back().second < dfa_.letters()) {
      Question before = earlier(s, stack.back().first, stack.back().second++);
      if (is_open(before)) stack.emplace_back(std::move(before), 0);
      continue;
    }
    // the opposite question leads to the opposites of the questions this one leads to
    const Question question = std::move(stack.back().first);
    const Question opposite{question.residue, minus(question.possible, question.good), question.possible};
    stack.pop_back();
    const Formula yes = look_back(s, question);
    const Formula no = look_back(s, opposite);
    answers[question] = Builder::smaller(yes, build_.negate(no));
    answers[opposite] = Builder::smaller(no, build_.negate(yes));
    ++questions_;
    check_size();
  }
  return answer(s, root);
}

Formula Construction::look_back(std::uint32_t s, const Question& question) {
  const Section& section = sections_[s];
  const std::uint32_t residue = (question.residue + section.modulus - 1) % section.modulus;
  const Set bad = minus(question.possible, question.good);
  std::vector<Formula> values(dfa_.letters());
  for (Letter a = 0; a < dfa_.letters(); ++a) {
    const Formula inside = answer(s, earlier(s, question, a));
    const bool enters_good = can_enter(s, residue, a, question.good);
    const bool enters_bad = can_enter(s, residue, a, bad);
    if (!enters_good && !enters_bad) {
      values[a] = inside;
    } else if (!inside && !(enters_good && enters_bad)) {
      values[a] = build_.constant(enters_good);
    } else if (!inside) {
      values[a] =
          Builder::smaller(entry(s, residue, a, question.good), build_.negate(entry(s, residue, a, bad)));
    } else if (enters_good && enters_bad) {
      values[a] = build_.either(entry(s, residue, a, question.good), build_.both(know_[s].entered, inside));
    } else if (enters_good) {
      values[a] = build_.is(inside, true) ? inside : build_.either(build_.negate(know_[s].entered), inside);
    } else {
      values[a] = build_.both(know_[s].entered, inside);
    }
  }
  Formula before = by_letter(values);
  if (!before) before = build_.constant(false);
  const std::uint32_t start = index_[dfa_.start()];
  const bool may_be_first =
      section.initial && question.residue == 1 % section.modulus && question.possible[start];
  if (!may_be_first) return build_.is(before, true) ? before : build_.yesterday(before);
  if (!question.good[start]) return build_.yesterday(before);
  if (build_.is(before, true)) return before;
  return build_.either(arena_.first(), build_.yesterday(before));
}

/// Whether reading `a` at a position of this residue can lead into the section, to a state of `good`.
bool Construction::can_enter(std::uint32_t s, std::uint32_t residue, Letter a, const Set& good) const {
  for (const Arrival& arrival : know_[s].arrivals) {
    const Section& from = sections_[arrival.from];
    const std::uint32_t m = std::lcm(from.modulus, sections_[s].modulus);
    for (std::uint32_t r = residue; r < m; r += sections_[s].modulus)
      if (!is_empty(back(arrival.from, from.allowed[r % from.modulus], a, s, good))) return true;
  }
  return false;
}

/// This position, of that residue and carrying `a`, is where the run enters the section, at a state of
/// `good`.
Formula Construction::entry(std::uint32_t s, std::uint32_t residue, Letter a, const Set& good) {
  Formula result = build_.constant(false);
  for (const Arrival& arrival : know_[s].arrivals) {
    const Section& from = sections_[arrival.from];
    std::vector<Formula> values(std::lcm(from.modulus, sections_[s].modulus));
    for (std::uint32_t r = residue; r < values.size(); r += sections_[s].modulus) {
      const std::uint32_t there = r % from.modulus;
      values[r] = within(arrival.from, there, back(arrival.from, from.allowed[there], a, s, good));
    }
    if (const Formula state = by_residue(std::move(values)))
      result = build_.either(result, build_.both(know_[arrival.from].inside, state));
  }
  return result;
}

/// Reading this position leads from section s to the target; right where the run is in s.
Formula Construction::leaves_to(std::uint32_t s, std::uint32_t target) {
  const Section& from = sections_[s];
  const Section& to = sections_[target];
  std::vector<Formula> values(std::lcm(from.modulus, to.modulus));
  for (std::uint32_t r = 0; r < values.size(); ++r) {
    std::vector<Formula> letters(dfa_.letters());
    for (Letter a = 0; a < dfa_.letters(); ++a)
      letters[a] =
          within(s, r % from.modulus,
                 back(s, from.allowed[r % from.modulus], a, target, to.allowed[(r + 1) % to.modulus]));
    values[r] = by_letter(letters);
  }
  const Formula result = by_residue(std::move(values));
  return result ? result : build_.constant(false);
}

/// Reading this position leads out of section s; right where the run is in s.
Formula Construction::leaves(std::uint32_t s) {
  const Section& section = sections_[s];
  std::vector<Formula> values(section.modulus);
  for (std::uint32_t r = 0; r < section.modulus; ++r) {
    const Set& here = section.allowed[r];
    std::vector<Formula> letters(dfa_.letters());
    for (Letter a = 0; a < dfa_.letters(); ++a)
      letters[a] = within(s, r, minus(here, back(s, here, a, s, section.allowed[(r + 1) % section.modulus])));
    values[r] = by_letter(letters);
  }
  const Formula result = by_residue(std::move(values));
  return result ? result : build_.constant(false);
}

void Construction::learn(std::uint32_t s) {
  Knowledge& here = know_[s];
  Formula arrives = build_.constant(false);  // the run enters at this position
  here.entered = build_.constant(sections_[s].initial);
  for (Arrival& arrival : here.arrivals) {
    const Knowledge& from = know_[arrival.from];
    const Formula step = leaves_to(arrival.from, s);
    // with one way out, the first step that looks like leaving is the one
    arrival.before = build_.previously(build_.both(from.to.size() == 1 ? from.entered : from.inside, step));
    here.entered = build_.either(here.entered, arrival.before);
    arrives = build_.either(arrives, build_.both(from.inside, step));
  }
  const Formula step = leaves(s);
  if (yesterday_ && build_.is(step, true)) {
    here.inside = sections_[s].initial ? arena_.first() : build_.yesterday(arrives);
  } else {
    here.inside =
        build_.both(here.entered, build_.negate(build_.previously(build_.both(here.entered, step))));
  }
  check_size();
}

Formula Construction::accept(const Set& accepting) {
  std::vector<Formula> good(sections_.size());
  std::vector<bool> sure(sections_.size());  // accepted whatever follows
  for (std::uint32_t s = static_cast<std::uint32_t>(sections_.size()); s-- > 0;) {
    std::vector<Formula> values(sections_[s].modulus);
    for (std::uint32_t r = 0; r < values.size(); ++r) {
      Set here = sections_[s].allowed[r];
      for (std::size_t i = 0; i < here.size(); ++i) here[i] = here[i] && accepting[sections_[s].states[i]];
      values[r] = within(s, r, std::move(here));
    }
    good[s] = by_residue(std::move(values));
    sure[s] = build_.is(good[s], true) &&
              std::all_of(know_[s].to.begin(), know_[s].to.end(), [&](std::uint32_t t) { return sure[t]; });
  }
  Formula result = build_.constant(false);
  for (std::uint32_t s = 0; s < sections_.size(); ++s) {
    if (!sure[s]) {
      result = build_.either(result, build_.both(know_[s].inside, good[s]));
      continue;
    }
    if (sections_[s].initial) return build_.constant(true);
    for (const Arrival& arrival : know_[s].arrivals)
      if (!sure[arrival.from]) result = build_.either(result, arrival.before);
  }
  check_size();
  return result;
}

/// The construction for a logic without S; none when the logic does not hold the language.
std::optional<Formula> construct(Arena& arena, const Dfa& dfa, Logic logic, std::size_t max_size) {
  const bool yesterday = logic != Logic::p && logic != Logic::p_mod;
  const bool previously = logic != Logic::y && logic != Logic::y_mod;
  const bool modulo = logic == Logic::y_mod || logic == Logic::p_mod || logic == Logic::py_mod;
  std::optional<std::vector<Section>> sections =
      previously ? sections_by_component(dfa, yesterday, modulo) : one_section(dfa, modulo);
  if (!sections) return std::nullopt;
  Arena scratch;
  Construction construction(scratch, dfa, std::move(*sections), yesterday, max_size);
  Set accepting(dfa.states());
  Set rejecting(dfa.states());
  for (State q = 0; q < dfa.states(); ++q) {
    accepting[q] = dfa.is_accepting(q);
    rejecting[q] = !accepting[q];
  }
  const auto simplified = [&](Formula f) {
    for (std::uint64_t size = f->size + 1; f->size < size;) {
      size = f->size;
      f = logic::simplify(scratch, f);
    }
    return f;
  };
  const Formula yes = simplified(construction.accept(accepting));
  const Formula no = simplified(scratch.negation(construction.accept(rejecting)));
  const Formula best = Builder::smaller(yes, no);
  if (best->size > max_size)
    throw std::length_error("express: a formula of " + std::string(name(logic)) + " with " +
                            (best->size == UINT64_MAX ? "2^64 or more" : std::to_string(best->size)) +
                            " nodes, the limit is " + std::to_string(max_size));
  std::unordered_map<std::uint32_t, Formula> copy;
  for (const Formula f : logic::subformulas(best)) {
    const auto now = [&](Formula g) { return g ? copy.at(g->id) : Formula(); };
    copy[f->id] = arena.make(f->kind, f->k, f->j, now(f->left), now(f->right));
  }
  return copy.at(best->id);
}

/// The logics with a construction that `logic` contains, smaller ones first.
std::vector<Logic> contained(Logic logic) {
  switch (logic) {
    case Logic::y: return {Logic::y};
    case Logic::p: return {Logic::p};
    case Logic::py:
    case Logic::s: return {Logic::y, Logic::p, Logic::py};
    case Logic::y_mod: return {Logic::y, Logic::y_mod};
    case Logic::p_mod: return {Logic::p, Logic::p_mod};
    case Logic::py_mod:
    case Logic::s_mod: return {Logic::y, Logic::p, Logic::py, Logic::y_mod, Logic::p_mod, Logic::py_mod};
  }
  return {};
}

bool is_within(const logic::Fragment& used, Logic logic) {
  const bool since = logic == Logic::s || logic == Logic::s_mod;
  const bool yesterday = logic != Logic::p && logic != Logic::p_mod;
  const bool previously = logic != Logic::y && logic != Logic::y_mod;
  const bool modulo =
      logic == Logic::y_mod || logic == Logic::p_mod || logic == Logic::py_mod || logic == Logic::s_mod;
  return (!used.since || since) && (!used.yesterday || yesterday) && (!used.previously || previously) &&
         (!used.modulo || modulo) && used.window == 0 && !used.counting;
}

}  // namespace

std::optional<Formula> express(Arena& arena, const Dfa& dfa, Logic logic, const ExpressOptions& options) {
  const Membership decided = decide(dfa, logic, options.limits);
  const std::optional<bool> member = decided.member;
  if (member == false) return std::nullopt;

  std::optional<Formula> result;
  if (options.search_formulas > 0) result = search_formula(arena, dfa, logic, options.search_formulas);
  std::string failure;
  if (!result) {
    for (const Logic part : contained(logic)) {
      try {
        const std::optional<Formula> f = construct(arena, dfa, part, options.max_size);
        if (f && (!result || (*f)->size < (*result)->size)) result = f;
      } catch (const std::length_error& error) {
        failure = error.what();
      }
    }
  }
  if (!result && !failure.empty()) throw std::length_error(failure);
  if (!result && member && logic != Logic::s && logic != Logic::s_mod)
    throw std::logic_error("express: no construction for a language of " + std::string(name(logic)));
  if (!result && logic != Logic::s && logic != Logic::s_mod)
    throw std::length_error("express: " + std::string(name(logic)) + " is " + decided.note);
  if (!result)
    throw std::length_error("express: no formula of " + std::string(name(logic)) + " found among " +
                            std::to_string(options.search_formulas) + ", and there is no construction for S");

  if (!is_within(logic::fragment(*result), logic))
    throw std::logic_error("express: a formula of " + logic::name(logic::fragment(*result)) + " for " +
                           std::string(name(logic)));
  if (from_formula(*result, dfa.letters(), options.max_states) != dfa)
    throw std::logic_error("express: the formula found for " + std::string(name(logic)) +
                           " is not equivalent");
  return result;
}

}  // namespace automata
