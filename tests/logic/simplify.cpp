#include "logic/simplify.hpp"

#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/scale.hpp"

#include <random>
#include <string>
#include <utility>

using logic::Alphabet;
using logic::Arena;
using logic::Formula;

namespace {

bool is_no_wider(const logic::Fragment& x, const logic::Fragment& y) {
  return x.previously <= y.previously && x.yesterday <= y.yesterday && x.since <= y.since &&
         x.modulo <= y.modulo && x.counting <= y.counting && x.window <= y.window;
}

void check(Arena& arena, Formula f, const std::vector<logic::Word>& words) {
  const Formula g = logic::simplify(arena, f);
  CAPTURE(logic::to_string(f, Alphabet({"a", "b"})), logic::to_string(g, Alphabet({"a", "b"})));
  REQUIRE(g->size <= f->size);
  REQUIRE(is_no_wider(logic::fragment(g), logic::fragment(f)));
  if (g == f) return;
  for (const auto& word : words) {
    CAPTURE(word);
    REQUIRE(logic::truth_table(f, word).back() == logic::truth_table(g, word).back());
  }
}

}  // namespace

TEST_CASE("a simplified formula holds at the same positions", "[logic][simplify][law]") {
  const auto words = tests::words_up_to(2, 4);
  SECTION("all small formulas") {
    Arena arena;
    for (const Formula f : tests::small_formulas(arena, 2, tests::scaled(4, 3))) check(arena, f, words);
  }
  SECTION("random ones") {
    const unsigned seed = 20;
    std::mt19937 random(seed);
    for (int round = 0; round < tests::scaled(3000, 500); ++round) {
      CAPTURE(seed, round);
      Arena arena;
      check(arena, tests::random_formula(random, arena, 2, 5 + round % 40), words);
    }
  }
}

TEST_CASE("what is rewritten to what", "[logic][simplify]") {
  const Alphabet alphabet({"a", "b", "c"});
  const std::pair<std::string, std::string> rows[] = {
      {"!!a", "a"},
      {"a & true & a", "a"},
      {"a & b", "false"},
      {"a & !b", "a"},
      {"!a | !b", "true"},
      {"a | !b", "!b"},
      {"a & (a | P b)", "a"},
      {"a & (!a | P b)", "a & P b"},
      {"a | (!a & P b)", "a | P b"},
      {"P a | (!P a & Y b)", "P a | Y b"},
      {"(a & P b) | (a & P c)", "a & P(b | c)"},
      {"P(a & P b) | P(a & P c)", "P(a & P(b | c))"},
      {"Y a & Y P b", "Y(a & P b)"},
      {"!P a & !P b", "!P(a | b)"},
      {"!P !a", "H a"},
      {"!P(a <-> Y a)", "H(a ^ Y a)"},
      {"!H !a", "P a"},
      {"(P a & Y b) | (!P a & !Y b)", "P a <-> Y b"},
      {"!a ^ Y b", "a <-> Y b"},
      {"!P a | Y b", "P a -> Y b"},
      {"!P a & !Y b & c", "!(P a | Y b) & c"},
      {"Y true", "!first"},
      {"P first", "!first"},
      {"H false", "first"},
      {"first & Y a", "false"},
      {"!first & Y a", "Y a"},
      {"first | H a", "H a"},
      {"MOD(4,1) & MOD(2,1)", "MOD(4,1)"},
      {"MOD(4,1) & MOD(6,2)", "false"},
      {"first & MOD(2,1)", "first"},
      {"a S false", "false"},
      {"a S true", "!first"},
  };
  for (const auto& [from, to] : rows) {
    Arena arena;
    CAPTURE(from);
    CHECK(logic::to_string(logic::simplify(arena, logic::parse(arena, from, alphabet)), alphabet) == to);
  }
}

TEST_CASE("deep and wide formulas", "[logic][simplify]") {
  Arena arena;
  Formula nested = arena.letter(0);
  Formula shared = arena.letter(0);  // 3^n nodes when written out
  constexpr std::uint32_t n = tests::scaled(100'000, 20'000);
  for (std::uint32_t i = 0; i < n; ++i) {
    nested = i % 2 == 0 ? arena.yesterday(nested) : arena.negation(nested);
    shared = arena.disjunction(arena.conjunction(shared, arena.letter(1)), arena.yesterday(shared));
  }
  CHECK(logic::simplify(arena, nested)->size == nested->size);
  CHECK(logic::simplify(arena, shared));
  Formula wide = arena.letter(0);
  for (std::uint32_t i = 1; i < n; ++i) wide = arena.disjunction(wide, arena.letter(i));
  CHECK(logic::simplify(arena, wide) == wide);
}
