#include "transformer/float_format.hpp"

#include "tests/catch.hpp"
#include "tests/transformer/naive_float_engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace transformer {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

using tests::round_exactly;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All non-negative finite numbers of the format in order, written down code by code: fraction bits below
/// exponent bits, as the standards say.
std::vector<double> numbers_of(FloatFormat format) {
  const int m = format.mantissa_bits();
  const int codes = 1 << format.exponent_bits();
  const int bias = codes / 2 - 1;
  std::vector<double> numbers;
  for (int code = 0; code < codes; ++code) {
    for (int fraction = 0; fraction < 1 << m; ++fraction) {
      if (code == codes - 1 && (format.has_infinities() || fraction == (1 << m) - 1)) continue;
      if (code == 0 && fraction != 0 && !format.has_subnormals()) continue;
      const double digits = std::ldexp(fraction, -m);
      numbers.push_back(code == 0 ? std::ldexp(digits, 1 - bias) : std::ldexp(1 + digits, code - bias));
    }
  }
  return numbers;
}

/// The slow reference: rounds any rational by bisecting the table of all numbers, and comparing distances.
class Table {
 public:
  explicit Table(FloatFormat format)
      : format_(format),
        numbers_(numbers_of(
            FloatFormat(format.exponent_bits(), format.mantissa_bits(), true, format.has_infinities()))) {}

  double round(const cpp_rational& x) const {
    if (x < 0) return 0.0 - round(-x);
    const auto above = std::upper_bound(numbers_.begin(), numbers_.end(), x,
                                        [](const cpp_rational& a, double b) { return a < cpp_rational(b); });
    const auto index = static_cast<std::size_t>(above - numbers_.begin()) - 1;  // the last at most x
    const double low = numbers_[index];
    // Beyond the largest stands, for the rounding, what would be the next number.
    const bool last = above == numbers_.end();
    const double high = last ? 2 * low - numbers_[index - 1] : *above;
    const cpp_rational to_low = x - cpp_rational(low), to_high = cpp_rational(high) - x;
    const bool up = to_high < to_low || (to_high == to_low && index % 2 != 0);  // codes count the fractions
    double result = up ? high : low;
    if (result > numbers_.back()) result = format_.has_infinities() ? infinity : numbers_.back();
    if (!format_.has_subnormals() && result < format_.least_normal()) result = 0;
    return result;
  }

  /// The rounding of a double that may be infinite.
  double round_double(double x) const {
    if (std::isinf(x)) return format_.has_infinities() ? x : std::copysign(numbers_.back(), x);
    return round(cpp_rational(x));
  }

 private:
  FloatFormat format_;
  std::vector<double> numbers_;
};

/// Equal, or both NaN; and zero is +0.
bool same(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y && !(x == 0 && std::signbit(x));
}

/// Every format of at most 8 bits.
std::vector<FloatFormat> small_formats() {
  std::vector<FloatFormat> formats;
  for (int e = 2; e <= 6; ++e)
    for (int m = 1; 1 + e + m <= 8; ++m)
      for (const bool subnormals : {true, false})
        for (const bool infinities : {true, false}) formats.emplace_back(e, m, subnormals, infinities);
  return formats;
}

std::vector<double> with_signs(std::vector<double> numbers, bool infinities) {
  const auto count = numbers.size();
  for (std::size_t i = 0; i < count; ++i)
    if (numbers[i] != 0) numbers.push_back(-numbers[i]);
  if (infinities) {
    numbers.push_back(infinity);
    numbers.push_back(-infinity);
  }
  return numbers;
}

