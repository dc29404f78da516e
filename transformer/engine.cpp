#include "transformer/engine.hpp"

#include "transformer/exact_engine.hpp"
#include "transformer/float_model.hpp"
#include "transformer/rounded_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace transformer {

namespace {

/// Fixed point with every partial sum rounded, in the order of the positions.
void attend_in_order(const RoundedModel& model, std::span<const Raw> scores, std::span<const Raw> values,
                     std::span<Raw> output) {
  std::fill(output.begin(), output.end(), 0);
  if (scores.empty()) return;
  const FixedPoint format = model.arithmetic();
  const auto& table = exponential_table(format);
  const Raw most = *std::max_element(scores.begin(), scores.end());
  const auto numerator = [&](Raw score) {
    const auto below = static_cast<std::size_t>(most - score);
    return below < table.size() ? table[below] : 0;
  };
  Wide sum = 0;
  for (const Raw score : scores) sum = round_quotient(sum + numerator(score), 1, format);
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const Raw weight =
        round_quotient(static_cast<Wide>(numerator(scores[m])) << format.fraction_bits(), sum, format);
    for (std::size_t i = 0; i < output.size(); ++i) {
      const Wide term = static_cast<Wide>(weight) * values[m * output.size() + i];
      output[i] = round_quotient(static_cast<Wide>(output[i]) * format.one() + term, format.one(), format);
    }
  }
}

void attend_in_order(const FloatModel& model, std::span<const double> scores, std::span<const double> values,
                     std::span<double> output) {
  model.attend(scores, values, output);
}

double logit_of(const RoundedModel& model, std::span<const Raw> x) {
  return model.arithmetic().to_double(model.logit(x));
}
double logit_of(const FloatModel& model, std::span<const double> x) {
  return model.logit(x);
}

/// A word being read with all keys and values kept.
template <class NumberModel, class Number>
class SequenceRun {
 public:
  explicit SequenceRun(std::shared_ptr<const NumberModel> model)
      : model_(std::move(model)), past_(model_->layers()) {
    for (std::size_t l = 0; l < model_->layers(); ++l)
      if (model_->heads(l) != 0) attending_ = l + 1;
  }

  std::uint64_t length() const { return length_; }

  void read(Letter a) {
    if (a >= model_->letters())
      throw std::invalid_argument("Engine::Run::read: letter " + std::to_string(a) + " of " +
                                  std::to_string(model_->letters()));
    if (length_ >= model_->longest_word())
      throw std::length_error("Engine::Run::read: the positions end after " + std::to_string(length_) +
                              " letters");
    ++length_;
    if (attending_ == 0) return;
    std::vector<Number> x(model_->width());
    model_->embed(a, model_->position_row(length_), x);
    for (std::size_t l = 0; l < attending_; ++l) {
      project(l, x);
      // What leaves the last layer that attends matters to no later position.
      if (l + 1 < attending_) pass(l, x);
      Past& past = past_[l];
      past.keys.insert(past.keys.end(), key_.begin(), key_.end());
      past.values.insert(past.values.end(), value_.begin(), value_.end());
    }
  }

  double logit() {
    std::vector<Number> x(model_->width());
    model_->embed(static_cast<Letter>(model_->letters()), model_->position_row(length_ + 1), x);
    for (std::size_t l = 0; l < model_->layers(); ++l) {
      project(l, x);
      pass(l, x);
    }
    return logit_of(*model_, x);
  }

 private:
  struct Past {
    std::vector<Number> keys, values;  // by position, then by head
  };

  void project(std::size_t l, std::span<const Number> x) {
    const std::size_t size = model_->attention_width(l);
    query_.resize(size);
    key_.resize(size);
    value_.resize(size);
    model_->project(l, x, query_, key_, value_);
  }

