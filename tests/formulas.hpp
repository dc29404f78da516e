// Formulas for tests: all small ones, and random ones from a seed.
#pragma once

#include "logic/formula.hpp"
#include "tests/words.hpp"

#include <cstdint>
#include <random>
#include <utility>
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
  std::vector<std::pair<std::uint32_t, std::uint32_t>> windows{{2, 1}, {3, 2}};  // Y<=k>=j as (k, j)
  bool first = true;
  bool modulo = true;
};

/// Every formula that the operators make of the atoms with exactly 1, 2, ..., `size` nodes: entry i holds
/// those of size i + 1.  A window comes in every width of `operators.windows`.
inline std::vector<std::vector<logic::Formula>> formulas_by_size(logic::Arena& arena,
                                                                 std::vector<logic::Formula> atoms,
                                                                 std::size_t size,
                                                                 const Operators& operators = {}) {
  using logic::Kind;
  std::vector<std::vector<logic::Formula>> by_size(size);
  if (size >= 1) by_size[0] = std::move(atoms);
  for (std::size_t n = 2; n <= size; ++n) {
    auto& found = by_size[n - 1];
    for (const Kind kind : operators.unary) {
      for (const auto f : by_size[n - 2]) {
        if (kind != Kind::window && kind != Kind::counting_window) {
          found.push_back(arena.make(kind, 0, 0, f, {}));
          continue;
        }
        for (const auto& [k, j] : operators.windows)
          if ((j == 1) == (kind == Kind::window)) found.push_back(arena.window(f, k, j));
      }
    }
    for (const Kind kind : operators.binary)
      for (std::size_t left = 1; left + 1 < n; ++left)
        for (const auto f : by_size[left - 1])
          for (const auto g : by_size[n - 2 - left]) found.push_back(arena.make(kind, 0, 0, f, g));
  }
  return by_size;
}

/// All formulas of at most `size` nodes over `letters` letters, by size; the modulus is 2.
inline std::vector<logic::Formula> small_formulas(logic::Arena& arena, logic::Letter letters,
                                                  std::size_t size, const Operators& operators = {}) {
  std::vector<logic::Formula> atoms{arena.constant(false), arena.constant(true)};
  for (logic::Letter a = 0; a < letters; ++a) atoms.push_back(arena.letter(a));
  if (operators.first) atoms.push_back(arena.first());
  if (operators.modulo) {
    atoms.push_back(arena.modulo(2, 0));
    atoms.push_back(arena.modulo(2, 1));
  }
  std::vector<logic::Formula> all;
  for (const auto& some : formulas_by_size(arena, std::move(atoms), size, operators))
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// Every formula with exactly 1, 2, ..., `size` nodes over the letters a and b and the atoms true, first and
/// MOD(2,1), with the operators !, P, Y, Y<=2, Y<=3, H, O, and &, |, ^, ->, <->; with `counting` also
/// Y<=3>=2, with `since` also S.
inline std::vector<std::vector<logic::Formula>> formulas_up_to(logic::Arena& arena, std::size_t size,
                                                               bool counting = true, bool since = false) {
  Operators operators;
  operators.windows = {{2, 1}, {3, 1}};
  if (counting) operators.windows.emplace_back(3, 2);
  if (!since) std::erase(operators.binary, logic::Kind::since);
  return formulas_by_size(
      arena, {arena.letter(0), arena.letter(1), arena.constant(true), arena.first(), arena.modulo(2, 1)},
      size, operators);
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
    const auto kind = operators.binary[below(random, static_cast<std::uint32_t>(operators.binary.size()))];
    made.push_back(arena.make(kind, 0, 0, f, g));
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
        made.push_back(arena.make(kind, 0, 0, f, {}));
      }
    } else {
      binary();
    }
  }
  while (made.size() > 1) binary();
  return made.back();
}

}  // namespace tests
