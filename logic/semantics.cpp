#include "logic/semantics.hpp"

#include <algorithm>
#include <cstdint>

namespace logic {
namespace {

using Row = std::vector<bool>;  // entry n-1: the truth at position n

/// The definition: whether w,n ⊨ f, given the rows of f's arguments.
bool holds_at(const Node& f, std::size_t n, std::span<const Letter> word, const Row& left, const Row& right) {
  const auto g = [&](std::size_t m) -> bool { return left[m - 1]; };
  const auto h = [&](std::size_t m) -> bool { return right[m - 1]; };
  switch (f.kind) {
    case Kind::false_: return false;
    case Kind::true_: return true;
    case Kind::letter: return n <= word.size() && word[n - 1] == f.k;
    case Kind::first: return n == 1;
    case Kind::modulo: return n % f.k == f.j;
    case Kind::negation: return !g(n);
    case Kind::conjunction: return g(n) && h(n);
    case Kind::disjunction: return g(n) || h(n);
    case Kind::exclusive_or: return g(n) != h(n);
    case Kind::implication: return !g(n) || h(n);
    case Kind::equivalence: return g(n) == h(n);
    case Kind::previously:
      for (std::size_t m = 1; m < n; ++m)
        if (g(m)) return true;
      return false;
    case Kind::yesterday: return n > 1 && g(n - 1);
    case Kind::window:
    case Kind::counting_window: {
      const std::size_t at_least = f.kind == Kind::window ? 1 : f.j;
      std::size_t count = 0;
      for (std::size_t m = n > f.k ? n - f.k : 1; m < n; ++m)
        if (g(m)) ++count;
      return count >= at_least;
    }
    case Kind::historically:
      for (std::size_t m = 1; m < n; ++m)
        if (!g(m)) return false;
      return true;
    case Kind::once:
      for (std::size_t m = 1; m <= n; ++m)
        if (g(m)) return true;
      return false;
    case Kind::since:
      for (std::size_t m = n - 1; m >= 1; --m) {  // g holds at all i with m < i < n
        if (h(m)) return true;
        if (!g(m)) return false;
      }
      return false;
  }
  return false;
}

}  // namespace

std::vector<std::vector<bool>> truth_table(Formula f, std::span<const Letter> word) {
  const std::vector<Formula> parts = subformulas(f);
  std::vector<Row> table(parts.size(), Row(word.size() + 1));
  const Row none;
  const auto row = [&](Formula g) -> const Row& {
    if (!g) return none;
    const auto place = std::lower_bound(parts.begin(), parts.end(), g->id,
                                        [](Formula part, std::uint32_t id) { return part->id < id; });
    return table[static_cast<std::size_t>(place - parts.begin())];
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node& g = *parts[i];
    for (std::size_t n = 1; n <= word.size() + 1; ++n)
      table[i][n - 1] = holds_at(g, n, word, row(g.left), row(g.right));
  }
  return table;
}

bool holds(Formula f, std::span<const Letter> word) {
  return truth_table(f, word).back().back();
}

}  // namespace logic
