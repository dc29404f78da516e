// The ways in which heads are computed, against the definition in plain loops.
#include "transformer/torch_attention.hpp"

#include "tests/transformer/torch_catch.hpp"
#include "tests/words.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include <ATen/ATen.h>

using namespace transformer;
using at::Tensor;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Entries in [-2, 2] with `steps` different values.
Tensor random_tensor(std::mt19937& random, std::vector<std::int64_t> shape, std::uint32_t steps) {
  auto x = at::empty(shape, at::kDouble);
  auto* entries = x.data_ptr<double>();
  for (std::int64_t i = 0; i < x.numel(); ++i)
    entries[i] = 4.0 * tests::below(random, steps) / (steps - 1) - 2.0;
  return x;
}

/// What query t puts out, where it sees the keys first <= j < end.
std::vector<double> literal(const Tensor& q, const Tensor& k, const Tensor& v, std::int64_t b, std::int64_t h,
                            std::int64_t t, std::int64_t first, std::int64_t end) {
  const auto qs = q.accessor<double, 4>();
  const auto ks = k.accessor<double, 4>();
  const auto vs = v.accessor<double, 4>();
  std::vector<double> mixed(static_cast<std::size_t>(v.size(3)), 0.0);
  double sum = 0;
  for (std::int64_t j = first; j < end; ++j) {
    double score = 0;
    for (std::int64_t c = 0; c < k.size(3); ++c) score += qs[b][h][t][c] * ks[b][h][j][c];
    sum += std::exp(score);
    for (std::size_t c = 0; c < mixed.size(); ++c)
      mixed[c] += std::exp(score) * vs[b][h][j][static_cast<std::int64_t>(c)];
  }
  for (double& x : mixed) x = sum > 0 ? x / sum : 0;
  return mixed;
}

void check_row(const Tensor& o, const std::vector<double>& expected, std::int64_t b, std::int64_t h,
               std::int64_t t) {
  const auto os = o.accessor<double, 4>();
  for (std::size_t c = 0; c < expected.size(); ++c) {
    const double x = os[b][h][t][static_cast<std::int64_t>(c)];
    if (!(std::abs(x - expected[c]) < 1e-9)) {
      CAPTURE(b, h, t, c, x, expected[c]);
      FAIL("another value");
    }
  }
}

struct Shape {
  std::int64_t batch, heads, queries, keys, d;
};

}  // namespace

