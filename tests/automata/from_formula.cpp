#include "automata/from_formula.hpp"

#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "logic/evaluator.hpp"
#include "logic/parse.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"

#include <set>
#include <utility>

using namespace automata;
using logic::Arena;
using logic::Formula;
using tests::below;

TEST_CASE("every small formula and its automaton accept the same short words", "[automata][from_formula]") {
  Arena arena;
  const auto words = tests::words_up_to(2, 5);
  for (const Formula f : tests::small_formulas(arena, 2, 4)) {
    const Dfa dfa = from_formula(f, 2);
    for (const auto& word : words) {
      if (dfa.accepts(word) == logic::holds(f, word)) continue;
      CAPTURE(f->id, word);
      FAIL("wrong");
    }
    if (!(minimize(dfa) == dfa)) FAIL("not minimal, formula " << f->id);
  }
}

TEST_CASE("random formulas and their automata accept the same words", "[automata][from_formula]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const Letter letters = 1 + below(random, 4);
    const Formula f = tests::random_formula(random, arena, letters, 1 + below(random, 25));
    const Dfa dfa = from_formula(f, letters);
    CAPTURE(seed, dfa.states());
    REQUIRE(minimize(dfa) == dfa);
    for (int i = 0; i < 30; ++i) {
      const auto word = tests::random_word(random, letters, below(random, 30));
      REQUIRE(dfa.accepts(word) == logic::holds(f, word));
    }
  }
}

TEST_CASE("automata of known languages", "[automata][from_formula]") {
  Arena arena;
  const logic::Alphabet ab({"a", "b"});
  const auto dfa = [&](const char* text) { return from_formula(logic::parse(arena, text, ab), 2); };
  CHECK(dfa("Y a") == Dfa(2, 0, {1, 0, 1, 0}, {false, true}));
  CHECK(dfa("P(a & !P true)") == Dfa(2, 0, {1, 2, 1, 1, 2, 2}, {false, true, false}));
  CHECK(dfa("P(b & P a)") == Dfa(2, 0, {1, 0, 1, 2, 2, 2}, {false, false, true}));
  CHECK(dfa("first") == Dfa(2, 0, {1, 1, 1, 1}, {true, false}));
  CHECK(dfa("MOD(2,0)") == Dfa(2, 0, {1, 1, 0, 0}, {false, true}));  // odd length: N + 1 is even
  CHECK(dfa("a") == Dfa(2, 0, {0, 0}, {false}));                     // no letter stands at the end
  CHECK(dfa("!(a | b)") == Dfa(2, 0, {0, 0}, {true}));
}

TEST_CASE("laws that hold of all arguments", "[automata][from_formula]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const auto f = tests::random_formula(random, arena, 2, 1 + below(random, 8));
    const auto g = tests::random_formula(random, arena, 2, 1 + below(random, 8));
    const auto dfa = [](Formula h) { return from_formula(h, 2); };
    CAPTURE(seed);
    CHECK(dfa(arena.negation(f)) == complement(dfa(f)));
    CHECK(dfa(arena.conjunction(f, g)) == minimize(combine(dfa(f), dfa(g), BooleanOperation::intersection)));
    CHECK(dfa(arena.exclusive_or(f, g)) ==
          minimize(combine(dfa(f), dfa(g), BooleanOperation::symmetric_difference)));
    CHECK(dfa(arena.historically(f)) == dfa(arena.negation(arena.previously(arena.negation(f)))));
    CHECK(dfa(arena.once(f)) == dfa(arena.disjunction(f, arena.previously(f))));
    CHECK(dfa(arena.previously(f)) == dfa(arena.since(arena.constant(true), f)));
    CHECK(dfa(arena.yesterday(f)) == dfa(arena.since(arena.constant(false), f)));
    CHECK(dfa(arena.since(f, g)) ==
          dfa(arena.yesterday(arena.disjunction(g, arena.conjunction(f, arena.since(f, g))))));
    // Y<=3 f = Y(f | Y(f | Y f)), and counting is a disjunction over the pairs.
    const auto y = [&](Formula h, std::uint32_t times) { return arena.yesterday(h, times); };
    CHECK(dfa(arena.window(f, 3)) == dfa(y(arena.disjunction(f, y(arena.disjunction(f, y(f, 1)), 1)), 1)));
    CHECK(dfa(arena.window(f, 3, 2)) ==
          dfa(arena.disjunction(arena.conjunction(y(f, 1), arena.disjunction(y(f, 2), y(f, 3))),
                                arena.conjunction(y(f, 2), y(f, 3)))));
  }
}

TEST_CASE("letters beyond those named, and beyond a machine word", "[automata][from_formula]") {
  Arena arena;
  const Formula a = arena.letter(70);
  const Formula f = arena.yesterday(a);
  const Dfa dfa = from_formula(f, 100);
  CHECK(dfa.letters() == 100);
  CHECK(dfa.states() == 2);
  for (Letter b = 0; b < 100; ++b) CHECK(dfa.accepts(Word{b}) == (b == 70));

  // Over all letters: the last is one of the even ones that came before.
  Formula g = arena.constant(false);
  for (Letter b = 0; b < 70; ++b)
    g = arena.disjunction(g, arena.conjunction(arena.yesterday(arena.letter(b)), arena.constant(b % 2 == 0)));
  CHECK(from_formula(g, 71).states() == 2);
  // The numbering is that of minimize, though classes of letters were explored.
  const Formula h = arena.conjunction(arena.previously(arena.letter(4)), arena.yesterday(arena.letter(2)));
  const Dfa five = from_formula(h, 5);
  CHECK(minimize(five) == five);
}

