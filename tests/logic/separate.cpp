#include "logic/separate.hpp"

#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <set>

using logic::Formula;
using logic::Kind;
using logic::Places;
using logic::WindowLogic;
using logic::Word;

namespace {

const std::vector<WindowLogic> logics{{false, 1, false, 1}, {true, 0, false, 1},  {true, 1, false, 1},
                                      {false, 2, false, 1}, {false, 3, false, 1}, {true, 2, false, 1},
                                      {true, 3, false, 1},  {false, 3, true, 1},  {true, 3, true, 1},
                                      {true, 4, true, 1},   {true, 2, false, 2},  {false, 3, true, 3},
                                      {true, 0, false, 2}};

/// For each depth up to `depth`, the truths at `places` of all formulas, by closing the sets of places that
/// formulas of depth r - 1 define under Booleans and putting one operator on each: no types, no search.
std::vector<std::set<logic::Truth>> definable(const Places& places, const WindowLogic& logic,
                                              std::uint32_t depth) {
  std::vector<std::set<logic::Truth>> all;
  std::set<logic::Truth> generators;
  const logic::Truth none;
  for (logic::Letter a = 0; a < 2; ++a) generators.insert(places.apply(Kind::letter, a, 0, none, none));
  for (std::uint32_t r = 0; r < logic.modulus; ++r)
    generators.insert(places.apply(Kind::modulo, logic.modulus, r, none, none));
  for (std::uint32_t r = 0;; ++r) {
    // the atoms of the Boolean algebra, then all unions of them
    std::vector<logic::Truth> atoms{places.apply(Kind::true_, 0, 0, none, none)};
    for (const auto& g : generators) {
      std::vector<logic::Truth> finer;
      for (const auto& atom : atoms) {
        auto in = places.apply(Kind::conjunction, 0, 0, atom, g);
        auto out = places.apply(Kind::conjunction, 0, 0, atom, places.apply(Kind::negation, 0, 0, g, none));
        for (auto& part : {in, out})
          if (part != logic::Truth(part.size(), 0)) finer.push_back(part);
      }
      atoms = finer;
    }
    std::set<logic::Truth> closed;
    if (atoms.size() > 14) return all;  // too many to write down
    for (std::uint32_t mask = 0; mask < 1u << atoms.size(); ++mask) {
      logic::Truth truth((places.size() + 63) / 64, 0);
      for (std::size_t i = 0; i < atoms.size(); ++i)
        if ((mask >> i & 1) != 0) truth = places.apply(Kind::disjunction, 0, 0, truth, atoms[i]);
      closed.insert(truth);
    }
    all.push_back(closed);
    if (r == depth) return all;
    for (const auto& truth : closed) {
      if (logic.previously) generators.insert(places.apply(Kind::previously, 0, 0, truth, none));
      if (logic.window == 1) generators.insert(places.apply(Kind::yesterday, 0, 0, truth, none));
      if (logic.window > 1) generators.insert(places.apply(Kind::window, logic.window, 0, truth, none));
      for (std::uint32_t j = 2; logic.counting && j <= logic.window; ++j)
        generators.insert(places.apply(Kind::counting_window, logic.window, j, truth, none));
    }
  }
}

void check_formula(const WindowLogic& logic, const Word& u, const Word& v, const logic::Separation& found) {
  CAPTURE(name(logic), u, v);
  REQUIRE(found.formula);
  CHECK((*found.formula)->depth == found.depth);
  CHECK(belongs(*found.formula, logic));
  CHECK(logic::holds(*found.formula, u));
  CHECK(!logic::holds(*found.formula, v));
}

}  // namespace

