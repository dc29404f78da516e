// A Transformer as a value: whatever is compiled, trained, loaded or saved is this type.
//
// The network reads the letters at positions 1..N and an end marker at position N+1, where it is read out.
//
//     x      = embedding[letter] + positions[n]                               (width)
//     head h : q = Q_h x + ..., k = K_h x + ..., v = V_h x + ...               (head_width each)
//              o_h = sum over the m that the mask of h lets n see of softmax_m(q_n · k_m) v_m, or 0 if none
//     x      = norm(x + output · (o_1, ..., o_H) + output_bias)               (post; pre norms what enters)
//     x      = norm(x + contract · relu(expand · x + expand_bias) + contract_bias)
//     logit  = readout · x + readout_bias at N+1; the word is accepted iff logit > 0
//
// Scores carry no 1/sqrt(d): whoever wants it folds it into Q.
#pragma once

#include "transformer/arithmetic.hpp"
#include "transformer/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace transformer {

using Letter = std::uint32_t;

/// Row-major; entry (r, c) multiplies input c into output r.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> entries;

  Matrix() = default;
  Matrix(std::size_t rows_, std::size_t columns_)
      : rows(rows_), columns(columns_), entries(rows_ * columns_, 0.0f) {}
  float& operator()(std::size_t r, std::size_t c) { return entries[r * columns + c]; }
  float operator()(std::size_t r, std::size_t c) const { return entries[r * columns + c]; }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// y_i = gain_i (x_i - mean) / sqrt(variance + epsilon) + bias_i, with the variance over all of x.
struct LayerNorm {
  std::vector<float> gain;  // (width)
  std::vector<float> bias;  // (width)
  float epsilon = 1e-5f;
  friend bool operator==(const LayerNorm&, const LayerNorm&) = default;
};

enum class NormPlacement { none, post, pre };

struct Layer {
  std::vector<Mask> masks;   // one for each head; may be empty: a layer without attention
  Matrix query, key, value;  // (heads · head_width, width), head after head
  std::vector<float> query_bias, key_bias, value_bias;  // (heads · head_width)
  Matrix output;                                        // (width, heads · head_width)
  std::vector<float> output_bias;                       // (width)
  Matrix expand;                                        // (hidden, width); hidden may be 0
  std::vector<float> expand_bias;                       // (hidden)
  Matrix contract;                                      // (width, hidden)
  std::vector<float> contract_bias;                     // (width)
  std::optional<LayerNorm> attention_norm;              // present exactly when norms are used
  std::optional<LayerNorm> feed_forward_norm;
  // What the residual coordinates are called after the attention and after the layer, where a coordinate is
  // used for one thing after another: (width) each, or both empty, where the names are those before the layer.
  std::vector<std::string> attention_coordinates;
  std::vector<std::string> coordinates;

  std::size_t heads() const { return masks.size(); }
  std::size_t head_width() const { return masks.empty() ? 0 : value.rows / masks.size(); }
  std::size_t hidden() const { return expand.rows; }
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// What is added to the embedding by position (counted from 1).
enum class PositionKind {
  none,
  periodic,  // row (n mod rows) of the table
  learned,   // row n-1 of the table; a word longer than rows-1 letters is an error
};

struct Model {
  std::vector<std::string> alphabet;
  Matrix embedding;  // (letters + 1, width); the last row is the end marker
  PositionKind position_kind = PositionKind::none;
  Matrix positions;  // (rows, width); no rows for PositionKind::none
  NormPlacement norm_placement = NormPlacement::none;
  std::vector<Layer> layers;
  std::optional<LayerNorm> final_norm;  // present exactly for pre-norm
  std::vector<float> readout;           // (width)
  float readout_bias = 0;
  Arithmetic arithmetic;                    // what it is meant to be run in
  std::optional<std::uint64_t> max_length;  // longest word it is meant for; none: every length
  std::vector<std::string> coordinates;     // names of the residual coordinates: (width) or empty
  std::string source;                       // the formula it was compiled from, or empty

  std::size_t width() const { return embedding.columns; }
  std::size_t letters() const { return alphabet.size(); }
  friend bool operator==(const Model&, const Model&) = default;
};

/// Throws std::invalid_argument naming the first part whose shape does not fit or whose entries are not
/// finite.
///
/// Shapes have no exceptions: a layer without heads has 0 x width matrices in and a width x 0 matrix out, and
/// so has one without hidden units; only `positions` is 0 x 0 for PositionKind::none.  Alphabet names are
/// distinct, non-empty UTF-8 without control characters; epsilon is positive.
void validate(const Model& model);

/// How many numbers the weights hold.
std::size_t parameter_count(const Model& model);

}  // namespace transformer
