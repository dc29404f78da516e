// The search enumerates formulas by size and keeps one for each set of places at which a formula can hold.
// Covers are learned from these as FOIL does (Quinlan 1990): rules of conjunctions, one rule after the other.
//
// The formulas for types follow the definition: two types that agree one depth below differ in a type that
// one of them sees and the other does not, or not as often; a formula for that type against all that the
// other one sees, under the operator that sees it, tells them apart.  It is built by need, pair by pair.
#include "logic/separate.hpp"

#include "logic/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace logic {
namespace {

using Place = Places::Place;
using Type = Types::Type;

constexpr std::size_t max_candidates = 8;
constexpr std::size_t max_truth_words = std::size_t{1} << 26;  // 512 MiB
constexpr std::size_t max_types = 4'000'000;

struct Operator {
  Kind kind;
  std::uint32_t k;
  std::uint32_t j;
};

/// The operator of `logic`'s window that asks for `at_least` hits.
Operator window_operator(const WindowLogic& logic, std::uint32_t at_least) {
  if (logic.window == 1) return {Kind::yesterday, 0, 0};
  if (at_least == 1) return {Kind::window, logic.window, 0};
  return {Kind::counting_window, logic.window, at_least};
}

class Search {
 public:
  Search(const Places& places, std::span<const Place> yes, std::span<const Place> no,
         const WindowLogic& logic, std::uint32_t depth, std::size_t budget)
      : places_(places),
        yes_(yes),
        no_(no),
        depth_(depth),
        budget_(budget),
        modulus_(logic.modulus),
        past_(logic.previously) {
    if (logic.window > 0)
      for (std::uint32_t j = 1; j <= (logic.counting ? logic.window : 1); ++j)
        temporal_.push_back(window_operator(logic, j));
    if (logic.previously) {
      temporal_.push_back({Kind::previously, 0, 0});
      temporal_.push_back({Kind::historically, 0, 0});
    }
  }

  std::optional<Formula> run(Arena& arena) {
    enumerate();
    if (!found_) return std::nullopt;
    return formula(arena, *found_);
  }

  std::optional<Formula> cover(Arena& arena) {
    enumerate();
    if (found_) return formula(arena, *found_);
    std::optional<Formula> best;
    for (const bool complemented : {false, true}) {
      for (const bool once : {false, true}) {
        if (once && (!past_ || depth_ == 0)) continue;
        const std::optional<Formula> f = cover(arena, complemented, once);
        if (f && (!best || (*f)->size < (*best)->size)) best = f;
      }
    }
    return best;
  }

 private:
  void enumerate() {
    std::vector<std::pair<std::size_t, std::size_t>> level{{0, 0}};  // the entries of each size
    for (std::uint32_t size = 1;; ++size) {
      const std::size_t begin = entries_.size();
      if (size == 1) {
        atoms();
      } else {
        for (std::size_t f = level[size - 1].first; f < level[size - 1].second && tried_ < budget_; ++f) {
          if (entries_[f].operation.kind != Kind::negation) add({Kind::negation, 0, 0}, f, f, size);
          if (entries_[f].depth == depth_) continue;
          for (const Operator& operation : temporal_) add(operation, f, f, size);
        }
        for (std::uint32_t left = 1; 2 * left < size; ++left) {
          const auto [left_begin, left_end] = level[left];
          const auto [right_begin, right_end] = level[size - 1 - left];
          for (std::size_t f = left_begin; f < left_end; ++f) {
            for (std::size_t g = std::max(f + 1, right_begin); g < right_end && tried_ < budget_; ++g) {
              add({Kind::conjunction, 0, 0}, f, g, size);
              add({Kind::disjunction, 0, 0}, f, g, size);
            }
          }
        }
      }
      level.emplace_back(begin, entries_.size());
      if (found_ || tried_ >= budget_ || size > 2 * entries_.back().size + 1) return;
    }
  }

  struct Entry {
    Operator operation;
    std::size_t left;
    std::size_t right;
    std::uint32_t size;
    std::uint32_t depth;
    Truth truth;
  };

