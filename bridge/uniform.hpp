// What attention to equal scores gives in an arithmetic: the one thing about rounding that compiled networks
// depend on.
//
// A head attends to c positions with score 0 and value `scale`, and to any number of others with score
// -suppress and value 0, in any order; its output is r, which may depend on that order.  docs/compile.md
// proves what is said here.
#pragma once

#include "transformer/arithmetic.hpp"

#include <cstdint>
#include <optional>

namespace bridge {

struct UniformAttention {
  float suppress = 32;  // a power of two, with rnd(exp(-suppress)) = 0
  float scale = 1;      // a power of two
  float slope = 1;      // a power of two: r >= 1/slope for 1 <= c <= lasting, and r = 0 for c = 0
  std::optional<std::uint64_t> lasting;  // none: every c
  bool sharp = true;                     // whether r = 0 for all c > lasting
  bool exact_sums = true;                // whether sums round once, so that x + 1 - x is 1 for every x
  std::size_t integers = 0;  // sums of integers are exact, in every order, as long as they stay up to this
};

/// Throws std::invalid_argument, with the reason, where no network can be compiled: a format without
/// -suppress, with fewer than 2 mantissa bits, or with too small a range for scale and slope.
UniformAttention uniform_attention(const transformer::Arithmetic& arithmetic);

}  // namespace bridge
