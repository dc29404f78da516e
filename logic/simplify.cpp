// A conjunction or disjunction is taken as a whole: nested ones of the same kind are flattened into one list
// of literals (a formula and its sign).  A disjunction is the negation of the conjunction of the negated
// literals, so every rule is stated once, for conjunctions.
#include "logic/simplify.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace logic {
namespace {

constexpr std::size_t max_width = 64;  // no list is flattened further: rules compare its members pair by pair

struct Literal {
  Formula core;  // neither a negation nor `true`
  bool positive;

  friend bool operator==(Literal, Literal) = default;
};
using Literals = std::vector<Literal>;

/// Y f, P f, Y<=k f, f S g: false at position 1.
bool needs_a_past(Kind kind) {
  return kind == Kind::yesterday || kind == Kind::previously || kind == Kind::window ||
         kind == Kind::counting_window || kind == Kind::since;
}

class Simplifier {
 public:
  explicit Simplifier(Arena& arena) : arena_(arena) {}

  Formula run(Formula f);

 private:
  Formula negate(Formula f);
  static Literal literal(Formula f, bool positive);
  Formula formula(Literal x) { return x.positive ? x.core : negate(x.core); }
  Formula temporal(const Node& node, Formula left, Formula right);

  /// The literals whose conjunction is `f` (the negation of `f` when not `positive`), flattened.
  static void flatten(Formula f, bool positive, Literals& members);
  /// The literals whose disjunction is the literal, if it is written as one.
  static Literals clause(Literal x);

  /// The conjunction of `members` when `positive`, else its negation, which is a disjunction.
  Formula build(Literals members, bool positive);
  /// Nothing when the conjunction is false.
  static std::optional<Literals> reduce(const Literals& members);
  bool absorb(Literals& members);
  void merge_temporal(Literals& members);
  std::optional<Literals> factor(const Literals& members);
  Formula write(const Literals& members, bool positive);

  Arena& arena_;
};

Literal Simplifier::literal(Formula f, bool positive) {
  while (f->kind == Kind::negation) {
    f = f->left;
    positive = !positive;
  }
  return {f, positive};
}

Formula Simplifier::negate(Formula f) {
  switch (f->kind) {
    case Kind::true_: return arena_.constant(false);
    case Kind::false_: return arena_.constant(true);
    case Kind::negation: return f->left;
    case Kind::exclusive_or: return arena_.equivalence(f->left, f->right);
    case Kind::equivalence: return arena_.exclusive_or(f->left, f->right);
    case Kind::previously:
      if (f->left->kind == Kind::negation || f->left->kind == Kind::exclusive_or ||
          f->left->kind == Kind::equivalence)
        return arena_.historically(negate(f->left));
      return arena_.negation(f);
    case Kind::historically:
      if (f->left->kind == Kind::negation) return arena_.previously(f->left->left);
      return arena_.negation(f);
    case Kind::letter:
    case Kind::first:
    case Kind::modulo:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::implication:
    case Kind::yesterday:
    case Kind::window:
    case Kind::counting_window:
    case Kind::once:
    case Kind::since: return arena_.negation(f);
  }
  return arena_.negation(f);
}

void Simplifier::flatten(Formula f, bool positive, Literals& members) {
  std::vector<Literal> open{{f, positive}};
  while (!open.empty()) {
    const Literal x = open.back();
    open.pop_back();
    const Kind kind = x.core->kind;
    if (kind == Kind::negation) {
      open.push_back({x.core->left, !x.positive});
    } else if (members.size() + open.size() >= max_width) {
      members.push_back(x);
    } else if (kind == (x.positive ? Kind::conjunction : Kind::disjunction)) {
      open.push_back({x.core->right, x.positive});
      open.push_back({x.core->left, x.positive});
    } else if (kind == Kind::implication && !x.positive) {
      open.push_back({x.core->right, false});
      open.push_back({x.core->left, true});
    } else {
      members.push_back(x);
    }
  }
}

Literals Simplifier::clause(Literal x) {
  // x is the disjunction of the literals whose negations' conjunction is !x
  Literals members;
  flatten(x.core, !x.positive, members);
  for (Literal& member : members) member.positive = !member.positive;
  return members;
}

/// Whether x implies y (1), excludes y (-1), or neither (0), as far as the atoms alone show.
int compare(Literal x, Literal y) {
  if (x.core == y.core) return x.positive == y.positive ? 1 : -1;
  const int sign = y.positive ? 1 : -1;
  if (!x.positive) {
    // !first is implied by nothing negative but !H f: some position before has !f
    if (x.core->kind == Kind::historically && y.core->kind == Kind::first) return -sign;
    return 0;
  }
  const Kind kx = x.core->kind;
  const Kind ky = y.core->kind;
  if (kx == Kind::letter && ky == Kind::letter) return -sign;
  if (kx == Kind::first && needs_a_past(ky)) return -sign;
  if (kx == Kind::first && ky == Kind::historically) return sign;
  if (needs_a_past(kx) && ky == Kind::first) return -sign;
  if (kx == Kind::modulo && ky == Kind::modulo) {
    const std::uint32_t common = std::gcd(x.core->k, y.core->k);
    if (x.core->j % common != y.core->j % common) return -sign;
    if (x.core->k % y.core->k == 0) return sign;
  }
  if (kx == Kind::first && ky == Kind::modulo) return 1 % y.core->k == y.core->j ? sign : -sign;
  return 0;
}

std::optional<Literals> Simplifier::reduce(const Literals& members) {
  Literals kept;
  std::unordered_map<std::uint32_t, bool> seen;
  for (const Literal x : members) {
    if (x.core->kind == Kind::true_ || x.core->kind == Kind::false_) {
      if ((x.core->kind == Kind::true_) != x.positive) return std::nullopt;
      continue;
    }
    const auto [place, fresh] = seen.emplace(x.core->id, x.positive);
    if (fresh)
      kept.push_back(x);
    else if (place->second != x.positive)
      return std::nullopt;
  }
  if (kept.size() > max_width) return kept;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size();) {
      const int relation = i == j ? 0 : compare(kept[i], kept[j]);
      if (relation < 0) return std::nullopt;
      if (relation > 0) {
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(j));
        if (j < i) --i;
      } else {
        ++j;
      }
    }
  }
  return kept;
}