  void atoms() {
    std::vector<Operator> all{{Kind::true_, 0, 0}, {Kind::false_, 0, 0}};
    std::vector<Letter> letters;
    for (Place p = 0; p < places_.size(); ++p)
      if (places_.letter(p)) letters.push_back(*places_.letter(p));
    std::sort(letters.begin(), letters.end());
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
    for (const Letter a : letters) all.push_back({Kind::letter, a, 0});
    if (depth_ > 0) all.push_back({Kind::first, 0, 0});
    if (modulus_ > 1)
      for (std::uint32_t r = 0; r < modulus_; ++r) all.push_back({Kind::modulo, modulus_, r});
    for (const Operator& operation : all) add(operation, 0, 0, 1);
  }

  void add(const Operator& operation, std::size_t left, std::size_t right, std::uint32_t size) {
    ++tried_;
    static const Truth nothing;
    const int arguments = arity(operation.kind);
    const std::uint32_t depth =
        std::max(arguments > 0 ? entries_[left].depth : 0, arguments > 1 ? entries_[right].depth : 0) +
        (is_temporal(operation.kind) ? 1 : 0);
    if (depth > depth_) return;
    Truth truth = places_.apply(operation.kind, operation.k, operation.j,
                                arguments > 0 ? entries_[left].truth : nothing,
                                arguments > 1 ? entries_[right].truth : nothing);
    // a longer formula with the same truth is of use only when its depth is less
    std::uint64_t hash = 0;
    for (const std::uint64_t w : truth) hash = ((hash ^ w) * 0x9E3779B97F4A7C15u) ^ ((hash ^ w) >> 31);
    std::vector<std::size_t>& same = by_truth_[hash];
    for (const std::size_t i : same)
      if (entries_[i].depth <= depth && entries_[i].truth == truth) return;
    const auto at = [&](Place p) { return bit(truth, p); };
    const bool good = std::all_of(yes_.begin(), yes_.end(), at) && std::none_of(no_.begin(), no_.end(), at);
    same.push_back(entries_.size());
    entries_.push_back({operation, left, right, size, depth, std::move(truth)});
    if (good && (!found_ || depth < entries_[*found_].depth)) found_ = entries_.size() - 1;
  }

  struct Rule {
    std::vector<std::size_t> literals;  // entries
    Truth region;                       // where all of them hold
  };

