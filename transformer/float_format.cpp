// Everything is done in doubles with a check that the double decides the rounding, and in integers of any
// size where it does not.  Rounding to odd keeps a double good for one more rounding: an inexact result gets
// an odd last place, so it is never mistaken for a number of 24 digits or for the middle between two of them.
#include "transformer/float_format.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace transformer {

namespace {

using boost::multiprecision::cpp_int;

/// The neighbour of x whose last place is odd, on the side where the exact value lies: away from 0 when
/// `larger`; x itself when it is odd already.
double made_odd(double x, bool larger) {
  auto bits = std::bit_cast<std::uint64_t>(x);
  if ((bits & 1) == 0) bits = larger ? bits + 1 : bits - 1;
  return std::bit_cast<double>(bits);
}

/// Whether all numbers within a part 2^-50 of x round alike.
bool decides(double x, FloatFormat format) {
  constexpr double error = 0x1p-50;
  return format.round(x * (1 - error)) == format.round(x * (1 + error));
}

/// numerator / 2^shift as a double rounded to odd, with `more` for a remainder above 0; numerator >= 0.
double scaled_to_odd(const cpp_int& numerator, int shift, bool more) {
  if (numerator == 0) return 0;  // what is below the last place of a large shift rounds to 0 everywhere
  const int bits = static_cast<int>(msb(numerator)) + 1;
  const int dropped = bits - 53;
  if (dropped <= 0) {
    const double x = std::ldexp(numerator.convert_to<double>(), -shift);
    assert(!more);
    return x;
  }
  const cpp_int kept = numerator >> dropped;
  more = more || (kept << dropped) != numerator;
  const double x = std::ldexp(kept.convert_to<double>(), dropped - shift);
  return more ? made_odd(x, true) : x;
}

}  // namespace

FloatFormat::FloatFormat(int exponent_bits, int mantissa_bits, bool subnormals, bool infinities)
    : exponent_bits_(exponent_bits),
      mantissa_bits_(mantissa_bits),
      subnormals_(subnormals),
      infinities_(infinities) {
  if (exponent_bits < 2 || exponent_bits > 8)
    throw std::invalid_argument("FloatFormat: " + std::to_string(exponent_bits) +
                                " exponent bits, not one of 2, ..., 8");
  if (mantissa_bits < 1 || mantissa_bits > 23)
    throw std::invalid_argument("FloatFormat: " + std::to_string(mantissa_bits) +
                                " mantissa bits, not one of 1, ..., 23");
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double step = std::ldexp(1.0, -mantissa_bits);
  // The largest fraction of the highest code is NaN where there are no infinities.
  largest_ = infinities ? std::ldexp(2 - step, bias) : std::ldexp(2 - 2 * step, bias + 1);
  least_normal_ = std::ldexp(1.0, 1 - bias);
  subnormal_shift_ = std::ldexp(1.0, 52 + 1 - bias - mantissa_bits);
}

double FloatFormat::least_positive() const {
  return subnormals_ ? std::ldexp(least_normal_, -mantissa_bits_) : least_normal_;
}

double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  // The error of the sum, exactly (Knuth's two-sum).
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  if (error == 0) return sum;
  return made_odd(sum, (error > 0) == (sum > 0));
}

double exponential(double x, FloatFormat format) {
  assert(!(x > 0));
  if (std::isnan(x)) return x;
  if (x == 0) return format.round(1);
  const double y = std::exp(x);
  if (decides(y, format)) return format.round(y);
  // e^x is irrational (Lindemann), so it lies on neither a number nor a middle, and enough digits tell.
  using Real = boost::multiprecision::cpp_bin_float_100;
  const Real exact = exp(Real(x));
  auto near = exact.convert_to<double>();
  return format.round(made_odd(near, exact > Real(near)));
}

