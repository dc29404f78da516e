#include "transformer/torch_model.hpp"

#include "tests/transformer/random_models.hpp"
#include "tests/transformer/torch_catch.hpp"
#include "tests/words.hpp"
#include "transformer/exact_engine.hpp"
#include "transformer/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

using namespace transformer;
using tests::RandomModel;

namespace {

using Vector = std::vector<double>;

Vector times(const Matrix& matrix, const Vector& x, const std::vector<float>& bias) {
  Vector y(bias.begin(), bias.end());
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t c = 0; c < matrix.columns; ++c) y[r] += static_cast<double>(matrix(r, c)) * x[c];
  }
  return y;
}

Vector plus(const Vector& x, const Vector& y) {
  Vector z(x);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += y[i];
  return z;
}

Vector normalised(const Vector& x, const LayerNorm& norm) {
  double mean = 0;
  double variance = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = static_cast<double>(norm.gain[i]) * (x[i] - mean) /
               std::sqrt(variance + static_cast<double>(norm.epsilon)) +
           static_cast<double>(norm.bias[i]);
  }
  return y;
}

/// The formulas of model.hpp, read off one by one.
double logit_of(const Model& model, const std::vector<Letter>& word) {
  const auto length = word.size() + 1;
  std::vector<Vector> x(length);
  for (std::size_t n = 1; n <= length; ++n) {
    const std::size_t letter = n <= word.size() ? word[n - 1] : model.letters();
    for (std::size_t c = 0; c < model.width(); ++c) {
      double v = static_cast<double>(model.embedding(letter, c));
      if (model.position_kind == PositionKind::periodic)
        v += static_cast<double>(model.positions(n % model.positions.rows, c));
      if (model.position_kind == PositionKind::learned) v += static_cast<double>(model.positions(n - 1, c));
      x[n - 1].push_back(v);
    }
  }
  const bool pre = model.norm_placement == NormPlacement::pre;
  const bool post = model.norm_placement == NormPlacement::post;
  for (const Layer& layer : model.layers) {
    std::vector<Vector> q(length), k(length), v(length);
    for (std::size_t n = 0; n < length; ++n) {
      const auto y = pre ? normalised(x[n], *layer.attention_norm) : x[n];
      q[n] = times(layer.query, y, layer.query_bias);
      k[n] = times(layer.key, y, layer.key_bias);
      v[n] = times(layer.value, y, layer.value_bias);
    }
    const auto d = layer.head_width();
    for (std::size_t n = 0; n < length; ++n) {
      Vector heads(layer.heads() * d, 0.0);
      for (std::size_t h = 0; h < layer.heads(); ++h) {
        std::vector<std::pair<std::size_t, double>> scores;
        for (std::size_t m = 0; m < length; ++m) {
          if (!layer.masks[h].sees(n + 1, m + 1)) continue;
          double score = 0;
          for (std::size_t c = h * d; c < (h + 1) * d; ++c) score += q[n][c] * k[m][c];
          scores.emplace_back(m, score);
        }
        double largest = -INFINITY;
        double sum = 0;
        for (const auto& [m, score] : scores) largest = std::max(largest, score);
        for (const auto& [m, score] : scores) sum += std::exp(score - largest);
        for (const auto& [m, score] : scores) {
          for (std::size_t c = h * d; c < (h + 1) * d; ++c)
            heads[c] += std::exp(score - largest) / sum * v[m][c];
        }
      }
      x[n] = plus(x[n], times(layer.output, heads, layer.output_bias));
      if (post) x[n] = normalised(x[n], *layer.attention_norm);
      auto hidden =
          times(layer.expand, pre ? normalised(x[n], *layer.feed_forward_norm) : x[n], layer.expand_bias);
      for (double& y : hidden) y = std::max(y, 0.0);
      x[n] = plus(x[n], times(layer.contract, hidden, layer.contract_bias));
      if (post) x[n] = normalised(x[n], *layer.feed_forward_norm);
    }
  }
  auto last = x.back();
  if (model.final_norm) last = normalised(last, *model.final_norm);
  double logit = static_cast<double>(model.readout_bias);
  for (std::size_t c = 0; c < last.size(); ++c) logit += static_cast<double>(model.readout[c]) * last[c];
  return logit;
}