  std::size_t common(const Truth& x, const Truth& y) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < x.size(); ++w)
      count += static_cast<std::size_t>(__builtin_popcountll(x[w] & y[w]));
    return count;
  }

  Truth region(const std::vector<std::size_t>& literals) const {
    Truth all = places_.apply(Kind::true_, 0, 0, {}, {});
    for (const std::size_t i : literals)
      for (std::size_t w = 0; w < all.size(); ++w) all[w] &= entries_[i].truth[w];
    return all;
  }

  /// Adds literals, the most telling for its size first, until nothing of `out` is left.
  std::optional<Rule> rule(const Truth& in, const Truth& out, std::uint32_t depth) const {
    constexpr std::size_t max_literals = 10;
    Rule grown{{}, region({})};
    while (common(grown.region, out) > 0) {
      if (grown.literals.size() == max_literals) return std::nullopt;
      Truth here = in;
      Truth there = out;
      for (std::size_t w = 0; w < here.size(); ++w) here[w] &= grown.region[w], there[w] &= grown.region[w];
      const auto purity = [](std::size_t good, std::size_t bad) {
        return std::log2(static_cast<double>(good) / static_cast<double>(good + bad));
      };
      const double before = purity(common(here, here), common(there, there));
      double best_gain = 0;
      std::size_t best = 0;
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].depth > depth) continue;
        const std::size_t good = common(here, entries_[i].truth);
        if (good == 0) continue;
        const std::size_t bad = common(there, entries_[i].truth);
        const double gain = static_cast<double>(good) * (purity(good, bad) - before) / (2 + entries_[i].size);
        if (gain > best_gain) best_gain = gain, best = i;
      }
      if (best_gain <= 0) return std::nullopt;
      grown.literals.push_back(best);
      for (std::size_t w = 0; w < here.size(); ++w) grown.region[w] &= entries_[best].truth[w];
    }
    for (std::size_t i = 0; i < grown.literals.size();) {
      std::vector<std::size_t> fewer = grown.literals;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (common(region(fewer), out) > 0) {
        ++i;
      } else {
        grown.literals = std::move(fewer);
      }
    }
    grown.region = region(grown.literals);
    return grown;
  }

  /// Rules whose union (under O, where `once`) holds at the ends that are asked for and at no other.
  std::optional<Formula> cover(Arena& arena, bool complemented, bool once) const {
    constexpr std::size_t max_rules = 40;
    const std::span<const Place> inside = complemented ? no_ : yes_;
    const std::span<const Place> outside = complemented ? yes_ : no_;
    // the places at which a rule may hold to make it true at the end p
    const auto seen_from = [&](Place p) {
      std::vector<Place> all{p};
      while (once && places_.before(all.back()) != Places::none) all.push_back(places_.before(all.back()));
      return all;
    };
    Truth out((places_.size() + 63) / 64, 0);
    for (const Place end : outside)
      for (const Place p : seen_from(end)) out[p / 64] |= std::uint64_t{1} << (p % 64);
    std::vector<std::vector<Place>> open;  // what is to be covered
    for (const Place end : inside) {
      std::vector<Place> free = seen_from(end);
      std::erase_if(free, [&](Place p) { return bit(out, p); });
      if (free.empty()) return std::nullopt;
      open.push_back(std::move(free));
    }
    const std::vector<std::vector<Place>> all = open;
    const auto covers = [](const Rule& r, const std::vector<Place>& free) {
      return std::any_of(free.begin(), free.end(), [&](Place p) { return bit(r.region, p); });
    };
    std::vector<Rule> rules;
    while (!open.empty()) {
      if (rules.size() == max_rules) return std::nullopt;
      Truth in(out.size(), 0);
      for (const auto& free : open)
        for (const Place p : free) in[p / 64] |= std::uint64_t{1} << (p % 64);
      std::optional<Rule> next = rule(in, out, once ? depth_ - 1 : depth_);
      if (!next) return std::nullopt;
      std::erase_if(open, [&](const auto& free) { return covers(*next, free); });
      rules.push_back(std::move(*next));
    }
    for (std::size_t i = rules.size(); i-- > 0;) {
      const bool needed = std::any_of(all.begin(), all.end(), [&](const auto& free) {
        for (std::size_t l = 0; l < rules.size(); ++l)
          if (l != i && covers(rules[l], free)) return false;
        return true;
      });
      if (!needed) rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
    }
    Formula any;
    for (const Rule& r : rules) {
      Formula each = r.literals.empty() ? arena.constant(true) : formula(arena, r.literals[0]);
      for (std::size_t i = 1; i < r.literals.size(); ++i)
        each = arena.conjunction(each, formula(arena, r.literals[i]));
      any = any ? arena.disjunction(any, each) : each;
    }
    if (!any) any = arena.constant(false);
    if (once) any = arena.once(any);
    return complemented ? arena.negation(any) : any;
  }

  Formula formula(Arena& arena, std::size_t root) const {
    std::vector<std::size_t> needed{root};
    std::unordered_set<std::size_t> seen{root};
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const Entry& entry = entries_[needed[i]];
      const int arguments = arity(entry.operation.kind);
      if (arguments > 0 && seen.insert(entry.left).second) needed.push_back(entry.left);
      if (arguments > 1 && seen.insert(entry.right).second) needed.push_back(entry.right);
    }
    std::sort(needed.begin(), needed.end());  // arguments are older
    std::unordered_map<std::size_t, Formula> made;
    for (const std::size_t i : needed) {
      const Entry& entry = entries_[i];
      const int arguments = arity(entry.operation.kind);
      made[i] = arena.make(entry.operation.kind, entry.operation.k, entry.operation.j,
                           arguments > 0 ? made.at(entry.left) : Formula(),
                           arguments > 1 ? made.at(entry.right) : Formula());
    }
    return made.at(root);
  }

  const Places& places_;
  std::span<const Place> yes_;
  std::span<const Place> no_;
  std::uint32_t depth_;
  std::size_t budget_;
  std::uint32_t modulus_;
  bool past_;
  std::vector<Operator> temporal_;
  std::size_t tried_ = 0;
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_truth_;  // looked up only
  std::optional<std::size_t> found_;
};

}  // namespace

