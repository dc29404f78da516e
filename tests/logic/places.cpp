#include "logic/places.hpp"

#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

using logic::Kind;
using logic::Places;

namespace {

/// A random formula without S.
logic::Formula random_formula(std::mt19937& random, logic::Arena& arena, int nodes) {
  if (nodes <= 1) {
    switch (tests::below(random, 4)) {
      case 0: return arena.constant(tests::below(random, 2) == 0);
      case 1: return arena.first();
      case 2: return arena.modulo(3, tests::below(random, 3));
      default: return arena.letter(tests::below(random, 2));
    }
  }
  const auto some = [&](int n) { return random_formula(random, arena, n); };
  switch (tests::below(random, 12)) {
    case 0: return arena.negation(some(nodes - 1));
    case 1: return arena.previously(some(nodes - 1));
    case 2: return arena.yesterday(some(nodes - 1));
    case 3: return arena.window(some(nodes - 1), 2 + tests::below(random, 3));
    case 4: return arena.window(some(nodes - 1), 4, 2 + tests::below(random, 3));
    case 5: return arena.historically(some(nodes - 1));
    case 6: return arena.once(some(nodes - 1));
    case 7: return arena.disjunction(some(nodes / 2), some(nodes / 2));
    case 8: return arena.exclusive_or(some(nodes / 2), some(nodes / 2));
    case 9: return arena.implication(some(nodes / 2), some(nodes / 2));
    case 10: return arena.equivalence(some(nodes / 2), some(nodes / 2));
    default: return arena.conjunction(some(nodes / 2), some(nodes / 2));
  }
}

}  // namespace

TEST_CASE("truth at the places of many words is truth by definition", "[logic][places]") {
  Places places;
  const auto words = tests::words_up_to(2, 5);
  std::vector<Places::Place> ends;
  for (const auto& word : words) ends.push_back(places.add_word(word));
  CHECK(places.size() == 62 + 63);  // the letters of all words but the empty one, and the ends
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    logic::Arena arena;
    const auto f = random_formula(random, arena, 12);
    const auto truth = places.truth(f);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto table = logic::truth_table(f, words[i]).back();
      auto p = ends[i];
      for (std::size_t n = words[i].size() + 1; n >= 1; --n, p = places.before(p)) {
        if (places.position(p) == n && logic::bit(truth, p) == table[n - 1]) continue;
        CAPTURE(seed, words[i], n);
        FAIL("different truth");
      }
      REQUIRE(p == Places::none);
    }
    REQUIRE(truth.back() >> (places.size() % 64) == 0);
  }
}
