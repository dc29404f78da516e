#include "bridge/trace.hpp"

#include "bridge/written_out.hpp"
#include "logic/parse.hpp"
#include "logic/semantics.hpp"
#include "transformer/float_model.hpp"
#include "transformer/rounded_model.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string_view>

namespace bridge {

using logic::Formula;
using logic::Kind;
using transformer::Letter;
using transformer::Model;
using transformer::Raw;

namespace {

/// Takes `ending` off the end of `text`, if it is there.
bool take_ending(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

/// What the names of coordinates say about the positions of one word.
class Meanings {
 public:
  using Row = std::vector<bool>;  // entry n-1 is position n

  Meanings(const Model& model, std::span<const Letter> word)
      : alphabet_(model.alphabet), word_(word), vanishing_(transformer::vanishing_count(model.arithmetic)) {
    if (model.source.empty()) return;
    try {
      source_ = logic::parse(arena_, model.source, alphabet_);
    } catch (const std::exception&) {  // written by a stranger, or not for this alphabet
      return;
    }
    if (!logic::fragment(source_).since) in_order_ = arguments_first(written_out(arena_, source_));
  }

  std::optional<bool> holds() const {
    return source_ ? std::optional(logic::holds(source_, word_)) : std::nullopt;
  }

  /// The truth that `name` stands for, and whether the value is a raw output.
  std::optional<Row> truth(std::string_view name, bool& raw) {
    if (!source_) return std::nullopt;
    raw = take_ending(name, " (raw)");
    const auto known = known_.find(std::string(name));
    if (known != known_.end()) return known->second;
    return known_[std::string(name)] = find(name);
  }

 private:
  std::optional<Row> find(std::string_view name) {
    if (name.starts_with("1 - (") && name.ends_with(")")) {
      bool raw = false;
      auto row = truth(name.substr(5, name.size() - 6), raw);
      if (row) row->flip();
      return raw ? std::nullopt : row;
    }
    if (name.starts_with("position > 1 (")) {
      Row row(word_.size() + 1, true);
      row[0] = false;
      return row;
    }
    if (take_ending(name, " (near)")) return near(formula(name));
    if (take_ending(name, " (again)")) return again(formula(name));
    if (take_ending(name, " (far)")) return far(formula(name));
    if (take_ending(name, " (short window)")) return short_window(formula(name));
    if (const Formula f = formula(name)) return row(f);
    return std::nullopt;
  }

  /// The formula of that name, if it is one.
  Formula formula(std::string_view name) {
    constexpr std::string_view prefix = "subformula ";
    if (name.starts_with(prefix)) {
      std::size_t i = 0;
      const std::string_view digits = name.substr(prefix.size());
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), i);
      const bool whole = error == std::errc() && end == digits.data() + digits.size();
      return whole && i < in_order_.size() ? in_order_[i] : Formula{};
    }
    try {
      return logic::parse(arena_, std::string(name), alphabet_);
    } catch (const std::exception&) {
      return Formula{};
    }
  }

  Row row(Formula f) const { return logic::truth_table(f, word_).back(); }

  /// Between 1 and N_max earlier positions satisfy the argument of P.
  std::optional<Row> near(Formula f) const {
    if (!f || f->kind != Kind::previously) return std::nullopt;
    const Row argument = row(f->left);
    Row result;
    std::uint64_t count = 0;
    for (const bool now : argument) {
      result.push_back(count >= 1 && (!vanishing_ || count <= *vanishing_));
      if (now) ++count;
    }
    return result;
  }

  std::optional<Row> again(Formula f) const {
    auto result = near(f);
    if (!result) return result;
    const Row argument = row(f->left);
    for (std::size_t i = 0; i < argument.size(); ++i) (*result)[i] = (*result)[i] && argument[i];
    return result;
  }

  std::optional<Row> far(Formula f) const {
    const auto marks = again(f);
    if (!marks) return marks;
    Row result;
    bool seen = false;
    for (const bool now : *marks) {
      result.push_back(seen);
      seen = seen || now;
    }
    return result;
  }

  /// Lemma 4 of docs/compile.md: the comparison that decides in windows that reach position 1.
  std::optional<Row> short_window(Formula f) const {
    if (!f || f->kind != Kind::counting_window) return std::nullopt;
    Row result = row(f);
    for (std::size_t n = 1; n <= result.size(); ++n)
      if (n == 1 || n > std::size_t{f->k} + 1) result[n - 1] = true;
    return result;
  }

