#include "logic/formula.hpp"

#include <algorithm>
#include <stdexcept>

namespace logic {
namespace {

std::uint64_t saturating_add(std::uint64_t x, std::uint64_t y) {
  std::uint64_t sum;
  return __builtin_add_overflow(x, y, &sum) ? UINT64_MAX : sum;
}

}  // namespace

int arity(Kind kind) {
  switch (kind) {
    case Kind::false_:
    case Kind::true_:
    case Kind::letter:
    case Kind::first:
    case Kind::modulo: return 0;
    case Kind::negation:
    case Kind::previously:
    case Kind::yesterday:
    case Kind::window:
    case Kind::counting_window:
    case Kind::historically:
    case Kind::once: return 1;
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::exclusive_or:
    case Kind::implication:
    case Kind::equivalence:
    case Kind::since: return 2;
  }
  return 0;
}

bool is_temporal(Kind kind) {
  switch (kind) {
    case Kind::first:
    case Kind::previously:
    case Kind::yesterday:
    case Kind::window:
    case Kind::counting_window:
    case Kind::historically:
    case Kind::once:
    case Kind::since: return true;
    case Kind::false_:
    case Kind::true_:
    case Kind::letter:
    case Kind::modulo:
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::exclusive_or:
    case Kind::implication:
    case Kind::equivalence: return false;
  }
  return false;
}

std::size_t Arena::Hash::operator()(const Node* n) const {
  const auto id = [](Formula f) { return f ? std::uint64_t{f->id} + 1 : 0; };
  std::uint64_t h = static_cast<std::uint64_t>(n->kind);
  for (const std::uint64_t part : {std::uint64_t{n->k}, std::uint64_t{n->j}, id(n->left), id(n->right)}) {
    h = (h ^ part) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return h;
}

bool Arena::Equal::operator()(const Node* x, const Node* y) const {
  return x->kind == y->kind && x->k == y->k && x->j == y->j && x->left == y->left && x->right == y->right;
}

Formula Arena::make(Kind kind, std::uint32_t k, std::uint32_t j, Formula left, Formula right) {
  Node node{kind, k,    j,    static_cast<std::uint32_t>(nodes_.size()), is_temporal(kind) ? 1u : 0u,
            1,    left, right};
  if (const auto found = unique_.find(&node); found != unique_.end()) return Formula(*found);
  std::uint32_t argument_depth = 0;
  for (const Formula argument : {left, right}) {
    if (!argument) continue;
    argument_depth = std::max(argument_depth, argument->depth);
    node.size = saturating_add(node.size, argument->size);
  }
  node.depth += argument_depth;
  nodes_.push_back(node);
  unique_.insert(&nodes_.back());
  return Formula(&nodes_.back());
}

Formula Arena::modulo(std::uint32_t m, std::uint32_t r) {
  if (m == 0 || r >= m)
    throw std::invalid_argument("modulo: MOD(" + std::to_string(m) + "," + std::to_string(r) +
                                ") needs m >= 1 and 0 <= r < m");
  return make(Kind::modulo, m, r, {}, {});
}

Formula Arena::yesterday(Formula f, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) f = yesterday(f);
  return f;
}

Formula Arena::window(Formula f, std::uint32_t width, std::uint32_t at_least) {
  if (at_least == 0 || at_least > width)
    throw std::invalid_argument("window: Y<=" + std::to_string(width) + ">=" + std::to_string(at_least) +
                                " needs 1 <= j <= k");
  if (width == 1) return yesterday(f);
  if (at_least == 1) return make(Kind::window, width, 0, f, {});
  return make(Kind::counting_window, width, at_least, f, {});
}

std::vector<Formula> subformulas(Formula f) {
  std::vector<Formula> found;
  std::vector<Formula> open{f};
  std::unordered_set<std::uint32_t> seen{f->id};
  while (!open.empty()) {
    const Formula g = open.back();
    open.pop_back();
    found.push_back(g);
    for (const Formula argument : {g->left, g->right})
      if (argument && seen.insert(argument->id).second) open.push_back(argument);
  }
  std::sort(found.begin(), found.end(), [](Formula x, Formula y) { return x->id < y->id; });
  return found;
}

Fragment fragment(Formula f) {
  Fragment used;
  for (const Formula g : subformulas(f)) {
    switch (g->kind) {
      case Kind::previously:
      case Kind::historically:
      case Kind::once: used.previously = true; break;
      case Kind::yesterday: used.yesterday = true; break;
      case Kind::since: used.since = true; break;
      case Kind::modulo: used.modulo = true; break;
      case Kind::counting_window: used.counting = true; [[fallthrough]];
      case Kind::window: used.window = std::max(used.window, g->k); break;
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
  }
  return used;
}

std::string name(const Fragment& fragment) {
  std::string operators;
  const auto add = [&](const std::string& text) {
    if (!operators.empty()) operators += ',';
    operators += text;
  };
  if (fragment.previously) add("P");
  if (fragment.yesterday) add("Y");
  if (fragment.window > 0) add((fragment.counting ? "#Y<=" : "Y<=") + std::to_string(fragment.window));
  if (fragment.since) add("S");
  if (fragment.modulo) add("MOD");
  return "LTL[" + operators + "]";
}

}  // namespace logic
