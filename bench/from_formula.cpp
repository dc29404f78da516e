// Formula to minimal automaton on growing families: processor time and peak memory of each.
//
//     bench_from_formula [LETTERS]      (default 18: the farthest letter from the end)
#include "automata/from_formula.hpp"

#include "automata/files.hpp"
#include "bench/measure.hpp"
#include "logic/scan.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

using automata::Dfa;
using automata::Letter;
using automata::State;
using logic::Arena;
using logic::Formula;

using bench::peak_mib;
using bench::seconds_of;

namespace {

void row(const char* family, std::uint32_t n, Formula f, Letter letters) {
  Dfa dfa(1, 0, {0}, {false});
  const double construction = seconds_of([&] { dfa = automata::from_formula(f, letters); });
  std::vector<std::string> names;
  for (Letter a = 0; a < letters; ++a) names.push_back("a" + std::to_string(a));
  const automata::Language language{logic::Alphabet(names), dfa};
  std::size_t bytes = 0;
  const double printing = seconds_of([&] { bytes = automata::to_json(language).size(); });
  std::printf("%-34s %7u %9u %12.4f %9.4f %9.0f\n", family, n, dfa.states(), construction, printing,
              peak_mib());
  if (bytes == 0) std::abort();
}

void long_word(const char* text, Formula f) {
  for (const std::size_t n : {1'000'000u, 10'000'000u, 100'000'000u}) {
    logic::Scan scan(f, 2);
    const logic::Word piece(1'000'000, 0);
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < n; i += piece.size()) scan.read(piece);
      if (scan.accepts()) std::abort();  // there is no b
    });
    std::printf("%-34s %10zu %9.4f %9.0f %9.0f\n", text, n, seconds, static_cast<double>(n) / seconds / 1e6,
                peak_mib());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto farthest = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 18);
  std::printf("%-34s %7s %9s %12s %9s %9s\n", "family", "n", "states", "seconds", "printing", "peak MiB");
  for (const std::uint32_t n : {4u, 16u, 64u, 256u}) {
    Arena arena;
    Formula chain = arena.letter(0);
    for (Letter a = 1; a < n; ++a) chain = arena.conjunction(arena.letter(a), arena.previously(chain));
    row("a1 before a2 before ... an", n, arena.previously(chain), n);
  }
  for (std::uint32_t n = 10; n <= farthest; n += 2) {
    Arena arena;
    row("Y^n a: the n-th letter from the end", n, arena.yesterday(arena.letter(0), n), 2);
  }
  for (const std::uint32_t n : {10u, 100u, 1000u, 10'000u, 100'000u}) {
    Arena arena;
    row("Y<=n a: an a among the last n", n, arena.window(arena.letter(0), n), 2);
  }
  for (const std::uint32_t n : {10u, 100u, 300u}) {
    Arena arena;
    row("Y<=n>=2 a: two among the last n", n, arena.window(arena.letter(0), n, 2), 2);
  }
  for (const std::uint32_t n : {8u, 12u, 16u}) {
    Arena arena;
    row("Y<=n>=n/2 a: half of the last n", n, arena.window(arena.letter(0), n, n / 2), 2);
  }
  for (const std::uint32_t n : {1000u, 10'000u, 100'000u}) {
    Arena arena;
    Formula f = arena.previously(arena.letter(0));
    for (std::uint32_t i = 0; i < n; ++i) f = arena.negation(f);
    row("n negations", n, f, 2);
  }

  std::printf("\n%-34s %10s %9s %9s %9s\n", "scanning a long word", "letters", "seconds", "million/s",
              "peak MiB");
  Arena arena;
  const Formula a = arena.letter(0);
  const Formula b = arena.letter(1);
  long_word("P(b & Y a)", arena.previously(arena.conjunction(b, arena.yesterday(a))));
  long_word("a S b | Y<=100 b", arena.disjunction(arena.since(a, b), arena.window(b, 100)));
  long_word("Y<=100>=50 b", arena.window(b, 100, 50));
}
