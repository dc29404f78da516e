// The numerators of the soft-max are powers of one number, e^(-1/2^p), so they are enclosed between two
// running products, one rounded down and one rounded up.  No e^(-i/2^p) with i > 0 is rational (Lindemann),
// so none lies midway between two grid points, and an enclosure that is narrow enough decides every rounding.
// 160 bits are narrow enough for every i and every p <= 16: the assertion below, which the tests run for all
// of them.
#include "transformer/fixed_point.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>

namespace transformer {

namespace {

constexpr int max_fraction_bits = 16;
constexpr int max_integer_bits = 16;

using Big = boost::multiprecision::checked_uint512_t;
constexpr int scale = 160;  // fractional bits of the enclosures

struct Enclosure {
  Big low;
  Big high;
};

/// e^(-1/2^p) times 2^scale.
Enclosure smallest_step(int p) {
  // The alternating series of the terms 2^(-pn)/n!, each of them floored.  A term's error is at most that of
  // the last divided by n, plus 1: always less than 2.  So is the tail, which is less than its first term.
  Big plus = 0, minus = 0, term = Big(1) << scale;
  unsigned n = 0;
  for (; term != 0; ++n) {
    (n % 2 == 0 ? plus : minus) += term;
    term = (term >> p) / (n + 1);
  }
  const Big error = 2 * (n + 1);
  return {plus - minus - error, plus - minus + error};
}

std::vector<std::int64_t> make_table(int p) {
  const Enclosure step = smallest_step(p);
  const Big one = Big(1) << scale;
  const Big half = one >> 1;
  Enclosure power{one, one};
  std::vector<std::int64_t> table;
  while (true) {
    const Big low = ((power.low << p) + half) >> scale;
    assert(low == ((power.high << p) + half) >> scale);
    if (low == 0) return table;
    table.push_back(low.convert_to<std::int64_t>());
    power.low = (power.low * step.low) >> scale;
    power.high = ((power.high * step.high) >> scale) + 1;
  }
}

}  // namespace

FixedPoint::FixedPoint(int fraction_bits, int integer_bits)
    : fraction_bits_(fraction_bits), integer_bits_(integer_bits) {
  if (fraction_bits < 0 || fraction_bits > max_fraction_bits)
    throw std::invalid_argument("FixedPoint: " + std::to_string(fraction_bits) +
                                " fraction bits, not one of 0, ..., 16");
  if (integer_bits < 1 || integer_bits > max_integer_bits)
    throw std::invalid_argument("FixedPoint: " + std::to_string(integer_bits) +
                                " integer bits, not one of 1, ..., 16");
}

std::int64_t round_quotient(Wide numerator, Wide denominator, FixedPoint format) {
  assert(denominator > 0);
  // Rounding towards 0 first; the remainder has the sign of the numerator.
  Wide quotient, remainder;
  constexpr Wide least = std::numeric_limits<std::int64_t>::min();
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (numerator > least && numerator <= most && denominator <= most) {  // narrow division is much faster
    const auto n = static_cast<std::int64_t>(numerator);
    const auto d = static_cast<std::int64_t>(denominator);
    quotient = n / d;
    remainder = n % d;
  } else {
    quotient = numerator / denominator;
    remainder = numerator % denominator;
  }
  const Wide distance = remainder < 0 ? -remainder : remainder;
  const Wide rest = denominator - distance;  // compared instead of 2 * distance, which could overflow
  if (distance > rest || (distance == rest && quotient % 2 != 0)) quotient += numerator < 0 ? -1 : 1;
  const Wide largest = format.largest();
  if (quotient > largest) return format.largest();
  if (quotient < -largest) return -format.largest();
  return static_cast<std::int64_t>(quotient);
}

std::int64_t round_to(double x, FixedPoint format) {
  assert(!std::isnan(x));
  const double scaled = std::ldexp(x, format.fraction_bits());  // exact, or infinite
  const auto largest = static_cast<double>(format.largest());
  if (scaled >= largest) return format.largest();
  if (scaled <= -largest) return -format.largest();
  const double below = std::floor(scaled);
  const double distance =
      scaled - below;  // exact, since |scaled| < 2^32 and so below and scaled share digits
  auto raw = static_cast<std::int64_t>(below);
  if (distance > 0.5 || (distance == 0.5 && raw % 2 != 0)) ++raw;
  return raw;
}

const std::vector<std::int64_t>& exponential_table(FixedPoint format) {
  static std::array<std::once_flag, max_fraction_bits + 1> made;
  static std::array<std::vector<std::int64_t>, max_fraction_bits + 1> tables;
  const auto p = static_cast<std::size_t>(format.fraction_bits());
  std::call_once(made[p], [&] { tables[p] = make_table(format.fraction_bits()); });
  return tables[p];
}

std::uint64_t vanishing_count(FixedPoint format) {
  return (std::uint64_t{2} << format.fraction_bits()) - 1;
}

}  // namespace transformer
