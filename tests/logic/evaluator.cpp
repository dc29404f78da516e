#include "logic/evaluator.hpp"

#include "logic/parse.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/scale.hpp"

#include <span>

using namespace logic;
using tests::below;

namespace {

/// Whether f holds at the end of each prefix of `word`, the shortest first.
std::vector<bool> prefixes(Evaluator& evaluator, std::span<const Letter> word) {
  std::vector<bool> accepted;
  std::vector<std::uint64_t> now = evaluator.start();
  std::vector<std::uint64_t> successors(evaluator.classes() * evaluator.words());
  for (std::size_t n = 0; n <= word.size(); ++n) {
    accepted.push_back(evaluator.step(now.data(), successors.data()));
    if (n == word.size()) break;
    const auto begin =
        successors.begin() + static_cast<std::ptrdiff_t>(evaluator.class_of(word[n]) * evaluator.words());
    now.assign(begin, begin + static_cast<std::ptrdiff_t>(evaluator.words()));
  }
  return accepted;
}

void check_word(Formula f, Letter letters, const Word& word) {
  Evaluator evaluator(f, letters);
  const auto accepted = prefixes(evaluator, word);
  for (std::size_t n = 0; n <= word.size(); ++n) {
    if (accepted[n] == holds(f, std::span(word).first(n))) continue;
    CAPTURE(n, word);
    FAIL("wrong");
  }
}

/// The same for a formula that depends on the past alone, so that one truth table has all prefixes.
void check_word_of_past(Formula f, Letter letters, const Word& word) {
  Evaluator evaluator(f, letters);
  if (prefixes(evaluator, word) == truth_table(f, word).back()) return;
  CAPTURE(word);
  FAIL("wrong");
}

}  // namespace

TEST_CASE("the registers decide every small formula on every short word", "[logic][evaluator]") {
  Arena arena;
  const auto words = tests::words_up_to(2, 5);
  for (const Formula f : tests::small_formulas(arena, 2, tests::scaled(4, 3))) {
    Evaluator evaluator(f, 2);
    for (const auto& word : words) {
      if (prefixes(evaluator, word).back() == holds(f, word)) continue;
      CAPTURE(f->id, word);
      FAIL("wrong");
    }
  }
}

TEST_CASE("the registers decide random formulas", "[logic][evaluator]") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const Letter letters = 1 + below(random, 4);
    const Formula f = tests::random_formula(random, arena, letters, 1 + below(random, 60));
    INFO("seed " << seed);
    check_word(f, letters, tests::random_word(random, letters, 30));
  }
}

TEST_CASE("counting windows of every threshold, and wide ones", "[logic][evaluator]") {
  Arena arena;
  const Formula a = arena.letter(0);
  for (std::uint32_t k = 1; k <= 8; ++k) {
    for (std::uint32_t j = 1; j <= k; ++j) {
      for (const auto& word : tests::words_up_to(2, 10)) {
        if (word.size() < 10) continue;
        INFO("k = " << k << ", j = " << j);
        check_word_of_past(arena.window(a, k, j), 2, word);
      }
    }
  }
  std::mt19937 random(1);
  for (const std::uint32_t k : {62u, 63u, 64u, 65u, 127u, 128u, 129u, 190u}) {
    for (const std::uint32_t j : {1u, 2u, k / 3, k / 2, k / 2 + 1, 2 * k / 3, k - 1, k}) {
      // A neighbour on either side in the same words, and words with many and with few hits.
      const Formula window = arena.window(a, k, j);
      const Formula f = arena.exclusive_or(arena.exclusive_or(arena.window(a, 5), window),
                                           arena.exclusive_or(arena.window(a, 9, 4), arena.yesterday(a)));
      for (const std::uint32_t odds : {2u, 3u, 20u}) {
        Word word(400);
        for (auto& letter : word) letter = below(random, odds) == 0 ? 0 : 1;
        CAPTURE(k, j, odds);
        check_word_of_past(f, 2, word);
        for (auto& letter : word) letter = 1 - letter;
        check_word_of_past(f, 2, word);
      }
    }
  }
}

TEST_CASE("chains of Y across machine words", "[logic][evaluator]") {
  std::mt19937 random(3);
  Arena arena;
  for (const std::uint32_t k : {1u, 2u, 62u, 63u, 64u, 65u, 66u, 127u, 128u, 129u, 200u}) {
    // Links of several kinds at the start, every one of them used in the end, or only the last.
    const Formula starts[] = {arena.letter(0),
                              arena.previously(arena.conjunction(arena.letter(0), arena.modulo(7, 3))),
                              arena.since(arena.letter(0), arena.letter(1)),
                              arena.historically(arena.letter(0)),
                              arena.once(arena.modulo(5, 0)),
                              arena.window(arena.letter(0), 3)};
    Formula all = arena.first();
    for (const Formula start : starts) {
      const Formula chain = arena.yesterday(start, k);
      all = arena.exclusive_or(all, arena.exclusive_or(chain, arena.yesterday(start, k / 2 + 1)));
      CAPTURE(k);
      check_word_of_past(chain, 2, tests::random_word(random, 2, 250));
    }
    check_word_of_past(all, 2, tests::random_word(random, 2, 250));
  }
}