  /// x becomes what leaves layer l, with the queries that were projected.
  void pass(std::size_t l, std::vector<Number>& x) {
    const std::size_t width = model_->head_width(l);
    const std::size_t row = model_->attention_width(l);
    const Past& past = past_[l];
    const std::size_t seen = row == 0 ? 0 : past.keys.size() / row;
    attended_.assign(row, Number{});
    for (std::size_t h = 0; h < model_->heads(l) && width != 0; ++h) {
      const Mask mask = model_->masks(l)[h];
      const std::size_t begin = mask.is_global() || seen <= mask.window() ? 0 : seen - mask.window();
      const auto query = std::span<const Number>(query_).subspan(h * width, width);
      scores_.clear();
      values_.clear();
      for (std::size_t m = begin; m < seen; ++m) {
        const auto first = m * row + h * width;
        scores_.push_back(model_->score(query, std::span<const Number>(past.keys).subspan(first, width)));
        values_.insert(values_.end(), past.values.begin() + static_cast<std::ptrdiff_t>(first),
                       past.values.begin() + static_cast<std::ptrdiff_t>(first + width));
      }
      attend_in_order(*model_, std::span<const Number>(scores_), std::span<const Number>(values_),
                      std::span<Number>(attended_).subspan(h * width, width));
    }
    std::vector<Number> out(x.size());
    model_->finish(l, x, attended_, out);
    x = std::move(out);
  }

  std::shared_ptr<const NumberModel> model_;
  std::size_t attending_ = 0;  // no layer from here on has a head
  std::uint64_t length_ = 0;
  std::vector<Past> past_;
  std::vector<Number> query_, key_, value_, attended_, scores_, values_;  // room to work in
};

using FixedRun = SequenceRun<RoundedModel, Raw>;
using FloatRun = SequenceRun<FloatModel, double>;

}  // namespace

struct Engine::Kind {
  std::variant<ExactEngine, std::shared_ptr<const RoundedModel>, std::shared_ptr<const FloatModel>> engine;
};

struct Engine::Run::State {
  std::variant<ExactEngine::Run, FixedRun, FloatRun> run;
  FixedPoint format;  // of the ExactEngine
};

namespace {

std::variant<ExactEngine, std::shared_ptr<const RoundedModel>, std::shared_ptr<const FloatModel>> engine_for(
    const Model& model) {
  if (model.arithmetic.is_floating_point()) return std::make_shared<const FloatModel>(model);
  if (model.arithmetic.rule() == AttentionRule::partial_sums)
    return std::make_shared<const RoundedModel>(
        model, std::initializer_list<AttentionRule>{AttentionRule::partial_sums});
  return ExactEngine(model);
}

}  // namespace

Engine::Engine(const Model& model) : kind_(std::make_unique<Kind>(Kind{engine_for(model)})) {}
Engine::Engine(const Engine& other) : kind_(std::make_unique<Kind>(*other.kind_)) {}
Engine& Engine::operator=(const Engine& other) {
  return *this = Engine(other);
}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

Engine::Run Engine::start() const {
  if (const auto* exact = std::get_if<ExactEngine>(&kind_->engine))
    return Run(std::make_unique<Run::State>(Run::State{exact->start(), exact->model().arithmetic()}));
  if (const auto* fixed = std::get_if<std::shared_ptr<const RoundedModel>>(&kind_->engine))
    return Run(std::make_unique<Run::State>(Run::State{FixedRun(*fixed), (*fixed)->arithmetic()}));
  return Run(std::make_unique<Run::State>(
      Run::State{FloatRun(std::get<std::shared_ptr<const FloatModel>>(kind_->engine)), FixedPoint()}));
}

bool Engine::accepts(std::span<const Letter> word) const {
  if (const auto* exact = std::get_if<ExactEngine>(&kind_->engine)) return exact->accepts(word);
  Run run = start();
  for (const Letter a : word) run.read(a);
  return run.accepts();
}

bool Engine::counts() const {
  return std::holds_alternative<ExactEngine>(kind_->engine);
}

Engine::Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::Run::Run(const Run& other) : state_(std::make_unique<State>(*other.state_)) {}
Engine::Run& Engine::Run::operator=(const Run& other) {
  if (state_) {
    *state_ = *other.state_;  // reuses the memory
  } else {
    state_ = std::make_unique<State>(*other.state_);
  }
  return *this;
}
Engine::Run::Run(Run&&) noexcept = default;
Engine::Run& Engine::Run::operator=(Run&&) noexcept = default;
Engine::Run::~Run() = default;

void Engine::Run::read(Letter a) {
  std::visit([a](auto& run) { run.read(a); }, state_->run);
}

double Engine::Run::logit() {
  if (auto* exact = std::get_if<ExactEngine::Run>(&state_->run))
    return state_->format.to_double(exact->logit());
  if (auto* fixed = std::get_if<FixedRun>(&state_->run)) return fixed->logit();
  return std::get<FloatRun>(state_->run).logit();
}

std::uint64_t Engine::Run::length() const {
  return std::visit([](const auto& run) { return run.length(); }, state_->run);
}

}  // namespace transformer
