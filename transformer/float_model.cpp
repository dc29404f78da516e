#include "transformer/float_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>

namespace transformer {

namespace {

/// A function that is asked for few different numbers at one position of one head: the last answers are kept.
template <class Function>
class Remembering {
 public:
  explicit Remembering(Function function) : function_(function) {}

  double operator()(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    Entry& entry = entries_[(bits * 0x9e3779b97f4a7c15u) >> 60];
    if (!entry.filled || entry.bits != bits) entry = {true, bits, function_(x)};
    return entry.value;
  }

 private:
  struct Entry {
    bool filled = false;
    std::uint64_t bits = 0;
    double value = 0;
  };
  Function function_;
  std::array<Entry, 16> entries_{};
};

double sum_pairwise(std::span<const double> terms, FloatFormat format) {
  if (terms.size() == 1) return format.round(terms.front());
  const std::size_t half = terms.size() - terms.size() / 2;
  return format.round(
      add_to_odd(sum_pairwise(terms.first(half), format), sum_pairwise(terms.subspan(half), format)));
}

ExactSum exact_sum(std::span<const double> terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

}  // namespace

double sum_of(std::span<const double> terms, FloatFormat format, SumOrder order) {
  if (terms.empty()) return 0;
  switch (order) {
    case SumOrder::exact: return format.round(exact_sum(terms).to_odd());
    case SumOrder::pairwise: return sum_pairwise(terms, format);
    case SumOrder::left_to_right: break;
  }
  double sum = 0;
  for (const double term : terms) sum = format.round(add_to_odd(sum, term));
  return sum;
}

FloatModel::FloatModel(const Model& model)
    : arithmetic_(model.arithmetic), format_(model.arithmetic.floating_point()) {
  validate(model);
  width_ = model.width();
  norm_placement_ = model.norm_placement;
  position_kind_ = model.position_kind;
  position_rows_ = model.positions.rows;
  embedding_ = rounded(model.embedding.entries);
  positions_ = rounded(model.positions.entries);
  for (const Layer& layer : model.layers) {
    FloatLayer& mine = layers_.emplace_back();
    mine.masks = layer.masks;
    mine.head_width = layer.head_width();
    mine.query = rounded(layer.query, layer.query_bias);
    mine.key = rounded(layer.key, layer.key_bias);
    mine.value = rounded(layer.value, layer.value_bias);
    mine.output = rounded(layer.output, layer.output_bias);
    mine.expand = rounded(layer.expand, layer.expand_bias);
    mine.contract = rounded(layer.contract, layer.contract_bias);
    if (layer.attention_norm) mine.norms.push_back(rounded(*layer.attention_norm));
    if (layer.feed_forward_norm) mine.norms.push_back(rounded(*layer.feed_forward_norm));
  }
  if (model.final_norm) final_norm_.push_back(rounded(*model.final_norm));
  readout_ = rounded(model.readout);
  readout_bias_ = weight(model.readout_bias);
}

double FloatModel::weight(float x) const {
  return std::clamp(format_.round(static_cast<double>(x)), -format_.largest(), format_.largest());
}

std::vector<double> FloatModel::rounded(const std::vector<float>& entries) const {
  std::vector<double> numbers;
  numbers.reserve(entries.size());
  for (const float x : entries) numbers.push_back(weight(x));
  return numbers;
}

FloatModel::Affine FloatModel::rounded(const Matrix& matrix, const std::vector<float>& bias) const {
  return {matrix.columns, rounded(matrix.entries), rounded(bias)};
}

FloatNorm FloatModel::rounded(const LayerNorm& norm) const {
  return {rounded(norm.gain), rounded(norm.bias), std::max(weight(norm.epsilon), format_.least_positive())};
}

std::size_t FloatModel::position_row(std::uint64_t n) const {
  assert(n >= 1 && n - 1 <= longest_word());
  switch (position_kind_) {
    case PositionKind::none: return 0;
    case PositionKind::periodic: return n % position_rows_;
    case PositionKind::learned: return n - 1;
  }
  return 0;
}

std::uint64_t FloatModel::longest_word() const {
  return position_kind_ == PositionKind::learned ? position_rows_ - 1
                                                 : std::numeric_limits<std::uint64_t>::max();
}

void FloatModel::embed(Letter a, std::size_t position_row, std::span<double> x) const {
  for (std::size_t i = 0; i < width_; ++i) {
    const double letter = embedding_[a * width_ + i];
    const double position = position_kind_ == PositionKind::none ? 0 : positions_[position_row * width_ + i];
    x[i] = format_.round(add_to_odd(letter, position));
  }
}

void FloatModel::apply(const Affine& map, std::span<const double> x, std::span<const double> residual,
                       std::span<double> y) const {
  std::vector<double> terms;
  for (std::size_t r = 0; r < map.bias.size(); ++r) {
    terms.clear();
    for (std::size_t c = 0; c < map.columns; ++c) terms.push_back(map.weights[r * map.columns + c] * x[c]);
    terms.push_back(map.bias[r]);
    if (!residual.empty()) terms.push_back(residual[r]);
    y[r] = sum(terms);
  }
}

void FloatModel::project(std::size_t layer, std::span<const double> x, std::span<double> query,
                         std::span<double> key, std::span<double> value) const {
  const FloatLayer& mine = layers_[layer];
  std::vector<double> normed;
  if (norm_placement_ == NormPlacement::pre) {
    normed.resize(width_);
    layer_norm(mine.norms[0], x, normed);
    x = normed;
  }
  apply(mine.query, x, {}, query);
  apply(mine.key, x, {}, key);
  apply(mine.value, x, {}, value);
}

double FloatModel::score(std::span<const double> query, std::span<const double> key) const {
  if (query.size() == 1) return format_.round(query[0] * key[0]);
  std::vector<double> terms;
  for (std::size_t i = 0; i < query.size(); ++i) terms.push_back(query[i] * key[i]);
  return sum(terms);
}

void FloatModel::attend(std::span<const double> scores, std::span<const double> values,
                        std::span<double> output) const {
  std::fill(output.begin(), output.end(), 0);
  if (scores.empty()) return;
  const AttentionRule rule = arithmetic_.rule();
  double most = scores.front();
  for (const double s : scores) most = std::isnan(s) || s > most ? s : most;
  Remembering exponentials(
      [&](double s) { return exponential(format_.round(add_to_odd(s, -most)), format_); });
  std::vector<double> numerators;
  numerators.reserve(scores.size());
  for (const double s : scores) numerators.push_back(exponentials(s));

  ExactSum denominator;
  const bool quotient = rule == AttentionRule::rounded_quotient;
  const bool exact_quotient = quotient && arithmetic_.order() == SumOrder::exact;
  if (rule == AttentionRule::partial_sums || (quotient && !exact_quotient)) {
    denominator.add(sum(numerators));
  } else {
    for (const double e : numerators) denominator.add(e);
    const double size = denominator.to_odd();
    if (rule == AttentionRule::clamped_denominator && size > format_.largest()) {
      denominator = ExactSum();
      denominator.add(format_.largest());
    } else if (rule == AttentionRule::rounded_weights && std::isinf(format_.round(size))) {
      denominator = ExactSum();
      denominator.add(std::numeric_limits<double>::infinity());
    }
  }

  std::vector<double> weights;
  if (!quotient) {
    Remembering weight_of([&](double e) {
      ExactSum numerator;
      numerator.add(e);
      return round_quotient(numerator, denominator, format_);
    });
    weights.reserve(numerators.size());
    for (const double e : numerators) weights.push_back(weight_of(e));
  }
  std::vector<double> terms(scores.size());
  for (std::size_t i = 0; i < output.size(); ++i) {
    const auto& factors = quotient ? numerators : weights;
    for (std::size_t m = 0; m < terms.size(); ++m) terms[m] = factors[m] * values[m * output.size() + i];
    if (!quotient) {
      output[i] = sum(terms);
      continue;
    }
    ExactSum numerator;
    if (exact_quotient) {
      numerator = exact_sum(terms);
    } else {
      numerator.add(sum(terms));
    }
    output[i] = round_quotient(numerator, denominator, format_);
  }
}

void FloatModel::layer_norm(const FloatNorm& norm, std::span<const double> x,
                            std::span<double> output) const {
  // Quotients and roots of numbers of at most 24 digits are never within a double's error of a middle between
  // two of them without being it, so rounding the double is rounding once (Figueroa 1995).
  const auto width = static_cast<double>(x.size());
  const double mean = format_.round(sum(x) / width);
  std::vector<double> deviation;
  for (const double a : x) deviation.push_back(format_.round(add_to_odd(a, -mean)));
  std::vector<double> squares;
  for (const double d : deviation) squares.push_back(d * d);
  const double variance = format_.round(sum(squares) / width);
  const double spread = format_.round(std::sqrt(format_.round(add_to_odd(variance, norm.epsilon))));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scaled = format_.round(deviation[i] / spread);
    output[i] = format_.round(add_to_odd(norm.gain[i] * scaled, norm.bias[i]));
  }
}

void FloatModel::finish(std::size_t layer, std::span<const double> x, std::span<const double> attended,
                        std::span<double> output) const {
  std::vector<double> middle(width_);
  finish_attention(layer, x, attended, middle);
  feed_forward(layer, middle, output);
}

void FloatModel::finish_attention(std::size_t layer, std::span<const double> x,
                                  std::span<const double> attended, std::span<double> output) const {
  const FloatLayer& mine = layers_[layer];
  apply(mine.output, attended, x, output);
  if (norm_placement_ == NormPlacement::post) layer_norm(mine.norms[0], output, output);
}

void FloatModel::feed_forward(std::size_t layer, std::span<const double> x, std::span<double> output) const {
  const FloatLayer& mine = layers_[layer];
  std::vector<double> normed;
  std::span<const double> entering = x;
  if (norm_placement_ == NormPlacement::pre) {
    normed.resize(width_);
    layer_norm(mine.norms[1], x, normed);
    entering = normed;
  }
  std::vector<double> hidden(mine.expand.bias.size());
  apply(mine.expand, entering, {}, hidden);
  for (double& h : hidden)
    if (h < 0) h = 0;
  apply(mine.contract, hidden, x, output);
  if (norm_placement_ == NormPlacement::post) layer_norm(mine.norms[1], output, output);
}

double FloatModel::logit(std::span<const double> x) const {
  std::vector<double> normed;
  if (!final_norm_.empty()) {
    normed.resize(width_);
    layer_norm(final_norm_.front(), x, normed);
    x = normed;
  }
  std::vector<double> terms;
  for (std::size_t i = 0; i < width_; ++i) terms.push_back(readout_[i] * x[i]);
  terms.push_back(readout_bias_);
  return sum(terms);
}

}  // namespace transformer