/// x & (x | f) = x and x & (!x | f) = x & f.  Whether something changed.
bool Simplifier::absorb(Literals& members) {
  for (std::size_t j = 0; j < members.size(); ++j) {
    Literals parts = clause(members[j]);
    if (parts.size() < 2 || parts.size() > max_width) continue;
    const std::size_t before = parts.size();
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == j) continue;
      bool holds = false;
      parts.erase(std::remove_if(parts.begin(), parts.end(),
                                 [&](Literal part) {
                                   const int relation = compare(members[i], part);
                                   holds = holds || relation > 0;
                                   return relation < 0;
                                 }),
                  parts.end());
      if (holds) {
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(j));
        return true;
      }
    }
    if (parts.size() == before) continue;
    for (Literal& part : parts) part.positive = !part.positive;
    Literals replaced;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i != j)
        replaced.push_back(members[i]);
      else
        flatten(build(parts, false), true, replaced);
    }
    members = std::move(replaced);
    return true;
  }
  return false;
}

/// Y f & Y g = Y(f & g), H f & H g = H(f & g), !P f & !P g = !P(f | g), and likewise !Y and !O.
void Simplifier::merge_temporal(Literals& members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Kind kind = members[i].core->kind;
    const bool positive = members[i].positive;
    const bool merges = positive ? kind == Kind::yesterday || kind == Kind::historically
                                 : kind == Kind::yesterday || kind == Kind::previously || kind == Kind::once;
    if (!merges) continue;
    Literals parts;
    std::size_t merged = 0;
    for (std::size_t j = i; j < members.size();) {
      if (members[j].core->kind != kind || members[j].positive != positive) {
        ++j;
        continue;
      }
      flatten(members[j].core->left, positive, parts);
      ++merged;
      if (j == i)
        ++j;
      else
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(j));
    }
    if (merged < 2) continue;
    const Formula argument = build(std::move(parts), positive);
    members[i] = literal(temporal(*members[i].core, argument, {}), positive);
  }
}

