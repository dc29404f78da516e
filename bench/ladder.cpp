// The ladder on growing automata: processor time of each decision, and peak memory.
//
//     bench_ladder [STATES]      (default 3000: the largest automaton for LTL[P,Y])
#include "automata/ladder.hpp"

#include "automata/minimize.hpp"
#include "automata/semigroup.hpp"
#include "tests/words.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <sys/resource.h>

using automata::Dfa;
using automata::Logic;
using automata::State;

namespace {

double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void row(const char* family, const Dfa& dfa, std::initializer_list<Logic> logics) {
  for (const Logic logic : logics) {
    automata::Membership membership;
    const double seconds = seconds_of([&] { membership = automata::decide(dfa, logic); });
    std::printf("%-22s %8u %-13s %-8s %9.3f %9.0f  %s\n", family, dfa.states(),
                std::string(automata::name(logic)).c_str(),
                !membership.member   ? "unknown"
                : *membership.member ? "yes"
                                     : "no",
                seconds, peak_mib(), membership.note.c_str());
  }
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
  const auto largest = static_cast<State>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3000);
  std::printf("%-22s %8s %-13s %-8s %9s %9s  %s\n", "family", "states", "logic", "answer", "seconds",
              "peak MiB", "note");
  for (State n = largest / 16; n <= largest; n *= 2) {
    std::mt19937 random(n);
    row("random", automata::minimize(tests::random_dfa(random, n, 2)),
        {Logic::py, Logic::py_mod, Logic::y_mod, Logic::p_mod, Logic::s, Logic::s_mod});
  }
  for (State n = largest / 16; n <= largest; n *= 2) row("ring", ring(n), {Logic::py, Logic::py_mod});
  for (State n = largest / 16; n <= largest; n *= 2) row("two speeds", two_speeds(n), {Logic::py});
  for (const int k : {10, 13, 16, 19}) row("letter from the end", letter_from_end(k), {Logic::y, Logic::py});

  std::printf("\n%-22s %8s %12s %9s %14s %9s\n", "semigroup", "states", "elements", "seconds", "elements/s",
              "peak MiB");
  for (const State n : {5u, 6u, 7u}) {
    const Dfa dfa = all_maps(n);
    std::size_t size = 0;
    const double seconds = seconds_of([&] { size = automata::Semigroup(dfa).size(); });
    std::printf("%-22s %8u %12zu %9.3f %14.0f %9.0f\n", "all maps", n, size, seconds,
                static_cast<double>(size) / seconds, peak_mib());
  }
}
