// Proofs for words of every length, as the fraction bits grow: seconds of processor time and states explored to
// verify the compiled networks of seven languages.  Then: all words up to a length against an automaton, on the
// exact engine, with shared prefixes.
//
//     bench_verify [FRACTION_BITS]      (default 8)
#include "bridge/verify.hpp"

#include "automata/catalogue.hpp"
#include "automata/express.hpp"
#include "automata/ladder.hpp"
#include "bridge/agreement.hpp"
#include "bridge/compile.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/resource.h>

namespace {

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

transformer::Model network(const automata::Language& language, int fraction_bits) {
  using automata::Logic;
  logic::Arena arena;
  std::optional<logic::Formula> f;
  for (const auto logic : {Logic::y, Logic::p, Logic::py, Logic::py_mod})
    if (!f && automata::decide(language.dfa, logic).member == true)
      f = automata::express(arena, language.dfa, logic);
  bridge::CompileOptions options;
  options.arithmetic = transformer::FixedPoint(fraction_bits, 8);
  return bridge::compile(f.value(), language.alphabet, options);
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 8;
  std::printf("%-12s %4s %8s %10s %10s %10s\n", "language", "p", "layers", "states", "seconds", "peak MiB");
  for (const char* name :
       {"ends-a", "ends-ab", "starts-a", "a-before-b", "alternating", "contains-ab", "dyck-2"}) {
    const auto language = automata::find_language(name).value();
    for (int p = 2; p <= most; ++p) {
      const auto model = network(language, p);
      bridge::DecompileOptions options;
      options.max_states = 100'000'000;
      const std::clock_t begin = std::clock();
      const auto answer = bridge::verify(model, language.dfa, options);
      std::printf("%-12s %4d %8zu %10zu %10.4f %10.1f\n", name, p, model.layers.size(), answer.explored_states,
                  seconds_since(begin), peak_mebibytes());
      if (answer.counterexample) {
        std::fprintf(stderr, "bench_verify: the network of %s is wrong\n", name);
        return 1;
      }
    }
  }
  std::printf("\n%-12s %10s %10s %10s\n", "alternating", "length", "words", "seconds");
  const auto language = automata::find_language("alternating").value();
  const auto model = network(language, 4);
  for (const std::size_t length : {14, 16, 18, 20}) {
    const std::clock_t begin = std::clock();
    const auto agreement = bridge::compare_all_words(model, length, language.dfa);
    std::printf("%-12s %10zu %10llu %10.3f\n", "", length, static_cast<unsigned long long>(agreement.words),
                seconds_since(begin));
    if (agreement.counterexample) return 1;
  }
}
