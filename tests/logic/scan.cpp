#include "logic/scan.hpp"

#include "logic/evaluator.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/scale.hpp"

using namespace logic;
using tests::below;

namespace {

/// Whether the formula holds at the end of each prefix of `word`, the shortest first.
std::vector<bool> prefixes(Scan& scan, std::span<const Letter> word) {
  scan.restart();
  std::vector<bool> accepted{scan.accepts()};
  for (std::size_t n = 0; n < word.size(); ++n) {
    scan.read(word.subspan(n, 1));
    accepted.push_back(scan.accepts());
  }
  return accepted;
}

}  // namespace

TEST_CASE("scanning decides every small formula on every short word", "[logic][scan]") {
  Arena arena;
  const auto words = tests::words_up_to(2, 5);
  for (const Formula f : tests::small_formulas(arena, 2, tests::scaled(4, 3))) {
    Scan scan(f, 2);
    for (const auto& word : words) {
      scan.restart();
      scan.read(word);
      if (scan.accepts() == holds(f, word)) continue;
      CAPTURE(f->id, word);
      FAIL("wrong");
    }
  }
}

TEST_CASE("scanning decides random formulas across blocks", "[logic][scan]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const Letter letters = 1 + below(random, 3);
    const Formula f = tests::random_formula(random, arena, letters, 1 + below(random, 40));
    Scan scan(f, letters);
    // Mostly one letter, so that registers carry over several blocks.
    Word word(150);
    for (auto& a : word) a = below(random, 30) == 0 ? below(random, letters) : 0;
    const auto accepted = prefixes(scan, word);
    for (const std::size_t n : {0, 1, 2, 62, 63, 64, 65, 66, 126, 127, 128, 129, 150}) {
      CAPTURE(seed, n);
      REQUIRE(accepted[n] == holds(f, std::span(word).first(n)));
    }
  }
}

TEST_CASE("scanning with windows and moduli of all widths around a block", "[logic][scan]") {
  Arena arena;
  const Formula a = arena.letter(0);
  std::mt19937 random(2);
  for (const std::uint32_t k :
       {1u, 2u, 3u, 31u, 32u, 33u, 62u, 63u, 64u, 65u, 66u, 127u, 128u, 129u, 200u, 1000u}) {
    std::vector<Formula> formulas{arena.window(a, k), arena.modulo(k, k - 1), arena.modulo(k, k / 2)};
    for (const std::uint32_t j : {2u, k / 3, k / 2, k - 1, k})
      if (2 <= j && j <= k) formulas.push_back(arena.window(a, k, j));
    for (const Formula f : formulas) {
      for (const std::uint32_t odds : {2u, 10u, 100u}) {
        Word word(270);
        for (auto& letter : word) letter = below(random, odds) == 0 ? 0 : 1;
        CAPTURE(k, f->j, odds);
        Scan scan(f, 2);
        CHECK(prefixes(scan, word) == truth_table(f, word).back());  // f depends on the past alone
        for (auto& letter : word) letter = 1 - letter;
        CHECK(prefixes(scan, word) == truth_table(f, word).back());
      }
    }
  }
}

TEST_CASE("scanning in pieces, again, and on a long word", "[logic][scan]") {
  Arena arena;
  // Where a b was followed by only a for at least 70 letters, and not long ago.
  const Formula f = arena.window(
      arena.since(arena.letter(0), arena.conjunction(arena.letter(1), arena.window(arena.letter(0), 70, 70))),
      90);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Word word(1'000'000);
    for (auto& letter : word) letter = below(random, 60) == 0 ? 1 : 0;
    word.resize(word.size() - below(random, 100));
    Evaluator evaluator(f, 2);
    auto now = evaluator.start();
    std::vector<std::uint64_t> successors(2 * evaluator.words());
    for (const Letter a : std::span(word).first(20'000)) {
      evaluator.step(now.data(), successors.data());
      const auto begin = successors.begin() + static_cast<std::ptrdiff_t>(a * evaluator.words());
      now.assign(begin, begin + static_cast<std::ptrdiff_t>(evaluator.words()));
    }
    Scan whole(f, 2);
    whole.read(std::span(word).first(20'000));
    CAPTURE(seed);
    CHECK(whole.accepts() == evaluator.step(now.data(), successors.data()));
    whole.read(std::span(word).subspan(20'000));
    Scan pieces(f, 2);
    for (std::size_t i = 0; i < word.size();) {
      const auto n = std::min<std::size_t>(below(random, 300), word.size() - i);
      pieces.read(std::span(word).subspan(i, n));
      i += n;
    }
    CHECK(pieces.accepts() == whole.accepts());
  }
}

TEST_CASE("scanning deep formulas", "[logic][scan]") {
  Arena arena;
  Formula f = arena.letter(0);
  for (int i = 0; i < 100'000; ++i) f = arena.yesterday(f);
  Scan scan(f, 1);
  const Word word(99'999, 0);
  scan.read(std::span(word).first(1000));
  CHECK_FALSE(scan.accepts());
  Formula negations = arena.letter(0);
  for (int i = 0; i < 100'001; ++i) negations = arena.negation(negations);
  Scan scan_negations(negations, 1);
  CHECK(scan_negations.accepts());
}

TEST_CASE("scan: wrong input", "[logic][scan]") {
  Arena arena;
  CHECK_THROWS_WITH(Scan(arena.letter(2), 0), "Scan: no letters");
  CHECK_THROWS_WITH(Scan(arena.letter(2), 2), "Scan: letter 2 of 2");
  CHECK_THROWS_AS(Scan(arena.letter(2), 2), std::invalid_argument);
}
