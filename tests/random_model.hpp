// Models for tests: random small ones from a seed.
#pragma once

#include "transformer/model.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace tests {

struct RandomModelOptions {
  transformer::FixedPoint arithmetic{4, 8};
  transformer::NormPlacement norm = transformer::NormPlacement::none;
  transformer::PositionKind positions = transformer::PositionKind::none;
  std::size_t letters = 2;
  std::size_t layers = 2;
  std::size_t position_rows = 3;
  bool on_grid = true;  // weights that are multiples of 2^-fraction_bits, else of 2^-20
  double scale = 2;     // weights lie in [-scale, scale]
};

/// A valid model with random widths, heads, masks and weights; about a third of the weights are 0.
inline transformer::Model random_model(std::mt19937& random, const RandomModelOptions& options) {
  using namespace transformer;
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  const auto weight = [&] {
    if (below(3) == 0) return 0.0f;
    const int bits = options.on_grid ? options.arithmetic.fraction_bits() : 20;
    const double unit = 1.0 / static_cast<double>(std::int64_t{1} << bits);
    const auto reach = static_cast<std::int64_t>(options.scale / unit);
    return static_cast<float>(
        static_cast<double>(static_cast<std::int64_t>(random()) % (2 * reach + 1) - reach) * unit);
  };
  const auto vector = [&](std::size_t size) {
    std::vector<float> v(size);
    for (float& x : v) x = weight();
    return v;
  };
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    Matrix m(rows, columns);
    m.entries = vector(rows * columns);
    return m;
  };
  const std::size_t width = 2 + below(4);
  const auto norm = [&] {
    LayerNorm n;
    n.gain = vector(width);
    n.bias = vector(width);
    n.epsilon = below(2) == 0 ? 1e-5f : 0.25f;
    return n;
  };

  Model model;
  for (std::size_t a = 0; a < options.letters; ++a)
    model.alphabet.push_back(std::string(1, static_cast<char>('a' + a)));
  model.embedding = matrix(options.letters + 1, width);
  model.position_kind = options.positions;
  if (options.positions != PositionKind::none) model.positions = matrix(options.position_rows, width);
  model.norm_placement = options.norm;
  model.arithmetic = options.arithmetic;
  for (std::size_t l = 0; l < options.layers; ++l) {
    Layer layer;
    const std::size_t heads = below(4);
    for (std::size_t h = 0; h < heads; ++h)
      layer.masks.push_back(below(2) == 0 ? Mask::global() : Mask::local(1 + below(4)));
    const std::size_t rows = heads * (1 + below(2));
    layer.query = matrix(rows, width);
    layer.key = matrix(rows, width);
    layer.value = matrix(rows, width);
    layer.query_bias = vector(rows);
    layer.key_bias = vector(rows);
    layer.value_bias = vector(rows);
    layer.output = matrix(width, rows);
    layer.output_bias = vector(width);
    const std::size_t hidden = below(5);
    layer.expand = matrix(hidden, width);
    layer.expand_bias = vector(hidden);
    layer.contract = matrix(width, hidden);
    layer.contract_bias = vector(width);
    if (options.norm != NormPlacement::none) {
      layer.attention_norm = norm();
      layer.feed_forward_norm = norm();
    }
    model.layers.push_back(std::move(layer));
  }
  if (options.norm == NormPlacement::pre) model.final_norm = norm();
  model.readout = vector(width);
  model.readout_bias = weight();
  return model;
}

}  // namespace tests
