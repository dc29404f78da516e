#include "automata/minimize.hpp"

#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <map>

using automata::Dfa;
using automata::State;
using tests::below;

namespace {

/// The oracle: Moore's refinement with maps, then breadth-first numbers.
Dfa moore(const Dfa& dfa) {
  std::vector<State> block(dfa.states());
  for (State q = 0; q < dfa.states(); ++q) block[q] = dfa.is_accepting(q) ? 1 : 0;
  for (std::size_t blocks = 0;;) {
    std::map<std::vector<State>, State> rows;
    std::vector<State> finer(dfa.states());
    for (State q = 0; q < dfa.states(); ++q) {
      std::vector<State> row{block[q]};
      for (logic::Letter a = 0; a < dfa.letters(); ++a) row.push_back(block[dfa.next(q, a)]);
      finer[q] = rows.emplace(row, static_cast<State>(rows.size())).first->second;
    }
    block = finer;
    if (rows.size() == blocks) break;
    blocks = rows.size();
  }
  std::map<State, State> number{{block[dfa.start()], 0}};
  std::vector<State> members{dfa.start()};
  std::vector<State> next;
  std::vector<bool> accepting;
  for (std::size_t i = 0; i < members.size(); ++i) {
    accepting.push_back(dfa.is_accepting(members[i]));
    for (logic::Letter a = 0; a < dfa.letters(); ++a) {
      const State q = dfa.next(members[i], a);
      const auto [entry, is_new] = number.emplace(block[q], static_cast<State>(number.size()));
      if (is_new) members.push_back(q);
      next.push_back(entry->second);
    }
  }
  return Dfa(dfa.letters(), 0, next, accepting);
}

}  // namespace

TEST_CASE("minimize agrees with Moore's refinement on all small automata", "[automata][minimize]") {
  const auto check = [](const Dfa& dfa) {
    const Dfa minimal = minimize(dfa);
    if (minimal == moore(dfa)) return;
    CAPTURE(dfa.table(), dfa.accepting(), minimal.table());
    FAIL("not the minimal automaton");
  };
  for (State n = 1; n <= 5; ++n) tests::for_each_dfa(n, 1, check);
  for (State n = 1; n <= 3; ++n) tests::for_each_dfa(n, 2, check);
  for (State n = 1; n <= 2; ++n) tests::for_each_dfa(n, 3, check);
}

TEST_CASE("the minimal automaton has the same language", "[automata][minimize]") {
  const auto words = tests::words_up_to(2, 6);
  tests::for_each_dfa(3, 2, [&](const Dfa& dfa) {
    const Dfa minimal = minimize(dfa);
    for (const auto& word : words) {
      if (dfa.accepts(word) == minimal.accepts(word)) continue;
      CAPTURE(dfa.table(), dfa.accepting(), word);
      FAIL("different");
    }
  });
}

TEST_CASE("minimize agrees with Moore's refinement on random automata", "[automata][minimize]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const State states = 1 + below(random, 60);
    const logic::Letter letters = 1 + below(random, 4);
    // A copy of states with the same rows, under a random renaming, so that there is something to merge.
    const Dfa base = tests::random_dfa(random, 1 + below(random, states), letters);
    std::vector<State> next(std::size_t{states} * letters);
    std::vector<bool> accepting(states);
    const auto offset = below(random, states);
    const auto copy_of = [&](State q) { return (q + offset) % base.states(); };
    for (State q = 0; q < states; ++q) {
      accepting[q] = base.is_accepting(copy_of(q));
      for (logic::Letter a = 0; a < letters; ++a) {
        std::vector<State> copies;
        for (State p = 0; p < states; ++p)
          if (copy_of(p) == base.next(copy_of(q), a)) copies.push_back(p);
        next[std::size_t{q} * letters + a] = copies[below(random, static_cast<std::uint32_t>(copies.size()))];
      }
    }
    const Dfa dfa(letters, below(random, states), next, accepting);
    CAPTURE(seed);
    REQUIRE(minimize(dfa) == moore(dfa));
  }
}

TEST_CASE("states that cannot be reached do not count", "[automata][minimize]") {
  CHECK(minimize(Dfa(1, 2, {1, 0, 2}, {true, false, false})) == Dfa(1, 0, {0}, {false}));
  CHECK(minimize(Dfa(2, 1, {0, 0, 1, 1}, {false, true})) == Dfa(2, 0, {0, 0}, {true}));
}

TEST_CASE("a million states", "[automata][minimize]") {
  const State n = 1'000'000;
  std::vector<State> chain(n);
  for (State q = 0; q < n; ++q) chain[q] = q + 1 < n ? q + 1 : q;
  std::vector<bool> last(n, false);
  last[n - 1] = true;
  CHECK(minimize(Dfa(1, 0, chain, last)).states() == n);  // all differ, the first two after n - 2 letters

  std::vector<State> cycle(chain);
  cycle[n - 1] = 0;
  std::vector<bool> every_thousandth(n);
  for (State q = 0; q < n; ++q) every_thousandth[q] = q % 1000 == 0;
  CHECK(minimize(Dfa(1, 0, cycle, every_thousandth)).states() == 1000);
}