double logit_of(TorchModel& model, const std::vector<Letter>& word) {
  const auto tensor = torch::tensor(std::vector<std::int64_t>(word.begin(), word.end()), torch::kLong);
  return model->forward(tensor.view({1, static_cast<std::int64_t>(word.size())})).item<double>();
}

/// Words that reach past every window and block of the random models.
std::vector<std::vector<Letter>> some_words(std::mt19937& random, std::size_t longest) {
  auto words = tests::words_up_to(2, std::min<std::size_t>(4, longest));
  for (const std::size_t length : {5u, 6u, 9u, 16u, 17u, 18u, 31u, 33u, 40u}) {
    if (length <= longest) words.push_back(tests::random_word(random, 2, length));
  }
  return words;
}

/// One layer that copies the first letter bit of what the head sees into a coordinate of its own:
/// the logit is the share of the letter 1 among the visible positions (uniform attention), or 0 if there are
/// none.
Model share_of_ones(std::vector<Mask> masks) {
  Model model;
  model.alphabet = {"a", "b"};
  model.embedding = Matrix(3, 2);
  model.embedding(1, 0) = 1;
  Layer layer;
  const auto heads = masks.size();
  layer.masks = std::move(masks);
  layer.query = layer.key = layer.value = Matrix(heads, 2);
  layer.output = Matrix(2, heads);
  for (std::size_t h = 0; h < heads; ++h) {
    layer.value(h, 0) = 1;
    layer.output(1, h) = 1;
  }
  layer.query_bias = layer.key_bias = layer.value_bias = std::vector<float>(heads, 0.0f);
  layer.output_bias = {0, 0};
  layer.expand = Matrix(0, 2);
  layer.contract = Matrix(2, 0);
  layer.contract_bias = {0, 0};
  model.layers = {layer};
  model.readout = {0, 1};
  return model;
}

}  // namespace

TEST_CASE("forward computes the formulas of model.hpp in fp64", "[torch]") {
  for (std::uint32_t seed = 0; seed < 240; ++seed) {
    std::mt19937 random(seed);
    const Model model = tests::random_model(random, RandomModel{});
    TorchModel torch_model(model, torch::kFloat64);
    for (const auto& word : some_words(random, tests::longest_word(model))) {
      CAPTURE(seed, word, tests::describe(model));
      CHECK(logit_of(torch_model, word) == Approx(logit_of(model, word)).epsilon(1e-9).margin(1e-9));
    }
  }
}

TEST_CASE("all words up to length 5 in one batch for each length", "[torch]") {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    std::mt19937 random(1000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    TorchModel torch_model(model, torch::kFloat64);
    const auto words = tests::words_up_to(2, std::min<std::size_t>(5, tests::longest_word(model)));
    const auto accepted = accepts(torch_model, words);
    REQUIRE(accepted.size() == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const double logit = logit_of(model, words[i]);
      CAPTURE(seed, words[i], logit, tests::describe(model));
      if (std::abs(logit) > 1e-9) CHECK(accepted[i] == (logit > 0));
    }
  }
}

