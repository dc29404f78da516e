// Random models of every kind that model.hpp admits, for tests.
#pragma once

#include "tests/words.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace tests {

struct RandomModel {
  std::size_t letters = 2;
  std::size_t max_layers = 3;
  std::size_t max_heads = 4;
};

/// A number in [-1, 1] with 10 binary digits, the same on every standard library.
inline float small_number(std::mt19937& random) {
  return static_cast<float>(below(random, 2049)) / 1024.0f - 1.0f;
}

inline transformer::Matrix random_matrix(std::mt19937& random, std::size_t rows, std::size_t columns) {
  transformer::Matrix matrix(rows, columns);
  for (auto& x : matrix.entries) x = small_number(random);
  return matrix;
}

inline std::vector<float> random_vector(std::mt19937& random, std::size_t size) {
  std::vector<float> vector(size);
  for (auto& x : vector) x = small_number(random);
  return vector;
}

inline transformer::LayerNorm random_norm(std::mt19937& random, std::size_t width) {
  const float epsilon = below(random, 2) == 0 ? 1e-5f : 0.125f;
  return {random_vector(random, width), random_vector(random, width), epsilon};
}

inline transformer::Mask random_mask(std::mt19937& random) {
  switch (below(random, 4)) {
    case 0: return transformer::Mask::local(1);
    case 1: return transformer::Mask::local(2 + below(random, 4));
    case 2: return transformer::Mask::local(10 + below(random, 30));
    default: return transformer::Mask::global();
  }
}

inline transformer::Model random_model(std::mt19937& random, RandomModel options = {}) {
  using namespace transformer;
  Model model;
  for (std::size_t a = 0; a < options.letters; ++a)
    model.alphabet.push_back(std::string(1, static_cast<char>('a' + a)));
  const std::size_t width = 2 + below(random, 6);
  model.embedding = random_matrix(random, options.letters + 1, width);
  model.position_kind = static_cast<PositionKind>(below(random, 3));
  switch (model.position_kind) {
    case PositionKind::none: break;
    case PositionKind::periodic: model.positions = random_matrix(random, 1 + below(random, 5), width); break;
    case PositionKind::learned: model.positions = random_matrix(random, 1 + below(random, 40), width); break;
  }
  model.norm_placement = static_cast<NormPlacement>(below(random, 3));
  const bool norms = model.norm_placement != NormPlacement::none;
  for (auto layers = below(random, static_cast<std::uint32_t>(options.max_layers + 1)); layers > 0;
       --layers) {
    Layer layer;
    const std::size_t heads = below(random, static_cast<std::uint32_t>(options.max_heads + 1));
    const std::size_t rows = heads * (1 + below(random, 3));
    for (std::size_t h = 0; h < heads; ++h) {
      const bool again = h > 0 && below(random, 2) == 0;  // so that equal masks meet, side by side or not
      layer.masks.push_back(again ? layer.masks[below(random, static_cast<std::uint32_t>(h))]
                                  : random_mask(random));
    }
    layer.query = random_matrix(random, rows, width);
    layer.key = random_matrix(random, rows, width);
    layer.value = random_matrix(random, rows, width);
    layer.query_bias = random_vector(random, rows);
    layer.key_bias = random_vector(random, rows);
    layer.value_bias = random_vector(random, rows);
    layer.output = random_matrix(random, width, rows);
    layer.output_bias = random_vector(random, width);
    const std::size_t hidden = below(random, 3) == 0 ? 0 : 1 + below(random, 6);
    layer.expand = random_matrix(random, hidden, width);
    layer.expand_bias = random_vector(random, hidden);
    layer.contract = random_matrix(random, width, hidden);
    layer.contract_bias = random_vector(random, width);
    if (norms) {
      layer.attention_norm = random_norm(random, width);
      layer.feed_forward_norm = random_norm(random, width);
    }
    model.layers.push_back(layer);
  }
  if (model.norm_placement == NormPlacement::pre) model.final_norm = random_norm(random, width);
  model.readout = random_vector(random, width);
  model.readout_bias = small_number(random);
  return model;
}

/// The longest word that the positions of `model` admit.
inline std::size_t longest_word(const transformer::Model& model) {
  return model.position_kind == transformer::PositionKind::learned ? model.positions.rows - 1 : 1'000'000'000;
}

/// Its shape in a line, for messages.
inline std::string describe(const transformer::Model& model) {
  std::string text = "width " + std::to_string(model.width()) + ", positions " +
                     std::to_string(static_cast<int>(model.position_kind)) + " x " +
                     std::to_string(model.positions.rows) + ", norm " +
                     std::to_string(static_cast<int>(model.norm_placement));
  for (const auto& layer : model.layers) {
    text += " | hidden " + std::to_string(layer.hidden()) + ", head width " +
            std::to_string(layer.head_width()) + ":";
    for (const auto mask : layer.masks) text += " " + to_string(mask);
  }
  return text;
}

}  // namespace tests
