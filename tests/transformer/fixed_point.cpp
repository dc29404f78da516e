#include "transformer/fixed_point.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace transformer {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// The integer nearest to x by trying the neighbours: another route than round_quotient's.
std::int64_t nearest(const cpp_rational& x, FixedPoint format) {
  const cpp_int low = cpp_int(numerator(x) / denominator(x)) - 1;  // towards 0, so below x within 2
  cpp_int best = low;
  for (cpp_int i = low; i <= low + 2; ++i) {
    const cpp_rational mine = abs(x - cpp_rational(i)), other = abs(x - cpp_rational(best));
    if (mine < other || (mine == other && i % 2 == 0)) best = i;
  }
  if (best > format.largest()) return format.largest();
  if (best < -format.largest()) return -format.largest();
  return best.convert_to<std::int64_t>();
}

TEST_CASE("formats have stated ranges", "[fixed_point]") {
  CHECK_THROWS_WITH(FixedPoint(-1, 8), "FixedPoint: -1 fraction bits, not one of 0, ..., 16");
  CHECK_THROWS_WITH(FixedPoint(17, 8), "FixedPoint: 17 fraction bits, not one of 0, ..., 16");
  CHECK_THROWS_WITH(FixedPoint(4, 0), "FixedPoint: 0 integer bits, not one of 1, ..., 16");
  CHECK_THROWS_WITH(FixedPoint(4, 17), "FixedPoint: 17 integer bits, not one of 1, ..., 16");
  CHECK(FixedPoint(4, 8).one() == 16);
  CHECK(FixedPoint(4, 8).largest() == 4095);
  CHECK(FixedPoint(0, 1).largest() == 1);
  CHECK(FixedPoint(4, 8).to_double(-24) == -1.5);
}

TEST_CASE("round_quotient is the nearest integer, ties to even, clamped", "[fixed_point]") {
  const FixedPoint format(2, 4);  // largest 63
  for (int n = -700; n <= 700; ++n)
    for (int d = 1; d <= 40; ++d) {
      CAPTURE(n, d);
      REQUIRE(round_quotient(n, d, format) == nearest(cpp_rational(n, d), format));
    }
}

TEST_CASE("round_quotient at the ends of 128 bits", "[fixed_point]") {
  const FixedPoint format(16, 16);
  const Wide most = ((Wide{1} << 126) - 1) * 2 + 1;
  const Wide least = -most - 1;
  CHECK(round_quotient(most, 1, format) == format.largest());
  CHECK(round_quotient(least, 1, format) == -format.largest());
  CHECK(round_quotient(most, most, format) == 1);
  CHECK(round_quotient(least, most, format) == -1);
  CHECK(round_quotient(most / 2, most, format) == 0);                  // just below one half
  CHECK(round_quotient(most / 2 + 1, most, format) == 1);              // just above
  CHECK(round_quotient((most - 1) / 2, most - 1, format) == 0);        // a tie at 0.5
  CHECK(round_quotient(-((most - 1) / 2), most - 1, format) == 0);     // and at -0.5
  CHECK(round_quotient((most / 4) * 3, (most / 4) * 2, format) == 2);  // and at 1.5
  const Wide low64 = std::numeric_limits<std::int64_t>::min();
  CHECK(round_quotient(low64, 1, format) == -format.largest());
  CHECK(round_quotient(low64, -low64, format) == -1);

  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    // Quotients around the ends of the range and around small half-integers, of all widths.
    const auto d = static_cast<std::int64_t>(random() >> (1 + random() % 63)) + 1;
    const auto q = static_cast<std::int64_t>(random() % 9) - 4 +
                   (i % 3 == 0   ? 0
                    : i % 3 == 1 ? format.largest()
                                 : -format.largest());
    const Wide n = static_cast<Wide>(q) * d + static_cast<std::int64_t>(random() % 3) - 1 + d / 2;
    CAPTURE(i, q, d);
    REQUIRE(round_quotient(n, d, format) ==
            nearest(cpp_rational(cpp_int(q) * d + static_cast<std::int64_t>(n - static_cast<Wide>(q) * d), d),
                    format));
  }
}

TEST_CASE("round_to is exact", "[fixed_point]") {
  for (const int p : {0, 1, 4, 16})
    for (const int b : {1, 8, 16}) {
      const FixedPoint format(p, b);
      std::mt19937 random(7);
      std::vector<double> samples{0.0,
                                  -0.0,
                                  0.5,
                                  1.5,
                                  2.5,
                                  -0.5,
                                  -1.5,
                                  -2.5,
                                  1e-300,
                                  -1e-300,
                                  5e-324,
                                  1e300,
                                  -1e300,
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};
      for (int i = 0; i < 1000; ++i) {
        const double tie = std::ldexp(static_cast<double>(random() % 2000) - 1000.0, -p - 1);
        samples.push_back(tie);
        samples.push_back(std::nextafter(tie, 1e9));
        samples.push_back(std::nextafter(tie, -1e9));
        samples.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 40) - 40));
      }
      for (const double x : samples) {
        CAPTURE(p, b, x);
        if (std::isinf(x)) {
          REQUIRE(round_to(x, format) == (x > 0 ? format.largest() : -format.largest()));
        } else {
          REQUIRE(round_to(x, format) == nearest(cpp_rational(x) * format.one(), format));
        }
      }
    }
}

TEST_CASE("the table of exponentials is correctly rounded", "[fixed_point]") {
  using Real = boost::multiprecision::cpp_bin_float_50;
  for (int p = 0; p <= 16; ++p) {
    const auto& table = exponential_table(FixedPoint(p, 8));
    REQUIRE(&table == &exponential_table(FixedPoint(p, 1)));
    REQUIRE(table.front() == std::int64_t{1} << p);
    REQUIRE(table.back() >= 1);
    const std::size_t stride = p <= 9 ? 1 : table.size() / 3001 + 1;
    for (std::size_t i = 0; i <= table.size();
         i = i + stride <= table.size() || i == table.size() ? i + stride : table.size()) {
      const Real exact = ldexp(exp(ldexp(-Real(i), -p)), p);
      const std::int64_t entry = i < table.size() ? table[i] : 0;  // past the end, and from there on, is 0
      CAPTURE(p, i, entry);
      REQUIRE((i == 0 || (exact > Real(entry) - 0.5 && exact < Real(entry) + 0.5)));
    }
  }
}

TEST_CASE("uniform attention keeps its sum up to the vanishing count and then is 0", "[fixed_point][law]") {
  for (int p = 0; p <= 10; ++p) {
    const FixedPoint format(p, 8);
    const std::uint64_t last = vanishing_count(format);
    REQUIRE(last == (std::uint64_t{1} << (p + 1)) - 1);
    for (std::uint64_t c = 1; c <= 2 * last + 5; ++c) {
      // c positions of weight rnd(1/c), computed as the engines do: e / Z with e = 1.
      const auto weight = round_quotient(static_cast<Wide>(format.one()) << p,
                                         static_cast<Wide>(c) * static_cast<Wide>(format.one()), format);
      const auto sum = static_cast<std::uint64_t>(weight) * c;
      const auto one = static_cast<std::uint64_t>(format.one());
      CAPTURE(p, c, weight);
      if (c <= last) {
        REQUIRE(3 * sum > 2 * one);  // even above 2/3, so in [1/2, 2)
        REQUIRE(sum < 2 * one);
      } else {
        REQUIRE(weight == 0);
      }
    }
  }
}

}  // namespace
}  // namespace transformer
