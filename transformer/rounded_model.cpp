#include "transformer/rounded_model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

namespace transformer {

namespace {

// With width D < 2^40: |D x_i - sum x| < 2^(33) D, so the largest number below, 4 (gain · that)^2 D · 2^149,
// has fewer than 64 + 66 + 80 + 40 + 149 + 2 < 512 bits.  (Checked: it would throw rather than wrap.)
using Big = boost::multiprecision::checked_int512_t;

/// The largest r with r^2 <= x.
Wide integer_sqrt(Wide x) {
  Wide root = 0;
  Wide bit = Wide{1} << 126;
  while (bit > x) bit >>= 2;
  for (; bit != 0; bit >>= 2) {
    root >>= 1;
    const Wide trial = (root << 1) + bit;
    if (x >= trial) {
      x -= trial;
      root += bit;
    }
  }
  return root;
}

/// m and k >= 0 with x = m / 2^k, or m · 2^-k for k < 0: x exactly.
std::pair<std::int64_t, int> as_fraction(float x) {
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(x), &exponent);  // x = fraction · 2^exponent
  return {static_cast<std::int64_t>(std::ldexp(fraction, 24)), 24 - exponent};
}

FixedPoint format_of(const Arithmetic& arithmetic, std::initializer_list<AttentionRule> rules) {
  if (arithmetic.is_fixed_point() && std::find(rules.begin(), rules.end(), arithmetic.rule()) != rules.end())
    return arithmetic.fixed_point();
  std::string wanted;
  for (const AttentionRule rule : rules) wanted += (wanted.empty() ? "" : " or ") + std::string(name(rule));
  throw std::invalid_argument("RoundedModel: needs fixed point with " + wanted + ", not " +
                              to_string(arithmetic));
}

/// The numerator of a score that lies so much below the maximum.
Raw numerator_of(const std::vector<std::int64_t>& table, Raw below) {
  return static_cast<std::size_t>(below) < table.size() ? table[static_cast<std::size_t>(below)] : 0;
}

/// Both forms of attend: add(a, weight, i) is coordinate i of what the positions of `a`, each with that
/// weight, add to the output.
template <class Positions, class Add>
void attend_to(std::span<const Positions> attended, FixedPoint format, std::span<Raw> output, Add add) {
  std::fill(output.begin(), output.end(), 0);
  if (attended.empty()) return;
  const auto& table = exponential_table(format);
  const int p = format.fraction_bits();
  Raw most = attended.front().score;
  for (const Positions& a : attended) most = std::max(most, a.score);
  const auto numerator = [&](const Positions& a) { return numerator_of(table, most - a.score); };
  Wide sum = 0;
  for (const Positions& a : attended) sum += static_cast<Wide>(a.count) * numerator(a);
  // No numerator is above 2^p, so from here on every weight is at most 1/2 of a grid step, and rounds to 0.
  if (sum >= Wide{1} << (2 * p + 1)) return;
  // The weights sum up to less than 2, so the raw total stays below 2^(p+1) · 2^32: docs/arithmetic.md.
  for (const Positions& a : attended) {
    const Raw weight = round_quotient(static_cast<Wide>(numerator(a)) << p, sum, format);
    if (weight == 0) continue;
    for (std::size_t i = 0; i < output.size(); ++i) output[i] += add(a, weight, i);
  }
  for (Raw& y : output) y = round_quotient(y, format.one(), format);
}

}  // namespace

void attend(std::span<const Attended> attended, FixedPoint format, std::span<Raw> output) {
  attend_to(attended, format, output, [](const Attended& a, Raw weight, std::size_t i) {
    return weight * static_cast<Raw>(a.count) * a.value[i];
  });
}

void attend(std::span<const AttendedSum> attended, FixedPoint format, std::span<Raw> output) {
  attend_to(attended, format, output,
            [](const AttendedSum& a, Raw weight, std::size_t i) { return weight * a.sum[i]; });
}

void attend(std::span<const Attended> attended, FixedPoint format, AttentionRule rule,
            std::span<Raw> output) {
  assert(rule != AttentionRule::partial_sums);
  if (rule == AttentionRule::rounded_weights) return attend(attended, format, output);
  std::fill(output.begin(), output.end(), 0);
  if (attended.empty()) return;
  const auto& table = exponential_table(format);
  Raw most = attended.front().score;
  for (const Attended& a : attended) most = std::max(most, a.score);
  Wide sum = 0;
  for (const Attended& a : attended) sum += static_cast<Wide>(a.count) * numerator_of(table, most - a.score);
  const bool quotient = rule == AttentionRule::rounded_quotient;
  if (!quotient) sum = std::min<Wide>(sum, format.largest());
  // Counts are below 2^64, numerators and weights at most 2^16, values below 2^32: totals stay below 2^112,
  // times the number of different scores and values.
  for (std::size_t i = 0; i < output.size(); ++i) {
    Wide total = 0;
    for (const Attended& a : attended) {
      const Raw e = numerator_of(table, most - a.score);
      const Raw weight =
          quotient ? e : round_quotient(static_cast<Wide>(e) << format.fraction_bits(), sum, format);
      total += static_cast<Wide>(a.count) * weight * a.value[i];
    }
    output[i] = round_quotient(total, quotient ? sum : Wide{format.one()}, format);
  }
}

