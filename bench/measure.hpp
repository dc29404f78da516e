// What benchmarks measure: processor time and peak memory of this process.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

/// Processor seconds of work().
template <class Work>
double seconds_of(Work work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The least of `repetitions` calls: what the work costs when nothing else disturbs it.
template <class Work>
double least_seconds_of(int repetitions, Work work) {
  double least = seconds_of(work);
  for (int i = 1; i < repetitions; ++i) least = std::min(least, seconds_of(work));
  return least;
}

/// work() in a process of its own, so that peak_mib() in it is that of this work.
template <class Work>
void apart(Work work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) std::puts("the row failed");
}

/// The most memory that the process has held so far.
inline double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace bench
