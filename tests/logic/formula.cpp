#include "logic/formula.hpp"

#include "tests/catch.hpp"

using namespace logic;

TEST_CASE("equal formulas are one node", "[logic]") {
  Arena arena;
  const auto a = arena.letter(0);
  const auto b = arena.letter(1);
  CHECK(arena.conjunction(a, b) == arena.conjunction(a, b));
  CHECK(arena.conjunction(a, b) != arena.conjunction(b, a));
  CHECK(arena.window(a, 1) == arena.yesterday(a));
  CHECK(arena.window(a, 3, 1) == arena.window(a, 3));
  CHECK(arena.window(a, 3, 2) != arena.window(a, 3));
  CHECK(arena.modulo(2, 1) != arena.modulo(3, 1));
  CHECK(arena.yesterday(a, 0) == a);
  CHECK(arena.yesterday(a, 2) == arena.yesterday(arena.yesterday(a)));
}

TEST_CASE("numbers outside an operator's domain are refused", "[logic]") {
  Arena arena;
  const auto a = arena.letter(0);
  CHECK_THROWS_AS(arena.window(a, 0), std::invalid_argument);
  CHECK_THROWS_AS(arena.window(a, 3, 0), std::invalid_argument);
  CHECK_THROWS_AS(arena.window(a, 3, 4), std::invalid_argument);
  CHECK_THROWS_AS(arena.modulo(0, 0), std::invalid_argument);
  CHECK_THROWS_AS(arena.modulo(2, 2), std::invalid_argument);
}

TEST_CASE("depth counts temporal operators, size counts the tree", "[logic]") {
  Arena arena;
  const auto a = arena.letter(0);
  const auto f = arena.previously(arena.conjunction(a, arena.yesterday(a, 2)));
  CHECK(f->depth == 3);
  CHECK(f->size == 6);
  CHECK(arena.first()->depth == 1);
  CHECK(arena.modulo(2, 0)->depth == 0);
  const auto twice = arena.conjunction(f, f);
  CHECK(twice->size == 13);
  CHECK(subformulas(twice).size() == 6);
  CHECK(subformulas(twice).back() == twice);
}

TEST_CASE("the size of a shared formula saturates", "[logic]") {
  Arena arena;
  auto f = arena.letter(0);
  for (int i = 0; i < 100; ++i) f = arena.conjunction(f, f);
  CHECK(f->size == UINT64_MAX);
  CHECK(subformulas(f).size() == 101);
}

TEST_CASE("fragments are named by their operators", "[logic]") {
  Arena arena;
  const auto a = arena.letter(0);
  CHECK(name(fragment(a)) == "LTL[]");
  CHECK(name(fragment(arena.historically(arena.yesterday(a)))) == "LTL[P,Y]");
  CHECK(name(fragment(arena.conjunction(arena.window(a, 3), arena.modulo(2, 0)))) == "LTL[Y<=3,MOD]");
  CHECK(name(fragment(arena.window(a, 3, 2))) == "LTL[#Y<=3]");
  CHECK(name(fragment(arena.since(a, a))) == "LTL[S]");
}