void layer_norm(const RoundedNorm& norm, FixedPoint format, std::span<const Raw> x, std::span<Raw> output) {
  // With D the width, d_i = D x_i - sum x and all of it in raw values,
  //     (x_i - mean) / sqrt(variance + epsilon) = d_i sqrt(D) / sqrt(V),
  //     V = sum d_i^2 + epsilon D^3 2^(2p) = A / B,  B a power of 2,
  // so the distance t of the result from the bias is the square root of the rational gain^2 d_i^2 D B / A.
  const auto width = static_cast<Wide>(x.size());
  Wide total = 0;
  for (const Raw a : x) total += a;
  Big squares = 0;
  std::vector<Big> deviation;
  deviation.reserve(x.size());
  for (const Raw a : x) {
    deviation.emplace_back(width * a - total);
    squares += deviation.back() * deviation.back();
  }
  const auto [epsilon, epsilon_bits] = as_fraction(norm.epsilon);
  const Big cube = Big(x.size()) * x.size() * x.size();
  Big offset = (Big(epsilon) * cube) << (2 * format.fraction_bits());
  if (epsilon_bits < 0) offset <<= -epsilon_bits;
  const int scale = std::max(epsilon_bits, 0);
  const Big denominator = (squares << scale) + offset;  // A, with B = 2^scale

  for (std::size_t i = 0; i < x.size(); ++i) {
    const Big product = deviation[i] * norm.gain[i];
    const Big numerator = (product * product * x.size()) << scale;
    const int side = product < 0 ? -1 : 1;
    // t^2 <= gain^2 D, since d_i^2 <= V: 128 bits hold its integer part, and t < 2^63 at any width in memory.
    const Wide low = integer_sqrt(Big(numerator / denominator).convert_to<Wide>());
    // Round t = low + (something below 1) up, down, or, half-way, so that the whole becomes even.
    const Big middle = 2 * Big(low) + 1;
    const int order = Big(4 * numerator).compare(Big(middle * middle * denominator));
    const bool even = (norm.bias[i] + low) % 2 == 0;
    const Wide rounded = order > 0 || (order == 0 && !even) ? low + 1 : low;
    output[i] = round_quotient(norm.bias[i] + side * rounded, 1, format);
  }
}

RoundedModel::RoundedModel(const Model& model, std::initializer_list<AttentionRule> rules)
    : arithmetic_(format_of(model.arithmetic, rules)), rule_(model.arithmetic.rule()) {
  validate(model);
  width_ = model.width();
  norm_placement_ = model.norm_placement;
  position_kind_ = model.position_kind;
  position_rows_ = model.positions.rows;
  embedding_ = rounded(model.embedding.entries);
  positions_ = rounded(model.positions.entries);
  for (const Layer& layer : model.layers) {
    RoundedLayer& mine = layers_.emplace_back();
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
  readout_bias_ = round_to(model.readout_bias, arithmetic_);
}

std::vector<Raw> RoundedModel::rounded(const std::vector<float>& entries) const {
  std::vector<Raw> raw;
  raw.reserve(entries.size());
  for (const float x : entries) raw.push_back(round_to(x, arithmetic_));
  return raw;
}

RoundedModel::Affine RoundedModel::rounded(const Matrix& matrix, const std::vector<float>& bias) const {
  Affine map;
  map.bias = rounded(bias);
  map.begin.reserve(matrix.rows + 1);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    map.begin.push_back(map.entries.size());
    for (std::size_t c = 0; c < matrix.columns; ++c)
      if (const Raw weight = round_to(matrix(r, c), arithmetic_); weight != 0)
        map.entries.push_back({c, weight});
  }
  map.begin.push_back(map.entries.size());
  return map;
}

RoundedNorm RoundedModel::rounded(const LayerNorm& norm) const {
  return {rounded(norm.gain), rounded(norm.bias), norm.epsilon};
}

std::size_t RoundedModel::position_row(std::uint64_t n) const {
  assert(n >= 1 && n - 1 <= longest_word());
  switch (position_kind_) {
    case PositionKind::none: return 0;
    case PositionKind::periodic: return n % position_rows_;
    case PositionKind::learned: return n - 1;
  }
  return 0;
}

std::uint64_t RoundedModel::longest_word() const {
  return position_kind_ == PositionKind::learned ? position_rows_ - 1
                                                 : std::numeric_limits<std::uint64_t>::max();
}