/// (f | g) & (f | h) = f | (g & h), with the literal that most members share; nothing when none do.
std::optional<Literals> Simplifier::factor(const Literals& members) {
  std::vector<Literals> clauses;
  Literals order;
  std::vector<std::size_t> count;
  for (const Literal member : members) {
    clauses.push_back(clause(member));
    if (clauses.back().size() > max_width) return std::nullopt;
    if (clauses.back().size() < 2) continue;
    for (const Literal part : clauses.back()) {
      const auto found = std::find(order.begin(), order.end(), part);
      if (found == order.end()) {
        order.push_back(part);
        count.push_back(1);
      } else {
        ++count[static_cast<std::size_t>(found - order.begin())];
      }
    }
  }
  if (order.empty()) return std::nullopt;
  const auto most = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
  if (count[most] < 2) return std::nullopt;
  const Literal shared = order[most];
  Literals rest;
  Literals result;
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto found = std::find(clauses[i].begin(), clauses[i].end(), shared);
    if (clauses[i].size() < 2 || found == clauses[i].end()) {
      result.push_back(members[i]);
      continue;
    }
    Literals parts;
    for (const Literal part : clauses[i])
      if (part != shared) parts.push_back({part.core, !part.positive});
    flatten(build(std::move(parts), false), true, rest);
    if (!place) {
      place = result.size();
      result.push_back(shared);  // replaced below
    }
  }
  // shared | rest, as the negation of !shared & !rest
  const Formula inner = build(std::move(rest), true);
  Literals both;
  flatten(formula(shared), false, both);
  flatten(inner, false, both);
  result[*place] = literal(build(std::move(both), false), true);
  return result;
}

Formula Simplifier::write(const Literals& members, bool positive) {
  if (members.empty()) return arena_.constant(positive);
  if (members.size() == 1) return formula({members[0].core, members[0].positive == positive});
  // x | !y is y -> x; a conjunction of negations is the negation of a disjunction, and the other way round
  Literals plain;
  Literals negated;
  for (const Literal x : members) {
    const Formula f = formula({x.core, x.positive == positive});
    (f->kind == Kind::negation ? negated : plain).push_back(literal(f, true));
  }
  if (!positive && plain.size() == 1 && negated.size() == 1)
    return arena_.implication(negated[0].core, plain[0].core);
  const auto chain = [&](const std::vector<Formula>& parts, bool conjunctive) {
    Formula all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i)
      all = conjunctive ? arena_.conjunction(all, parts[i]) : arena_.disjunction(all, parts[i]);
    return all;
  };
  std::vector<Formula> inner;
  if (negated.size() >= 2)
    for (const Literal x : negated) inner.push_back(x.core);
  std::vector<Formula> outer;
  bool placed = false;
  for (const Literal x : members) {
    const Formula f = formula({x.core, x.positive == positive});
    if (f->kind != Kind::negation || inner.empty()) {
      outer.push_back(f);
    } else if (!placed) {
      outer.push_back(arena_.negation(chain(inner, !positive)));
      placed = true;
    }
  }
  return chain(outer, positive);
}

Formula Simplifier::build(Literals members, bool positive) {
  while (true) {
    std::optional<Literals> reduced = reduce(members);
    if (!reduced) return arena_.constant(!positive);
    members = std::move(*reduced);
    if (members.size() < 2 || members.size() > max_width) break;
    if (absorb(members)) continue;
    const std::size_t before = members.size();
    merge_temporal(members);
    if (members.size() < before) continue;
    std::optional<Literals> factored = factor(members);
    if (!factored) break;
    members.clear();
    for (const Literal x : *factored) flatten(x.core, x.positive, members);
  }
  // (x | y) & (!x | !y) is x ^ y
  if (members.size() == 2) {
    const Literals left = clause(members[0]);
    const Literals right = clause(members[1]);
    if (left.size() == 2 && right.size() == 2) {
      const auto opposite = [](Literal x, Literal y) { return x.core == y.core && x.positive != y.positive; };
      if ((opposite(left[0], right[0]) && opposite(left[1], right[1])) ||
          (opposite(left[0], right[1]) && opposite(left[1], right[0]))) {
        const bool differ = (left[0].positive == left[1].positive) == positive;
        const Formula x = left[0].core;
        const Formula y = left[1].core;
        return differ ? arena_.exclusive_or(x, y) : arena_.equivalence(x, y);
      }
    }
  }
  return write(members, positive);
}

