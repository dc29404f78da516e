// Semigroups, Green's relations and all classes on growing families: processor time and peak memory.
//
//     bench_semigroup
#include "automata/catalogue.hpp"
#include "automata/classes.hpp"
#include "automata/green.hpp"
#include "automata/ladder.hpp"
#include "automata/minimize.hpp"
#include "bench/measure.hpp"
#include "tests/words.hpp"

#include <cstdio>
#include <string>

using automata::Dfa;
using automata::State;

using bench::peak_mib;
using bench::seconds_of;

namespace {

// A cycle, a transposition and a map of rank n - 1 generate all n^n maps.
Dfa all_maps(State n) {
  std::vector<State> next;
  for (State q = 0; q < n; ++q) {
    next.push_back((q + 1) % n);
    next.push_back(q < 2 ? 1 - q : q);
    next.push_back(q == n - 1 ? 0 : q);
  }
  std::vector<bool> accepting(n, false);
  accepting[0] = true;
  return Dfa(3, 0, std::move(next), std::move(accepting));
}

void row(const std::string& family, const Dfa& dfa) {
  std::size_t elements = 0, j_classes = 0;
  double enumeration = 0, green = 0;
  {
    std::optional<automata::Semigroup> semigroup;
    enumeration = seconds_of([&] { semigroup.emplace(dfa); });
    elements = semigroup->monoid_size();
    green = seconds_of([&] { j_classes = automata::green(*semigroup).j.count; });
  }
  const double ladder = seconds_of([&] { automata::ladder(dfa); });
  const double classes = seconds_of([&] { automata::decide_classes(dfa); });
  std::printf("%-12s %8u %10zu %8zu %9.3f %9.3f %9.3f %9.3f %9.0f\n", family.c_str(), dfa.states(), elements,
              j_classes, enumeration, green, ladder, classes, peak_mib());
}

}  // namespace

int main() {
  std::printf("%-12s %8s %10s %8s %9s %9s %9s %9s %9s\n", "family", "states", "elements", "J", "enumerate",
              "Green", "ladder", "classes", "peak MiB");
  for (const State n : {13u, 25u, 50u, 100u})
    row("dyck:" + std::to_string(n), automata::find_language("dyck:" + std::to_string(n))->dfa);
  for (const State n : {5u, 6u, 7u}) row("all maps", all_maps(n));

  std::printf("\nrandom automata over two letters, all classes beside the ladder\n");
  for (const State n : {50u, 200u, 800u, 3200u}) {
    std::mt19937 random(n);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, n, 2));
    int unknown = 0;
    const double seconds = seconds_of([&] {
      for (const auto& answer : automata::decide_classes(dfa)) unknown += answer.member ? 0 : 1;
    });
    std::printf("%8u states %9.3f s, %d unknown, peak %.0f MiB\n", dfa.states(), seconds, unknown,
                peak_mib());
  }
}