TEST_CASE("letters that a formula does not name behave alike", "[logic][evaluator]") {
  Arena arena;
  const Formula f = arena.conjunction(arena.previously(arena.letter(3)), arena.yesterday(arena.letter(1)));
  const Evaluator evaluator(f, 6);
  CHECK(evaluator.classes() == 3);
  CHECK(evaluator.class_of(0) == 0);
  CHECK(evaluator.class_of(1) == 1);
  CHECK(evaluator.class_of(2) == 0);
  CHECK(evaluator.class_of(3) == 2);
  CHECK(evaluator.class_of(4) == 0);
  CHECK(Evaluator(f, 4).classes() == 3);
  CHECK(Evaluator(arena.first(), 4).classes() == 1);
}

TEST_CASE("more letters than a word has bits", "[logic][evaluator]") {
  for (const Letter letters : {62u, 63u, 64u, 65u, 127u, 128u, 129u, 200u}) {
    std::mt19937 random(letters);
    Arena arena;
    Formula all = arena.constant(false);  // an even number of pairs x y with y = x + 1 somewhere
    for (Letter a = 0; a < letters; ++a) {
      const Formula before =
          below(random, 2) == 0 ? arena.yesterday(arena.letter(a)) : arena.once(arena.letter(a));
      all = arena.exclusive_or(all,
                               arena.previously(arena.conjunction(arena.letter((a + 1) % letters), before)));
    }
    CAPTURE(letters);
    for (int i = 0; i < 3; ++i) check_word_of_past(all, letters, tests::random_word(random, letters, 60));
    Word ascending(letters);
    for (Letter a = 0; a < letters; ++a) ascending[a] = a;
    check_word_of_past(all, letters, ascending);
  }
}

TEST_CASE("registers are as few as stated", "[logic][evaluator]") {
  Arena arena;
  const Formula a = arena.letter(0);
  const auto words = [](Formula f) { return Evaluator(f, 2).words(); };
  CHECK(words(a) == 1);
  CHECK(words(arena.yesterday(a, 64)) == 1);
  CHECK(words(arena.yesterday(a, 65)) == 2);
  CHECK(words(arena.window(a, UINT32_MAX)) == 1);
  CHECK(words(arena.window(a, 64, 32)) == 1);
  CHECK(words(arena.window(a, 65, 2)) == 2);
  Formula moduli = a;  // one counter for all of one modulus
  for (std::uint32_t r = 0; r < 1000; ++r) moduli = arena.disjunction(moduli, arena.modulo(1000, r));
  CHECK(words(moduli) == 1);
}

TEST_CASE("deep formulas cost neither stack nor quadratic time", "[logic][evaluator]") {
  Arena arena;
  const Kind kinds[] = {Kind::negation, Kind::previously, Kind::yesterday, Kind::historically, Kind::once};
  for (const Kind kind : kinds) {
    Formula f = arena.letter(0);
    for (int i = 0; i < 100'000; ++i) f = arena.make(kind, 0, 0, f, {});
    Evaluator evaluator(f, 2);
    // On the empty word: an even number of negations of a; nothing lies before; the last H is empty.
    CHECK(prefixes(evaluator, Word{}) == std::vector<bool>{kind == Kind::historically});
  }
  Formula since = arena.letter(0);
  for (int i = 0; i < 100'000; ++i) since = arena.since(since, arena.letter(1));
  Evaluator evaluator(since, 2);
  CHECK(prefixes(evaluator, Word{1, 0}) == std::vector<bool>{false, true, true});
}

TEST_CASE("evaluator: limits and wrong input", "[logic][evaluator]") {
  Arena arena;
  const Formula a = arena.letter(2);
  CHECK_THROWS_WITH(Evaluator(a, 0), "Evaluator: no letters");
  CHECK_THROWS_WITH(Evaluator(a, 2), "Evaluator: letter 2 of 2");
  CHECK_THROWS_AS(Evaluator(a, 2), std::invalid_argument);
  CHECK_THROWS_AS(Evaluator(arena.window(a, 100'000'000, 2), 3), std::length_error);
  CHECK_THROWS_WITH(Evaluator(arena.window(a, 100'000'000, 2), 3),
                    "Evaluator: the registers need more than 67108864 bits");
}
