// The reference arithmetic once more, straight from docs/arithmetic.md: rational numbers, all keys and values
// of the past kept in a list, nothing remembered between positions.  The oracle for the exact engine.
#pragma once

#include "transformer/model.hpp"

#include <algorithm>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace tests {

class NaiveEngine {
 public:
  using Number = boost::multiprecision::cpp_rational;
  using Vector = std::vector<Number>;

  explicit NaiveEngine(const transformer::Model& model) : model_(model), past_(model.layers.size()) {}

  void read(transformer::Letter a) { run(a, true); }
  /// The raw logit at an end marker placed after the letters read so far.
  std::int64_t logit() { return static_cast<std::int64_t>(run(model_.letters(), false) * one()); }

 private:
  struct Past {
    std::vector<Vector> keys, values;  // by position
  };

  Number one() const { return Number(model_.arithmetic.fixed_point().one()); }

  /// The nearest grid point: ties to even, out of range to the end of the range.
  Number round(const Number& x) const {
    const Number scaled = x * one();
    boost::multiprecision::cpp_int low = numerator(scaled) / denominator(scaled);
    if (Number(low) > scaled) --low;  // the division goes towards 0
    const Number above = scaled - Number(low);
    if (above > Number(1, 2) || (above == Number(1, 2) && low % 2 != 0)) ++low;
    return clamp(low);
  }

  Number clamp(const boost::multiprecision::cpp_int& raw) const {
    const boost::multiprecision::cpp_int largest = model_.arithmetic.fixed_point().largest();
    return Number(raw > largest    ? largest
                  : raw < -largest ? boost::multiprecision::cpp_int(-largest)
                                   : raw) /
           one();
  }

  Number grid(float x) const { return round(Number(x)); }

  /// rnd(extra + row r of matrix · x + bias).
  Vector affine(const transformer::Matrix& matrix, const Vector& x, const std::vector<float>& bias,
                const Vector& extra = {}) const {
    Vector y;
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      Number sum = grid(bias[r]);
      for (std::size_t c = 0; c < matrix.columns; ++c) sum += grid(matrix(r, c)) * x[c];
      if (!extra.empty()) sum += extra[r];
      y.push_back(round(sum));
    }
    return y;
  }

  /// Whether a > b sqrt(c), or with `equal` a == b sqrt(c), for c > 0.
  static bool compare(const Number& a, const Number& b, const Number& c, bool equal) {
    const Number square = a * a, other = b * b * c;
    if (equal) return square == other && (a < 0) == (b < 0);
    if (a >= 0) return b < 0 || square > other;
    return b < 0 && square < other;
  }

  Vector norm(const Vector& x, const transformer::LayerNorm& norm) const {
    const Number size(x.size());
    Number mean = 0, variance = 0;
    for (const Number& a : x) mean += a / size;
    for (const Number& a : x) variance += (a - mean) * (a - mean) / size;
    const Number spread = variance + Number(norm.epsilon);
    Vector y;
    for (std::size_t i = 0; i < x.size(); ++i) {
      // The result is bias + left / sqrt(spread).  Bisect for the last raw value whose lower midpoint it
      // passes.
      const Number left = grid(norm.gain[i]) * (x[i] - mean), bias = grid(norm.bias[i]);
      const auto passes = [&](std::int64_t raw) {  // result > (raw - 1/2) 2^-p, or the tie goes to raw
        const Number middle = (Number(2 * raw - 1, 2) / one() - bias);
        return compare(left, middle, spread, false) || (raw % 2 == 0 && compare(left, middle, spread, true));
      };
      std::int64_t low = -model_.arithmetic.fixed_point().largest(), high = model_.arithmetic.fixed_point().largest();
      while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (passes(middle)) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      y.push_back(Number(low) / one());
    }
    return y;
  }

  Number exponential(const Number& score) const {
    using Real = boost::multiprecision::cpp_bin_float_50;
    const Real exact = exp(Real(numerator(score)) / Real(denominator(score))) * Real(model_.arithmetic.fixed_point().one());
    return Number(boost::multiprecision::cpp_int(floor(exact + 0.5))) / one();  // never a tie, but for exp(0)
  }

  Number run(std::size_t a, bool remember) {
    using transformer::NormPlacement;
    const std::uint64_t n = ++position_;
    Vector x;
    for (std::size_t i = 0; i < model_.width(); ++i) {
      Number sum = grid(model_.embedding(a, i));
      if (model_.position_kind == transformer::PositionKind::periodic)
        sum += grid(model_.positions(n % model_.positions.rows, i));
      if (model_.position_kind == transformer::PositionKind::learned) sum += grid(model_.positions(n - 1, i));
      x.push_back(round(sum));
    }
    for (std::size_t l = 0; l < model_.layers.size(); ++l) {
      const transformer::Layer& layer = model_.layers[l];
      Past& past = past_[l];
      const Vector in = model_.norm_placement == NormPlacement::pre ? norm(x, *layer.attention_norm) : x;
      const Vector query = affine(layer.query, in, layer.query_bias);
      const Vector key = affine(layer.key, in, layer.key_bias);
      const Vector value = affine(layer.value, in, layer.value_bias);
      Vector attended;
      const std::size_t width = layer.head_width();
      for (std::size_t h = 0; h < layer.heads(); ++h) {
        std::vector<std::size_t> seen;
        std::vector<Number> scores;
        for (std::uint64_t m = 1; m < n; ++m) {
          if (!layer.masks[h].sees(n, m)) continue;
          Number score = 0;
          for (std::size_t i = h * width; i < (h + 1) * width; ++i) score += query[i] * past.keys[m - 1][i];
          seen.push_back(m - 1);
          scores.push_back(round(score));
        }
        Number sum = 0;
        std::vector<Number> numerators;
        for (const Number& score : scores) {
          numerators.push_back(exponential(score - *std::max_element(scores.begin(), scores.end())));
          sum += numerators.back();
        }
        for (std::size_t i = h * width; i < (h + 1) * width; ++i) {
          Number output = 0;
          for (std::size_t j = 0; j < seen.size(); ++j)
            output += round(numerators[j] / sum) * past.values[seen[j]][i];
          attended.push_back(round(output));
        }
      }
      if (remember) {
        past.keys.push_back(key);
        past.values.push_back(value);
      }
      x = affine(layer.output, attended, layer.output_bias, x);
      if (model_.norm_placement == NormPlacement::post) x = norm(x, *layer.attention_norm);
      Vector hidden = affine(
          layer.expand, model_.norm_placement == NormPlacement::pre ? norm(x, *layer.feed_forward_norm) : x,
          layer.expand_bias);
      for (Number& y : hidden)
        if (y < 0) y = 0;
      x = affine(layer.contract, hidden, layer.contract_bias, x);
      if (model_.norm_placement == NormPlacement::post) x = norm(x, *layer.feed_forward_norm);
    }
    if (model_.final_norm) x = norm(x, *model_.final_norm);
    Number logit = grid(model_.readout_bias);
    for (std::size_t i = 0; i < x.size(); ++i) logit += grid(model_.readout[i]) * x[i];
    if (!remember) --position_;
    return round(logit);
  }

  const transformer::Model& model_;
  std::vector<Past> past_;
  std::uint64_t position_ = 0;
};

}  // namespace tests
