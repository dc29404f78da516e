#include "transformer/model.hpp"

#include "tests/catch.hpp"
#include "tests/random_model.hpp"

#include <functional>
#include <limits>

namespace transformer {
namespace {

Model sample() {
  std::mt19937 random(3);
  tests::RandomModelOptions options;
  options.norm = NormPlacement::pre;
  options.positions = PositionKind::periodic;
  while (true) {  // one with two heads and hidden units in layer 1
    Model model = random_model(random, options);
    if (model.layers[1].heads() == 2 && model.layers[1].hidden() > 0 && model.width() == 4) return model;
  }
}

TEST_CASE("random models are valid", "[model]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.norm = static_cast<NormPlacement>(seed % 3);
    options.positions = static_cast<PositionKind>(seed / 3 % 3);
    CHECK_NOTHROW(validate(random_model(random, options)));
  }
}

TEST_CASE("every part that does not fit is named", "[model]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Row {
    const char* message;
    std::function<void(Model&)> break_it;
  };
  const std::vector<Row> rows{
      {"alphabet is empty", [](Model& m) { m.alphabet.clear(); }},
      {"alphabet[1] is empty", [](Model& m) { m.alphabet[1].clear(); }},
      {"alphabet[1] is not UTF-8", [](Model& m) { m.alphabet[1] = std::string("\xff"); }},
      {"alphabet[1] is not UTF-8", [](Model& m) { m.alphabet[1] = std::string("\xed\xa0\x80"); }},
      {"alphabet[1] is not UTF-8", [](Model& m) { m.alphabet[1] = std::string("\xe2\x88"); }},
      {"alphabet[1] has a control character", [](Model& m) { m.alphabet[1].back() = '\n'; }},
      {"alphabet has \"a\" twice", [](Model& m) { m.alphabet[1] = std::string("a"); }},
      {"embedding has no columns", [](Model& m) { m.embedding = Matrix(3, 0); }},
      {"embedding is 2 x 4, not 3 x 4", [](Model& m) { m.embedding = Matrix(2, 4); }},
      {"embedding is 3 x 4 but has 11 entries", [](Model& m) { m.embedding.entries.pop_back(); }},
      {"embedding has nan at entry 5", [&](Model& m) { m.embedding.entries[5] = nan; }},
      {"positions has no rows", [](Model& m) { m.positions = Matrix(); }},
      {"positions is 3 x 5, not 3 x 4", [](Model& m) { m.positions = Matrix(3, 5); }},
      {"positions is 3 x 4, not 0 x 0", [](Model& m) { m.position_kind = PositionKind::none; }},
      {"layers[1].value has 3 rows, which do not split over 2 heads",
       [](Model& m) { m.layers[1].value = Matrix(3, 4); }},
      {"layers[1].value has 0 rows, which do not split over 2 heads",
       [](Model& m) { m.layers[1].value = Matrix(0, 4); }},
      {"layers[1].query is 1 x 4, not", [](Model& m) { m.layers[1].query = Matrix(1, 4); }},
      {"layers[1].key is 1 x 4, not", [](Model& m) { m.layers[1].key = Matrix(1, 4); }},
      {"layers[1].query_bias has 0 entries, not", [](Model& m) { m.layers[1].query_bias.clear(); }},
      {"layers[1].key_bias has 0 entries, not", [](Model& m) { m.layers[1].key_bias.clear(); }},
      {"layers[1].value_bias has 0 entries, not", [](Model& m) { m.layers[1].value_bias.clear(); }},
      {"layers[1].output is 4 x 0, not 4 x", [](Model& m) { m.layers[1].output = Matrix(4, 0); }},
      {"layers[1].output_bias has 0 entries, not 4", [](Model& m) { m.layers[1].output_bias.clear(); }},
      {"layers[1].expand is 2 x 3, not 2 x 4", [](Model& m) { m.layers[1].expand = Matrix(2, 3); }},
      {"layers[1].expand_bias has 0 entries, not", [](Model& m) { m.layers[1].expand_bias.clear(); }},
      {"layers[1].contract is 4 x 9, not 4 x", [](Model& m) { m.layers[1].contract = Matrix(4, 9); }},
      {"layers[1].contract_bias has 0 entries, not 4", [](Model& m) { m.layers[1].contract_bias.clear(); }},
      {"layers[1].attention_norm is missing, against", [](Model& m) { m.layers[1].attention_norm.reset(); }},
      {"layers[1].feed_forward_norm.gain has 0 entries, not 4",
       [](Model& m) { m.layers[1].feed_forward_norm->gain.clear(); }},
      {"layers[1].feed_forward_norm.epsilon is 0.0",
       [](Model& m) { m.layers[1].feed_forward_norm->epsilon = 0; }},
      {"layers[1].feed_forward_norm.epsilon is nan",
       [&](Model& m) { m.layers[1].feed_forward_norm->epsilon = nan; }},
      {"layers[0].attention_norm is present, against",
       [](Model& m) { m.norm_placement = NormPlacement::none; }},
      {"final_norm is present, against", [](Model& m) { m.norm_placement = NormPlacement::post; }},
      {"final_norm is missing, against", [](Model& m) { m.final_norm.reset(); }},
      {"readout has 0 entries, not 4", [](Model& m) { m.readout.clear(); }},
      {"readout_bias has nan at entry 0", [&](Model& m) { m.readout_bias = nan; }},
      {"coordinates has 1 names, not 4", [](Model& m) { m.coordinates = {"x"}; }},
      {"coordinates[2] is not UTF-8",
       [](Model& m) {
         m.coordinates = {"", "é", "\xc0\x80", ""};
       }},
      {"layers[1] has names after one of its halves", [](Model& m) { m.layers[1].coordinates.resize(4); }},
      {"layers[1].coordinates has 3 names, not 4", [](Model& m) { m.layers[1].coordinates.resize(3); }},
      {"layers[0].coordinates is present, but",
       [](Model& m) {
         m.coordinates.clear();
         m.layers[0].attention_coordinates = m.layers[0].coordinates = {"a", "b", "c", "d"};
       }},
      {"source is not UTF-8", [](Model& m) { m.source = std::string("\x80"); }},
  };
  const Model good = sample();
  REQUIRE_NOTHROW(validate(good));
  for (const Row& row : rows) {
    Model model = good;
    row.break_it(model);
    CAPTURE(row.message);
    std::string message = "nothing thrown";
    try {
      validate(model);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    CHECK_THAT(message, Catch::Matchers::StartsWith(std::string("validate: ") + row.message));
  }
}

TEST_CASE("parameters are counted", "[model]") {
  Model model;
  model.alphabet = {"a", "b"};
  model.embedding = Matrix(3, 4);
  model.readout.assign(4, 0.0f);
  Layer layer;
  layer.masks = {Mask::global(), Mask::local(1)};
  layer.query = layer.key = layer.value = Matrix(2, 4);
  layer.query_bias = layer.key_bias = layer.value_bias = {0, 0};
  layer.output = Matrix(4, 2);
  layer.output_bias = layer.contract_bias = {0, 0, 0, 0};
  layer.expand = Matrix(5, 4);
  layer.expand_bias.assign(5, 0.0f);
  layer.contract = Matrix(4, 5);
  model.layers = {layer, layer};
  REQUIRE_NOTHROW(validate(model));
  CHECK(parameter_count(model) == 12 + 4 + 1 + 2 * (3 * 8 + 3 * 2 + 8 + 4 + 20 + 5 + 20 + 4));
}

}  // namespace
}  // namespace transformer
