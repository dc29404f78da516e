// fp16 and bf16 against the conversions of LibTorch.
#include "tests/catch.hpp"
#include "transformer/float_format.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace transformer {
namespace {

TEST_CASE("fp16 and bf16 round as LibTorch's half and bfloat16 do", "[float_format][torch]") {
  std::mt19937 random(23);
  std::size_t right = 0, all = 0;
  for (int i = 0; i < 300'000; ++i) {
    auto bits = static_cast<std::uint32_t>(random());
    if (i % 2 == 0)
      bits = (bits & 0x80ffffffu) |
             (static_cast<std::uint32_t>(random() % 48 + 96) << 23);  // exponents around fp16's
    if (i % 5 == 0) bits &= 0xfffff000u;                              // ties of fp16
    if (i % 5 == 1) bits = (bits & 0xffff0000u) | 0x8000u;            // ties of bf16
    const auto x = std::bit_cast<float>(bits);
    if (std::isnan(x)) continue;
    const double half = FloatFormat::fp16().round(static_cast<double>(x));
    const double bfloat = FloatFormat::bf16().round(static_cast<double>(x));
    ++all;
    if (half == static_cast<double>(static_cast<float>(c10::Half(x))) &&
        bfloat == static_cast<double>(static_cast<float>(c10::BFloat16(x)))) {
      ++right;
      continue;
    }
    CAPTURE(i, x, half, bfloat);
    CHECK(half == static_cast<double>(static_cast<float>(c10::Half(x))));
    CHECK(bfloat == static_cast<double>(static_cast<float>(c10::BFloat16(x))));
  }
  CHECK(right == all);
  CHECK(all > 200'000);
}

}  // namespace
}  // namespace transformer
