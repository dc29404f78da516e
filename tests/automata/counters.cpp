#include "automata/counters.hpp"

#include "automata/catalogue.hpp"
#include "automata/ladder.hpp"
#include "automata/minimize.hpp"
#include "automata/semigroup.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <map>

using automata::Dfa;
using automata::Logic;
using automata::State;

namespace {

void check_counter(const Dfa& dfa, const automata::Counter& counter) {
  State q = counter.p;
  for (std::uint64_t i = 1; i <= counter.period; ++i) {
    q = dfa.run(q, counter.word);
    CHECK((q == counter.p) == (i == counter.period));
  }
}

// Rings of m and, beside a sink, sparse letters: counters of other periods than 2.
Dfa sparse(std::mt19937& random) {
  const State n = 3 + tests::below(random, 6);
  const automata::Letter k = 1 + tests::below(random, 3);
  std::vector<State> next(std::size_t{n} * k);
  for (auto& q : next) q = tests::below(random, 2) == 0 ? n - 1 : tests::below(random, n);
  for (State q = 0; q + 1 < n; ++q)
    if (tests::below(random, 8) != 0) next[std::size_t{q} * k] = (q + 1) % (n - 1);
  for (automata::Letter a = 0; a < k; ++a) next[std::size_t{n - 1} * k + a] = n - 1;
  std::vector<bool> accepting(n, false);
  accepting[0] = true;
  accepting[tests::below(random, n)] = true;
  return automata::minimize(Dfa(k, 0, std::move(next), std::move(accepting)));
}

}  // namespace

TEST_CASE("counters are found exactly where the semigroup is not aperiodic", "[counters][law]") {
  std::map<std::uint64_t, int> seen;  // by period; 0: none
  const auto check = [&](const Dfa& dfa) {
    const auto search = automata::find_counter(dfa);
    const bool aperiodic = automata::is_aperiodic(automata::Semigroup(dfa));
    REQUIRE(search.counter.has_value() == !aperiodic);
    if (search.counter)
      check_counter(dfa, *search.counter);
    else
      CHECK(search.complete);
    ++seen[search.counter ? search.counter->period : 0];

    // Where the semigroup may not be built, the ladder answers by counters.
    const auto answer = automata::decide(dfa, Logic::s, {.max_elements = 1});
    CHECK(answer.member == aperiodic);
  };
  tests::for_each_dfa(3, 2, [&](const Dfa& dfa) {
    if (automata::minimize(dfa) == dfa) check(dfa);
  });
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    check(seed % 2 == 0 ? sparse(random) : automata::minimize(tests::random_dfa(random, 4, 2)));
  }
  for (const std::uint64_t period : {0, 2, 3, 5, 7}) {
    CAPTURE(period);
    CHECK(seen[period] >= 10);
  }
}

TEST_CASE("a budget for counters that is too small leaves the question open", "[counters]") {
  const auto dyck = automata::find_language("dyck:9")->dfa;
  const auto none = automata::find_counter(dyck, 100);
  CHECK_FALSE(none.counter);
  CHECK_FALSE(none.complete);
  CHECK(none.primes == 0);
  const auto some = automata::find_counter(dyck, 300);
  CHECK_FALSE(some.counter);
  CHECK(automata::find_counter(dyck).complete);
  CHECK(automata::decide(dyck, Logic::s, {.max_elements = 10}).member == true);
  CHECK(automata::decide(dyck, Logic::s, {.max_elements = 10, .max_counter_edges = 100}).member ==
        std::nullopt);
}
