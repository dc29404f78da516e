#include "transformer/quantise.hpp"

#include "tests/catch.hpp"
#include "tests/random_model.hpp"
#include "transformer/engine.hpp"
#include "transformer/safetensors.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace transformer {
namespace {

/// The number of the arithmetic that a weight becomes, by the two functions that round.
double nearest(float x, const Arithmetic& arithmetic) {
  const auto value = static_cast<double>(x);
  if (arithmetic.is_fixed_point())
    return arithmetic.fixed_point().to_double(round_to(value, arithmetic.fixed_point()));
  const double rounded = arithmetic.floating_point().round(value);
  return std::isinf(rounded) ? std::copysign(arithmetic.floating_point().largest(), value) : rounded;
}

Model model_of_seed(unsigned seed) {
  std::mt19937 random(seed);
  tests::RandomModelOptions options;
  options.on_grid = false;
  options.norm = static_cast<NormPlacement>(seed % 3);
  options.scale = seed % 2 == 0 ? 2 : 600;
  Model model = random_model(random, options);
  model.readout_bias = 0x1p-12f;
  return model;
}

TEST_CASE("quantised weights are the nearest numbers, and the report counts them", "[quantise][law]") {
  const Arithmetic arithmetics[] = {FixedPoint(4, 8),        FixedPoint(16, 16),  FixedPoint(0, 2),
                                    FloatFormat::bf16(),     FloatFormat::e4m3(), FloatFormat::e5m2(),
                                    FloatFormat(3, 2, false)};
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const Arithmetic& arithmetic : arithmetics) {
      CAPTURE(seed, to_string(arithmetic));
      const Model model = model_of_seed(seed);
      const Quantised quantised = quantise(model, arithmetic);
      REQUIRE(quantised.model.arithmetic == arithmetic);
      const auto before = named_tensors(model), after = named_tensors(quantised.model);
      REQUIRE(quantised.tensors.size() == before.size());
      std::size_t entries = 0;
      for (std::size_t t = 0; t < before.size(); ++t) {
        const TensorChange& change = quantised.tensors[t];
        CAPTURE(change.name);
        REQUIRE(change.name == before[t].name);
        std::size_t changed = 0, flushed = 0, clamped = 0;
        double largest = 0, sum = 0;
        for (std::size_t i = 0; i < before[t].entries.size(); ++i) {
          const float x = before[t].entries[i], y = after[t].entries[i];
          REQUIRE(static_cast<double>(y) == nearest(x, arithmetic));
          const double distance = std::abs(static_cast<double>(x) - static_cast<double>(y));
          changed += x != y;
          flushed += x != 0 && y == 0;
          clamped +=
              std::abs(static_cast<double>(x)) > nearest(std::numeric_limits<float>::max(), arithmetic);
          largest = std::max(largest, distance);
          sum += distance;
        }
        REQUIRE(change.changed == changed);
        REQUIRE(change.flushed == flushed);
        REQUIRE(change.clamped == clamped);
        REQUIRE(change.largest == largest);
        REQUIRE(change.mean * static_cast<double>(change.entries) == Approx(sum));
        entries += change.entries;
      }
      REQUIRE(entries == parameter_count(model));
      REQUIRE(total(quantised.tensors).entries == entries);
      REQUIRE(quantise(quantised.model, arithmetic).model == quantised.model);
      REQUIRE(total(quantise(quantised.model, arithmetic).tensors).changed == 0);
    }
}

TEST_CASE("a quantised model computes what its engine would make of the weights", "[quantise][law]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Model model = model_of_seed(seed);
    const Arithmetic arithmetic =
        seed % 2 == 0 ? Arithmetic(FixedPoint(3, 5)) : Arithmetic(FloatFormat::e5m2());
    Engine::Run quantised = Engine(quantise(model, arithmetic).model).start();
    model.arithmetic = arithmetic;
    Engine::Run declared = Engine(model).start();
    std::mt19937 random(seed);
    for (int n = 0; n < 20; ++n) {
      CAPTURE(seed, n);
      const double x = quantised.logit(), y = declared.logit();
      REQUIRE((x == y || (std::isnan(x) && std::isnan(y))));
      const auto a = static_cast<Letter>(random() % model.letters());
      quantised.read(a);
      declared.read(a);
    }
  }
}

TEST_CASE("a model that is not valid is not quantised", "[quantise]") {
  Model model = model_of_seed(1);
  model.readout.pop_back();
  CHECK_THROWS_AS(quantise(model, FloatFormat::bf16()), std::invalid_argument);
}

}  // namespace
}  // namespace transformer
