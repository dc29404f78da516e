// The other arithmetics once more, straight from docs/arithmetic.md: sums as rational numbers or step by
// step, rounding by integer division, all keys and values of the past in a list.  The oracle for
// transformer::Engine in floating point, and in fixed point with every rule.
#pragma once

#include "transformer/model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace tests {

/// The number of the format nearest to a rational, by integer division.
inline double round_exactly(const boost::multiprecision::cpp_rational& x, transformer::FloatFormat format) {
  using boost::multiprecision::cpp_int;
  using boost::multiprecision::cpp_rational;
  if (x == 0) return 0;
  if (x < 0) return 0.0 - round_exactly(-x, format);
  const auto power = [](int n) {
    return n < 0 ? cpp_rational(1, cpp_int(1) << -n) : cpp_rational(cpp_int(1) << n);
  };
  // The last place of the interval of x: found by trying, from below.
  int place = std::ilogb(format.least_normal()) - format.mantissa_bits();
  const auto estimate = static_cast<int>(msb(numerator(x))) - static_cast<int>(msb(denominator(x)));
  place = std::max(place, estimate - 2 - format.mantissa_bits());
  while (x >= power(place + 1 + format.mantissa_bits())) ++place;
  const cpp_rational scaled = x / power(place);
  cpp_int low = numerator(scaled) / denominator(scaled);
  const cpp_rational rest = scaled - cpp_rational(low);
  if (rest > cpp_rational(1, 2) || (rest == cpp_rational(1, 2) && low % 2 != 0)) ++low;
  const cpp_rational result = cpp_rational(low) * power(place);
  if (result > cpp_rational(format.largest()))
    return format.has_infinities() ? std::numeric_limits<double>::infinity() : format.largest();
  if (!format.has_subnormals() && result < cpp_rational(format.least_normal())) return 0;
  return std::ldexp(low.convert_to<double>(), place);
}

class NaiveFloatEngine {
 public:
  using Vector = std::vector<double>;
  using Exact = boost::multiprecision::cpp_rational;

  explicit NaiveFloatEngine(const transformer::Model& model) : model_(model), past_(model.layers.size()) {}

  void read(transformer::Letter a) { run(a, true); }
  double logit() { return run(model_.letters(), false); }

 private:
  struct Past {
    std::vector<Vector> keys, values;  // by position
  };
  struct Term {  // a product
    double x, y;
  };

  bool fixed() const { return model_.arithmetic.is_fixed_point(); }
  transformer::AttentionRule rule() const { return model_.arithmetic.rule(); }

  double largest() const {
    return fixed() ? model_.arithmetic.fixed_point().to_double(model_.arithmetic.fixed_point().largest())
                   : model_.arithmetic.floating_point().largest();
  }

  double round(const Exact& x) const {
    if (!fixed()) return round_exactly(x, model_.arithmetic.floating_point());
    const Exact one(model_.arithmetic.fixed_point().one());
    const Exact scaled = x * one;
    boost::multiprecision::cpp_int low = numerator(scaled) / denominator(scaled);
    if (Exact(low) > scaled) --low;
    const Exact above = scaled - Exact(low);
    if (above > Exact(1, 2) || (above == Exact(1, 2) && low % 2 != 0)) ++low;
    const Exact result = Exact(low) / one;
    return std::clamp(result.convert_to<double>(), -largest(), largest());
  }

  double weight(float x) const {
    return std::clamp(round(Exact(static_cast<double>(x))), -largest(), largest());
  }

  static bool finite(const std::vector<Term>& terms) {
    return std::all_of(terms.begin(), terms.end(),
                       [](Term t) { return std::isfinite(t.x) && std::isfinite(t.y); });
  }
  static double special(const std::vector<Term>& terms) {
    double sum = 0;
    for (const Term& t : terms) sum += t.x * t.y;
    return sum;
  }
  static Exact exactly(const std::vector<Term>& terms) {
    Exact sum = 0;
    for (const Term& t : terms) sum += Exact(t.x) * Exact(t.y);
    return sum;
  }

