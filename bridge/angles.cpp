#include "bridge/angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bridge {

using transformer::FixedPoint;
using transformer::Wide;

namespace {

const double pi = std::acos(-1.0);

/// cos or sin of 2πn/m; exactly ±1/2, 0 and ±1 where it is that, so that ties are ties.
double on_circle(std::uint32_t n, std::uint32_t m, bool sine) {
  const double angle = 2 * pi * n / m;
  const double x = sine ? std::sin(angle) : std::cos(angle);
  const double rational = std::round(2 * x) / 2;
  return std::abs(x - rational) < 1e-12 ? rational : x;
}

}  // namespace

AngleTable::AngleTable(std::uint32_t modulus, FixedPoint format, bool halved)
    : modulus_(modulus), format_(format) {
  for (std::uint32_t n = 0; n < modulus; ++n) {
    for (const bool sine : {false, true}) {
      const double x = on_circle(n, modulus, sine);
      (sine ? sine_ : cosine_).push_back(round_to(halved ? (1 + x) / 2 : x, format));
    }
  }
}

float AngleTable::entry(std::uint32_t n, bool sine) const {
  return static_cast<float>(format_.to_double(sine ? sine_[n] : cosine_[n]));
}

std::optional<AngleUnit> AngleTable::separate(std::uint32_t r) const {
  const int p = format_.fraction_bits();
  const int b = format_.integer_bits();
  const Wide one = format_.one();
  struct Direction {
    std::int64_t cosine, sine;
    Wide own;    // the product at r
    Wide other;  // the largest one elsewhere
  };
  std::vector<Direction> directions;  // of length 1, 2, 4, ...: the longer, the finer
  for (int i = 0; i <= b - 2; ++i) {
    const double length = std::ldexp(1.0, i);
    Direction d{round_to(length * on_circle(r, modulus_, false), format_),
                round_to(length * on_circle(r, modulus_, true), format_), 0, 0};
    const auto product = [&](std::uint32_t n) {
      return Wide{d.cosine} * cosine_[n] + Wide{d.sine} * sine_[n];
    };
    d.own = product(r);
    bool any = false;
    for (std::uint32_t n = 0; n < modulus_; ++n) {
      if (n == r) continue;
      d.other = any ? std::max(d.other, product(n)) : product(n);
      any = true;
    }
    if (any && d.other < d.own) directions.push_back(d);
  }
  for (int j = 0; j <= std::min(p, b - 1); ++j) {
    const std::int64_t wanted = format_.one() >> j;  // what the relu is at r, raw
    for (const Direction& d : directions) {
      const std::int64_t middle = wanted - round_quotient(d.own, one, format_);
      // A tie may round to the other side once the bias is added.
      for (const std::int64_t bias : {middle, middle - 1, middle + 1}) {
        if (round_quotient(d.own + bias * one, one, format_) != wanted) continue;
        if (round_quotient(d.other + bias * one, one, format_) > 0) continue;
        const auto number = [&](std::int64_t raw) { return static_cast<float>(format_.to_double(raw)); };
        return AngleUnit{number(d.cosine), number(d.sine), number(bias), std::ldexp(1.0f, j)};
      }
    }
  }
  return std::nullopt;
}

std::uint32_t proven_angle_modulus(FixedPoint format, bool halved) {
  const double cosine = 1 - std::ldexp(halved ? 12.0 : 6.0, -format.fraction_bits());
  if (cosine < -1) return 1;
  return static_cast<std::uint32_t>(2 * pi / std::acos(cosine));
}

}  // namespace bridge
