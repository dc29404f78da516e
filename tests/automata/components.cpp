#include "automata/components.hpp"

#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <numeric>
#include <random>
#include <vector>

using automata::Dfa;
using automata::State;

TEST_CASE("components, their order and periods, against walks of every length", "[automata][components]") {
  const unsigned seed = 4;
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(seed, round);
    const State n = 1 + tests::below(random, 7);
    const Dfa dfa = tests::random_dfa(random, n, 1 + tests::below(random, 2));
    // lengths[p][q]: the lengths of walks from p to q; up to 2n every cycle and every way is seen
    const std::size_t longest = 2 * n;
    std::vector<std::vector<std::vector<std::size_t>>> lengths(n, std::vector<std::vector<std::size_t>>(n));
    for (State p = 0; p < n; ++p) {
      std::vector<bool> now(n, false);
      now[p] = true;
      for (std::size_t length = 0; length <= longest; ++length) {
        std::vector<bool> after(n, false);
        for (State q = 0; q < n; ++q) {
          if (!now[q]) continue;
          lengths[p][q].push_back(length);
          for (automata::Letter a = 0; a < dfa.letters(); ++a) after[dfa.next(q, a)] = true;
        }
        now = after;
      }
    }
    const auto parts = automata::components(dfa);
    std::vector<std::size_t> part(n, parts.size());
    for (std::size_t c = 0; c < parts.size(); ++c)
      for (const State q : parts[c].states) part[q] = c;
    for (State p = 0; p < n; ++p) {
      REQUIRE(part[p] < parts.size());
      for (State q = 0; q < n; ++q) {
        const bool both_ways = !lengths[p][q].empty() && !lengths[q][p].empty();
        CHECK((part[p] == part[q]) == both_ways);
        if (!lengths[p][q].empty()) CHECK(part[p] <= part[q]);
      }
    }
    for (const auto& component : parts) {
      std::size_t period = 0;
      for (const State q : component.states)
        for (const std::size_t length : lengths[q][q]) period = std::gcd(period, length);
      CHECK(component.period == period);
      for (std::size_t i = 0; period > 0 && i < component.states.size(); ++i) {
        for (std::size_t j = 0; j < component.states.size(); ++j)
          for (const std::size_t length : lengths[component.states[i]][component.states[j]])
            CHECK((component.level[i] + length) % period == component.level[j] % period);
      }
    }
  }
}