std::vector<std::size_t> RoundedModel::inputs(std::size_t layer, Part part, std::size_t row) const {
  const auto matrix = [&]() -> const Affine& {
    const RoundedLayer& mine = layers_[layer];
    switch (part) {
      case Part::query: return mine.query;
      case Part::key: return mine.key;
      case Part::value: return mine.value;
      case Part::output: return mine.output;
      case Part::expand: return mine.expand;
      case Part::contract: return mine.contract;
    }
    return mine.query;
  };
  const Affine& map = matrix();
  std::vector<std::size_t> columns;
  for (std::size_t i = map.begin[row]; i < map.begin[row + 1]; ++i) columns.push_back(map.entries[i].column);
  return columns;
}

std::vector<std::size_t> RoundedModel::readout_inputs() const {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < width_; ++i)
    if (!final_norm_.empty() || readout_[i] != 0) columns.push_back(i);
  return columns;
}

void RoundedModel::embed(Letter a, std::size_t position_row, std::span<Raw> x) const {
  for (std::size_t i = 0; i < width_; ++i) {
    Wide sum = embedding_[a * width_ + i];
    if (position_kind_ != PositionKind::none) sum += positions_[position_row * width_ + i];
    x[i] = round_quotient(sum, 1, arithmetic_);
  }
}

void RoundedModel::apply(const Affine& map, std::span<const Raw> x, std::span<const Raw> residual,
                         std::span<Raw> y) const {
  const Wide one = arithmetic_.one();
  for (std::size_t r = 0; r < map.bias.size(); ++r) {
    Wide sum = one * map.bias[r];
    if (!residual.empty()) sum += one * residual[r];
    for (std::size_t i = map.begin[r]; i < map.begin[r + 1]; ++i)
      sum += static_cast<Wide>(map.entries[i].weight) * x[map.entries[i].column];
    y[r] = round_quotient(sum, one, arithmetic_);
  }
}

void RoundedModel::project(std::size_t layer, std::span<const Raw> x, std::span<Raw> query,
                           std::span<Raw> key, std::span<Raw> value) const {
  const RoundedLayer& mine = layers_[layer];
  std::vector<Raw> normed;
  if (norm_placement_ == NormPlacement::pre) {
    normed.resize(width_);
    layer_norm(mine.norms[0], arithmetic_, x, normed);
    x = normed;
  }
  apply(mine.query, x, {}, query);
  apply(mine.key, x, {}, key);
  apply(mine.value, x, {}, value);
}

Raw RoundedModel::score(std::span<const Raw> query, std::span<const Raw> key) const {
  Wide sum = 0;
  for (std::size_t i = 0; i < query.size(); ++i) sum += static_cast<Wide>(query[i]) * key[i];
  return round_quotient(sum, arithmetic_.one(), arithmetic_);
}

void RoundedModel::finish(std::size_t layer, std::span<const Raw> x, std::span<const Raw> attended,
                          std::span<Raw> output) const {
  std::vector<Raw> middle(width_);
  finish_attention(layer, x, attended, middle);
  feed_forward(layer, middle, output);
}

void RoundedModel::finish_attention(std::size_t layer, std::span<const Raw> x, std::span<const Raw> attended,
                                    std::span<Raw> output) const {
  const RoundedLayer& mine = layers_[layer];
  apply(mine.output, attended, x, output);
  if (norm_placement_ == NormPlacement::post) layer_norm(mine.norms[0], arithmetic_, output, output);
}

void RoundedModel::feed_forward(std::size_t layer, std::span<const Raw> x, std::span<Raw> output) const {
  const RoundedLayer& mine = layers_[layer];
  std::vector<Raw> normed;
  std::span<const Raw> entering = x;
  if (norm_placement_ == NormPlacement::pre) {
    normed.resize(width_);
    layer_norm(mine.norms[1], arithmetic_, x, normed);
    entering = normed;
  }
  std::vector<Raw> hidden(mine.expand.bias.size());
  apply(mine.expand, entering, {}, hidden);
  for (Raw& h : hidden) h = std::max<Raw>(h, 0);
  apply(mine.contract, hidden, x, output);
  if (norm_placement_ == NormPlacement::post) layer_norm(mine.norms[1], arithmetic_, output, output);
}

Raw RoundedModel::logit(std::span<const Raw> x) const {
  std::vector<Raw> normed;
  if (!final_norm_.empty()) {
    normed.resize(width_);
    layer_norm(final_norm_.front(), arithmetic_, x, normed);
    x = normed;
  }
  Wide sum = static_cast<Wide>(arithmetic_.one()) * readout_bias_;
  for (std::size_t i = 0; i < width_; ++i) sum += static_cast<Wide>(readout_[i]) * x[i];
  return round_quotient(sum, arithmetic_.one(), arithmetic_);
}

}  // namespace transformer