/// `node` with the simplified arguments.
Formula Simplifier::temporal(const Node& node, Formula left, Formula right) {
  const auto is = [](Formula f, Kind kind) { return f && f->kind == kind; };
  const Formula past = arena_.negation(arena_.first());  // there is a position before
  switch (node.kind) {
    case Kind::previously:
      if (is(left, Kind::first)) return past;
      [[fallthrough]];
    case Kind::yesterday:
    case Kind::window:
      if (is(left, Kind::false_)) return left;
      if (is(left, Kind::true_)) return past;
      break;
    case Kind::counting_window:
      if (is(left, Kind::false_)) return left;
      break;
    case Kind::historically:
      if (is(left, Kind::true_)) return left;
      if (is(left, Kind::false_)) return arena_.first();
      break;
    case Kind::once:
      if (is(left, Kind::true_) || is(left, Kind::false_)) return left;
      if (is(left, Kind::first)) return arena_.constant(true);
      break;
    case Kind::since:
      if (is(right, Kind::false_)) return right;
      if (is(right, Kind::true_)) return past;
      break;
    case Kind::modulo:
      if (node.k == 1) return arena_.constant(true);
      break;
    case Kind::false_:
    case Kind::true_:
    case Kind::letter:
    case Kind::first:
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::exclusive_or:
    case Kind::implication:
    case Kind::equivalence: break;
  }
  return arena_.make(node.kind, node.k, node.j, left, right);
}

Formula Simplifier::run(Formula f) {
  // The members of a flattened conjunction are needed, the conjunctions inside it are not: a long chain is
  // then taken once and not at each of its links.
  const std::vector<Formula> all = subformulas(f);
  std::unordered_map<std::uint32_t, Literals> members;  // of each needed conjunction or disjunction
  std::unordered_map<std::uint32_t, Formula> done;      // needed, first with an empty formula
  done.emplace(f->id, Formula());
  for (auto g = all.rbegin(); g != all.rend(); ++g) {
    if (!done.count((*g)->id)) continue;
    const Kind kind = (*g)->kind;
    if (kind == Kind::conjunction || kind == Kind::disjunction || kind == Kind::implication) {
      Literals& list = members[(*g)->id];
      flatten(*g, kind == Kind::conjunction, list);
      for (const Literal x : list) done.emplace(x.core->id, Formula());
    } else {
      for (const Formula argument : {(*g)->left, (*g)->right})
        if (argument) done.emplace(argument->id, Formula());
    }
  }
  for (const Formula g : all) {
    const auto place = done.find(g->id);
    if (place == done.end()) continue;
    const auto now = [&](Formula argument) { return argument ? done.at(argument->id) : Formula(); };
    Formula result;
    switch (g->kind) {
      case Kind::negation: result = negate(now(g->left)); break;
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::implication: {
        Literals list;
        for (const Literal x : members.at(g->id)) flatten(done.at(x.core->id), x.positive, list);
        result = build(std::move(list), g->kind == Kind::conjunction);
        break;
      }
      case Kind::exclusive_or:
      case Kind::equivalence: {
        // signs and constants move out of the operator
        const Literal x = literal(now(g->left), true);
        const Literal y = literal(now(g->right), true);
        bool differ = (g->kind == Kind::exclusive_or) == (x.positive == y.positive);
        const auto constant = [](Formula h) { return h->kind == Kind::true_ || h->kind == Kind::false_; };
        if (x.core == y.core) {
          result = arena_.constant(!differ);
        } else if (constant(x.core)) {
          result = formula({y.core, (x.core->kind == Kind::true_) != differ});
        } else if (constant(y.core)) {
          result = formula({x.core, (y.core->kind == Kind::true_) != differ});
        } else {
          result = differ ? arena_.exclusive_or(x.core, y.core) : arena_.equivalence(x.core, y.core);
        }
        break;
      }
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::first:
      case Kind::modulo:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::window:
      case Kind::counting_window:
      case Kind::historically:
      case Kind::once:
      case Kind::since: result = temporal(*g, now(g->left), now(g->right)); break;
    }
    place->second = result;
  }
  const Formula result = done.at(f->id);
  return result->size <= f->size ? result : f;
}

}  // namespace

Formula simplify(Arena& arena, Formula f) {
  return Simplifier(arena).run(f);
}

}  // namespace logic