TEST_CASE("least depths agree with all definable sets of places", "[logic][separate]") {
  const auto words = tests::words_up_to(2, 4);
  for (const auto& logic : logics) {
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
      const Word& u = words[tests::below(random, static_cast<std::uint32_t>(words.size()))];
      const Word& v = words[tests::below(random, static_cast<std::uint32_t>(words.size()))];
      Places places;
      const auto x = places.add_word(u);
      const auto y = places.add_word(v);
      const auto sets = definable(places, logic, 3);
      for (std::uint32_t r = 0; r < sets.size(); ++r) {
        const bool expected = std::any_of(sets[r].begin(), sets[r].end(), [&](const logic::Truth& truth) {
          return logic::bit(truth, x) != logic::bit(truth, y);
        });
        logic::Arena arena;
        // once with the search, once with the types alone
        for (const std::size_t budget : {std::size_t{0}, std::size_t{20'000}}) {
          const auto found = logic::separate(arena, u, v, logic, r, budget);
          CAPTURE(name(logic), u, v, r, budget);
          REQUIRE(found.formula.has_value() == expected);
          if (expected) {
            check_formula(logic, u, v, found);
          } else {
            CHECK(found.depth == r);
          }
        }
        if (expected) break;
      }
    }
  }
}

TEST_CASE("the lemma: a window of k > 1 counts the periods of (ab^{k-1})^r one by one", "[logic][separate]") {
  for (std::uint32_t k = 2; k <= 4; ++k) {
    for (std::uint32_t r = 2; r <= 5; ++r) {
      Word v;
      for (std::uint32_t i = 0; i < r; ++i) {
        v.push_back(0);
        v.insert(v.end(), k - 1, 1);
      }
      Word u = v;
      u.push_back(0);
      logic::Arena arena;
      for (const bool counting : {false, true}) {
        const WindowLogic logic{true, k, counting, 1};
        CAPTURE(k, r, counting);
        CHECK(!logic::separate(arena, u, v, logic, r).formula);
        const auto found = logic::separate(arena, u, v, logic, r + 10, 20'000);
        CHECK(found.depth == r + 1);
        check_formula(logic, u, v, found);
        check_formula(logic, v, u, logic::separate(arena, v, u, logic, r + 1, 0));
      }
    }
  }
}

TEST_CASE("two of the last three need a window that counts", "[logic][separate]") {
  // (aab)^r and (abb)^r agree up to depth r without P.  With P their beginnings differ ("an a that sees a's
  // alone"), and (aababb)^r with and without aab behind it does the same.
  for (std::uint32_t r = 1; r <= 4; ++r) {
    Word u;
    Word v;
    Word w;
    for (std::uint32_t i = 0; i < r; ++i) {
      u.insert(u.end(), {0, 0, 1});
      v.insert(v.end(), {0, 1, 1});
      w.insert(w.end(), {0, 0, 1, 0, 1, 1});
    }
    Word wu = w;
    wu.insert(wu.end(), {0, 0, 1});
    logic::Arena arena;
    const auto two_of_three = arena.window(arena.letter(0), 3, 2);
    CAPTURE(r);
    CHECK(!logic::separate(arena, u, v, {false, 3, false, 1}, r).formula);
    CHECK(logic::separate(arena, u, v, {true, 3, false, 1}, 9).depth == 2);
    CHECK(!logic::separate(arena, wu, w, {true, 3, false, 1}, r).formula);
    CHECK(logic::separate(arena, u, v, {false, 3, true, 1}, 9).formula == two_of_three);
    CHECK(logic::separate(arena, wu, w, {true, 3, true, 1}, 9).formula == two_of_three);
  }
}

TEST_CASE("different words are separated at a depth at most the longer length", "[logic][separate]") {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    const auto& logic = logics[static_cast<std::size_t>(round) % logics.size()];
    const Word u = tests::random_word(random, 2, tests::below(random, 9));
    const Word v = tests::random_word(random, 2, tests::below(random, 9));
    if (u == v) continue;
    logic::Arena arena;
    const auto found = logic::separate(arena, u, v, logic, 1'000, round % 2 == 0 ? 0 : 5'000);
    CAPTURE(round);
    check_formula(logic, u, v, found);
    CHECK(found.depth <= std::max(u.size(), v.size()));
  }
  logic::Arena arena;
  CHECK(!logic::separate(arena, Word{0, 1}, Word{0, 1}, logics[0], 5).formula);
}

TEST_CASE("long words", "[logic][separate]") {
  std::mt19937 random(3);
  const Word prefix = tests::random_word(random, 3, 3'000);
  Word u = prefix;
  Word v = prefix;
  u.insert(u.end(), {0, 1, 2, 2});
  v.insert(v.end(), {1, 0, 2, 2});
  logic::Arena arena;
  for (const WindowLogic& logic : {WindowLogic{true, 2, false, 1}, WindowLogic{true, 3, true, 1}}) {
    const auto found = logic::separate(arena, u, v, logic, 50, 2'000);
    check_formula(logic, u, v, found);
  }
}

TEST_CASE("the search finds the shortest formula", "[logic][separate]") {
  Places places;
  std::vector<Places::Place> yes;
  std::vector<Places::Place> no;
  for (const Word& word : tests::words_up_to(2, 5)) {
    const bool in = word.size() >= 2 && word.back() == 0 && word[word.size() - 2] == 1;
    (in ? yes : no).push_back(places.add_word(word));
  }
  logic::Arena arena;
  const auto a = arena.letter(0);
  const auto b = arena.letter(1);
  CHECK(logic::search_formula(arena, places, yes, no, {false, 1, false, 1}, 3, 10'000) ==
        arena.yesterday(arena.conjunction(a, arena.yesterday(b))));
  CHECK(!logic::search_formula(arena, places, yes, no, {false, 1, false, 1}, 1, 10'000));
  CHECK(!logic::search_formula(arena, places, yes, no, {false, 1, false, 1}, 3, 5));
  CHECK(logic::search_formula(arena, places, yes, {}, {true, 0, false, 1}, 0, 100) == arena.constant(true));
}

TEST_CASE("covers agree with the sample", "[logic][separate]") {
  std::mt19937 random(2);
  std::size_t covered = 0;
  for (int round = 0; round < 40; ++round) {
    // a language by its short words: monotone, its complement, or any
    Places places;
    std::vector<Places::Place> yes;
    std::vector<Places::Place> no;
    const auto u = tests::random_word(random, 2, 3);
    for (const Word& word : tests::words_up_to(2, 5)) {
      const bool has = std::search(word.begin(), word.end(), u.begin(), u.end()) != word.end();
      const bool in = round % 4 == 0   ? has
                      : round % 4 == 1 ? !has
                      : round % 4 == 2 ? tests::below(random, 2) == 0
                                       : word.size() < 3 || word[2] == 0;
      (in ? yes : no).push_back(places.add_word(word));
    }
    const auto& logic = logics[static_cast<std::size_t>(round) % logics.size()];
    logic::Arena arena;
    const auto f = logic::cover_formula(arena, places, yes, no, logic, 3, 3'000);
    if (!f) continue;
    ++covered;
    CAPTURE(round, name(logic));
    CHECK((*f)->depth <= 3);
    CHECK(belongs(*f, logic));
    const auto truth = places.truth(*f);
    for (const auto p : yes) CHECK(logic::bit(truth, p));
    for (const auto p : no) CHECK(!logic::bit(truth, p));
  }
  CHECK(covered > 20);
}

TEST_CASE("shrinking keeps what is asked of it", "[logic][separate]") {
  logic::Arena arena;
  const auto a = arena.letter(0);
  const auto f = arena.conjunction(arena.previously(arena.disjunction(a, arena.letter(1))),
                                   arena.negation(arena.negation(arena.yesterday(a))));
  const Word word{1, 0};
  const Word other{0, 1};
  const auto good = [&](Formula g) { return logic::holds(g, word) && !logic::holds(g, other); };
  REQUIRE(good(f));
  CHECK(logic::shrink(arena, f, 1'000, good) == arena.yesterday(a));
  CHECK(logic::shrink(arena, f, 0, good) == f);
}
