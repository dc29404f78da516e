#include "bridge/written_out.hpp"

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace bridge {

using logic::Formula;
using logic::Kind;

Formula written_out(logic::Arena& arena, Formula f) {
  const auto used = logic::fragment(f);
  const auto has_position = [&] {
    const Formula top = arena.constant(true);
    if (used.yesterday || (used.window == 0 && !used.previously)) return arena.yesterday(top);
    if (used.window > 0) return arena.window(top, used.window);
    return arena.previously(top);
  };
  std::unordered_map<std::uint32_t, Formula> image;
  for (const Formula g : logic::subformulas(f)) {
    const Formula x = g->left ? image.at(g->left->id) : Formula{};
    const Formula y = g->right ? image.at(g->right->id) : Formula{};
    Formula result;
    switch (g->kind) {
      case Kind::first: result = arena.negation(has_position()); break;
      case Kind::historically: result = arena.negation(arena.previously(arena.negation(x))); break;
      case Kind::once: result = arena.disjunction(x, arena.previously(x)); break;
      case Kind::since:
        throw std::invalid_argument(
            "compile: the formula uses S, which attention with global and local masks cannot compute in "
            "fixed "
            "precision; `express` finds an equivalent formula without S where there is one");
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::modulo:
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::window:
      case Kind::counting_window: result = arena.make(g->kind, g->k, g->j, x, y); break;
    }
    image[g->id] = result;
  }
  return image.at(f->id);
}

std::vector<Formula> arguments_first(Formula f, const std::function<bool(Formula)>& right_first) {
  std::vector<Formula> found;
  std::unordered_set<std::uint32_t> seen{f->id};
  std::vector<std::pair<Formula, int>> open{{f, 0}};  // and how many of its arguments have been looked at
  while (!open.empty()) {
    const Formula g = open.back().first;
    const int looked = open.back().second++;
    if (looked == logic::arity(g->kind)) {
      found.push_back(g);
      open.pop_back();
      continue;
    }
    const bool right = g->right && (looked == 1) != right_first(g);
    const Formula argument = right ? g->right : g->left;
    if (seen.insert(argument->id).second) open.emplace_back(argument, 0);
  }
  return found;
}

}  // namespace bridge