TEST_CASE("float formats have stated ranges", "[float_format]") {
  CHECK_THROWS_WITH(FloatFormat(1, 3), "FloatFormat: 1 exponent bits, not one of 2, ..., 8");
  CHECK_THROWS_WITH(FloatFormat(9, 3), "FloatFormat: 9 exponent bits, not one of 2, ..., 8");
  CHECK_THROWS_WITH(FloatFormat(4, 0), "FloatFormat: 0 mantissa bits, not one of 1, ..., 23");
  CHECK_THROWS_WITH(FloatFormat(4, 24), "FloatFormat: 24 mantissa bits, not one of 1, ..., 23");
  CHECK(FloatFormat::e4m3().largest() == 448);  // OCP 8-bit Floating Point Specification, table 1
  CHECK(FloatFormat::e4m3().least_positive() == 0x1p-9);
  CHECK(FloatFormat::e5m2().largest() == 57344);
  CHECK(FloatFormat::e5m2().least_positive() == 0x1p-16);
  CHECK(FloatFormat::fp16().largest() == 65504);
  CHECK(FloatFormat::fp16().least_positive() == 0x1p-24);
  CHECK(FloatFormat::fp16().least_normal() == 0x1p-14);
  CHECK(FloatFormat::bf16().largest() == 0x1.fep127);
  CHECK(FloatFormat::fp32().largest() == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(FloatFormat::fp32().least_positive() ==
        static_cast<double>(std::numeric_limits<float>::denorm_min()));
  CHECK(FloatFormat(5, 10, false).least_positive() == 0x1p-14);
}

TEST_CASE("every 8-bit format rounds, adds and multiplies as the rationals do", "[float_format][law]") {
  for (const FloatFormat& format : small_formats()) {
    CAPTURE(format.exponent_bits(), format.mantissa_bits(), format.has_subnormals(), format.has_infinities());
    const Table table(format);
    const auto positive = numbers_of(format);
    REQUIRE(format.largest() == positive.back());
    REQUIRE(format.least_positive() == positive[1]);
    // Numbers, middles, and what lies just beside them.
    std::vector<double> samples;
    for (std::size_t i = 0; i + 1 < positive.size(); ++i) {
      samples.push_back(positive[i]);
      samples.push_back((positive[i] + positive[i + 1]) / 2);
    }
    const double last = positive.back(), step = last - positive[positive.size() - 2];
    for (const double x : {last, last + step / 2, last + step, 3 * last}) samples.push_back(x);
    for (const double x : samples)
      for (const double y : {x, std::nextafter(x, infinity), std::nextafter(x, -infinity)})
        for (const double z : {y, -y}) {
          CAPTURE(z);
          REQUIRE(same(format.round(z), table.round_double(z)));
        }
    for (const double x : {infinity, -infinity}) REQUIRE(same(format.round(x), table.round_double(x)));
    REQUIRE(std::isnan(format.round(std::numeric_limits<double>::quiet_NaN())));
  }
}

TEST_CASE("sums and products of all pairs of e4m3 and e5m2 are rounded once", "[float_format][law]") {
  for (const FloatFormat& format :
       {FloatFormat::e4m3(), FloatFormat::e5m2(), FloatFormat(3, 2, false, true)}) {
    const Table table(format);
    auto numbers = with_signs(numbers_of(format), false);
#ifndef NDEBUG
    std::erase_if(numbers, [n = 0](double) mutable { return n++ % 5 != 0; });
#endif
    for (const double x : numbers)
      for (const double y : numbers) {
        const cpp_rational a(x), b(y);
        bool right = same(format.round(add_to_odd(x, y)), table.round(a + b)) &&
                     same(format.round(x * y), table.round(a * b));
        if (y > 0) {
          ExactSum above, below;
          above.add(x);
          below.add(y);
          right = right && same(round_quotient(above, below, format), table.round(a / b));
        }
        if (right) continue;
        CAPTURE(format.mantissa_bits(), x, y);
        REQUIRE(right);
      }
  }
}

/// A number of `format` with a random exponent, often near the others'.
double random_number(std::mt19937_64& random, FloatFormat format) {
  const int reach = random() % 3 == 0 ? 120 : 20;
  const auto exponent = static_cast<int>(random() % (2 * static_cast<unsigned>(reach))) - reach;
  auto mantissa = random() >> (63 - format.mantissa_bits());
  if (random() % 4 == 0) mantissa &= mantissa << (random() % 24);  // few digits, so that ties occur
  const double x = format.round(std::ldexp(static_cast<double>(mantissa), exponent - format.mantissa_bits()));
  const double finite = std::min(x, format.largest());
  return random() % 2 == 0 ? finite : -finite;
}

TEST_CASE("sums, products and quotients of wider formats are rounded once", "[float_format][law]") {
  std::mt19937_64 random(11);
  const FloatFormat formats[] = {FloatFormat::fp32(),       FloatFormat::fp16(),
                                 FloatFormat::bf16(),       FloatFormat(8, 23, false, false),
                                 FloatFormat(6, 17, false), FloatFormat(3, 20, true, false)};
#ifdef NDEBUG
  constexpr int cases = 2'000;
#else
  constexpr int cases = 200;
#endif
  for (const FloatFormat& format : formats)
    for (int i = 0; i < cases; ++i) {
      const double a = random_number(random, format), b = random_number(random, format),
                   c = random_number(random, format);
      CAPTURE(format.exponent_bits(), format.mantissa_bits(), i, a, b, c);
      const cpp_rational ra(a), rb(b), rc(c);
      REQUIRE(same(format.round(a * b), round_exactly(ra * rb, format)));
      REQUIRE(same(format.round(add_to_odd(a, b)), round_exactly(ra + rb, format)));
      REQUIRE(same(format.round(add_to_odd(a, b * c)), round_exactly(ra + rb * rc, format)));
      ExactSum sum, positive;
      for (const double x : {a, b * c, -c}) sum.add(x);
      for (const double x : {std::abs(a), b * b, 1.0}) positive.add(x);
      const cpp_rational exact = ra + rb * rc - rc, below = abs(ra) + rb * rb + 1;
      REQUIRE(same(format.round(sum.to_odd()), round_exactly(exact, format)));
      REQUIRE(same(round_quotient(sum, positive, format), round_exactly(exact / below, format)));
    }
}

TEST_CASE("exact sums cancel, and keep infinities", "[float_format]") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> terms;
    for (int j = 0; j < 40; ++j) terms.push_back(random_number(random, FloatFormat::fp32()) * 0x1.8p-60);
    ExactSum sum;
    sum.add(0x1p-290);
    for (const double x : terms) sum.add(x);
    std::shuffle(terms.begin(), terms.end(), random);
    for (const double x : terms) sum.add(-x);
    REQUIRE(sum.to_odd() == 0x1p-290);
  }
  ExactSum sum;
  sum.add(1);
  sum.add(infinity);
  CHECK(sum.to_odd() == infinity);
  sum.add(-infinity);
  CHECK(std::isnan(sum.to_odd()));
}