std::optional<Formula> search_formula(Arena& arena, const Places& places, std::span<const Place> yes,
                                      std::span<const Place> no, const WindowLogic& logic,
                                      std::uint32_t depth, std::size_t budget) {
  if (budget == 0) return std::nullopt;
  return Search(places, yes, no, logic, depth, budget).run(arena);
}

std::optional<Formula> cover_formula(Arena& arena, const Places& places, std::span<const Place> yes,
                                     std::span<const Place> no, const WindowLogic& logic, std::uint32_t depth,
                                     std::size_t budget) {
  if (budget == 0) return std::nullopt;
  return Search(places, yes, no, logic, depth, budget).cover(arena);
}

Formula TypeFormulas::make(Kind kind, std::uint32_t k, std::uint32_t j, Formula left, Formula right) {
  const Formula f = arena_.make(kind, k, j, left, right);
  const auto [place, fresh] = truth_.try_emplace(f->id);
  if (!fresh) return f;
  if (truth_.size() * (places_.size() / 64 + 1) > max_truth_words)
    throw std::length_error("TypeFormulas: more than " + std::to_string(truth_.size() - 1) + " formulas at " +
                            std::to_string(places_.size()) + " places");
  static const Truth nothing;
  place->second =
      places_.apply(kind, k, j, left ? truth_.at(left->id) : nothing, right ? truth_.at(right->id) : nothing);
  return f;
}

/// The two types at the least depth at which they differ.
TypeFormulas::Pair TypeFormulas::lowered(Type s, Type t) const {
  while (types_.parts(s).depth > 0 && types_.parts(s).lower != types_.parts(t).lower) {
    s = types_.parts(s).lower;
    t = types_.parts(t).lower;
  }
  return {s, t};
}

std::optional<Formula> TypeFormulas::exclude(Type s, std::span<const Type> others,
                                             std::vector<Pair>& missing) {
  std::vector<Formula> parts;
  for (const Type t : others) {
    const auto excluded = [&](Formula f) { return !holds_at(f, t); };
    if (std::any_of(parts.begin(), parts.end(), excluded)) continue;
    const Pair pair = lowered(s, t);
    const auto known = known_.find(pair);
    if (known == known_.end()) {
      missing.push_back(pair);
      return std::nullopt;
    }
    parts.push_back(known->second);
  }
  for (std::size_t i = parts.size(); i-- > 0 && parts.size() > 1;) {  // what later parts made superfluous
    const bool needed = std::any_of(others.begin(), others.end(), [&](Type t) {
      for (std::size_t l = 0; l < parts.size(); ++l)
        if (l != i && !holds_at(parts[l], t)) return false;
      return true;
    });
    if (!needed) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (parts.empty()) return make(Kind::true_, 0, 0);
  Formula all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) all = make(Kind::conjunction, 0, 0, all, parts[i]);
  return all;
}

