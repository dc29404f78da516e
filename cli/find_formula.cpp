#include "cli/find_formula.hpp"

#include <stdexcept>
#include <string>

namespace cli {
namespace {

using automata::Logic;

constexpr std::array order{Logic::y,     Logic::p,      Logic::py, Logic::y_mod,
                           Logic::p_mod, Logic::py_mod, Logic::s};

}  // namespace

std::span<const Logic> express_order() {
  return order;
}

std::span<const Logic> compile_order() {
  return std::span(order).first(order.size() - 1);
}

Search find_formula(logic::Arena& arena, const automata::Dfa& dfa, std::span<const Logic> logics,
                    const automata::LadderLimits& limits, const automata::ExpressOptions& options) {
  auto express_options = options;
  express_options.limits = limits;
  Search search;
  for (const Logic logic : logics) {
    search.tried.push_back(automata::decide(dfa, logic, limits));
    const auto& member = search.tried.back().member;
    if (!member) break;
    if (!*member) continue;
    const auto formula = automata::express(arena, dfa, logic, express_options);
    if (!formula)
      throw std::logic_error("find_formula: no formula of " + std::string(automata::name(logic)) +
                             " for a language that is in it");
    search.found = Found{logic, *formula};
    break;
  }
  return search;
}

}  // namespace cli
