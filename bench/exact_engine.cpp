// The exact engine on (ab)^n: tokens per second of processor time, and memory, as the word grows by tens.
//
//     bench_exact_engine [LONGEST]      (default 10000000)
#include "transformer/exact_engine.hpp"

#include "bench/measure.hpp"
#include "tests/alternating_model.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const auto longest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000ull;
  std::printf("%10s %4s %10s %14s %12s\n", "tokens", "p", "seconds", "tokens/s", "peak MiB");
  for (const int p : {4, 8}) {
    for (unsigned long long tokens = 10'000; tokens <= longest; tokens *= 10) {
      const transformer::ExactEngine engine(tests::alternating_model(transformer::FixedPoint(p, 8)));
      bool accepted = false;
      const double seconds = bench::seconds_of([&] {
        auto run = engine.start();
        for (unsigned long long n = 0; n < tokens; ++n) run.read(static_cast<transformer::Letter>(n % 2));
        accepted = run.accepts();
      });
      std::printf("%10llu %4d %10.4f %14.0f %12.1f\n", tokens, p, seconds,
                  static_cast<double>(tokens) / seconds, bench::peak_mib());
      if (!accepted) {
        std::fprintf(stderr, "bench_exact_engine: (ab)^%llu is rejected\n", tokens / 2);
        return 1;
      }
    }
  }
}
