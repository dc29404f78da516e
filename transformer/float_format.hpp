// Binary floating-point formats of at most 32 bits, and sums and quotients in them.
//
// A number of such a format is held as the double of the same value.  Products of two are exact in a double;
// what is not goes through the functions below, so that every result is the exact real number rounded once,
// by FloatFormat::round.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace transformer {

/// 0 and ±1.f · 2^e, with a fraction f of `mantissa_bits` bits and an exponent e of `exponent_bits` bits.
///
/// The exponent bias is 2^(exponent_bits - 1) - 1, as in IEEE 754.  With subnormals there are also ±0.f · 2^e
/// for the least e; without, what would round to one of them is 0.  With infinities the highest exponent code
/// stands for infinity and NaN, and what rounds beyond the largest number is infinite.  Without infinities
/// that code holds numbers too, except for its last fraction, as in OCP's 8-bit e4m3, and what is beyond the
/// largest number goes to it.
class FloatFormat {
 public:
  /// Throws std::invalid_argument unless 2 <= exponent_bits <= 8 and 1 <= mantissa_bits <= 23.
  FloatFormat(int exponent_bits, int mantissa_bits, bool subnormals = true, bool infinities = true);

  static FloatFormat fp32() { return FloatFormat(8, 23); }
  static FloatFormat fp16() { return FloatFormat(5, 10); }
  static FloatFormat bf16() { return FloatFormat(8, 7); }
  static FloatFormat e5m2() { return FloatFormat(5, 2); }
  static FloatFormat e4m3() { return FloatFormat(4, 3, true, false); }

  int exponent_bits() const { return exponent_bits_; }
  int mantissa_bits() const { return mantissa_bits_; }
  bool has_subnormals() const { return subnormals_; }
  bool has_infinities() const { return infinities_; }

  /// The largest finite number.
  double largest() const { return largest_; }
  /// The least positive number with a full mantissa.
  double least_normal() const { return least_normal_; }
  /// The least positive number.
  double least_positive() const;

  /// The number of the format nearest to x, ties to the even fraction; NaN for NaN.  There is one zero.
  ///
  /// This is the one place where floating point rounds.
  double round(double x) const {
    const double magnitude = std::abs(x);
    double r;
    if (magnitude < least_normal_) {
      // The last place of the sum is that of the subnormals.  (Rounds to nearest, as C++ programs start.)
      r = (magnitude + subnormal_shift_) - subnormal_shift_;
      if (!subnormals_ && r < least_normal_) r = 0;
    } else if (magnitude <= std::numeric_limits<double>::max()) {
      const int dropped = 52 - mantissa_bits_;
      auto bits = std::bit_cast<std::uint64_t>(magnitude);
      bits += (std::uint64_t{1} << (dropped - 1)) - 1 + (bits >> dropped & 1);
      bits &= ~((std::uint64_t{1} << dropped) - 1);
      r = std::bit_cast<double>(bits);
    } else if (std::isnan(x)) {
      return x;
    } else {
      r = magnitude;
    }
    if (r > largest_) r = infinities_ ? std::numeric_limits<double>::infinity() : largest_;
    return std::copysign(r, x) + 0.0;
  }

  friend bool operator==(const FloatFormat&, const FloatFormat&) = default;

 private:
  int exponent_bits_;
  int mantissa_bits_;
  bool subnormals_;
  bool infinities_;
  double largest_;
  double least_normal_;
  double subnormal_shift_;
};

/// a + b as a double that every format rounds as it would round the exact sum ("rounded to odd"; Boldo and
/// Melquiond 2008).  a and b are sums, products or numbers of formats: no double overflows or underflows.
double add_to_odd(double a, double b);

/// e^x rounded, for a number x <= 0 of the format, -infinity included.  Correct whatever the machine's exp
/// does, if its error is below 2^-50.
double exponential(double x, FloatFormat format);

/// A sum of products of two numbers of formats, exact whatever their order.  Infinities and NaN count as in
/// IEEE 754.
class ExactSum {
 public:
  void add(double x);

  /// A double that every format rounds as it would round the sum.
  double to_odd() const;

 private:
  friend double round_quotient(const ExactSum& numerator, const ExactSum& denominator, FloatFormat format);

  // The sum of limbs_[i] · 2^(32 i - offset): 2^-298 is the smallest product, and 2^258 is above all of them.
  static constexpr int offset = 352;
  static constexpr std::size_t limbs = 24;
  void carry() const;

  mutable std::array<std::int64_t, limbs> limbs_{};
  mutable std::uint32_t pending_ = 0;  // additions since the last carry
  double special_ = 0;                 // infinity or NaN, once there was one
};

/// The quotient of two exact sums, rounded once; the denominator is greater than 0.
double round_quotient(const ExactSum& numerator, const ExactSum& denominator, FloatFormat format);

}  // namespace transformer
