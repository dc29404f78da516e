// Random numbers without state: each is a function of a seed, a purpose, a step and its place in the stream.
//
// So a sample depends on what it is for and on its number, and not on what was drawn before it or on which
// thread drew it, and it is the same on every platform.  The function is Philox4x32-10: ten rounds of two
// multiplications, a bijection of 128-bit counters for each key (Salmon, Moraes, Dror & Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace automata {

/// The block of Philox4x32-10 for a counter and a key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t x = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t y = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(y >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(y),
               static_cast<std::uint32_t>(x >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(x)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// The stream of a seed, a purpose and a step: seed is the key, the others are in the counter.
///
/// Streams with different triples never share a block.  A stream begins anew after 2^34 numbers.  It is a
/// UniformRandomBitGenerator, but the distributions of the standard library differ between platforms: use
/// below().
class Random {
 public:
  using result_type = std::uint32_t;

  /// `purpose` is a small number that the caller gives each of its uses of random numbers.
  explicit Random(std::uint64_t seed, std::uint32_t purpose = 0, std::uint64_t step = 0)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{0, purpose, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32)} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xFFFFFFFF; }

  /// The next 32 bits.
  std::uint32_t operator()() {
    if (used_ == block_.size()) {
      block_ = philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }

  /// A uniform number in [0, bound), without bias.  `bound` must not be 0; asserted.
  std::uint64_t below(std::uint64_t bound) {
    assert(bound != 0);
    std::uint64_t mask = bound - 1;  // the least 2^i - 1 that covers bound - 1; accepted at least every
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;  // other time
    while (true) {
      std::uint64_t number = (*this)();
      if (mask > max()) number |= std::uint64_t{(*this)()} << 32;
      number &= mask;
      if (number < bound) return number;
    }
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = 4;
};

}  // namespace automata
