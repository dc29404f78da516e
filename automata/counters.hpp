// Counters: words that move a state in a cycle.  A language is star-free exactly when its minimal automaton
// has none (docs/ladder.md).
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace automata {

/// p·word differs from p, and `period`, a prime, is the least i with p·word^i = p.
struct Counter {
  State p = 0;
  Word word;
  std::uint64_t period = 0;
};

struct CounterSearch {
  std::optional<Counter> counter;
  bool complete = false;     // all counters were looked for: none means that there is none
  std::uint64_t primes = 0;  // how many periods, from 2 on, were looked at completely
  std::uint64_t edges = 0;   // looked at
};

/// Searches for a counter among tuples of states, by increasing period.
///
/// Deciding whether there is one is PSPACE-complete; here the work is bounded.  Period 2 takes k·n^2 edges
/// for n states and k letters; larger ones follow tuples that can pass for a cycle, in the worst case
/// k·n^period edges. Stops, incomplete, before `max_edges` edges are passed.  Deterministic.
CounterSearch find_counter(const Dfa& dfa, std::size_t max_edges = 10'000'000);

}  // namespace automata
