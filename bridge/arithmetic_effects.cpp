#include "bridge/arithmetic_effects.hpp"

#include "bridge/agreement.hpp"
#include "bridge/trace.hpp"
#include "bridge/verify.hpp"
#include "transformer/engine.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace bridge {
namespace {

using automata::Dfa;
using automata::State;
using logic::Letter;
using logic::Word;
using transformer::Arithmetic;
using transformer::Engine;
using transformer::Model;

std::size_t longest_word(const Model& model, std::size_t length) {
  if (model.position_kind != transformer::PositionKind::learned) return length;
  return std::min(length, model.positions.rows - 1);
}

bool has_local_heads_alone(const Model& model) {
  for (const transformer::Layer& layer : model.layers)
    for (const transformer::Mask mask : layer.masks)
      if (mask.is_global()) return false;
  return true;
}

/// How long words may be of which there are `budget` over so many letters.
std::size_t exhaustive_length(Letter letters, std::size_t budget) {
  std::size_t length = 1;
  std::size_t words = 1 + letters;
  for (std::size_t power = letters; length < 64; ++length) {
    power *= letters;
    if (words + power > budget) break;
    words += power;
  }
  return length;
}

/// One family u v^n w for all n, with all w that are short, from one run over u v v v ...
class Families {
 public:
  Families(const Model& model, const Dfa& language, std::size_t longest)
      : engine_(model), language_(language), limit_(longest) {}

  void search(const Word& u, const Word& v) {
    Engine::Run run = engine_.start();
    State state = language_.start();
    Word word;
    const auto read = [&](Letter a) {
      run.read(a);
      state = language_.next(state, a);
      word.push_back(a);
    };
    for (const Letter a : u) {
      if (word.size() >= limit_) return;
      read(a);
    }
    for (std::size_t i = 0; word.size() < limit_; ++i) {
      read(v[i % v.size()]);
      check(run, state, word);
      for (Letter b = 0; b < language_.letters() && word.size() < limit_; ++b) {
        Engine::Run longer = run;
        longer.read(b);
        Word with = word;
        with.push_back(b);
        check(longer, language_.next(state, b), with);
      }
    }
  }

  const std::optional<Word>& counterexample() const { return counterexample_; }

 private:
  void check(Engine::Run& run, State state, const Word& word) {
    if (word.size() > limit_ || run.accepts() == language_.is_accepting(state)) return;
    counterexample_ = word;
    limit_ = word.size() - 1;  // only shorter ones are of interest
  }

  Engine engine_;
  const Dfa& language_;
  std::size_t limit_;
  std::optional<Word> counterexample_;
};

std::optional<Word> search_families(const Model& model, const Dfa& language, std::size_t longest) {
  const Letter letters = language.letters();
  Families families(model, language, longest);
  std::vector<Word> starts{{}}, loops;
  for (Letter a = 0; a < letters; ++a) {
    starts.push_back({a});
    loops.push_back({a});
    for (Letter b = 0; b < letters; ++b)
      if (a != b) loops.push_back({a, b});
  }
  for (const Word& v : loops)
    for (const Word& u : starts) families.search(u, v);
  return families.counterexample();
}

/// The terms summed from the first to the last, or from the last to the first, each partial sum rounded.
double sum_in_order(const std::vector<double>& terms, const Arithmetic& arithmetic, bool reversed) {
  const auto rounded = [&](double x) {
    if (arithmetic.is_floating_point()) return arithmetic.floating_point().round(x);
    const auto format = arithmetic.fixed_point();
    return format.to_double(transformer::round_to(x, format));
  };
  double sum = 0;
  for (std::size_t i = 0; i < terms.size(); ++i)
    sum = rounded(sum + (reversed ? terms[terms.size() - 1 - i] : terms[i]));
  return sum;
}

/// How a head with these weights, all for the value 1, comes to be wrong.
FailureKind kind_of(const std::vector<double>& weights, const Arithmetic& arithmetic) {
  std::vector<double> terms;
  double exact = 0;
  for (const double weight : weights) {
    if (weight == 0) continue;
    terms.push_back(weight);
    exact += weight;
  }
  if (terms.empty()) {
    const bool overflow = arithmetic.is_floating_point() &&
                          std::isinf(arithmetic.floating_point().round(static_cast<double>(weights.size())));
    return overflow ? FailureKind::overflow : FailureKind::vanishing;
  }
  const bool in_order =
      arithmetic.rule() == transformer::AttentionRule::partial_sums ||
      (arithmetic.is_floating_point() && arithmetic.order() != transformer::SumOrder::exact);
  if (!in_order) return FailureKind::rounding;
  const double forward = sum_in_order(terms, arithmetic, false);
  const double backward = sum_in_order(terms, arithmetic, true);
  if (std::abs(forward - backward) > 0.125) return FailureKind::order;
  if (exact - forward > 0.125) return FailureKind::stagnation;
  return FailureKind::rounding;
}

/// The weights that a head gives to the positions that position n sees.
std::vector<double> seen_weights(const TracedHead& head, std::size_t n) {
  std::vector<double> weights;
  for (std::size_t m = 1; m < n; ++m)
    if (head.mask.sees(n, m)) weights.push_back(head.weights[n - 1][m - 1]);
  return weights;
}

bool writes(const transformer::Layer& layer, std::size_t head, std::size_t coordinate) {
  for (std::size_t i = 0; i < layer.head_width(); ++i)
    if (layer.output(coordinate, head * layer.head_width() + i) != 0) return true;
  return false;
}

/// The head behind a wrong coordinate at position n: one that writes it; or, since Boolean functions of a raw
/// output have coordinates of their own, one whose raw output is wrong there; or one that is not merely
/// coarse.
std::optional<std::size_t> head_behind(const Model& model, const TraceStage& attention,
                                       std::size_t coordinate, std::size_t n) {
  const transformer::Layer& layer = model.layers[attention.layer];
  for (std::size_t h = 0; h < layer.heads(); ++h)
    if (writes(layer, h, coordinate)) return h;
  for (std::size_t h = 0; h < layer.heads(); ++h)
    for (const TracedCoordinate& raw : attention.coordinates)
      if (writes(layer, h, raw.index) && std::find(raw.wrong.begin(), raw.wrong.end(), n) != raw.wrong.end())
        return h;
  for (std::size_t h = 0; h < layer.heads(); ++h)
    if (kind_of(seen_weights(attention.heads[h], n), model.arithmetic) != FailureKind::rounding) return h;
  return std::nullopt;
}

std::optional<Failure> find_failure(const Model& model, const Word& word) {
  Trace traced;
  try {
    traced = trace(model, word);
  } catch (const std::length_error&) {
    return std::nullopt;  // too long to be kept whole
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // an arithmetic whose parts trace does not show
  }
  for (std::size_t s = 0; s < traced.stages.size(); ++s) {
    const TraceStage& stage = traced.stages[s];
    if (stage.half != Half::feed_forward) continue;
    const TracedCoordinate* first = nullptr;
    for (const TracedCoordinate& coordinate : stage.coordinates)
      if (!coordinate.wrong.empty() && (first == nullptr || coordinate.wrong.front() < first->wrong.front()))
        first = &coordinate;
    if (first == nullptr) continue;
    const std::size_t position = first->wrong.front();
    const TraceStage& attention = traced.stages[s - 1];
    Failure failure{FailureKind::rounding,
                    stage.layer,
                    head_behind(model, attention, first->index, position),
                    position,
                    first->name,
                    first->values[position - 1],
                    0};
    if (failure.head) {
      const std::vector<double> weights = seen_weights(attention.heads[*failure.head], position);
      failure.kind = kind_of(weights, model.arithmetic);
      const auto attending = std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; });
      failure.attending = attending > 0 ? static_cast<std::size_t>(attending) : weights.size();
    }
    return failure;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::vanishing: return "vanishing";
    case FailureKind::overflow: return "overflow";
    case FailureKind::stagnation: return "stagnation";
    case FailureKind::order: return "order";
    case FailureKind::rounding: return "rounding";
  }
  return "";
}

