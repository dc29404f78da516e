// A model with its weights in a floating-point format, and what each of its parts computes there.
//
// The floating-point counterpart of transformer/rounded_model.hpp: one function for each place where
// docs/arithmetic.md rounds.  A number of the format is the double of the same value.
#pragma once

#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace transformer {

/// The sum of exact products or numbers of `format`, rounded as `order` says; 0 when there are none.
double sum_of(std::span<const double> terms, FloatFormat format, SumOrder order);

/// A LayerNorm with all its numbers in the format; epsilon is at least the least positive number.
struct FloatNorm {
  std::vector<double> gain;
  std::vector<double> bias;
  double epsilon;
};

class FloatModel {
 public:
  /// Throws std::invalid_argument unless `model` is valid and declares floating point.
  ///
  /// A weight that would round to infinity becomes the largest number.
  explicit FloatModel(const Model& model);

  const Arithmetic& arithmetic() const { return arithmetic_; }
  FloatFormat format() const { return format_; }
  std::size_t letters() const { return embedding_.size() / width_ - 1; }
  std::size_t width() const { return width_; }
  std::size_t layers() const { return layers_.size(); }
  const std::vector<Mask>& masks(std::size_t layer) const { return layers_[layer].masks; }
  std::size_t heads(std::size_t layer) const { return layers_[layer].masks.size(); }
  std::size_t head_width(std::size_t layer) const { return layers_[layer].head_width; }
  std::size_t attention_width(std::size_t layer) const { return heads(layer) * head_width(layer); }

  /// As in RoundedModel.
  std::size_t position_row(std::uint64_t n) const;
  std::uint64_t longest_word() const;
  void embed(Letter a, std::size_t position_row, std::span<double> x) const;
  void project(std::size_t layer, std::span<const double> x, std::span<double> query, std::span<double> key,
               std::span<double> value) const;
  double score(std::span<const double> query, std::span<const double> key) const;
  void finish_attention(std::size_t layer, std::span<const double> x, std::span<const double> attended,
                        std::span<double> output) const;
  void feed_forward(std::size_t layer, std::span<const double> x, std::span<double> output) const;
  void finish(std::size_t layer, std::span<const double> x, std::span<const double> attended,
              std::span<double> output) const;
  double logit(std::span<const double> x) const;

  /// The output of a head (head_width) at positions with these scores and values (head_width each), in their
  /// order; zero when there are none.
  void attend(std::span<const double> scores, std::span<const double> values, std::span<double> output) const;

  void layer_norm(const FloatNorm& norm, std::span<const double> x, std::span<double> output) const;

 private:
  struct Affine {
    std::size_t columns = 0;
    std::vector<double> weights;
    std::vector<double> bias;
  };
  struct FloatLayer {
    std::vector<Mask> masks;
    std::size_t head_width = 0;
    Affine query, key, value, output, expand, contract;
    std::vector<FloatNorm> norms;  // none, or that of the attention and that of the feed-forward
  };

  double weight(float x) const;
  std::vector<double> rounded(const std::vector<float>& entries) const;
  Affine rounded(const Matrix& matrix, const std::vector<float>& bias) const;
  FloatNorm rounded(const LayerNorm& norm) const;
  double sum(std::span<const double> terms) const { return sum_of(terms, format_, arithmetic_.order()); }
  void apply(const Affine& map, std::span<const double> x, std::span<const double> residual,
             std::span<double> y) const;

  Arithmetic arithmetic_;
  FloatFormat format_;
  std::size_t width_;
  NormPlacement norm_placement_;
  PositionKind position_kind_;
  std::size_t position_rows_;
  std::vector<double> embedding_;
  std::vector<double> positions_;
  std::vector<FloatLayer> layers_;
  std::vector<FloatNorm> final_norm_;  // none or one
  std::vector<double> readout_;
  double readout_bias_;
};

}  // namespace transformer
