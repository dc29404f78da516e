#include "transformer/arithmetic.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace transformer {
namespace {

std::vector<Arithmetic> many_arithmetics() {
  std::vector<Arithmetic> list;
  for (const auto rule : {AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                          AttentionRule::clamped_denominator, AttentionRule::partial_sums}) {
    list.emplace_back(FixedPoint(4, 8), rule);
    list.emplace_back(FixedPoint(3, 2), rule);
    for (const auto order : {SumOrder::exact, SumOrder::left_to_right, SumOrder::pairwise}) {
      if (rule == AttentionRule::partial_sums && order == SumOrder::exact) continue;
      for (const auto& format : {FloatFormat::fp32(), FloatFormat::fp16(), FloatFormat::bf16(),
                                 FloatFormat::e5m2(), FloatFormat::e4m3(), FloatFormat(4, 3),
                                 FloatFormat(2, 5, false, false), FloatFormat(8, 7, false)})
        list.emplace_back(format, rule, order);
    }
  }
  return list;
}

TEST_CASE("arithmetics are read as they are written", "[arithmetic]") {
  for (const Arithmetic& arithmetic : many_arithmetics()) {
    CAPTURE(to_string(arithmetic));
    CHECK(arithmetic_of(to_string(arithmetic)) == arithmetic);
  }
  CHECK(to_string(Arithmetic()) == "fixed(4,8)");
  CHECK(to_string(Arithmetic(FixedPoint(3, 2), AttentionRule::partial_sums)) == "fixed(3,2)/partial-sums");
  CHECK(to_string(Arithmetic(FloatFormat::e4m3())) == "e4m3");
  CHECK(to_string(Arithmetic(FloatFormat(5, 10))) == "fp16");
  CHECK(to_string(Arithmetic(FloatFormat(8, 7, false, false), AttentionRule::rounded_quotient,
                             SumOrder::pairwise)) ==
        "float(8,7,no-subnormals,no-infinities)/rounded-quotient/pairwise");
  CHECK(arithmetic_of(" bf16 / exact / rounded-weights ") ==
        Arithmetic(FloatFormat::bf16(), AttentionRule::rounded_weights, SumOrder::exact));
  CHECK(arithmetics_of("fixed(4,8), bf16,float(5,2)/exact") ==
        std::vector<Arithmetic>{
            FixedPoint(4, 8), FloatFormat::bf16(),
            Arithmetic(FloatFormat::e5m2(), AttentionRule::rounded_weights, SumOrder::exact)});
}

TEST_CASE("what is no arithmetic is refused with the reason", "[arithmetic]") {
  struct Case {
    const char* text;
    const char* what;
  };
  for (const auto& [text, what] : {
           Case{"", "is no number format"},
           Case{"fp64", "'fp64' is no number format: fixed(p,b), fp32"},
           Case{"fixed(4)", "has two numbers"},
           Case{"fixed(4,8", "is no number format"},
           Case{"fixed(4,x)", "'x' is no number of bits"},
           Case{"fixed(17,8)", "17 fraction bits, not one of"},
           Case{"float(9,3)", "9 exponent bits, not one of"},
           Case{"float(5,2,saturating)", "'saturating' is neither"},
           Case{"float(5,2,no-infinities,no-infinities)", "once each"},
           Case{"fixed(4,8)/exact", "only floating point has an order"},
           Case{"bf16/exact/pairwise", "two orders"},
           Case{"bf16/partial-sums/rounded-weights", "two rules"},
           Case{"bf16/partial-sums/exact", "that is rounded-weights"},
           Case{"bf16/kahan", "'kahan' is neither a rule"},
           Case{"bf16,,fp16", "is no number format"},
       }) {
    std::string message = "(read)";
    try {
      arithmetics_of(text);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    CAPTURE(text, message);
    CHECK(message.find(what) != std::string::npos);
  }
}

TEST_CASE("who needs the reference arithmetic says so", "[arithmetic]") {
  CHECK(Arithmetic(FixedPoint(2, 6)).reference("verify") == FixedPoint(2, 6));
  CHECK_THROWS_WITH(Arithmetic(FixedPoint(2, 6), AttentionRule::rounded_quotient).reference("verify"),
                    "verify: needs fixed point with rounded weights, not fixed(2,6)/rounded-quotient");
  CHECK_THROWS_WITH(Arithmetic(FloatFormat::bf16()).fixed_point(),
                    "Arithmetic::fixed_point: bf16 is floating point");
  CHECK_THROWS_WITH(Arithmetic().floating_point(), "Arithmetic::floating_point: fixed(4,8) is fixed point");
  CHECK_THROWS_AS(Arithmetic(FloatFormat::bf16(), AttentionRule::partial_sums, SumOrder::exact),
                  std::invalid_argument);
}

/// The weight of one of c positions with numerator 1, by adding up ones as the rule and the order say.
double weight_of_one(std::uint64_t c, const Arithmetic& arithmetic) {
  if (arithmetic.is_fixed_point()) {
    const FixedPoint format = arithmetic.fixed_point();
    Wide sum = static_cast<Wide>(c) * format.one();
    if (arithmetic.rule() != AttentionRule::rounded_weights) sum = std::min<Wide>(sum, format.largest());
    return format.to_double(
        round_quotient(static_cast<Wide>(format.one()) << format.fraction_bits(), sum, format));
  }
  const FloatFormat format = arithmetic.floating_point();
  double sum = 0;
  if (arithmetic.rule() != AttentionRule::partial_sums) {
    sum = static_cast<double>(c);
    if (arithmetic.rule() == AttentionRule::clamped_denominator) sum = std::min(sum, format.largest());
    if (std::isinf(format.round(sum))) sum = format.round(sum);
  } else if (arithmetic.order() == SumOrder::left_to_right) {
    for (std::uint64_t i = 0; i < c; ++i) sum = format.round(sum + 1);
  } else {
    const std::function<double(std::uint64_t)> ones = [&](std::uint64_t n) {
      return n == 1 ? 1 : format.round(ones(n - n / 2) + ones(n / 2));
    };
    sum = ones(c);
  }
  return format.round(1 / sum);
}

TEST_CASE("the vanishing count is where equal weights become 0", "[arithmetic][law]") {
  std::vector<Arithmetic> list = many_arithmetics();
  for (int e = 2; e <= 5; ++e)
    for (int m = 1; m <= 4; ++m)
      for (const bool infinities : {true, false})
        for (const auto order : {SumOrder::left_to_right, SumOrder::pairwise})
          list.emplace_back(FloatFormat(e, m, e % 2 == 0, infinities), AttentionRule::partial_sums, order);
  for (const Arithmetic& arithmetic : list) {
    if (arithmetic.rule() == AttentionRule::rounded_quotient) {
      CHECK(!vanishing_count(arithmetic));
      continue;
    }
    const auto count = vanishing_count(arithmetic);
    CAPTURE(to_string(arithmetic), count.value_or(0));
    for (std::uint64_t c = 1; c <= 600; ++c) {
      CAPTURE(c);
      REQUIRE((weight_of_one(c, arithmetic) > 0) == (!count || c <= *count));
    }
    if (!count || *count > 200'000) continue;
    REQUIRE(weight_of_one(*count, arithmetic) > 0);
    REQUIRE(weight_of_one(*count + 1, arithmetic) == 0);
  }
  CHECK(vanishing_count(Arithmetic(FloatFormat::fp16())) == 65519u);  // 65520 rounds to infinity
  CHECK(vanishing_count(Arithmetic(FloatFormat::e4m3())) == 1023u);   // 1/1024 is half the least number
  CHECK(vanishing_count(Arithmetic(FloatFormat::e5m2())) == 61439u);
  CHECK(!vanishing_count(Arithmetic(FloatFormat::bf16())));
  CHECK(!vanishing_count(Arithmetic(FloatFormat::e4m3(), AttentionRule::clamped_denominator)));
  CHECK(!vanishing_count(Arithmetic(FixedPoint(4, 5), AttentionRule::clamped_denominator)));
  CHECK(vanishing_count(Arithmetic(FixedPoint(4, 6), AttentionRule::clamped_denominator)) == 31u);
}

}  // namespace
}  // namespace transformer
