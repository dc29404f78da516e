// Formulas for tests: all small ones, and random ones from a seed.
#pragma once

#include "logic/formula.hpp"
#include "tests/words.hpp"

#include <random>
#include <vector>

namespace tests {

/// Which operators the generators use, besides letters and constants.
struct Operators {
  std::vector<logic::Kind> unary{
      logic::Kind::negation,        logic::Kind::previously,   logic::Kind::yesterday, logic::Kind::window,
      logic::Kind::counting_window, logic::Kind::historically, logic::Kind::once};
  std::vector<logic::Kind> binary{logic::Kind::conjunction,  logic::Kind::disjunction,
                                  logic::Kind::exclusive_or, logic::Kind::implication,
                                  logic::Kind::equivalence,  logic::Kind::since};
  bool first = true;
  bool modulo = true;
};

inline logic::Formula apply(logic::Arena& arena, logic::Kind kind, logic::Formula f, logic::Formula g = {}) {
  if (kind == logic::Kind::window) return arena.window(f, 2);
  if (kind == logic::Kind::counting_window) return arena.window(f, 3, 2);
  return arena.make(kind, 0, 0, f, g);
}

/// All formulas of at most `size` nodes over `letters` letters, by size; windows are Y<=2 and Y<=3>=2, the
/// modulus is 2.
inline std::vector<logic::Formula> small_formulas(logic::Arena& arena, logic::Letter letters,
                                                  std::size_t size, const Operators& operators = {}) {
  std::vector<std::vector<logic::Formula>> by_size(size + 1);
  if (size >= 1) {
    auto& atoms = by_size[1];
    atoms = {arena.constant(false), arena.constant(true)};
    for (logic::Letter a = 0; a < letters; ++a) atoms.push_back(arena.letter(a));
    if (operators.first) atoms.push_back(arena.first());
    if (operators.modulo) {
      atoms.push_back(arena.modulo(2, 0));
      atoms.push_back(arena.modulo(2, 1));
    }
  }
  for (std::size_t n = 2; n <= size; ++n) {
    for (const auto kind : operators.unary)
      for (const auto f : by_size[n - 1]) by_size[n].push_back(apply(arena, kind, f));
    for (const auto kind : operators.binary)
      for (std::size_t left = 1; left + 1 < n; ++left)
        for (const auto f : by_size[left])
          for (const auto g : by_size[n - 1 - left]) by_size[n].push_back(apply(arena, kind, f, g));
  }
  std::vector<logic::Formula> all;
  for (const auto& some : by_size) all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// A random formula of about `size` nodes, with windows up to width 5 and moduli up to 4.
inline logic::Formula random_formula(std::mt19937& random, logic::Arena& arena, logic::Letter letters,
                                     std::size_t size, const Operators& operators = {}) {
  // The formulas made so far; each step joins the last ones or starts a new one.
  std::vector<logic::Formula> made;
  const auto pop = [&] {
    const auto f = made.back();
    made.pop_back();
    return f;
  };
  const auto binary = [&] {
    const auto g = pop();
    const auto f = pop();
    made.push_back(apply(
        arena, operators.binary[below(random, static_cast<std::uint32_t>(operators.binary.size()))], f, g));
  };
  for (std::size_t n = 0; n < size; ++n) {
    const auto choice = below(random, 8);
    if (made.empty() || choice < 3) {
      const auto atom = below(random, 10);
      if (atom == 0) {
        made.push_back(arena.constant(below(random, 2) == 1));
      } else if (atom == 1 && operators.first) {
        made.push_back(arena.first());
      } else if (atom == 2 && operators.modulo) {
        const auto m = 1 + below(random, 4);
        made.push_back(arena.modulo(m, below(random, m)));
      } else {
        made.push_back(arena.letter(below(random, letters)));
      }
    } else if (choice < 6 || made.size() < 2) {
      const auto kind = operators.unary[below(random, static_cast<std::uint32_t>(operators.unary.size()))];
      const auto f = pop();
      if (kind == logic::Kind::window || kind == logic::Kind::counting_window) {
        const auto k = 2 + below(random, 4);
        made.push_back(arena.window(f, k, kind == logic::Kind::window ? 1 : 2 + below(random, k - 1)));
      } else {
        made.push_back(apply(arena, kind, f));
      }
    } else {
      binary();
    }
  }
  while (made.size() > 1) binary();
  return made.back();
}

}  // namespace tests