TEST_CASE("words of different length in one batch answer as each alone", "[torch]") {
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    std::mt19937 random(6000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    TorchModel torch_model(model, torch::kFloat64);
    const auto longest = static_cast<std::uint32_t>(std::min<std::size_t>(45, tests::longest_word(model)));
    const auto shortest = tests::below(random, longest + 1);  // a batch of words that are all long, too
    std::vector<std::vector<Letter>> words;
    for (int i = 0; i < 7; ++i)
      words.push_back(tests::random_word(random, 2, shortest + tests::below(random, longest - shortest + 1)));
    words.push_back(tests::random_word(random, 2, longest));
    auto padded = torch::empty({8, longest}, torch::kLong);
    auto lengths = torch::empty({8}, torch::kLong);
    for (std::int64_t i = 0; i < 8; ++i) {
      const auto& word = words[static_cast<std::size_t>(i)];
      lengths[i] = static_cast<std::int64_t>(word.size());
      for (std::int64_t n = 0; n < longest; ++n) {
        const auto m = static_cast<std::size_t>(n);
        padded[i][n] = static_cast<std::int64_t>(m < word.size() ? word[m] : tests::below(random, 2));
      }
    }
    const auto logits = torch_model->forward(padded, lengths);
    REQUIRE(logits.sizes() == torch::IntArrayRef({8}));
    for (std::int64_t i = 0; i < 8; ++i) {
      const auto& word = words[static_cast<std::size_t>(i)];
      CAPTURE(seed, word, tests::describe(model));
      CHECK(logits[i].item<double>() == Approx(logit_of(model, word)).epsilon(1e-9).margin(1e-9));
    }
    const auto accepted = accepts(torch_model, words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const double logit = logit_of(model, words[i]);
      CAPTURE(seed, words[i], logit, tests::describe(model));
      if (std::abs(logit) > 1e-9) CHECK(accepted[i] == (logit > 0));
    }
    logits.sum().backward();
    for (const auto& parameter : torch_model->parameters())
      CHECK((!parameter.grad().defined() || parameter.grad().isfinite().all().item<bool>()));
  }
}

TEST_CASE("every prefix in one pass answers as each prefix alone", "[torch]") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(7000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    TorchModel torch_model(model, torch::kFloat64);
    std::vector<std::vector<Letter>> words{{}, {0}};
    for (const std::size_t length : {1u, 2u, 5u, 19u, 40u})
      words.push_back(tests::random_word(random, 2, length));
    std::erase_if(words, [&](const auto& word) { return word.size() > tests::longest_word(model); });
    const auto accepted = accepts_prefixes(torch_model, words);
    REQUIRE(accepted.size() == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto& word = words[i];
      const auto tensor = torch::tensor(std::vector<std::int64_t>(word.begin(), word.end()), torch::kLong);
      const auto logits = torch_model->prefixes(tensor.view({1, -1}));
      REQUIRE(logits.sizes() == torch::IntArrayRef({1, static_cast<std::int64_t>(word.size() + 1)}));
      REQUIRE(accepted[i].size() == word.size() + 1);
      for (std::size_t n = 0; n <= word.size(); ++n) {
        const std::vector<Letter> prefix(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(n));
        CAPTURE(seed, prefix, tests::describe(model));
        const double alone = logit_of(torch_model, prefix);
        CHECK(logits[0][static_cast<std::int64_t>(n)].item<double>() ==
              Approx(alone).epsilon(1e-9).margin(1e-9));
        if (std::abs(alone) > 1e-9) CHECK(accepted[i][n] == (alone > 0));
      }
    }
  }
}

// The reference arithmetic rounds, floating point (almost) does not.  Where every number is on the grid, both
// must give the same logit; elsewhere they differ by no more than roundings.

TEST_CASE("both engines agree exactly where nothing is rounded", "[torch][exact]") {
  // Whole weights; equal scores, since all keys are equal; averages over 1, 2, 4, 8 positions, whose
  // quotients are on the grid.  A global head meets these lengths in the last layer alone.
  const auto whole = [](std::mt19937& random, Matrix& m) {
    for (auto& x : m.entries)
      x = tests::below(random, 3) == 0 ? 1.0f : tests::below(random, 2) == 0 ? -1.0f : 0.0f;
  };
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(8000 + seed);
    RandomModel options;
    options.max_layers = 2;
    options.max_heads = 2;
    Model model = tests::random_model(random, options);
    while (model.norm_placement != NormPlacement::none || model.width() > 4)
      model = tests::random_model(random, options);
    model.arithmetic = FixedPoint(12, 16);
    whole(random, model.embedding);
    whole(random, model.positions);
    for (float& x : model.readout) x = x > 0 ? 1.0f : -1.0f;
    model.readout_bias = 0.5f;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      Layer& layer = model.layers[i];
      for (auto* matrix : {&layer.query, &layer.value, &layer.output, &layer.expand, &layer.contract})
        whole(random, *matrix);
      layer.key = Matrix(layer.key.rows, layer.key.columns);
      for (auto* bias : {&layer.query_bias, &layer.key_bias, &layer.value_bias, &layer.output_bias,
                         &layer.expand_bias, &layer.contract_bias})
        for (float& x : *bias) x = x > 0.3f ? 1.0f : 0.0f;
      for (auto& mask : layer.masks) {
        const bool last = i + 1 == model.layers.size();
        mask =
            last && tests::below(random, 2) == 0 ? Mask::global() : Mask::local(1 + tests::below(random, 2));
      }
    }
    const ExactEngine exact(model);
    TorchModel torch_model(model, torch::kFloat64);
    for (const std::size_t length : {0u, 1u, 2u, 4u, 8u}) {
      if (length > tests::longest_word(model)) continue;
      for (int i = 0; i < 4; ++i) {
        const auto word = tests::random_word(random, 2, length);
        CAPTURE(seed, word, tests::describe(model));
        auto run = exact.start();
        for (const auto a : word) run.read(a);
        CHECK(logit_of(torch_model, word) ==
              Approx(model.arithmetic.fixed_point().to_double(run.logit())).epsilon(1e-12).margin(1e-12));
      }
    }
  }
}