Effect arithmetic_effect(const Model& model, const Dfa& language, const EffectOptions& options) {
  Model unbounded = model;
  unbounded.max_length.reset();
  Effect effect;
  const auto conclude = [&](std::optional<Word> counterexample) {
    effect.counterexample = std::move(counterexample);
    if (!effect.counterexample) return effect;
    effect.model_accepts = !language.accepts(*effect.counterexample);
    effect.failure = find_failure(unbounded, *effect.counterexample);
    return effect;
  };
  if (language.letters() != model.letters())
    throw std::invalid_argument("arithmetic_effect: a model over " + std::to_string(model.letters()) +
                                " letters and a language over " + std::to_string(language.letters()));
  if (model.arithmetic.is_reference() || has_local_heads_alone(model)) {
    try {
      DecompileOptions limits;
      limits.max_states = options.max_states;
      const Verification verified = verify(unbounded, language, limits);
      effect.proved = true;
      return conclude(verified.counterexample);
    } catch (const std::length_error&) {  // too many states: search
    }
  }
  const std::size_t length = longest_word(model, exhaustive_length(language.letters(), options.short_words));
  const Agreement all = compare_all_words(unbounded, length, language);
  effect.exhaustive_length = length;
  effect.tested_length = longest_word(model, std::max(length, options.max_length));
  if (all.counterexample) return conclude(all.counterexample);
  return conclude(search_families(unbounded, language, effect.tested_length));
}

std::vector<double> averages_of_ones(const Arithmetic& arithmetic, std::size_t count) {
  // One head on letters of value 1; the end marker, which is read out, has nothing of its own.
  Model model;
  model.alphabet = {"a"};
  model.embedding = transformer::Matrix(2, 1);
  model.embedding(0, 0) = 1;
  model.arithmetic = arithmetic;
  transformer::Layer layer;
  layer.masks = {transformer::Mask::global()};
  layer.query = layer.key = layer.value = layer.output = transformer::Matrix(1, 1);
  layer.value(0, 0) = layer.output(0, 0) = 1;
  layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = {0};
  layer.expand = transformer::Matrix(0, 1);
  layer.contract = transformer::Matrix(1, 0);
  layer.contract_bias = {0};
  model.layers.push_back(std::move(layer));
  model.readout = {1};
  Engine::Run run = Engine(model).start();
  std::vector<double> averages;
  averages.reserve(count);
  for (std::size_t c = 0; c < count; ++c) {
    run.read(0);
    averages.push_back(run.logit());
  }
  return averages;
}

}  // namespace bridge
