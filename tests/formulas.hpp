// All small formulas, for tests.
#pragma once

#include "logic/formula.hpp"

#include <vector>

namespace tests {

/// Every formula with exactly 1, 2, ..., `size` nodes over the letters a and b and the atoms true, first and
/// MOD(2,1), with the operators !, P, Y, Y<=2, Y<=3, H, O, and &, |, ^, ->, <->; with `counting` also
/// Y<=3>=2, with `since` also S.  Entry i holds those of size i + 1.
inline std::vector<std::vector<logic::Formula>> formulas_up_to(logic::Arena& arena, std::size_t size,
                                                               bool counting = true, bool since = false) {
  using logic::Kind;
  std::vector<std::vector<logic::Formula>> by_size(size);
  by_size[0] = {arena.letter(0), arena.letter(1), arena.constant(true), arena.first(), arena.modulo(2, 1)};
  std::vector<Kind> binary{Kind::conjunction, Kind::disjunction, Kind::exclusive_or, Kind::implication,
                           Kind::equivalence};
  if (since) binary.push_back(Kind::since);
  for (std::size_t n = 2; n <= size; ++n) {
    auto& found = by_size[n - 1];
    for (const auto f : by_size[n - 2]) {
      for (const Kind kind :
           {Kind::negation, Kind::previously, Kind::yesterday, Kind::historically, Kind::once})
        found.push_back(arena.make(kind, 0, 0, f, {}));
      found.push_back(arena.window(f, 2));
      found.push_back(arena.window(f, 3));
      if (counting) found.push_back(arena.window(f, 3, 2));
    }
    for (std::size_t left = 1; left + 2 <= n; ++left)
      for (const auto f : by_size[left - 1])
        for (const auto g : by_size[n - left - 2])
          for (const Kind kind : binary) found.push_back(arena.make(kind, 0, 0, f, g));
  }
  return by_size;
}

}  // namespace tests