TEST_CASE("elsewhere both engines differ by roundings", "[torch][exact]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(9000 + seed);
    Model model = tests::random_model(random, RandomModel{});
    while (model.norm_placement != NormPlacement::none) model = tests::random_model(random, RandomModel{});
    model.arithmetic = FixedPoint(16, 16);
    const ExactEngine exact(model);
    TorchModel torch_model(model, torch::kFloat64);
    for (int i = 0; i < 8; ++i) {
      const auto longest = static_cast<std::uint32_t>(std::min<std::size_t>(12, tests::longest_word(model)));
      const auto word = tests::random_word(random, 2, tests::below(random, longest + 1));
      CAPTURE(seed, word, tests::describe(model));
      auto run = exact.start();
      for (const auto a : word) run.read(a);
      const double expected = logit_of(torch_model, word);
      CHECK(model.arithmetic.fixed_point().to_double(run.logit()) ==
            Approx(expected).epsilon(2e-3).margin(2e-3));
    }
  }
}

TEST_CASE("what one word may cost is limited", "[torch][errors]") {
  std::mt19937 random(9);
  Model model = tests::random_model(random, RandomModel{});
  while (model.layers.size() < 2 || model.position_kind == PositionKind::learned ||
         model.layers[0].masks.empty())
    model = tests::random_model(random, RandomModel{});
  model.layers[0].masks[0] = model.layers[1].masks[0] = Mask::global();
  model.position_kind = PositionKind::periodic;  // so that there are many different keys
  model.positions = tests::random_matrix(random, 499, model.width());
  TorchModel torch_model(model);
  const std::vector<std::vector<Letter>> words{tests::random_word(random, 2, 3000)};
  CHECK_NOTHROW(accepts(torch_model, words));
  CHECK_THROWS_AS(accepts(torch_model, words, TorchLimits{.scores = 1e6}), std::length_error);
  CHECK_THROWS_AS(accepts_prefixes(torch_model, words, TorchLimits{.scores = 1e6}), std::length_error);
  CHECK_THROWS_AS(accepts(torch_model, words, TorchLimits{.bytes = 1e5}), std::length_error);
}

TEST_CASE("fp32 and bf16 stay close to fp64", "[torch]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(2000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    TorchModel single(model, torch::kFloat32);
    TorchModel brain(model, torch::kBFloat16);
    for (const auto& word : some_words(random, tests::longest_word(model))) {
      const double exact = logit_of(model, word);
      CAPTURE(seed, word, exact, tests::describe(model));
      CHECK(logit_of(single, word) == Approx(exact).epsilon(1e-4).margin(1e-4));
      CHECK(logit_of(brain, word) == Approx(exact).epsilon(0.25).margin(0.25));
    }
  }
}