  double sum_exactly(const std::vector<Term>& terms) const {
    return finite(terms) ? round(exactly(terms)) : special(terms);
  }
  double sum_left(const std::vector<Term>& terms) const {
    double sum = 0;
    for (const Term& t : terms) sum = sum_exactly({{sum, 1}, t});
    return sum;
  }
  double sum_pairwise(const std::vector<Term>& terms) const {
    if (terms.size() == 1) return sum_exactly(terms);
    const auto half = terms.begin() + static_cast<std::ptrdiff_t>((terms.size() + 1) / 2);
    return sum_exactly({{sum_pairwise({terms.begin(), half}), 1}, {sum_pairwise({half, terms.end()}), 1}});
  }
  double sum(const std::vector<Term>& terms) const {
    if (terms.empty()) return 0;
    if (fixed()) return sum_exactly(terms);
    switch (model_.arithmetic.order()) {
      case transformer::SumOrder::exact: return sum_exactly(terms);
      case transformer::SumOrder::left_to_right: return sum_left(terms);
      case transformer::SumOrder::pairwise: return sum_pairwise(terms);
    }
    return 0;
  }
  /// The sums inside attention: fixed point has an order there, under partial_sums.
  double attention_sum(const std::vector<Term>& terms) const {
    return fixed() && rule() == transformer::AttentionRule::partial_sums ? sum_left(terms) : sum(terms);
  }

