// The statements of docs/arithmetic-effects.md, run.
#include "bridge/arithmetic_effects.hpp"

#include "automata/from_formula.hpp"
#include "bridge/compile.hpp"
#include "bridge/decompile.hpp"
#include "bridge/verify.hpp"
#include "logic/parse.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"
#include "transformer/engine.hpp"
#include "transformer/exact_engine.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace bridge {
namespace {

using logic::Letter;
using logic::Word;
using transformer::Arithmetic;
using transformer::AttentionRule;
using transformer::Engine;
using transformer::FixedPoint;
using transformer::FloatFormat;
using transformer::Mask;
using transformer::Matrix;
using transformer::Model;
using transformer::SumOrder;

#ifdef NDEBUG
constexpr bool sanitized = false;
#else
constexpr bool sanitized = true;  // slower, so fewer cases
#endif

const logic::Alphabet ab({"a", "b"});

/// One head over letters a, b of these values, all scores equal; the logit is scale · output + bias.
Model one_head(Mask mask, float value_of_a, float value_of_b, const Arithmetic& arithmetic, float scale = 1,
               float bias = 0) {
  Model model;
  model.alphabet = {"a", "b"};
  model.embedding = Matrix(3, 2);
  model.embedding(0, 0) = value_of_a;
  model.embedding(1, 0) = value_of_b;
  model.arithmetic = arithmetic;
  transformer::Layer layer;
  layer.masks = {mask};
  layer.query = layer.key = layer.value = Matrix(1, 2);
  layer.value(0, 0) = 1;
  layer.query_bias = layer.key_bias = layer.value_bias = {0};
  layer.output = Matrix(2, 1);
  layer.output(1, 0) = 1;
  layer.output_bias = layer.contract_bias = {0, 0};
  layer.expand = Matrix(0, 2);
  layer.contract = Matrix(2, 0);
  model.layers.push_back(std::move(layer));
  model.readout = {0, scale};
  model.readout_bias = bias;
  return model;
}

/// The network of a formula with one layer for each P, declared in another arithmetic and for every length.
Model one_layer(logic::Formula f, FixedPoint format, const Arithmetic& arithmetic) {
  CompileOptions options;
  options.arithmetic = format;
  options.max_length = transformer::vanishing_count(format);
  Model model = compile(f, ab, options);
  model.max_length.reset();
  model.arithmetic = arithmetic;
  return model;
}

TEST_CASE("without the second P layer the network is wrong exactly beyond N_max", "[arithmetic][law]") {
  logic::Arena arena;
  for (const char* text : {"P a", "P(b & P a)", "!P a"}) {
    const auto f = logic::parse(arena, text, ab);
    const auto language = automata::from_formula(f, 2);
    for (int p = 1; p <= (sanitized ? 2 : 4); ++p) {
      const FixedPoint format(p, 8);
      const auto last = transformer::vanishing_count(format);
      const Effect effect = arithmetic_effect(one_layer(f, format, format), language);
      CAPTURE(text, p, last);
      REQUIRE(effect.proved);
      REQUIRE(effect.counterexample);
      // P(b & P a) needs one more letter: a b with N_max + 1 positions a before it, or N_max + 1 such b.
      const bool nested = std::string(text) == "P(b & P a)";
      CHECK(effect.counterexample->size() == last + 1 + (nested ? 1 : 0));
      CHECK(effect.model_accepts == (text[0] == '!'));
      REQUIRE(effect.failure);
      CHECK(effect.failure->kind == FailureKind::vanishing);
      CHECK(effect.failure->attending == last + 1);
      CHECK(effect.failure->head.has_value());
      CompileOptions options;
      options.arithmetic = format;
      const Effect compiled = arithmetic_effect(compile(f, ab, options), language);
      CHECK(compiled.proved);
      CHECK(!compiled.counterexample);
    }
  }
}

TEST_CASE("in floating point the failure is found by search, and named", "[arithmetic]") {
  logic::Arena arena;
  const auto f = logic::parse(arena, "P a", ab);
  const auto language = automata::from_formula(f, 2);
  struct Row {
    const char* arithmetic;
    std::size_t length;  // of the shortest failure; 0: none is found
    FailureKind kind;
  };
  for (const Row& row : {
           Row{"fixed(3,8)/clamped-denominator", 16, FailureKind::vanishing},
           Row{"fixed(3,4)/clamped-denominator", 0, FailureKind::vanishing},
           Row{"fixed(3,8)/rounded-quotient", 0, FailureKind::vanishing},
           Row{"float(4,2)/exact", 240, FailureKind::overflow},
           Row{"e4m3", 61, FailureKind::stagnation},
           Row{"e4m3/partial-sums", 0, FailureKind::stagnation},
           Row{"float(3,4,no-infinities)/exact", 128, FailureKind::vanishing},
       }) {
    EffectOptions options;
    options.max_length = 260;
    options.short_words = 500;
    const Effect effect = arithmetic_effect(
        one_layer(f, FixedPoint(8, 8), transformer::arithmetic_of(row.arithmetic)), language, options);
    CAPTURE(row.arithmetic);
    CHECK(!effect.proved);
    CHECK(effect.tested_length == 260);
    CHECK(effect.exhaustive_length == 7);
    CHECK(effect.counterexample.value_or(Word{}).size() == row.length);
    if (!effect.counterexample) continue;
    CHECK(!effect.model_accepts);
    REQUIRE(effect.failure);
    CHECK(name(effect.failure->kind) == name(row.kind));
    CHECK(effect.failure->position == row.length + 1);
  }
}

TEST_CASE("a search finds what is wrong with short words, and keeps to learned positions", "[arithmetic]") {
  logic::Arena arena;
  const auto f = logic::parse(arena, "Y a", ab);
  CompileOptions compile_options;
  Model model = compile(f, ab, compile_options);
  model.arithmetic = FloatFormat::bf16();
  const auto other = automata::from_formula(logic::parse(arena, "Y a & !Y Y b", ab), 2);
  const Effect effect = arithmetic_effect(model, other);
  CHECK(effect.counterexample == Word{1, 0});
  CHECK(effect.model_accepts);
  CHECK(arithmetic_effect(model, automata::from_formula(f, 2)).proved);  // local heads alone
  const auto past = logic::parse(arena, "P a", ab);
  Model learned = one_layer(past, FixedPoint(4, 8), FloatFormat::bf16());
  learned.position_kind = transformer::PositionKind::learned;
  learned.positions = Matrix(5, learned.width());
  const Effect short_words = arithmetic_effect(learned, automata::from_formula(past, 2));
  CHECK(!short_words.proved);
  CHECK(!short_words.counterexample);
  CHECK(short_words.tested_length == 4);
  CHECK_THROWS_AS(arithmetic_effect(model, automata::from_formula(f, 3)), std::invalid_argument);
}

TEST_CASE("one head computes majority under the quotient rule, at every length", "[arithmetic][law]") {
  // rnd(2^-p · #a / n) is 2^-p iff #a / n > 1/2: the tie goes to 0, which is even.
  for (const int p : {0, 2, 4}) {
    const auto step = static_cast<float>(std::ldexp(1.0, -p));
    const Model model =
        one_head(Mask::global(), step, 0, Arithmetic(FixedPoint(p, 8), AttentionRule::rounded_quotient));
    const Engine engine(model);
    const auto majority = [](const Word& word) {
      return 2 * std::count(word.begin(), word.end(), Letter{0}) > static_cast<std::ptrdiff_t>(word.size());
    };
    for (const Word& word : tests::words_up_to(2, 9)) {
      CAPTURE(p, word);
      REQUIRE(engine.accepts(word) == majority(word));
    }
    // a^n b^m for |n - m| <= 1, up to long words: one letter decides.
    std::mt19937 random(static_cast<unsigned>(p));
    Engine::Run run = engine.start();
    std::int64_t surplus = 0;
    for (int n = 0; n < 200'000; ++n) {
      const Letter a = surplus > 0 ? 1 : surplus < 0 ? 0 : tests::below(random, 2);
      run.read(a);
      surplus += a == 0 ? 1 : -1;
      if (n % 97 < 2) REQUIRE(run.accepts() == (surplus > 0));
    }
    // Not regular: the prefixes of at most n letters have 2n + 1 different residuals.
    for (const std::size_t n : {1u, 2u, 4u, 6u}) {
      std::set<std::vector<bool>> residuals;
      for (const Word& prefix : tests::words_up_to(2, n)) {
        std::vector<bool> residual;
        for (const Word& suffix : tests::words_up_to(2, n + 1)) {
          Word word = prefix;
          word.insert(word.end(), suffix.begin(), suffix.end());
          residual.push_back(engine.accepts(word));
        }
        residuals.insert(residual);
      }
      CHECK(residuals.size() == 2 * n + 1);
    }
  }
}

TEST_CASE("the clamped denominator counts too, and in the reference arithmetic nothing does",
          "[arithmetic][law]") {
  // Values 1 and -1.  With b <= p + 1 the clamped weights never vanish, and their sum is exact.
  const Arithmetic clamped(FixedPoint(3, 4), AttentionRule::clamped_denominator);
  REQUIRE(!transformer::vanishing_count(clamped));
  const Engine engine(one_head(Mask::global(), 1, -1, clamped));
  Engine::Run run = engine.start();
  for (int n = 0; n < 3000; ++n) run.read(0);
  for (int n = 1; n <= 3000; ++n) {
    run.read(1);
    if (n >= 2990) REQUIRE(run.accepts() == (n < 3000));
  }
  // The same weights in the reference arithmetic are a regular language.
  const Model reference = one_head(Mask::global(), 1, -1, FixedPoint(1, 4));
  const automata::Dfa dfa = decompile(reference).dfa;
  const transformer::ExactEngine exact(reference);
  for (const Word& word : tests::words_up_to(2, 8)) {
    CAPTURE(word);
    REQUIRE(exact.accepts(word) == dfa.accepts(word));
  }
  CHECK(dfa.accepts(Word(3, 0)));
  CHECK(!dfa.accepts(Word(4, 0)));  // N_max = 3
}

TEST_CASE("sums from left to right see the order of a window", "[arithmetic][law]") {
  // The smallest fixed point in which a window of two or three positions tells two arrangements apart.
  const auto sees_order = [](int p, std::uint32_t k) {
    const Arithmetic arithmetic(FixedPoint(p, 2), AttentionRule::partial_sums);
    const int reach = 2 << p;
    for (int x = -reach; x <= reach; ++x) {
      for (int y = -reach; y <= reach; ++y) {
        const float unit = static_cast<float>(std::ldexp(1.0, -p));
        const Engine engine(
            one_head(Mask::local(k), static_cast<float>(x) * unit, static_cast<float>(y) * unit, arithmetic));
        std::set<double> outputs;
        Word word(k, 1);
        word[0] = 0;
        std::sort(word.begin(), word.end());
        do {  // every arrangement of one a and k - 1 letters b
          Engine::Run run = engine.start();
          for (const Letter a : word) run.read(a);
          outputs.insert(run.logit());
        } while (std::next_permutation(word.begin(), word.end()));
        if (outputs.size() > 1) return true;
      }
    }
    return false;
  };
  CHECK(!sees_order(0, 2));
  CHECK(!sees_order(0, 3));
  CHECK(sees_order(1, 2));
  CHECK(sees_order(1, 3));

  // p = 1, weights 1/2: the values 1, 1/2 sum up to rnd(1/2 + 1/4) = 1, and 1/2, 1 to rnd(rnd(1/4) + 1/2) =
  // 1/2.
  const Word ab_word{0, 1}, ba_word{1, 0};
  const auto output = [](const Arithmetic& arithmetic, const Word& word) {
    Engine::Run run = Engine(one_head(Mask::local(2), 1, 0.5f, arithmetic)).start();
    for (const Letter a : word) run.read(a);
    return run.logit();
  };
  const Arithmetic partial(FixedPoint(1, 2), AttentionRule::partial_sums);
  CHECK(output(partial, ab_word) == 1);
  CHECK(output(partial, ba_word) == 0.5);
  for (const AttentionRule rule : {AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                                   AttentionRule::clamped_denominator}) {
    const Arithmetic other(FixedPoint(1, 2), rule);
    CHECK(output(other, ab_word) == output(other, ba_word));
  }
  // So one 2-local head that sums in this way tells words apart whose windows hold the same letters, whatever
  // came before.  In a 3-window bbb is 3 · rnd(1/6) = ... too; floating point does the same, here e4m3:
  const auto in_three = [](const Arithmetic& arithmetic, const Word& word) {
    Engine::Run run = Engine(one_head(Mask::local(3), 1, 0.0625f, arithmetic)).start();
    for (const Letter a : word) run.read(a);
    return run.logit();
  };
  const Arithmetic e4m3 = FloatFormat::e4m3();
  CHECK(in_three(e4m3, {0, 1, 1}) != in_three(e4m3, {1, 1, 0}));
  const Arithmetic exact(FloatFormat::e4m3(), AttentionRule::rounded_weights, SumOrder::exact);
  CHECK(in_three(exact, {0, 1, 1}) == in_three(exact, {1, 1, 0}));
}

TEST_CASE("counting windows need no second P layer", "[arithmetic][law]") {
  logic::Arena arena;
  for (const char* text : {"Y<=3>=2 a", "Y<=4>=3 (a & Y b)"}) {
    const auto f = logic::parse(arena, text, ab);
    const auto language = automata::from_formula(f, 2);
    CompileOptions options;
    options.arithmetic = FixedPoint(4, 8);
    Model model = compile(f, ab, options);
    CAPTURE(text);
    for (const auto& layer : model.layers)
      for (const Mask mask : layer.masks) CHECK(!mask.is_global());
    CHECK(arithmetic_effect(model, language).proved);
    CHECK(!arithmetic_effect(model, language).counterexample);
    const auto layers = model.layers.size();
    options.max_length = 20;
    CHECK(compile(f, ab, options).layers.size() == layers);
    for (const char* arithmetic :
         {"fixed(4,8)/rounded-quotient", "fixed(4,8)/partial-sums", "fp16", "fp32/exact"}) {
      model.arithmetic = transformer::arithmetic_of(arithmetic);
      EffectOptions effect_options;
      effect_options.max_length = sanitized ? 30 : 100;
      effect_options.short_words = sanitized ? 200 : 2000;
      CAPTURE(arithmetic);
      CHECK(!arithmetic_effect(model, language, effect_options).counterexample);
    }
  }
}

TEST_CASE("a uniform average in bf16 stagnates", "[arithmetic][law]") {
  // Sums of 1/512 stop growing at 256/512, since half a step there is more than 1/512; those of 1/4096 at
  // 1/16.
  const std::vector<std::size_t> counts{512, 4096};
  for (const char* text : {"bf16", "bf16/exact", "bf16/partial-sums", "fp32"}) {
    Engine::Run run = Engine(one_head(Mask::global(), 1, 0, transformer::arithmetic_of(text))).start();
    std::vector<double> outputs;
    for (const std::size_t count : counts) {
      while (run.length() < count) run.read(0);
      outputs.push_back(run.logit());
    }
    CAPTURE(text);
    if (std::string(text) == "bf16")
      CHECK(outputs == std::vector<double>{0.5, 0.0625});
    else
      CHECK(outputs == std::vector<double>{1, 1});
  }
  CHECK(averages_of_ones(FloatFormat::bf16(), 512).back() == 0.5);
  CHECK(averages_of_ones(FixedPoint(2, 8), 8) == std::vector<double>{1, 1, 0.75, 1, 1.25, 1.5, 1.75, 0});
}

}  // namespace
}  // namespace bridge