void ExactSum::add(double x) {
  if (!std::isfinite(x)) {
    special_ += x;  // opposite infinities make NaN
    return;
  }
  if (x == 0) return;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int code = static_cast<int>(bits >> 52 & 0x7ff);
  assert(code != 0);
  const auto mantissa = static_cast<std::int64_t>((bits & 0xfffffffffffffu) | 0x10000000000000u);
  // The lowest bit of a product of 24-digit numbers is at least 2^-298, but a double's last place may be
  // lower, down to 2^-298-52: hence the offset.
  const int place = code - 1075 + offset;
  assert(place >= 0 && static_cast<std::size_t>(place / 32) + 2 < limbs);
  const auto first = static_cast<std::size_t>(place / 32);
  __extension__ using Wide = unsigned __int128;
  const Wide shifted = static_cast<Wide>(mantissa) << (place % 32);
  constexpr std::uint64_t low = 0xffffffffu;
  const auto sign = x < 0 ? -1 : 1;
  limbs_[first] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) & low);
  limbs_[first + 1] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted >> 32) & low);
  limbs_[first + 2] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted >> 64) & low);
  if (++pending_ == std::uint32_t{1} << 30) carry();
}

/// Makes all limbs but the last lie in 0, ..., 2^32 - 1; the last has the sign of the sum.
void ExactSum::carry() const {
  for (std::size_t i = 0; i + 1 < limbs; ++i) {
    const std::int64_t above = limbs_[i] >> 32;  // floor, since C++20 for negative numbers too
    limbs_[i] -= above * (std::int64_t{1} << 32);
    limbs_[i + 1] += above;
  }
  pending_ = 0;
}

double ExactSum::to_odd() const {
  if (special_ != 0) return special_;  // NaN is not equal to 0 either
  carry();
  // The magnitude, limb by limb.
  std::array<std::int64_t, limbs> digits = limbs_;
  const bool negative = digits[limbs - 1] < 0;
  if (negative) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs; ++i) {
      std::int64_t digit = -digits[i] + borrow;
      borrow = 0;
      if (i + 1 < limbs && digit < 0) {
        digit += std::int64_t{1} << 32;
        borrow = -1;
      }
      digits[i] = digit;
    }
  }
  std::size_t top = limbs;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0;
  --top;
  // Three limbs hold at least 65 bits, so the double below has all its 53 from them.
  __extension__ using Wide = unsigned __int128;
  Wide high = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    high <<= 32;
    if (top >= i) high += static_cast<Wide>(digits[top - i]);
  }
  bool more = false;
  for (std::size_t i = 0; i + 2 < top; ++i) more = more || digits[i] != 0;
  const auto upper = static_cast<std::uint64_t>(high >> 64);
  const int bits =
      upper != 0 ? 128 - std::countl_zero(upper) : 64 - std::countl_zero(static_cast<std::uint64_t>(high));
  const int dropped = std::max(bits - 53, 0);
  const auto kept = static_cast<std::uint64_t>(high >> dropped);
  more = more || (static_cast<Wide>(kept) << dropped) != high;
  const int place = 32 * (static_cast<int>(top) - 2) - offset + dropped;
  double x = std::ldexp(static_cast<double>(kept), place);
  if (more) x = made_odd(x, true);
  return negative ? -x : x;
}

double round_quotient(const ExactSum& numerator, const ExactSum& denominator, FloatFormat format) {
  const double top = numerator.to_odd();
  const double bottom = denominator.to_odd();
  assert(!(bottom <= 0));
  const double quotient = top / bottom;
  if (!std::isfinite(top) || !std::isfinite(bottom) || top == 0) return format.round(quotient);
  if (decides(quotient, format)) return format.round(quotient);
  const auto integer = [](const ExactSum& sum) {
    cpp_int n = 0;
    for (std::size_t i = ExactSum::limbs; i-- > 0;) n = (n << 32) + sum.limbs_[i];  // carried by to_odd
    return n;
  };
  cpp_int n = integer(numerator);
  const bool negative = n < 0;
  if (negative) n = -n;
  const cpp_int d = integer(denominator);
  // Shifted so that the quotient has at least 64 bits; those behind are told by the remainder.
  const int shift = std::max(0, 65 + static_cast<int>(msb(d)) - static_cast<int>(msb(n)));
  const cpp_int shifted = n << shift;
  const cpp_int whole = shifted / d;
  const double x = scaled_to_odd(whole, shift, shifted != whole * d);
  return format.round(negative ? -x : x);
}

}  // namespace transformer