std::optional<Formula> TypeFormulas::attempt(Type s, Type t, std::vector<Pair>& missing) {
  const Types::Parts& x = types_.parts(s);
  const Types::Parts& y = types_.parts(t);
  if (x.letter != y.letter)
    return x.letter ? make(Kind::letter, *x.letter, 0)
                    : make(Kind::negation, 0, 0, make(Kind::letter, *y.letter, 0));
  if (x.residue != y.residue) return make(Kind::modulo, types_.logic().modulus, x.residue);

  struct Candidate {
    Operator operation;
    bool negated;
    Type element;
    std::vector<Type> others;
  };
  std::vector<Candidate> candidates;
  const auto without = [](std::vector<Type> all, Type element) {
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase(all, element);
    return all;
  };
  // where `mine` holds an element more often than `theirs`
  const auto compare_windows = [&](const std::vector<Type>& mine, const std::vector<Type>& theirs,
                                   bool negated) {
    for (auto i = mine.begin(); i != mine.end();) {
      const auto end = std::upper_bound(i, mine.end(), *i);
      const auto hits = static_cast<std::uint32_t>(end - i);
      if (hits > std::count(theirs.begin(), theirs.end(), *i))
        candidates.push_back({window_operator(types_.logic(), hits), negated, *i, without(theirs, *i)});
      i = end;
    }
  };
  compare_windows(x.window, y.window, false);
  compare_windows(y.window, x.window, true);
  if (x.past != y.past) {
    const std::vector<Type> mine = types_.members(x.past);
    const std::vector<Type> theirs = types_.members(y.past);
    std::size_t count = 0;
    for (const Type e : mine) {
      if (std::binary_search(theirs.begin(), theirs.end(), e) || ++count > max_candidates) continue;
      candidates.push_back({{Kind::previously, 0, 0}, false, e, theirs});
    }
    count = 0;
    for (const Type e : theirs) {
      if (std::binary_search(mine.begin(), mine.end(), e) || ++count > max_candidates) continue;
      candidates.push_back({{Kind::previously, 0, 0}, true, e, mine});
    }
  }
  std::optional<Formula> best;
  for (const Candidate& candidate : candidates) {
    const std::optional<Formula> inner = exclude(candidate.element, candidate.others, missing);
    if (!inner) return std::nullopt;
    Formula f = make(candidate.operation.kind, candidate.operation.k, candidate.operation.j, *inner);
    if (candidate.negated) f = make(Kind::negation, 0, 0, f);
    if (!best || f->size < (*best)->size) best = f;
  }
  return best;
}

/// Fills known_ for the pairs on the stack `open` and all they need.
void TypeFormulas::complete(std::vector<Pair> open) {
  std::vector<Pair> missing;
  while (!open.empty()) {
    const auto [s, t] = open.back();
    if (known_.contains({s, t})) {
      open.pop_back();
      continue;
    }
    missing.clear();
    if (const std::optional<Formula> f = attempt(s, t, missing)) {
      known_.emplace(Pair{s, t}, *f);
      open.pop_back();
    } else {
      open.insert(open.end(), missing.begin(), missing.end());
    }
  }
}

Formula TypeFormulas::apart(Type s, Type t) {
  if (s == t) throw std::invalid_argument("apart: type " + std::to_string(s) + " twice");
  const Pair pair = lowered(s, t);
  complete({pair});
  return known_.at(pair);
}

Formula TypeFormulas::separate(std::span<const Type> yes, std::span<const Type> no) {
  const auto cover = [&](std::span<const Type> in, std::span<const Type> out) {
    std::vector<Formula> parts;
    for (const Type s : in) {
      if (std::any_of(parts.begin(), parts.end(), [&](Formula f) { return holds_at(f, s); })) continue;
      std::optional<Formula> part;
      for (std::vector<Pair> missing; !(part = exclude(s, out, missing)); missing.clear()) complete(missing);
      parts.push_back(*part);
    }
    for (std::size_t i = parts.size(); i-- > 0 && parts.size() > 1;) {
      const bool needed = std::any_of(in.begin(), in.end(), [&](Type s) {
        for (std::size_t l = 0; l < parts.size(); ++l)
          if (l != i && holds_at(parts[l], s)) return false;
        return true;
      });
      if (!needed) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (parts.empty()) return make(Kind::false_, 0, 0);
    Formula any = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) any = make(Kind::disjunction, 0, 0, any, parts[i]);
    return any;
  };
  const Formula inside = cover(yes, no);
  const Formula outside = make(Kind::negation, 0, 0, cover(no, yes));
  return inside->size <= outside->size ? inside : outside;
}

