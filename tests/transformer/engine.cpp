#include "transformer/engine.hpp"

#include "tests/alternating_model.hpp"
#include "tests/catch.hpp"
#include "tests/random_model.hpp"
#include "tests/transformer/naive_float_engine.hpp"
#include "transformer/exact_engine.hpp"
#include "transformer/float_model.hpp"

#include <cmath>
#include <random>
#include <string>

namespace transformer {
namespace {

#ifdef NDEBUG
constexpr unsigned stride = 1;  // of the arithmetics
#else
constexpr unsigned stride = 5;
#endif
constexpr int longest = 10;

bool same(double x, double y) {
  return x == y || (std::isnan(x) && std::isnan(y));
}

constexpr AttentionRule rules[] = {AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                                   AttentionRule::clamped_denominator, AttentionRule::partial_sums};

std::vector<Arithmetic> arithmetics() {
  std::vector<Arithmetic> list;
  for (const AttentionRule rule : rules) {
    for (const auto& format : {FixedPoint(0, 3), FixedPoint(2, 2), FixedPoint(3, 4), FixedPoint(6, 8)})
      list.emplace_back(format, rule);
    for (const SumOrder order : {SumOrder::exact, SumOrder::left_to_right, SumOrder::pairwise}) {
      if (rule == AttentionRule::partial_sums && order == SumOrder::exact) continue;
      for (const auto& format :
           {FloatFormat::e4m3(), FloatFormat::e5m2(), FloatFormat(3, 2), FloatFormat(2, 4, false, false),
            FloatFormat::bf16(), FloatFormat::fp16(), FloatFormat::fp32(), FloatFormat(4, 6, false)})
        list.emplace_back(format, rule, order);
    }
  }
  return list;
}

TEST_CASE("the engine computes every arithmetic as the page defines it", "[engine][law]") {
  std::size_t special = 0;
  unsigned number = 0;
  for (const Arithmetic& arithmetic : arithmetics()) {
    const unsigned seed = number++;
    if (seed % stride != 0) continue;
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.arithmetic =
        FixedPoint(arithmetic.is_fixed_point() ? arithmetic.fixed_point().fraction_bits() : 3, 8);
    // Layer norms of fixed point are tested with the exact engine.
    options.norm = arithmetic.is_fixed_point() ? NormPlacement::none : static_cast<NormPlacement>(seed % 3);
    options.positions = static_cast<PositionKind>(seed / 3 % 3);
    options.position_rows = options.positions == PositionKind::learned ? 40 : 1 + seed % 4;
    options.letters = 1 + seed % 3;
    options.layers = 1 + seed / 2 % 2;
    options.on_grid = seed % 2 == 0;
    options.scale = seed % 5 == 0 ? 20 : 2;
    Model model = random_model(random, options);
    model.arithmetic = arithmetic;
    const Engine engine(model);
    Engine::Run run = engine.start();
    tests::NaiveFloatEngine oracle(model);
    std::string word;
    for (int n = 0; n < longest; ++n) {
      CAPTURE(seed, to_string(arithmetic), word);
      if (n % 3 == 0) {
        const double ours = run.logit(), theirs = oracle.logit();
        REQUIRE(same(ours, theirs));
        REQUIRE(run.accepts() == (theirs > 0));
        if (!std::isfinite(ours)) ++special;
      }
      const auto a = static_cast<Letter>(random() % options.letters);
      word += static_cast<char>('a' + a);
      run.read(a);
      oracle.read(a);
    }
    REQUIRE(run.length() == longest);
  }
  CHECK(special > 0);  // infinities and NaN occurred and agreed
}

TEST_CASE("the engine is the exact engine where that is enough", "[engine]") {
  const Model model = tests::alternating_model(FixedPoint(2, 6));
  const Engine engine(model);
  const ExactEngine exact(model);
  CHECK(engine.counts());
  Engine::Run run = engine.start();
  auto other = exact.start();
  for (int n = 0; n < 30; ++n) {
    const auto a = static_cast<Letter>(n < 20 ? n % 2 : 1);
    REQUIRE(run.logit() == FixedPoint(2, 6).to_double(other.logit()));
    run.read(a);
    other.read(a);
  }
  for (const AttentionRule rule : rules) {
    Model with_rule = model;
    with_rule.arithmetic = Arithmetic(FixedPoint(2, 6), rule);
    CHECK(Engine(with_rule).counts() == (rule != AttentionRule::partial_sums));
    if (rule == AttentionRule::partial_sums) CHECK_THROWS_AS(ExactEngine(with_rule), std::invalid_argument);
    if (rule != AttentionRule::rounded_weights)
      CHECK_THROWS_AS(RoundedModel(with_rule), std::invalid_argument);
  }
  Model floating = model;
  floating.arithmetic = FloatFormat::bf16();
  CHECK(!Engine(floating).counts());
  CHECK_THROWS_WITH(ExactEngine(floating),
                    "RoundedModel: needs fixed point with rounded-weights or rounded-quotient or "
                    "clamped-denominator, not bf16");
}

TEST_CASE("copies of a run go on separately, and bad letters change nothing", "[engine]") {
  for (const Arithmetic& arithmetic :
       {Arithmetic(FloatFormat::fp16()), Arithmetic(FixedPoint(3, 6), AttentionRule::partial_sums)}) {
    Model model = tests::alternating_model(FixedPoint(3, 6));
    model.arithmetic = arithmetic;
    const Engine engine(model);
    Engine::Run run = engine.start();
    run.read(0);
    Engine::Run copy = run;
    run.read(1);
    CHECK(run.accepts());
    CHECK(!copy.accepts());
    CHECK_THROWS_WITH(run.read(2), "Engine::Run::read: letter 2 of 2");
    CHECK(run.length() == 2);
    CHECK(run.accepts());
    copy = run;
    CHECK(copy.accepts());
  }
}

/// fp32 from left to right with the machine's own operations.
float by_hardware(const std::vector<float>& weights, const std::vector<float>& values) {
  float sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum = std::fma(weights[i], values[i], sum);
  return sum;
}

TEST_CASE("sums from left to right in fp32 are those of the machine", "[engine]") {
  std::mt19937 random(17);
  for (int i = 0; i < 2'000; ++i) {
    std::vector<float> x, y;
    std::vector<double> products;
    for (unsigned j = 0; j < 1 + random() % 30; ++j) {
      for (auto* v : {&x, &y})
        v->push_back(std::ldexp(static_cast<float>(random() % (1u << 24)) - 8e6f,
                                static_cast<int>(random() % 60) - 50));
      products.push_back(static_cast<double>(x.back()) * static_cast<double>(y.back()));
    }
    CAPTURE(i);
    REQUIRE(sum_of(products, FloatFormat::fp32(), SumOrder::left_to_right) ==
            static_cast<double>(by_hardware(x, y)));
  }
}

}  // namespace
}  // namespace transformer
