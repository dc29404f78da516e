#include "automata/semigroup.hpp"

#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

using automata::Dfa;
using automata::Semigroup;
using automata::State;
using logic::Word;

namespace {

std::vector<State> map_of(const Dfa& dfa, const Word& word) {
  std::vector<State> map(dfa.states());
  for (State q = 0; q < dfa.states(); ++q) map[q] = dfa.run(q, word);
  return map;
}

std::vector<State> map_of(const Semigroup& s, Semigroup::Element x) {
  return {s.map(x).begin(), s.map(x).end()};
}

// The maps of all words of each length 1, 2, ..., until a set of maps comes again: literally.
std::vector<std::set<std::vector<State>>> maps_by_length(const Dfa& dfa) {
  std::vector<std::set<std::vector<State>>> sets(1);
  for (logic::Letter a = 0; a < dfa.letters(); ++a) sets[0].insert(map_of(dfa, {a}));
  while (std::find(sets.begin(), sets.end() - 1, sets.back()) == sets.end() - 1) {
    std::set<std::vector<State>> next;
    for (auto map : sets.back()) {
      for (logic::Letter a = 0; a < dfa.letters(); ++a) {
        auto product = map;
        for (auto& q : product) q = dfa.next(q, a);
        next.insert(product);
      }
    }
    sets.push_back(std::move(next));
  }
  return sets;
}

void check_against_words(const Dfa& dfa) {
  const Semigroup s(dfa);
  const auto words = tests::words_up_to(dfa.letters(), 7);
  std::map<std::vector<State>, Word> least;
  for (const auto& word : words)
    if (!word.empty()) least.emplace(map_of(dfa, word), word);

  std::vector<Word> expected;
  for (const auto& [map, word] : least) expected.push_back(word);
  std::sort(expected.begin(), expected.end(),
            [](const Word& x, const Word& y) { return std::pair(x.size(), x) < std::pair(y.size(), y); });
  // Every element has its least word among them when the longest least word is shorter.
  REQUIRE(s.least_word(static_cast<Semigroup::Element>(s.size() - 1)).size() <= 6);
  REQUIRE(s.size() == expected.size());
  std::vector<State> identity(dfa.states());
  std::iota(identity.begin(), identity.end(), State{0});
  CHECK(s.has_identity() == (least.count(identity) == 1));
  CHECK(s.monoid_size() == least.size() + 1 - least.count(identity));
  for (Semigroup::Element x = 0; x < s.size(); ++x) {
    CHECK(s.least_word(x) == expected[x]);
    CHECK(map_of(s, x) == map_of(dfa, expected[x]));
    CHECK(s.of(expected[x]) == x);
    CHECK(s.find(s.map(x)) == x);
    auto power = x;
    while (s.multiply(power, power) != power) power = s.multiply(power, x);
    CHECK(s.omega(x) == power);
    CHECK(s.is_idempotent(x) == (power == x));
    for (Semigroup::Element y = 0; y < s.size(); ++y) {
      Word both = expected[x];
      both.insert(both.end(), expected[y].begin(), expected[y].end());
      CHECK(map_of(s, s.multiply(x, y)) == map_of(dfa, both));
    }
  }
}

}  // namespace

TEST_CASE("elements are the maps of words, in short-lex order", "[semigroup]") {
  tests::for_each_dfa(2, 2, check_against_words);
  tests::for_each_dfa(3, 1, check_against_words);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto dfa = tests::random_dfa(random, 3, 2);
    if (Semigroup(dfa).size() < 12) check_against_words(dfa);
  }
}

TEST_CASE("all maps on four states", "[semigroup]") {
  const Dfa dfa(3, 0, {1, 1, 1, 2, 0, 1, 3, 2, 2, 0, 3, 0}, {true, false, false, false});
  const Semigroup s(dfa);
  CHECK(s.size() == 256);  // a cycle, a transposition and a map of rank 3 generate all of T_4
  CHECK(s.monoid_size() == 256);
  CHECK_THROWS_WITH(Semigroup(dfa, 255), "Semigroup: more than 255 elements on 4 states");
  CHECK_NOTHROW(Semigroup(dfa, 256));
  CHECK_THROWS_AS(s.of(Word{}), std::invalid_argument);
  CHECK_FALSE(s.find(std::vector<State>{0, 1, 2}));
}