Formula shrink(Arena& arena, Formula f, std::size_t attempts, const std::function<bool(Formula)>& good) {
  const auto replaced = [&](const std::vector<Formula>& parts, Formula from, Formula to) {
    std::unordered_map<std::uint32_t, Formula> now;
    for (const Formula g : parts) {
      const Formula left = g->left ? now.at(g->left->id) : Formula();
      const Formula right = g->right ? now.at(g->right->id) : Formula();
      now[g->id] = g == from ? to : arena.make(g->kind, g->k, g->j, left, right);
    }
    return now.at(parts.back()->id);
  };
  for (bool again = true; again;) {
    again = false;
    const std::vector<Formula> parts = subformulas(f);
    for (std::size_t i = parts.size(); i-- > 0 && !again;) {
      const Formula g = parts[i];
      if (g->left == Formula()) continue;
      for (const Formula h :
           {arena.constant(true), arena.constant(false), g->left, g->right, g->left->left}) {
        if (!h) continue;
        if (attempts-- == 0) return f;
        const Formula shorter = replaced(parts, g, h);
        if (shorter->size >= f->size || shorter->depth > f->depth || !good(shorter)) continue;
        f = shorter;
        again = true;
        break;
      }
    }
  }
  return f;
}

Separation separate(Arena& arena, std::span<const Letter> u, std::span<const Letter> v,
                    const WindowLogic& logic, std::uint32_t max_depth, std::size_t budget) {
  if (std::ranges::equal(u, v)) return {std::nullopt, max_depth};
  Places places;
  const Place u_end = places.add_word(u);
  const Place v_end = places.add_word(v);
  for (std::uint64_t bound = 1;; bound *= 2) {
    const auto depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(bound, max_depth));
    Types types(logic, depth);
    std::vector<Place> place_of;
    const auto read = [&](std::span<const Letter> word, Place end) {
      std::vector<Place> branch{end};
      while (places.before(branch.back()) != Places::none) branch.push_back(places.before(branch.back()));
      Types::Past past = types.start();
      std::vector<Type> found;
      for (std::size_t n = 0; n <= word.size(); ++n) {
        const Place p = branch[branch.size() - 1 - n];
        found = types.at(past, places.letter(p));
        place_of.resize(types.size(), Places::none);
        for (const Type t : found)
          if (place_of[t] == Places::none) place_of[t] = p;
        types.append(past, found);
        if (types.size() > max_types)
          throw std::length_error("separate: more than " + std::to_string(max_types) + " types up to depth " +
                                  std::to_string(depth));
      }
      return found;
    };
    const std::vector<Type> u_types = read(u, u_end);
    const std::vector<Type> v_types = read(v, v_end);
    const auto differ = std::mismatch(u_types.begin(), u_types.end(), v_types.begin());
    if (differ.first == u_types.end()) {
      if (depth == max_depth) return {std::nullopt, max_depth};
      continue;
    }
    const auto least = static_cast<std::uint32_t>(differ.first - u_types.begin());
    const std::size_t cost = std::size_t{places.size()} * std::max(1u, logic.window);
    const auto short_one = search_formula(arena, places, std::span(&u_end, 1), std::span(&v_end, 1), logic,
                                          least, std::min(budget, 500'000'000 / cost));
    if (short_one) return {simplify(arena, *short_one), least};
    TypeFormulas formulas(arena, types, places, std::move(place_of));
    const Formula f = formulas.apart(*differ.first, *differ.second);
    const std::size_t step = cost * (f->size > 100'000 ? 100'000 : f->size) + 1;
    const Formula small = shrink(arena, f, std::min<std::size_t>(2'000, 300'000'000 / step), [&](Formula g) {
      const Truth truth = places.truth(g);
      return bit(truth, u_end) && !bit(truth, v_end);
    });
    return {simplify(arena, small), least};
  }
}

}  // namespace logic