TEST_CASE("masks: strict past, windows, and zero where nothing is seen", "[torch][mask]") {
  const auto share = [](const std::vector<Letter>& word, Mask mask) {  // seen from the end marker
    double ones = 0;
    double seen = 0;
    const auto n = word.size() + 1;
    for (std::size_t m = 1; m < n; ++m) {
      if (!mask.sees(n, m)) continue;
      ones += word[m - 1];
      seen += 1;
    }
    return seen == 0 ? 0.0 : ones / seen;
  };
  for (const auto mask : {Mask::global(), Mask::local(1), Mask::local(2), Mask::local(3), Mask::local(17),
                          Mask::local(1000), Mask::local(4294967295u)}) {
    for (const auto type : {torch::kFloat32, torch::kFloat64, torch::kBFloat16}) {
      TorchModel model(share_of_ones({mask}), type);
      for (const auto& word : tests::words_up_to(2, 7)) {
        CAPTURE(to_string(mask), word, c10::toString(type));
        CHECK(logit_of(model, word) ==
              Approx(share(word, mask)).epsilon(type == torch::kBFloat16 ? 0.01 : 1e-6));
      }
      CHECK(logit_of(model, {}) == 0.0);  // the end marker at position 1: exactly zero
    }
  }
  SECTION("heads of one layer keep to their own masks") {
    TorchModel model(share_of_ones({Mask::local(2), Mask::global(), Mask::local(1), Mask::local(2)}),
                     torch::kFloat64);
    for (const auto& word : tests::words_up_to(2, 7)) {
      CAPTURE(word);
      CHECK(logit_of(model, word) == Approx(2 * share(word, Mask::local(2)) + share(word, Mask::global()) +
                                            share(word, Mask::local(1)))
                                         .margin(1e-12));
    }
  }
}

TEST_CASE("position 1 is a row of zeros in every layer, also in its gradient", "[torch][mask]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(3000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    CAPTURE(seed, tests::describe(model));
    TorchModel torch_model(model, torch::kFloat64);
    for (const std::int64_t length : {0, 1, 5, 20}) {
      if (static_cast<std::size_t>(length) > tests::longest_word(model)) continue;
      torch_model->zero_grad();
      const auto logits = torch_model->forward(torch::zeros({2, length}, torch::kLong));
      CHECK(logits.isfinite().all().item<bool>());
      logits.sum().backward();
      for (const auto& parameter : torch_model->named_parameters()) {
        const auto& gradient = parameter.value().grad();
        CAPTURE(parameter.key(), length);
        CHECK((!gradient.defined() || gradient.isfinite().all().item<bool>()));
      }
    }
  }
}

TEST_CASE("the gradient is the slope of the formulas", "[torch]") {
  // By central differences of the literal definition, in the embedding of letter 0.
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(4000 + seed);
    Model model = tests::random_model(random, RandomModel{});
    const auto word = tests::random_word(random, 2, std::min<std::size_t>(19, tests::longest_word(model)));
    CAPTURE(seed, word, tests::describe(model));
    TorchModel torch_model(model, torch::kFloat64);
    const auto letters =
        torch::tensor(std::vector<std::int64_t>(word.begin(), word.end()), torch::kLong).view({1, -1});
    torch_model->forward(letters).backward();
    const auto gradient = torch_model->named_parameters()["embedding"].grad();
    for (std::size_t c = 0; c < model.width(); ++c) {
      const float middle = model.embedding(0, c);
      const float step = 1.0f / 4096;
      model.embedding(0, c) = middle + step;
      const double above = logit_of(model, word);
      const double span = static_cast<double>(model.embedding(0, c));
      model.embedding(0, c) = middle - step;
      const double below = logit_of(model, word);
      const double slope = (above - below) / (span - static_cast<double>(model.embedding(0, c)));
      model.embedding(0, c) = middle;
      CHECK(gradient[0][static_cast<std::int64_t>(c)].item<double>() ==
            Approx(slope).epsilon(0.02).margin(0.02));
    }
  }
}

TEST_CASE("parameters are named as the tensors of a file, and make the model again", "[torch]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(5000 + seed);
    const Model model = tests::random_model(random, RandomModel{});
    CAPTURE(seed, tests::describe(model));
    TorchModel torch_model(model);
    const auto parameters = torch_model->named_parameters();
    const auto tensors = named_tensors(model);
    REQUIRE(parameters.size() == tensors.size());
    for (const auto& tensor : tensors) {
      CAPTURE(tensor.name);
      const auto* parameter = parameters.find(tensor.name);
      REQUIRE(parameter != nullptr);
      CHECK(parameter->sizes().vec() == std::vector<std::int64_t>(tensor.shape.begin(), tensor.shape.end()));
    }
    CHECK(torch_model->to_model() == model);
    CHECK(TorchModel(model, torch::kFloat64)->to_model() == model);
    {
      const torch::NoGradGuard no_gradients;
      parameters["embedding"][0][0] = 42;
    }
    CHECK(torch_model->to_model().embedding(0, 0) == 42.0f);
  }
}