TEST_CASE("the least word with a property stops the enumeration", "[semigroup]") {
  const Dfa dfa(3, 0, {1, 1, 1, 2, 0, 1, 3, 2, 2, 0, 3, 0}, {true, false, false, false});
  const auto constant = [](std::span<const State> map) {
    return std::adjacent_find(map.begin(), map.end(), std::not_equal_to<>()) == map.end();
  };
  const auto words = tests::words_up_to(3, 8);
  const auto expected = std::find_if(words.begin() + 1, words.end(),
                                     [&](const Word& word) { return constant(map_of(dfa, word)); });
  REQUIRE(expected != words.end());
  CHECK(automata::least_word_where(dfa, constant) == *expected);
  CHECK_FALSE(automata::least_word_where(dfa, [](std::span<const State>) { return false; }));
  CHECK_THROWS_AS(automata::least_word_where(
                      dfa, [](std::span<const State>) { return false; }, 100),
                  std::length_error);
}

TEST_CASE("the idempotent power of a map", "[semigroup]") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const State n = 1 + tests::below(random, 9);
    std::vector<State> map(n);
    for (auto& q : map) q = tests::below(random, n);
    const auto then = [&](const std::vector<State>& x, const std::vector<State>& y) {
      auto result = x;
      for (auto& q : result) q = y[q];
      return result;
    };
    auto power = map;
    while (then(power, power) != power) power = then(power, map);
    CHECK(automata::idempotent_power(map) == power);
  }
}

TEST_CASE("the stability index is the first length with the maps of twice the length", "[semigroup]") {
  const auto check = [](const Dfa& dfa) {
    const auto sets = maps_by_length(dfa);  // sets[i]: of length i + 1; eventually periodic
    const auto entry =
        static_cast<std::size_t>(std::find(sets.begin(), sets.end() - 1, sets.back()) - sets.begin());
    const std::size_t period = sets.size() - 1 - entry;
    const auto at = [&](std::size_t length) -> const auto& {
      const std::size_t i = length - 1;
      return sets[i < sets.size() ? i : entry + (i - entry) % period];
    };
    std::size_t expected = 1;
    while (at(expected) != at(2 * expected)) ++expected;

    const Semigroup s(dfa);
    const auto stable = automata::stability(s);
    REQUIRE(stable);
    CHECK(stable->index == expected);
    std::set<std::vector<State>> maps;
    for (const auto x : stable->elements) maps.insert(map_of(s, x));
    CHECK(maps == at(expected));
    CHECK(std::is_sorted(stable->elements.begin(), stable->elements.end()));
    CHECK_FALSE(automata::stability(s, expected - 1));
  };
  tests::for_each_dfa(2, 2, check);
  tests::for_each_dfa(3, 1, check);
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    check(tests::random_dfa(random, 2 + tests::below(random, 4), 1 + tests::below(random, 2)));
  }
}

TEST_CASE("iterating until the maps are closed under products would stop too early", "[semigroup]") {
  // Find a machine where the maps of some length below the stability index are closed under products.
  bool found = false;
  for (std::uint32_t seed = 0; seed < 300 && !found; ++seed) {
    std::mt19937 random(seed);
    const auto dfa = tests::random_dfa(random, 3, 2);
    const auto sets = maps_by_length(dfa);
    const auto index = automata::stability(Semigroup(dfa))->index;
    for (std::size_t length = 1; length < index && length <= sets.size(); ++length) {
      const auto& set = sets[length - 1];
      found = found || std::all_of(set.begin(), set.end(), [&](auto x) {
                return std::all_of(set.begin(), set.end(), [&](const auto& y) {
                  auto product = x;
                  for (auto& q : product) q = y[q];
                  return set.count(product) == 1;
                });
              });
    }
  }
  CHECK(found);
}

TEST_CASE("classes of small semigroups", "[semigroup]") {
  const Semigroup ends_a(Dfa(2, 0, {1, 0, 1, 0}, {false, true}));
  CHECK(automata::is_definite(ends_a));
  CHECK_FALSE(automata::is_r_trivial(ends_a));
  CHECK(automata::is_locally_r_trivial(ends_a));
  CHECK(automata::is_aperiodic(ends_a));

  const Semigroup starts_a(Dfa(2, 0, {1, 2, 1, 1, 2, 2}, {false, true, false}));
  CHECK_FALSE(automata::is_definite(starts_a));
  CHECK(automata::is_r_trivial(starts_a));

  const Semigroup parity(Dfa(2, 0, {1, 0, 0, 1}, {true, false}));
  CHECK_FALSE(automata::is_aperiodic(parity));
  CHECK_FALSE(automata::is_locally_r_trivial(parity));

  // Σ⁺: the semigroup is trivial, the monoid is not.
  const Semigroup not_empty(Dfa(2, 0, {1, 1, 1, 1}, {false, true}));
  CHECK(not_empty.size() == 1);
  CHECK(not_empty.monoid_size() == 2);
  CHECK(automata::is_definite(not_empty));
}