TEST_CASE("chains and windows have as many states as they should", "[automata][from_formula]") {
  Arena arena;
  const Formula a = arena.letter(0);
  for (std::uint32_t n = 1; n <= 14; ++n) {
    CAPTURE(n);
    CHECK(from_formula(arena.yesterday(a, n), 2).states() == 1u << n);
    CHECK(from_formula(arena.window(a, n), 2).states() == n + 1);
    Formula chain = arena.previously(arena.letter(0));
    for (Letter b = 1; b < n; ++b) chain = arena.previously(arena.conjunction(arena.letter(b), chain));
    CHECK(from_formula(chain, n + 1).states() == n + 1);
  }
  CHECK(from_formula(arena.window(a, 1000), 2).states() == 1001);
  // Two of the last k: states are the ages of the last two hits, and only the last one's when it is alone.
  for (const std::uint32_t k : {2u, 10u, 100u})
    CHECK(from_formula(arena.window(a, k, 2), 2).states() == k * (k - 1) / 2 + k);
}

TEST_CASE("deep formulas", "[automata][from_formula]") {
  Arena arena;
  Formula negations = arena.previously(arena.letter(0));
  Formula chain = arena.letter(0);
  Formula yesterdays = arena.letter(0);
  for (int i = 0; i < 100'000; ++i) {
    negations = arena.negation(negations);
    yesterdays = arena.yesterday(yesterdays);
    if (i < 1000) chain = arena.previously(chain);
  }
  CHECK(from_formula(negations, 2).states() == 2);
  CHECK(from_formula(chain, 2).states() == 1001);  // how long ago the first a was
  CHECK_THROWS_AS(from_formula(yesterdays, 2, 100), std::length_error);
}

TEST_CASE("max_states limits the register contents that are reached, neither more nor less",
          "[automata][from_formula][law]") {
  const auto check = [](Formula f, Letter letters) {
    logic::Evaluator evaluator(f, letters);
    const std::size_t words = evaluator.words();
    std::set<std::vector<std::uint64_t>> reached{evaluator.start()};
    std::vector<std::vector<std::uint64_t>> queue{evaluator.start()};
    std::vector<std::uint64_t> next(words * evaluator.classes());
    for (std::size_t i = 0; i < queue.size() && reached.size() < 2000; ++i) {
      const auto from = queue[i];
      evaluator.step(from.data(), next.data());
      for (Letter a = 0; a < evaluator.classes(); ++a) {
        const std::vector<std::uint64_t> to(next.begin() + static_cast<std::ptrdiff_t>(a * words),
                                            next.begin() + static_cast<std::ptrdiff_t>((a + 1) * words));
        if (reached.insert(to).second) queue.push_back(to);
      }
    }
    if (reached.size() >= 2000) return;
    CAPTURE(f->id, reached.size());
    CHECK_NOTHROW(from_formula(f, letters, reached.size()));
    if (reached.size() > 1) CHECK_THROWS_AS(from_formula(f, letters, reached.size() - 1), std::length_error);
  };
  Arena arena;
  for (const Formula f : tests::small_formulas(arena, 2, 3)) check(f, 2);
  for (const Formula g : tests::small_formulas(arena, 2, 3)) {
    if (g->depth > 0) continue;
    for (const std::uint32_t n : {2u, 3u, 5u}) check(arena.yesterday(g, n), 2);
    for (const auto& [k, j] : {std::pair{4u, 2u}, {5u, 3u}, {6u, 5u}}) check(arena.window(g, k, j), 2);
  }
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Letter letters = 1 + tests::below(random, 3);
    check(tests::random_formula(random, arena, letters, 12), letters);
  }
}

TEST_CASE("formula to automaton: limits and wrong input", "[automata][from_formula]") {
  Arena arena;
  const Formula f = arena.yesterday(arena.letter(0), 10);
  CHECK(from_formula(f, 2, 1024).states() == 1024);
  CHECK_THROWS_AS(from_formula(f, 2, 1023), std::length_error);
  CHECK_THROWS_WITH(from_formula(f, 2, 1023),
                    "from_formula: 10 nested Y take 2^10 register contents, max_states is 1023");
  CHECK_THROWS_WITH(from_formula(arena.yesterday(f, 99'990), 2),
                    "from_formula: 20 nested Y take 2^20 register contents, max_states is 1000000");
  CHECK_THROWS_WITH(
      from_formula(arena.window(arena.letter(0), 1000, 500), 2),
      "from_formula: a window Y<=1000>=500 takes more register contents than max_states, 1000000");
  CHECK_THROWS_WITH(from_formula(arena.window(arena.letter(0), 10), 2, 10),
                    "from_formula: 11 register contents of 1 words reached, max_states is 10");
  CHECK_THROWS_AS(from_formula(arena.letter(2), 2), std::invalid_argument);
  CHECK_THROWS_AS(from_formula(arena.letter(0), 0), std::invalid_argument);
}