TEST_CASE("what is no batch of words is refused", "[torch][errors]") {
  TorchModel model(share_of_ones({Mask::global()}));
  CHECK_THROWS_AS(model->forward(torch::tensor({{0, 2}}, torch::kLong)), std::invalid_argument);
  CHECK_THROWS_AS(model->forward(torch::tensor({{-1}}, torch::kLong)), std::invalid_argument);
  CHECK_THROWS_AS(model->forward(torch::tensor({{0, 1}}, torch::kInt)), std::invalid_argument);
  CHECK_THROWS_AS(model->forward(torch::tensor({0, 1}, torch::kLong)), std::invalid_argument);
  CHECK_THROWS_AS(TorchModel(share_of_ones({Mask::global()}), torch::kHalf), std::invalid_argument);
  const std::vector<std::vector<Letter>> words{{0}, {2}};
  CHECK_THROWS_AS(accepts(model, words), std::invalid_argument);
  CHECK(accepts(model, {}).empty());
  CHECK(accepts_prefixes(model, {}).empty());
  const auto batch = torch::zeros({2, 3}, torch::kLong);
  for (const auto& lengths : {torch::tensor({0, 4}, torch::kLong), torch::tensor({-1, 2}, torch::kLong),
                              torch::tensor({1, 2, 3}, torch::kLong), torch::tensor({1, 2}, torch::kInt)})
    CHECK_THROWS_AS(model->forward(batch, lengths), std::invalid_argument);
  CHECK(model->forward(torch::empty({0, 3}, torch::kLong)).sizes() == torch::IntArrayRef({0}));

  auto infinite = share_of_ones({Mask::global()});
  infinite.readout[1] = INFINITY;
  CHECK_THROWS_AS(TorchModel(infinite), std::invalid_argument);

  auto learned = share_of_ones({Mask::global()});
  learned.position_kind = PositionKind::learned;
  learned.positions = Matrix(3, 2);
  TorchModel short_model(learned);
  CHECK_NOTHROW(short_model->forward(torch::zeros({1, 2}, torch::kLong)));
  CHECK_THROWS_AS(short_model->forward(torch::zeros({1, 3}, torch::kLong)), std::length_error);
}

TEST_CASE("a logit that is not a number is an error, not an answer", "[torch][errors]") {
  auto model = share_of_ones({Mask::global()});
  model.embedding(1, 0) = 3e38f;  // the squared scores overflow fp32
  model.layers[0].query(0, 0) = model.layers[0].key(0, 0) = 1;
  model.layers[0].key_bias[0] = 1;
  model.layers[0].query_bias[0] = 3e38f;
  TorchModel torch_model(model);
  const std::vector<std::vector<Letter>> words{{0}, {1, 1}};
  CHECK_THROWS_AS(accepts(torch_model, words), std::overflow_error);
}

TEST_CASE("long words: global scores in slices, local models from the end alone", "[torch]") {
  std::mt19937 random(7);
  auto model = share_of_ones({Mask::global(), Mask::local(3)});
  model.layers.push_back(model.layers[0]);  // so that the first layer computes every position
  TorchModel torch_model(model, torch::kFloat64);
  const auto word = tests::random_word(random, 2, 6000);  // 36 million scores: three slices
  const torch::NoGradGuard no_gradients;
  CHECK(logit_of(torch_model, word) == Approx(logit_of(model, word)).epsilon(1e-9));

  TorchModel local(share_of_ones({Mask::local(3)}), torch::kFloat64);
  auto end = tests::random_word(random, 2, 1'000'000);
  end[999'997] = end[999'998] = 1;
  end[999'999] = 0;
  CHECK(logit_of(local, end) == Approx(2.0 / 3));
}