  logic::Arena arena_;
  logic::Alphabet alphabet_;
  std::span<const Letter> word_;
  std::optional<std::uint64_t> vanishing_;
  Formula source_;
  std::vector<Formula> in_order_;
  std::map<std::string, std::optional<Row>> known_;
};

/// The parts of a RoundedModel, one position at a time.
class FixedPointParts {
 public:
  using Number = Raw;

  explicit FixedPointParts(const Model& model)
      : model_(model,
               {transformer::AttentionRule::rounded_weights, transformer::AttentionRule::rounded_quotient,
                transformer::AttentionRule::clamped_denominator}) {}

  const transformer::RoundedModel& model() const { return model_; }
  double to_double(Raw x) const { return model_.arithmetic().to_double(x); }

  /// The output of a head at positions with these scores and values, and the weight of each.
  void attend(std::span<const Raw> scores, std::span<const Raw> values, std::span<Raw> output,
              std::vector<double>& weights) const {
    const std::size_t width = output.size();
    std::vector<transformer::Attended> seen;
    for (std::size_t m = 0; m < scores.size(); ++m) seen.push_back({scores[m], 1, values.data() + m * width});
    transformer::attend(seen, model_.arithmetic(), model_.rule(), output);
    // Positions of one score have one weight: what a head puts out where one of them has the value 1.
    std::map<Raw, std::size_t> kind;
    for (const Raw s : scores) kind.emplace(s, 0);
    std::size_t kinds = 0;
    for (auto& entry : kind) entry.second = kinds++;
    std::vector<Raw> shown(scores.size() * kinds, 0);
    std::vector<bool> done(kinds, false);
    for (std::size_t m = 0; m < scores.size(); ++m) {
      const std::size_t k = kind.at(scores[m]);
      if (!done[k]) shown[m * kinds + k] = model_.arithmetic().one();
      done[k] = true;
      seen[m].value = shown.data() + m * kinds;
    }
    std::vector<Raw> weight(kinds);
    transformer::attend(seen, model_.arithmetic(), model_.rule(), weight);
    for (const Raw s : scores) weights.push_back(to_double(weight[kind.at(s)]));
  }

 private:
  transformer::RoundedModel model_;
};

/// The same of a FloatModel.
class FloatParts {
 public:
  using Number = double;

  explicit FloatParts(const Model& model) : model_(model) {}

  const transformer::FloatModel& model() const { return model_; }
  static double to_double(double x) { return x; }

  void attend(std::span<const double> scores, std::span<const double> values, std::span<double> output,
              std::vector<double>& weights) const {
    model_.attend(scores, values, output);
    std::map<std::uint64_t, std::size_t> kind;  // by their bits, since a score may be NaN
    for (const double s : scores) kind.emplace(std::bit_cast<std::uint64_t>(s), kind.size());
    const std::size_t kinds = kind.size();
    std::vector<double> shown(scores.size() * kinds, 0);
    std::vector<bool> done(kinds, false);
    for (std::size_t m = 0; m < scores.size(); ++m) {
      const std::size_t k = kind.at(std::bit_cast<std::uint64_t>(scores[m]));
      if (!done[k]) shown[m * kinds + k] = 1;
      done[k] = true;
    }
    std::vector<double> weight(kinds);
    model_.attend(scores, shown, weight);
    for (const double s : scores) weights.push_back(weight[kind.at(std::bit_cast<std::uint64_t>(s))]);
  }