TEST_CASE("fp32 is the machine's float", "[float_format]") {
  const FloatFormat format = FloatFormat::fp32();
  std::mt19937_64 random(3);
  for (int i = 0; i < 40'000; ++i) {
    const auto pick = [&] {
      auto bits = static_cast<std::uint32_t>(random());
      if (i % 3 == 0) bits = (bits & 0x80ffffffu) | 0x3f000000u;  // near 1
      return std::bit_cast<float>(bits);
    };
    const float a = pick(), b = pick();
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    const auto expect = [&](double ours, float theirs) {
      CAPTURE(i, a, b, ours, theirs);
      REQUIRE((ours == static_cast<double>(theirs) || (std::isnan(ours) && std::isnan(theirs))));
    };
    expect(format.round(add_to_odd(x, y)), a + b);
    expect(format.round(x * y), a * b);
    if (b != 0) expect(format.round(x / y), a / b);
    if (a > 0) expect(format.round(std::sqrt(x)), std::sqrt(a));
  }
}

TEST_CASE("exponentials are correctly rounded", "[float_format]") {
  using Real = boost::multiprecision::cpp_bin_float_50;
  std::mt19937_64 random(2);
  const auto check = [](FloatFormat format, double x) {
    const double y = exponential(x, format);
    // Between the middles to the neighbours, in 50 digits.
    const Real exact = exp(Real(x));
    CAPTURE(format.exponent_bits(), format.mantissa_bits(), x, y);
    REQUIRE(same(y, round_exactly(cpp_rational(exact), format)));
  };
  for (const FloatFormat& format : {FloatFormat::e4m3(), FloatFormat::e5m2()})
    for (const double x : numbers_of(format))
      if (x < 200) check(format, 0.0 - x);
  for (const FloatFormat& format : {FloatFormat::fp32(), FloatFormat::fp16(), FloatFormat::bf16()}) {
    for (int i = 0; i < 300; ++i)
      check(format, format.round(-std::ldexp(static_cast<double>(random() >> 11),
                                             static_cast<int>(random() % 12) - 58)));
    CHECK(exponential(0, format) == 1);
    CHECK(exponential(-infinity, format) == 0);
    CHECK(exponential(-10000, format) == 0);
    CHECK(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN(), format)));
  }
}

}  // namespace
}  // namespace transformer