TEST_CASE("attend is the soft-max over what is seen", "[torch][attention]") {
  std::mt19937 random(1);
  const std::vector<Shape> shapes{{2, 3, 1, 0, 2},      {2, 1, 1, 1, 1},       {1, 2, 5, 4, 2},
                                  {3, 2, 7, 7, 2},      {1, 2, 4, 40, 3},      {1, 1, 70, 70, 1},
                                  {1, 2, 300, 1100, 2}, {2, 1, 1300, 1299, 1}, {1, 1, 1030, 1500, 2}};
  for (const Shape& shape : shapes) {
    for (const std::uint32_t steps : {2u, 3u, 1000u}) {  // few different keys and many
      for (const Mask mask : {Mask::global(), Mask::local(1), Mask::local(3), Mask::local(40)}) {
        const auto q = random_tensor(random, {shape.batch, shape.heads, shape.queries, shape.d}, steps);
        const auto k = random_tensor(random, {shape.batch, shape.heads, shape.keys, shape.d}, steps);
        const auto v = random_tensor(random, {shape.batch, shape.heads, shape.keys, shape.d}, steps);
        CAPTURE(shape.batch, shape.heads, shape.queries, shape.keys, shape.d, steps, to_string(mask));
        const auto o = attend(q, k, v, mask, no_limit);
        REQUIRE(o.sizes() == q.sizes());
        if (mask.window() == 1) CHECK(o.allclose(shift(v, shape.queries)));
        const std::int64_t step = shape.queries > 100 ? 13 : 1;
        for (std::int64_t b = 0; b < shape.batch; ++b) {
          for (std::int64_t h = 0; h < shape.heads; ++h) {
            for (std::int64_t t = 0; t < shape.queries; t += step) {
              const auto end = shape.keys - shape.queries + t + 1;
              const auto first = mask.is_global() ? 0 : std::max<std::int64_t>(0, end - mask.window());
              check_row(o, literal(q, k, v, b, h, t, first, end), b, h, t);
            }
          }
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("attend_before sees what is before the end of each word", "[torch][attention]") {
  std::mt19937 random(2);
  for (const std::int64_t keys : {0, 1, 6, 30}) {
    const auto q = random_tensor(random, {4, 2, 1, 2}, 1000);
    const auto k = random_tensor(random, {4, 2, keys, 2}, 1000);
    const auto v = random_tensor(random, {4, 2, keys, 2}, 1000);
    const auto ends = at::tensor({std::int64_t{0}, keys, keys / 2, std::min<std::int64_t>(1, keys)});
    for (const Mask mask : {Mask::global(), Mask::local(1), Mask::local(3)}) {
      CAPTURE(keys, to_string(mask));
      const auto o = attend_before(q, k, v, mask, ends);
      for (std::int64_t b = 0; b < 4; ++b) {
        const auto end = ends[b].item<std::int64_t>();
        const auto first = mask.is_global() ? 0 : std::max<std::int64_t>(0, end - mask.window());
        for (std::int64_t h = 0; h < 2; ++h) check_row(o, literal(q, k, v, b, h, 0, first, end), b, h, 0);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("large scores neither overflow nor make a nan", "[torch][attention]") {
  std::mt19937 random(3);
  for (const std::uint32_t steps : {2u, 1000u}) {
    const auto q = random_tensor(random, {1, 1, 1500, 1}, steps) * 1e4;
    const auto k = random_tensor(random, {1, 1, 1500, 1}, steps) * 1e4;
    const auto v = random_tensor(random, {1, 1, 1500, 1}, steps);
    const auto o = attend(q, k, v, Mask::global(), no_limit);
    CHECK(o.isfinite().all().item<bool>());
    CHECK(o.abs().max().item<double>() <= 2.0);
  }
}

TEST_CASE("with gradients the result is the same, and the gradient that of the soft-max",
          "[torch][attention]") {
  std::mt19937 random(4);
  for (const std::uint32_t steps : {2u, 1000u}) {
    const auto q = random_tensor(random, {1, 1, 1200, 1}, steps);
    const auto k = random_tensor(random, {1, 1, 1200, 1}, steps);
    const auto v = random_tensor(random, {1, 1, 1200, 1}, steps);
    const auto plain = attend(q, k, v, Mask::global(), no_limit);
    const auto key = k.clone().requires_grad_(true);
    const auto o = attend(q, key, v, Mask::global(), no_limit);
    CHECK(o.allclose(plain));
    o.sum().backward();
    // By the difference quotient at one key.
    for (const std::int64_t j : {0, 5, 900}) {
      auto moved = k.clone();
      moved[0][0][j][0] += 1e-6;
      const double above = attend(q, moved, v, Mask::global(), no_limit).sum().item<double>();
      moved[0][0][j][0] -= 2e-6;
      const double below = attend(q, moved, v, Mask::global(), no_limit).sum().item<double>();
      CHECK(key.grad()[0][0][j][0].item<double>() ==
            Approx((above - below) / 2e-6).epsilon(1e-3).margin(1e-4));
    }
  }
}

TEST_CASE("bf16 is rounded once", "[torch][attention]") {
  // The average of 4096 ones is 1, which sums rounded to bf16 (8 bits) would miss.
  const auto zeros = at::zeros({1, 1, 4096, 1}, at::kBFloat16);
  const auto o = attend(zeros, zeros, zeros + 1, Mask::global(), no_limit);
  CHECK(o.scalar_type() == at::kBFloat16);
  CHECK((o == 1).all().item<bool>());
}

TEST_CASE("a limit on scores is kept where they would be computed", "[torch][attention][errors]") {
  std::mt19937 random(5);
  const auto many = random_tensor(random, {1, 1, 2000, 1}, 100'000);
  const auto few = random_tensor(random, {1, 1, 2000, 1}, 3);
  CHECK_THROWS_AS(attend(many, many, many, Mask::global(), 1e5), std::length_error);
  CHECK_NOTHROW(attend(many, few, few, Mask::global(), 1e5));  // 9 kinds at most
  CHECK_NOTHROW(attend(many, many, many, Mask::local(5), 1e5));
  CHECK_NOTHROW(attend(many.narrow(2, 0, 1), many, many, Mask::global(), 1e5));
}