 private:
  transformer::FloatModel model_;
};

template <class Parts>
Trace run(const Parts& parts, const Model& source, std::span<const Letter> word) {
  using Number = typename Parts::Number;
  const auto& model = parts.model();
  const std::size_t width = model.width();
  const std::size_t positions = word.size() + 1;
  Meanings meanings(source, word);
  Trace trace;
  std::vector<std::vector<Number>> x(positions, std::vector<Number>(width));

  const auto keep = [&](std::size_t layer, Half half, const std::vector<std::string>& names) -> TraceStage& {
    TraceStage& stage = trace.stages.emplace_back(TraceStage{layer, half, {}, {}});
    for (std::size_t i = 0; i < width; ++i) {
      TracedCoordinate& c = stage.coordinates.emplace_back();
      c.index = i;
      if (!names.empty()) c.name = names[i];
      for (const auto& row : x) c.values.push_back(parts.to_double(row[i]));
      bool raw = false;
      c.truth = meanings.truth(c.name, raw);
      if (!c.truth) continue;
      for (std::size_t n = 0; n < positions; ++n) {
        const double value = c.values[n];
        const bool expected = (*c.truth)[n];
        const bool right = raw                       ? (value > 0) == expected
                           : half == Half::attention ? expected ? value > 0.5 : value < 0.5
                                                     : value == (expected ? 1 : 0);
        if (!right) c.wrong.push_back(n + 1);
      }
      trace.disagreements += c.wrong.size();
    }
    return stage;
  };

  for (std::size_t n = 0; n < positions; ++n) {
    const auto letter = n < word.size() ? word[n] : static_cast<Letter>(model.letters());
    model.embed(letter, model.position_row(n + 1), x[n]);
  }
  std::vector<std::string> names = source.coordinates;
  keep(0, Half::input, names);

  std::vector<Number> after(width);
  for (std::size_t l = 0; l < model.layers(); ++l) {
    const transformer::Layer& layer = source.layers[l];
    const std::size_t heads = model.heads(l);
    const std::size_t head_width = model.head_width(l);
    const std::size_t all = model.attention_width(l);
    std::vector<std::vector<Number>> query(positions, std::vector<Number>(all));
    auto key = query;
    auto value = query;
    auto attended = query;
    for (std::size_t n = 0; n < positions; ++n) model.project(l, x[n], query[n], key[n], value[n]);
    std::vector<TracedHead> traced;
    for (std::size_t h = 0; h < heads; ++h) {
      TracedHead& head = traced.emplace_back(TracedHead{model.masks(l)[h], {}});
      const auto part = [&](const std::vector<Number>& row) {
        return std::span<const Number>(row).subspan(h * head_width, head_width);
      };
      for (std::size_t n = 0; n < positions; ++n) {
        const std::size_t first =
            head.mask.is_global() ? 0 : n - std::min<std::size_t>(n, head.mask.window());
        auto& weights = head.weights.emplace_back(first, 0.0);
        std::vector<Number> scores;
        std::vector<Number> values;
        for (std::size_t m = first; m < n; ++m) {
          scores.push_back(model.score(part(query[n]), part(key[m])));
          const auto v = part(value[m]);
          values.insert(values.end(), v.begin(), v.end());
        }
        parts.attend(scores, values, std::span(attended[n]).subspan(h * head_width, head_width), weights);
      }
    }
    for (std::size_t n = 0; n < positions; ++n) {
      model.finish_attention(l, x[n], attended[n], after);
      x[n] = after;
    }
    if (!layer.attention_coordinates.empty()) names = layer.attention_coordinates;
    keep(l, Half::attention, names).heads = std::move(traced);
    for (std::size_t n = 0; n < positions; ++n) {
      model.feed_forward(l, x[n], after);
      x[n] = after;
    }
    if (!layer.coordinates.empty()) names = layer.coordinates;
    keep(l, Half::feed_forward, names);
  }
  trace.logit = parts.to_double(model.logit(x.back()));
  trace.accepted = trace.logit > 0;
  trace.holds = meanings.holds();
  if (trace.holds && *trace.holds != trace.accepted) ++trace.disagreements;
  return trace;
}

}  // namespace

Trace trace(const Model& model, std::span<const Letter> word, const TraceLimits& limits) {
  transformer::validate(model);
  for (const Letter a : word) {
    if (a >= model.letters())
      throw std::invalid_argument("trace: letter " + std::to_string(a) + " of " +
                                  std::to_string(model.letters()));
  }
  if (model.position_kind == transformer::PositionKind::learned && word.size() >= model.positions.rows)
    throw std::length_error("trace: the positions end after " + std::to_string(model.positions.rows - 1) +
                            " letters");
  // In doubles, which no size overflows.
  const auto positions = static_cast<double>(word.size() + 1);
  double numbers =
      positions * static_cast<double>(model.width()) * static_cast<double>(2 * model.layers.size() + 1);
  for (const auto& layer : model.layers)
    numbers += positions * (positions / 2) * static_cast<double>(layer.heads());
  if (numbers > static_cast<double>(limits.max_numbers))
    throw std::length_error("trace: about " + std::to_string(static_cast<std::uint64_t>(numbers)) +
                            " numbers for a word of " + std::to_string(word.size()) +
                            " letters, above the limit of " + std::to_string(limits.max_numbers));
  if (model.arithmetic.is_floating_point()) return run(FloatParts(model), model, word);
  return run(FixedPointParts(model), model, word);
}

}  // namespace bridge