  Vector affine(const transformer::Matrix& matrix, const Vector& x, const std::vector<float>& bias,
                const Vector& extra = {}) const {
    Vector y;
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      std::vector<Term> terms;
      for (std::size_t c = 0; c < matrix.columns; ++c) terms.push_back({weight(matrix(r, c)), x[c]});
      terms.push_back({weight(bias[r]), 1});
      if (!extra.empty()) terms.push_back({extra[r], 1});
      y.push_back(sum(terms));
    }
    return y;
  }

  double divide(double x, double y) const {
    if (!std::isfinite(x) || !std::isfinite(y) || y == 0) return x / y;
    return round(Exact(x) / Exact(y));
  }

  Vector norm(const Vector& x, const transformer::LayerNorm& norm) const {
    std::vector<Term> all, squares;
    for (const double a : x) all.push_back({a, 1});
    const double mean = divide(sum(all), static_cast<double>(x.size()));
    Vector deviation;
    for (const double a : x) deviation.push_back(sum_exactly({{a, 1}, {mean, -1}}));
    for (const double d : deviation) squares.push_back({d, d});
    const double variance = divide(sum(squares), static_cast<double>(x.size()));
    const double epsilon =
        std::max(weight(norm.epsilon), model_.arithmetic.floating_point().least_positive());
    const double spread = root(sum_exactly({{variance, 1}, {epsilon, 1}}));
    Vector y;
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back(
          sum_exactly({{weight(norm.gain[i]), divide(deviation[i], spread)}, {weight(norm.bias[i]), 1}}));
    return y;
  }

  double root(double x) const {
    using Real = boost::multiprecision::cpp_bin_float_100;
    return std::isfinite(x) ? round(Exact(Real(sqrt(Real(x))))) : std::sqrt(x);
  }

  double exponential(double x) const {
    using Real = boost::multiprecision::cpp_bin_float_50;
    if (!std::isfinite(x)) return std::exp(x);
    if (x < -1000) return 0;
    return round(Exact(Real(exp(Real(x)))));
  }

  double attend(const Vector& scores, const Vector& values) const {
    using transformer::AttentionRule;
    double most = scores.front();
    for (const double s : scores)
      if (std::isnan(s) || s > most) most = s;
    std::vector<Term> numerators, products;
    for (std::size_t m = 0; m < scores.size(); ++m) {
      // In fixed point the difference is an index into the table of exponentials: it is not clamped.
      const double difference = fixed() ? scores[m] - most : sum_exactly({{scores[m], 1}, {most, -1}});
      numerators.push_back({exponential(difference), 1});
      products.push_back({numerators.back().x, values[m]});
    }
    const bool exact = fixed() || model_.arithmetic.order() == transformer::SumOrder::exact;
    if (rule() == AttentionRule::rounded_quotient) {
      if (!exact) return divide(sum(products), sum(numerators));
      if (!finite(products) || !finite(numerators)) return special(products) / special(numerators);
      return round(exactly(products) / exactly(numerators));
    }
    const auto weight_of = [&](double e) -> double {
      if (!finite(numerators)) return e / special(numerators);
      switch (rule()) {
        case AttentionRule::partial_sums: return divide(e, attention_sum(numerators));
        case AttentionRule::clamped_denominator:
          return round(Exact(e) / std::min(exactly(numerators), Exact(largest())));
        case AttentionRule::rounded_weights:
        case AttentionRule::rounded_quotient: break;
      }
      if (!fixed() && std::isinf(sum_exactly(numerators))) return 0;
      return round(Exact(e) / exactly(numerators));
    };
    std::vector<Term> terms;
    for (std::size_t m = 0; m < scores.size(); ++m) terms.push_back({weight_of(numerators[m].x), values[m]});
    return attention_sum(terms);
  }

  double run(std::size_t a, bool remember) {
    using transformer::NormPlacement;
    const std::uint64_t n = ++position_;
    Vector x;
    for (std::size_t i = 0; i < model_.width(); ++i) {
      double position = 0;
      if (model_.position_kind == transformer::PositionKind::periodic)
        position = weight(model_.positions(n % model_.positions.rows, i));
      if (model_.position_kind == transformer::PositionKind::learned)
        position = weight(model_.positions(n - 1, i));
      x.push_back(sum_exactly({{weight(model_.embedding(a, i)), 1}, {position, 1}}));
    }
    for (std::size_t l = 0; l < model_.layers.size(); ++l) {
      const transformer::Layer& layer = model_.layers[l];
      Past& past = past_[l];
      const bool pre = model_.norm_placement == NormPlacement::pre;
      const bool post = model_.norm_placement == NormPlacement::post;
      const Vector in = pre ? norm(x, *layer.attention_norm) : x;
      const Vector query = affine(layer.query, in, layer.query_bias);
      const Vector key = affine(layer.key, in, layer.key_bias);
      const Vector value = affine(layer.value, in, layer.value_bias);
      Vector attended;
      const std::size_t width = layer.head_width();
      for (std::size_t h = 0; h < layer.heads(); ++h) {
        Vector scores;
        std::vector<std::size_t> seen;
        for (std::uint64_t m = 1; m < n; ++m) {
          if (!layer.masks[h].sees(n, m)) continue;
          std::vector<Term> terms;
          for (std::size_t i = h * width; i < (h + 1) * width; ++i)
            terms.push_back({query[i], past.keys[m - 1][i]});
          seen.push_back(m - 1);
          scores.push_back(sum(terms));
        }
        for (std::size_t i = h * width; i < (h + 1) * width; ++i) {
          Vector values;
          for (const std::size_t m : seen) values.push_back(past.values[m][i]);
          attended.push_back(scores.empty() ? 0 : attend(scores, values));
        }
      }
      if (remember) {
        past.keys.push_back(key);
        past.values.push_back(value);
      }
      x = affine(layer.output, attended, layer.output_bias, x);
      if (post) x = norm(x, *layer.attention_norm);
      Vector hidden = affine(layer.expand, pre ? norm(x, *layer.feed_forward_norm) : x, layer.expand_bias);
      for (double& y : hidden)
        if (y < 0) y = 0;
      x = affine(layer.contract, hidden, layer.contract_bias, x);
      if (post) x = norm(x, *layer.feed_forward_norm);
    }
    if (model_.final_norm) x = norm(x, *model_.final_norm);
    std::vector<Term> terms;
    for (std::size_t i = 0; i < x.size(); ++i) terms.push_back({weight(model_.readout[i]), x[i]});
    terms.push_back({weight(model_.readout_bias), 1});
    if (!remember) --position_;
    return sum(terms);
  }

  const transformer::Model& model_;
  std::vector<Past> past_;
  std::uint64_t position_ = 0;
};

}  // namespace tests
