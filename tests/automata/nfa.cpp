#include "automata/nfa.hpp"

#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <set>

using automata::Dfa;
using automata::Nfa;
using automata::State;
using tests::below;

namespace {

/// The oracle: whether some run accepts, by keeping the set of states, ε-moves first.
bool accepts(const Nfa& nfa, const logic::Word& word) {
  std::set<State> now(nfa.initial.begin(), nfa.initial.end());
  const auto close = [&] {
    for (std::size_t before = 0; before != now.size();) {
      before = now.size();
      for (const auto& move : nfa.moves)
        if (!move.letter && now.count(move.from) > 0) now.insert(move.to);
    }
  };
  close();
  for (const auto a : word) {
    std::set<State> then;
    for (const auto& move : nfa.moves)
      if (move.letter == a && now.count(move.from) > 0) then.insert(move.to);
    now = then;
    close();
  }
  for (const State q : nfa.accepting)
    if (now.count(q) > 0) return true;
  return false;
}

Nfa random_nfa(std::mt19937& random) {
  Nfa nfa{1 + below(random, 3), below(random, 7), {}, {}, {}};
  if (nfa.states == 0) return nfa;
  const auto some = [&] { return below(random, nfa.states); };
  for (std::uint32_t i = below(random, 3); i > 0; --i) nfa.initial.push_back(some());
  for (std::uint32_t i = below(random, 3); i > 0; --i) nfa.accepting.push_back(some());
  for (std::uint32_t i = below(random, 3 * nfa.states); i > 0; --i) {
    const auto a = below(random, nfa.letters + 1);
    nfa.moves.push_back({some(), a == nfa.letters ? std::nullopt : std::optional(a), some()});
  }
  return nfa;
}

}  // namespace

TEST_CASE("the subset construction accepts what some run accepts", "[automata][nfa]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    Nfa nfa = random_nfa(random);
    const Dfa dfa = determinize(nfa);
    for (const auto& word : tests::words_up_to(nfa.letters, 4)) {
      CAPTURE(seed, word);
      REQUIRE(dfa.accepts(word) == accepts(nfa, word));
    }
    // Automata with more than 256 states that matter take another route to the same automaton.
    for (int i = 0; i < 300; ++i) nfa.accepting.push_back(nfa.states++);
    CAPTURE(seed);
    REQUIRE(determinize(nfa) == dfa);
  }
}

TEST_CASE("more than one word of bits", "[automata][nfa]") {
  // a{100} | a{150}: a path for each, and the ends far apart.
  Nfa nfa{2, 250, {0, 100}, {99, 249}, {}};
  for (State q = 0; q < 249; ++q)
    if (q != 99) nfa.moves.push_back({q, 0, q + 1});
  const Dfa dfa = minimize(determinize(nfa));
  for (std::size_t n = 0; n < 200; ++n) CHECK(dfa.accepts(logic::Word(n, 0)) == (n == 99 || n == 149));
  CHECK(dfa.states() == 151);
}

TEST_CASE("an automaton is its own determinisation", "[automata][nfa]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Dfa dfa = tests::random_dfa(random, 1 + below(random, 400), 1 + below(random, 3));
    CAPTURE(seed);
    REQUIRE(minimize(determinize(to_nfa(dfa))) == minimize(dfa));
  }
}

TEST_CASE("a long chain of ε-moves is linear", "[automata][nfa]") {
  const State n = 200'000;
  Nfa nfa{1, n, {0}, {n - 1}, {}};
  for (State q = 0; q + 1 < n; ++q) nfa.moves.push_back({q, std::nullopt, q + 1});
  nfa.moves.push_back({n - 1, 0, 0});
  CHECK(minimize(determinize(nfa)) == Dfa(1, 0, {0}, {true}));
}

TEST_CASE("subset construction: limits and wrong input", "[automata][nfa]") {
  Nfa nfa{2, 12, {0}, {11}, {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // (a|b)*a(a|b){10}
  for (State q = 1; q < 11; ++q)
    for (const logic::Letter a : {0u, 1u}) nfa.moves.push_back({q, a, q + 1});
  CHECK(minimize(determinize(nfa, 2048)).states() == 2048);
  CHECK_THROWS_WITH(determinize(nfa, 2047), "determinize: 2048 subsets reached, max_states is 2047");
  CHECK_THROWS_AS(determinize(nfa, 2047), std::length_error);

  CHECK_THROWS_WITH(determinize(Nfa{0, 1, {}, {}, {}}), "determinize: no letters");
  CHECK_THROWS_WITH(determinize(Nfa{1, 1, {1}, {}, {}}), "determinize: state 1 of 1");
  CHECK_THROWS_WITH(determinize(Nfa{1, 1, {}, {2}, {}}), "determinize: state 2 of 1");
  CHECK_THROWS_WITH(determinize(Nfa{1, 1, {}, {}, {{0, 0, 3}}}), "determinize: state 3 of 1");
  CHECK_THROWS_WITH(determinize(Nfa{1, 1, {}, {}, {{0, 1, 0}}}), "determinize: letter 1 of 1");
}
