// The reference arithmetic: fixed point with p fractional bits and a stated integer range.
//
// A number is an integer multiple of 2^-p, held as that integer (its "raw" value).  Sums and products are
// exact in wide integers and are rounded once, by round_quotient, to the nearest multiple, ties to even; what
// is out of range goes to the end of its side.  Results therefore depend on no order of summation.
#pragma once

#include <cstdint>
#include <vector>

namespace transformer {

__extension__ using Wide = __int128;

/// The grid i·2^-fraction_bits, |i·2^-fraction_bits| < 2^integer_bits.
///
/// Throws std::invalid_argument unless 0 <= fraction_bits <= 16 and 1 <= integer_bits <= 16.
class FixedPoint {
 public:
  explicit FixedPoint(int fraction_bits = 4, int integer_bits = 8);

  int fraction_bits() const { return fraction_bits_; }
  int integer_bits() const { return integer_bits_; }
  /// The raw value of 1, that is 2^p.
  std::int64_t one() const { return std::int64_t{1} << fraction_bits_; }
  /// The largest raw value; the smallest is its negative.
  std::int64_t largest() const { return (std::int64_t{1} << (fraction_bits_ + integer_bits_)) - 1; }
  double to_double(std::int64_t raw) const { return static_cast<double>(raw) / static_cast<double>(one()); }

  friend bool operator==(const FixedPoint&, const FixedPoint&) = default;

 private:
  int fraction_bits_;
  int integer_bits_;
};

/// numerator/denominator to the nearest integer, ties to even, clamped to the range of `format`.
///
/// This is the one place where the reference arithmetic rounds.  denominator > 0.
std::int64_t round_quotient(Wide numerator, Wide denominator, FixedPoint format);

/// The raw value of the grid point nearest to x, ties to even, clamped.  x must be a number (asserted).
std::int64_t round_to(double x, FixedPoint format);

/// The soft-max numerators rnd(exp(s)) for the non-positive scores s = 0, -1, -2, ... (raw), up to the last
/// that is not 0.
///
/// Rounded correctly whatever the machine's exp does, and made once for each p: the reference stays valid. At
/// most 2^p (p+1) entries; any number of threads may ask.
const std::vector<std::int64_t>& exponential_table(FixedPoint format);

/// How many positions of equal score can share attention before each weight rounds to zero: 2^(p+1) - 1.
std::uint64_t vanishing_count(FixedPoint format);

}  // namespace transformer
