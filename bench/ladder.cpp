// The ladder on growing automata: processor time of each decision, and peak memory.
//
//     bench_ladder [STATES]      (default 5000: the largest automaton for LTL[P,Y])
#include "automata/ladder.hpp"

#include "automata/minimize.hpp"
#include "automata/semigroup.hpp"
#include "bench/measure.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

using automata::Dfa;
using automata::Logic;
using automata::State;

namespace {

// Each row in a process of its own; the least time of three calls.
void row(const char* family, const std::function<Dfa()>& make, std::initializer_list<Logic> logics) {
  for (const Logic logic : logics) {
    bench::apart([&] {
      const Dfa dfa = make();
      automata::Membership membership;
      const double seconds = bench::least_seconds_of(3, [&] { membership = automata::decide(dfa, logic); });
      std::printf("%-22s %8u %-13s %-8s %9.4f %9.0f  %s\n", family, dfa.states(),
                  std::string(automata::name(logic)).c_str(),
                  !membership.member   ? "unknown"
                  : *membership.member ? "yes"
                                       : "no",
                  seconds, bench::peak_mib(), membership.note.c_str());
    });
  }
}

// a moves one state on, b up to three: partially ordered.  With `back`, b leads back once, in the middle.
Dfa ordered(State n, bool back) {
  std::mt19937 random(n);
  std::vector<State> next;
  for (State q = 0; q < n; ++q) {
    next.push_back(std::min(q + 1, n - 1));
    next.push_back(std::min(q + tests::below(random, 4), n - 1));
  }
  if (back) next[n + 1] = n / 2 - 1;
  std::vector<bool> accepting(n, false);
  accepting[n - 1] = true;
  return Dfa(2, 0, std::move(next), std::move(accepting));
}

// (a^(n-2) b)*: one component of n - 1 states, and a sink.  In LTL[P,Y]; every pair of states is visited.
Dfa ring(State n) {
  std::vector<State> next(std::size_t{n} * 2, n - 1);
  for (State q = 0; q + 2 < n; ++q) next[2 * q] = q + 1;
  next[2 * (n - 2) + 1] = 0;
  std::vector<bool> accepting(n, false);
  accepting[0] = true;
  return Dfa(2, 0, std::move(next), std::move(accepting));
}

// a moves one state on, b three on, both to the sink at the end; the last state leads back.
Dfa two_speeds(State n) {
  const State sink = n - 1;
  std::vector<State> next(std::size_t{n} * 2, sink);
  for (State q = 0; q < sink; ++q) {
    if (q + 1 < sink) next[2 * q] = q + 1;
    if (q + 3 < sink) next[2 * q + 1] = q + 3;
  }
  next[2 * (sink - 1) + 1] = 0;
  std::vector<bool> accepting(n, false);
  accepting[0] = true;
  return automata::minimize(Dfa(2, 0, std::move(next), std::move(accepting)));
}

// The k-th letter from the end is a: 2^k states, all of whose rows merge.
Dfa letter_from_end(int k) {
  const State n = State{1} << k;
  std::vector<State> next(std::size_t{n} * 2);
  std::vector<bool> accepting(n);
  for (State q = 0; q < n; ++q) {
    next[2 * q] = (2 * q + 1) % n;
    next[2 * q + 1] = 2 * q % n;
    accepting[q] = q >= n / 2;
  }
  return Dfa(2, 0, std::move(next), std::move(accepting));
}

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

}  // namespace

int main(int argc, char** argv) {
  const auto largest = static_cast<State>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 5000);
  std::printf("%-22s %8s %-13s %-8s %9s %9s  %s\n", "family", "states", "logic", "answer", "seconds",
              "peak MiB", "note");
  for (const State n : {31'250u, 125'000u, 500'000u}) {
    row("ordered", [=] { return ordered(n, false); }, {Logic::p, Logic::p_mod});
    row("ordered, one way back", [=] { return ordered(n, true); }, {Logic::p, Logic::p_mod});
  }
  for (const int k : {13, 15, 17, 19})
    row("letter from the end", [=] { return letter_from_end(k); }, {Logic::y, Logic::y_mod});
  for (const State n : {largest / 16, largest / 8, largest / 4, largest / 2, largest}) {
    row("ring", [=] { return ring(n); }, {Logic::py, Logic::py_mod});
    row("two speeds", [=] { return two_speeds(n); }, {Logic::py, Logic::py_mod});
    row("random",
        [=] {
          std::mt19937 random(n);
          return automata::minimize(tests::random_dfa(random, n, 2));
        },
        {Logic::py, Logic::py_mod, Logic::y_mod, Logic::p_mod, Logic::s, Logic::s_mod});
  }

  std::printf("\n%-22s %8s %12s %9s %14s %9s\n", "semigroup", "states", "elements", "seconds", "elements/s",
              "peak MiB");
  for (const State n : {5u, 6u, 7u}) {
    const Dfa dfa = all_maps(n);
    std::size_t size = 0;
    const double seconds = bench::seconds_of([&] { size = automata::Semigroup(dfa).size(); });
    std::printf("%-22s %8u %12zu %9.3f %14.0f %9.0f\n", "all maps", n, size, seconds,
                static_cast<double>(size) / seconds, bench::peak_mib());
  }
}
