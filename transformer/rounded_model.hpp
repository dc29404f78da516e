// A model with its weights on the fixed-point grid, and what each of its parts computes there.
//
// These are the functions of the reference arithmetic, one for each place where it rounds
// (docs/arithmetic.md). They know nothing of words: the exact engine strings them together along a word, and
// whoever explores all states of a model calls them directly.  Vectors are spans of raw values.
#pragma once

#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace transformer {

/// A fixed-point number, as the integer it is a multiple of 2^-p by.
using Raw = std::int64_t;

/// Some positions that a head attends to and that share one key and value: the score they get, how many they
/// are (at least 1), and their value (head_width).
struct Attended {
  Raw score;
  std::uint64_t count;
  const Raw* value;
};

/// The output of a head (head_width) that attends to these positions; zero when there are none.
///
/// Depends on the multiset of positions only.  O(|attended| · head_width).
void attend(std::span<const Attended> attended, FixedPoint format, std::span<Raw> output);

/// The same under one of the rules for which the multiset is enough: all but partial_sums (asserted).
void attend(std::span<const Attended> attended, FixedPoint format, AttentionRule rule, std::span<Raw> output);

/// Positions that share one score: how many they are (at least 1), and the sum of their values (head_width).
struct AttendedSum {
  Raw score;
  std::uint64_t count;
  const Raw* sum;
};

/// The same where positions of different values are taken together, under the rule rounded_weights.
void attend(std::span<const AttendedSum> attended, FixedPoint format, std::span<Raw> output);

/// A LayerNorm with gain and bias on the grid.  Epsilon, which is usually less than 2^-p, stays what it is.
struct RoundedNorm {
  std::vector<Raw> gain;
  std::vector<Raw> bias;
  float epsilon;
};

/// gain (x - mean) / sqrt(variance + epsilon) + bias to the nearest grid point, ties to even: the exact real
/// number rounded once, found by comparing integers.  `x` and `output` may be the same.
void layer_norm(const RoundedNorm& norm, FixedPoint format, std::span<const Raw> x, std::span<Raw> output);

class RoundedModel {
 public:
  /// Throws std::invalid_argument unless `model` is valid and declares fixed point with one of `rules`.
  ///
  /// Only what heads make of scores and values depends on the rule: whoever admits more than the reference's
  /// attends by rule().
  explicit RoundedModel(const Model& model,
                        std::initializer_list<AttentionRule> rules = {AttentionRule::rounded_weights});

  FixedPoint arithmetic() const { return arithmetic_; }
  AttentionRule rule() const { return rule_; }
  std::size_t letters() const { return embedding_.size() / width_ - 1; }
  std::size_t width() const { return width_; }
  std::size_t layers() const { return layers_.size(); }
  const std::vector<Mask>& masks(std::size_t layer) const { return layers_[layer].masks; }
  std::size_t heads(std::size_t layer) const { return layers_[layer].masks.size(); }
  std::size_t head_width(std::size_t layer) const { return layers_[layer].head_width; }
  /// heads · head_width, the length of all queries together, and of all keys, values and head outputs.
  std::size_t attention_width(std::size_t layer) const { return heads(layer) * head_width(layer); }

  /// Which row of the position table position n (from 1) gets; 0 when there is no table.
  std::size_t position_row(std::uint64_t n) const;
  /// The longest word with a position for its end marker.
  std::uint64_t longest_word() const;

  NormPlacement norm_placement() const { return norm_placement_; }
  PositionKind position_kind() const { return position_kind_; }
  std::size_t position_rows() const { return position_rows_; }

  /// The matrices of a layer, as Layer names them.
  enum class Part { query, key, value, output, expand, contract };
  /// The columns of that row whose weights are not 0 on the grid: what the row depends on.
  std::vector<std::size_t> inputs(std::size_t layer, Part part, std::size_t row) const;
  /// The coordinates that the read-out depends on.
  std::vector<std::size_t> readout_inputs() const;

  /// embedding + position of a letter, or of the end marker (letter = letters()), with that position row.
  void embed(Letter a, std::size_t position_row, std::span<Raw> x) const;
  /// The queries, keys and values of all heads of `layer` (attention_width each).
  void project(std::size_t layer, std::span<const Raw> x, std::span<Raw> query, std::span<Raw> key,
               std::span<Raw> value) const;
  /// Query times key, both of one head.
  Raw score(std::span<const Raw> query, std::span<const Raw> key) const;
  /// The two halves of finish: what leaves the attention of `layer` where x enters the layer and its heads
  /// put out `attended` (attention_width), and what the feed-forward block makes of that.
  void finish_attention(std::size_t layer, std::span<const Raw> x, std::span<const Raw> attended,
                        std::span<Raw> output) const;
  void feed_forward(std::size_t layer, std::span<const Raw> x, std::span<Raw> output) const;
  /// What leaves `layer` where x enters it and its heads put out `attended` (attention_width).
  void finish(std::size_t layer, std::span<const Raw> x, std::span<const Raw> attended,
              std::span<Raw> output) const;
  /// The logit that is read out of x after the last layer.
  Raw logit(std::span<const Raw> x) const;

 private:
  /// x -> rnd(weights · x + bias), rows of the entries that are not 0.
  struct Affine {
    struct Entry {
      std::size_t column;
      Raw weight;
    };
    std::vector<std::size_t> begin;  // row r has the entries begin[r], ..., begin[r+1] - 1
    std::vector<Entry> entries;
    std::vector<Raw> bias;
  };
  struct RoundedLayer {
    std::vector<Mask> masks;
    std::size_t head_width = 0;
    Affine query, key, value, output, expand, contract;
    std::vector<RoundedNorm> norms;  // none, or that of the attention and that of the feed-forward
  };

  std::vector<Raw> rounded(const std::vector<float>& entries) const;
  Affine rounded(const Matrix& matrix, const std::vector<float>& bias) const;
  RoundedNorm rounded(const LayerNorm& norm) const;
  /// rnd(map · x + map.bias), or rnd(residual + map · x + map.bias) where there is a residual.
  void apply(const Affine& map, std::span<const Raw> x, std::span<const Raw> residual,
             std::span<Raw> y) const;

  FixedPoint arithmetic_;
  AttentionRule rule_;
  std::size_t width_;
  NormPlacement norm_placement_;
  PositionKind position_kind_;
  std::size_t position_rows_;
  std::vector<Raw> embedding_;
  std::vector<Raw> positions_;
  std::vector<RoundedLayer> layers_;
  std::vector<RoundedNorm> final_norm_;  // none or one
  std::vector<Raw> readout_;
  Raw readout_bias_;
};

}  // namespace transformer
