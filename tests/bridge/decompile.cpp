#include "bridge/decompile.hpp"

#include "automata/catalogue.hpp"
#include "automata/express.hpp"
#include "automata/from_formula.hpp"
#include "automata/ladder.hpp"
#include "automata/product.hpp"
#include "bridge/agreement.hpp"
#include "bridge/compile.hpp"
#include "bridge/reach.hpp"
#include "bridge/verify.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "tests/alternating_model.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/random_model.hpp"
#include "tests/scale.hpp"
#include "tests/words.hpp"
#include "transformer/engine.hpp"
#include "transformer/exact_engine.hpp"

#include <random>
#include <string>

using namespace bridge;
using logic::Alphabet;
using logic::Word;
using transformer::FixedPoint;
using transformer::Model;
using transformer::NormPlacement;
using transformer::PositionKind;

namespace {

const Alphabet ab({"a", "b"});

/// Words that tell machines apart: all short ones, long ones that are random, and long ones with a period.
std::vector<Word> telling_words(std::mt19937& random, logic::Letter letters, std::size_t all_up_to,
                                std::size_t longest) {
  auto words = tests::words_up_to(letters, all_up_to);
  for (int i = 0; i < 60; ++i)
    words.push_back(
        tests::random_word(random, letters, tests::below(random, static_cast<std::uint32_t>(longest))));
  for (int i = 0; i < 60; ++i) {
    const Word period = tests::random_word(random, letters, 1 + tests::below(random, 3));
    Word word = tests::random_word(random, letters, tests::below(random, 3));
    while (word.size() < longest) word.insert(word.end(), period.begin(), period.end());
    const Word end = tests::random_word(random, letters, tests::below(random, 4));
    word.insert(word.end(), end.begin(), end.end());
    words.push_back(std::move(word));
  }
  return words;
}

/// A language of the paper with a formula for it in the smallest logic that has networks.
struct Compiled {
  automata::Language language;
  Model model;
};
Compiled compiled(const char* name, FixedPoint arithmetic) {
  using automata::Logic;
  auto language = automata::find_language(name).value();
  logic::Arena arena;
  std::optional<logic::Formula> f;
  for (const auto logic : {Logic::y, Logic::p, Logic::py, Logic::py_mod})
    if (!f && automata::decide(language.dfa, logic).member == true)
      f = automata::express(arena, language.dfa, logic);
  CompileOptions options;
  options.arithmetic = arithmetic;
  Model model = compile(f.value(), language.alphabet, options);
  return {std::move(language), std::move(model)};
}

constexpr const char* expressible[] = {"ends-a",      "ends-ab",     "starts-a", "a-before-b",
                                       "alternating", "contains-ab", "dyck-2"};

/// All weights of `model` without norms.
std::vector<float*> weights(Model& model) {
  std::vector<float*> all{&model.readout_bias};
  const auto add = [&](std::vector<float>& entries) {
    for (float& x : entries) all.push_back(&x);
  };
  add(model.embedding.entries);
  add(model.positions.entries);
  add(model.readout);
  for (transformer::Layer& layer : model.layers) {
    for (auto* matrix :
         {&layer.query, &layer.key, &layer.value, &layer.output, &layer.expand, &layer.contract})
      add(matrix->entries);
    for (auto* bias : {&layer.query_bias, &layer.key_bias, &layer.value_bias, &layer.output_bias,
                       &layer.expand_bias, &layer.contract_bias})
      add(*bias);
  }
  return all;
}

}  // namespace

TEST_CASE("the automaton of a random model accepts what the exact engine accepts", "[bridge][law]") {
  int decided = 0, with_states = 0;
  for (unsigned seed = 0; seed < tests::scaled(480u, 60u); ++seed) {
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.arithmetic = FixedPoint(static_cast<int>(seed % 3), 2 + static_cast<int>(seed % 4));
    const NormPlacement norms[] = {NormPlacement::none, NormPlacement::none, NormPlacement::post,
                                   NormPlacement::pre};
    options.norm = norms[seed / 2 % 4];
    const PositionKind kinds[] = {PositionKind::none, PositionKind::periodic, PositionKind::learned};
    options.positions = kinds[seed / 3 % 3];
    options.position_rows = 1 + tests::below(random, options.positions == PositionKind::learned ? 9 : 3);
    options.letters = 1 + seed % 3;
    options.layers = tests::below(random, 4);
    options.on_grid = seed % 2 == 0;
    const Model model = tests::random_model(random, options);
    DecompileOptions limits;
    limits.max_states = 20'000;
    std::optional<Decompiled> found;
    try {
      found = decompile(model, limits);
    } catch (const std::length_error&) {
      continue;
    }
    ++decided;
    with_states += found->dfa.states() > 2;
    const auto letters = static_cast<logic::Letter>(options.letters);
    const std::size_t bound = found->longest_word ? static_cast<std::size_t>(*found->longest_word) : SIZE_MAX;
    CHECK(found->longest_word.has_value() == (options.positions == PositionKind::learned));
    const transformer::ExactEngine engine(model);
    for (const Word& word : telling_words(random, letters, letters == 1 ? 20 : letters == 2 ? 7 : 5, 120)) {
      const bool expected = word.size() <= bound && engine.accepts(word);
      if (found->dfa.accepts(word) != expected)
        FAIL("seed " << seed << ", a word of " << word.size() << " letters");
    }
  }
  CHECK(decided > tests::scaled(420, 50));
  CHECK(with_states > tests::scaled(60, 7));
}

TEST_CASE("the automaton of a compiled formula is that of the formula", "[bridge][law]") {
  logic::Arena arena;
  const std::size_t size = tests::scaled(3, 2);
  for (const int p : {0, 2, 5}) {
    const FixedPoint format(p, 8);
    CompileOptions options;
    options.arithmetic = format;
    for (const auto& formulas : tests::formulas_up_to(arena, size)) {
      for (const auto f : formulas) {
        Model model;
        try {
          model = compile(f, ab, options);
        } catch (const std::invalid_argument&) {
          REQUIRE(p == 0);  // windows wider than N_max = 1
          continue;
        }
        if (decompile(model).dfa != automata::from_formula(f, 2))
          FAIL(logic::to_string(f, ab) << " at p = " << p);
      }
    }
  }
  SUCCEED();
}

// Not part of the ordinary run, a minute long: test_bridge "[full]".
TEST_CASE("the automaton of every compiled formula of size at most five is that of the formula",
          "[.][full][bridge][law]") {
  logic::Arena arena;
  CompileOptions options;
  options.arithmetic = FixedPoint(2, 8);
  std::size_t equal = 0;
  for (const auto& formulas : tests::formulas_up_to(arena, 5)) {
    for (const auto f : formulas) {
      if (decompile(compile(f, ab, options)).dfa != automata::from_formula(f, 2))
        FAIL(logic::to_string(f, ab));
      ++equal;
    }
  }
  CHECK(equal == 80'780);
}

TEST_CASE("wide windows of few kinds of positions are not spelled out", "[bridge][law]") {
  logic::Arena arena;
  for (const char* text : {"Y<=31 a", "Y<=31 a & !Y<=20 b", "P(b & Y<=25 a)", "Y<=25(a & Y b)"}) {
    CAPTURE(text);
    const auto f = logic::parse(arena, text, ab);
    const Model model = compile(f, ab);
    DecompileOptions few;
    few.max_states = 3000;  // of 2^25 and more windows
    CHECK(decompile(model, few).dfa == automata::from_formula(f, 2));
  }
  // Random models with one wide window and others, against all words within their reach.
  int with_states = 0, decided = 0;
  for (unsigned seed = 0; seed < tests::scaled(40u, 3u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.layers = 1;
    options.arithmetic = FixedPoint(static_cast<int>(seed % 3), 4);
    Model model = tests::random_model(random, options);
    for (auto& layer : model.layers)
      for (auto& mask : layer.masks)
        mask = transformer::Mask::local(mask == layer.masks.front() ? 13 : 1 + tests::below(random, 3));
    DecompileOptions limits;
    limits.max_states = 30'000;
    try {
      const auto found = decompile(model, limits);
      ++decided;
      with_states += found.dfa.states() > 20;
      CHECK(found.dfa == automaton_within_reach(model, 100'000).dfa);
    } catch (const std::length_error&) {
      continue;
    }
  }
  CHECK(decided > tests::scaled(20, 0));
  CHECK(with_states > tests::scaled(3, -1));
}

TEST_CASE("functions that are never true need no coordinate", "[bridge]") {
  logic::Arena arena;
  for (const auto norm : {NormPlacement::none, NormPlacement::post}) {
    CompileOptions options;
    options.norm = norm;
    for (const char* text : {"a & (b & first)", "P(a & (b & first)) | Y b", "Y(P a & (a & (b & first)))"}) {
      CAPTURE(text);
      const auto f = logic::parse(arena, text, ab);
      CHECK(decompile(compile(f, ab, options)).dfa == automata::from_formula(f, 2));
    }
  }
}

TEST_CASE("the automaton of a compiled formula with layer norm is that of the formula", "[bridge][law]") {
  logic::Arena arena;
  CompileOptions options;
  options.arithmetic = FixedPoint(3, 8);
  options.norm = NormPlacement::post;
  for (const char* text : {"Y a", "P a", "P(b & Y a)", "H(a <-> !Y a)"}) {
    CAPTURE(text);
    const auto f = logic::parse(arena, text, ab);
    CHECK(decompile(compile(f, ab, options)).dfa == automata::from_formula(f, 2));
  }
}

TEST_CASE("the networks of the languages of the paper are verified for every length", "[bridge][law]") {
  for (const char* name : expressible) {
    for (int p = 2; p <= 8; p += tests::scaled(1, 3)) {
      CAPTURE(name, p);
      const auto [language, model] = compiled(name, FixedPoint(p, 8));
      CHECK_FALSE(verify(model, language.dfa).counterexample);
      CHECK(decompile(model).dfa == language.dfa);
    }
  }
}

TEST_CASE("of 100 networks with one weight altered, each is refuted or proved harmless", "[bridge][law]") {
  std::vector<Compiled> originals;
  for (const char* name : expressible) originals.push_back(compiled(name, FixedPoint(2, 8)));
  int refuted = 0, harmless = 0;
  for (unsigned seed = 0; seed < tests::scaled(100u, 21u); ++seed) {
    std::mt19937 random(seed);
    const Compiled& original = originals[seed % originals.size()];
    const automata::Dfa& language = original.language.dfa;
    Model altered = original.model;
    const auto all = weights(altered);
    float& weight = *all[tests::below(random, static_cast<std::uint32_t>(all.size()))];
    for (const float before = weight; weight == before;)
      weight = static_cast<float>(tests::below(random, 33)) / 4 - 4;
    CAPTURE(seed);
    const auto answer = verify(altered, language);
    const std::size_t affordable = language.letters() == 2 ? 11 : 7;
    if (answer.counterexample) {
      ++refuted;
      const std::size_t length = std::min(affordable, answer.counterexample->size());
      const auto least = compare_all_words(altered, length, language).counterexample;
      CHECK(least.has_value() == (answer.counterexample->size() <= affordable));
      if (least) CHECK(least == answer.counterexample);
      CHECK(transformer::ExactEngine(altered).accepts(*answer.counterexample) !=
            language.accepts(*answer.counterexample));
    } else {
      ++harmless;
      CHECK_FALSE(compare_exact(altered, agreement_words(altered, 2000, 20'000), language).counterexample);
    }
  }
  CHECK(refuted > tests::scaled(20, 3));
  CHECK(harmless > tests::scaled(20, 3));
}

TEST_CASE("a wrong network is refuted by the shortest word, however long that is", "[bridge][verify]") {
  const auto language = automata::find_language("alternating").value();
  for (const int p : {1, 2, 5}) {
    CAPTURE(p);
    const FixedPoint format(p, 8);
    CHECK_FALSE(verify(tests::alternating_model(format), language.dfa).counterexample);
    // Without the second look at bad positions, one more of them than can share attention is forgotten.
    const Model once = tests::alternating_model(format, false);
    const auto answer = verify(once, language.dfa);
    REQUIRE(answer.counterexample);
    CHECK(answer.model_accepts);
    CHECK(answer.counterexample->size() == transformer::vanishing_count(format) + 1);
    if (p == 1) {
      const auto brute = compare_all_words(once, 12, language.dfa);
      CHECK(brute.counterexample == answer.counterexample);
    }
  }
}

TEST_CASE("max_length and learned positions bound the question", "[bridge][verify]") {
  const auto language = automata::find_language("alternating").value();
  Model once = tests::alternating_model(FixedPoint(2, 8), false);
  once.max_length = 7;
  CHECK_FALSE(verify(once, language.dfa).counterexample);
  CHECK(verify(once, language.dfa).longest_word == 7);
  once.max_length = 8;
  CHECK(verify(once, language.dfa).counterexample);

  Model learned = tests::alternating_model(FixedPoint(2, 8));
  learned.position_kind = PositionKind::learned;
  learned.positions = transformer::Matrix(6, learned.width());
  CHECK_FALSE(verify(learned, language.dfa).counterexample);
  CHECK(verify(learned, language.dfa).longest_word == 5);
  const auto dfa = decompile(learned).dfa;
  CHECK(dfa.accepts(Word{0, 1, 0, 1}));
  CHECK_FALSE(dfa.accepts(Word{0, 1, 0, 1, 0, 1}));
  // A logit that depends on nothing, over positions that end.
  learned.readout.assign(learned.width(), 0.0f);
  learned.readout_bias = 1;
  CHECK(decompile(learned).dfa.accepts(Word{0, 0, 0, 0, 0}));
  CHECK_FALSE(decompile(learned).dfa.accepts(Word{0, 0, 0, 0, 0, 0}));
}

TEST_CASE("windows wider than the longest word cost no more than it", "[bridge][verify]") {
  logic::Arena arena;
  const auto window = logic::parse(arena, "Y<=40 a", Alphabet({"a", "b"}));
  for (const std::uint64_t length : {0u, 1u, 5u, 20u}) {
    CAPTURE(length);
    CompileOptions options;
    options.arithmetic = FixedPoint(4, 8);  // 40 positions are too many for it
    options.max_length = length;
    const Model model = compile(window, Alphabet({"a", "b"}), options);
    DecompileOptions limits;
    limits.max_states = 200;
    CHECK_FALSE(verify(model, automata::from_formula(window, 2), limits).counterexample);
    // A word of one a is the shortest that tells the language from nothing.
    const auto nothing = verify(model, automata::from_formula(arena.constant(false), 2), limits);
    CHECK(nothing.counterexample == (length == 0 ? std::nullopt : std::optional<Word>{Word{0}}));
  }
}

TEST_CASE("the limit of states is kept, and short counterexamples are found beyond it", "[bridge][verify]") {
  const auto language = automata::find_language("alternating").value();
  const Model model = tests::alternating_model(FixedPoint(4, 8));
  DecompileOptions options;
  options.max_states = 40;
  CHECK_THROWS_AS(decompile(model, options), std::length_error);
  CHECK_THROWS_AS(verify(model, language.dfa, options), std::length_error);
  const auto other = automata::find_language("ends-a").value();
  CHECK(verify(model, other.dfa, options).counterexample == Word{});
  CHECK_THROWS_AS(verify(model, automata::find_language("contains-ab")->dfa), std::invalid_argument);
  std::size_t last = 0;
  options.max_states = 1'000'000;
  options.progress = [&](const std::string& step, std::size_t states) {
    CHECK_FALSE(step.empty());
    CHECK(states >= last);
    last = states;
  };
  const std::size_t explored = decompile(model, options).explored_states;
  CHECK(explored >= last);
  CHECK(last > 0);
}

TEST_CASE("local heads alone are decided in every arithmetic, global ones are refused", "[bridge][law]") {
  using transformer::Arithmetic;
  using transformer::AttentionRule;
  int with_states = 0;
  for (unsigned seed = 0; seed < tests::scaled(60u, 12u); ++seed) {
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    const PositionKind kinds[] = {PositionKind::none, PositionKind::periodic, PositionKind::learned};
    options.positions = kinds[seed % 3];
    options.position_rows = 1 + tests::below(random, options.positions == PositionKind::learned ? 9 : 3);
    options.letters = 1 + seed / 3 % 3;
    options.norm = seed / 9 % 2 == 0 ? NormPlacement::none : NormPlacement::post;
    Model model = tests::random_model(random, options);
    for (auto& layer : model.layers)
      for (auto& mask : layer.masks) mask = transformer::Mask::local(1 + tests::below(random, 2));
    CAPTURE(seed);
    for (const char* text : {"fixed(3,5)", "fixed(2,4)/rounded-quotient", "fixed(2,4)/clamped-denominator",
                             "fixed(2,4)/partial-sums", "e4m3", "bf16/rounded-quotient", "fp16/pairwise"}) {
      CAPTURE(text);
      model.arithmetic = transformer::arithmetic_of(text);
      const auto found = decompile(model);
      with_states += found.dfa.states() > 2;
      // The other route, and one word at a time far beyond what any head sees.
      CHECK(automaton_within_reach(model, 100'000).dfa == found.dfa);
      const transformer::Engine engine(model);
      for (int i = 0; i < 30; ++i) {
        const Word word =
            tests::random_word(random, static_cast<logic::Letter>(options.letters), tests::below(random, 20));
        const bool expected = word.size() <= found.longest_word.value_or(word.size()) && engine.accepts(word);
        CHECK(found.dfa.accepts(word) == expected);
      }
    }
  }
  CHECK(with_states > tests::scaled(60, 4));

  logic::Arena arena;
  Model global = compile(logic::parse(arena, "P a", ab), ab);
  CHECK(reach(global) == std::nullopt);
  CHECK_THROWS_AS(automaton_within_reach(global, 1000), std::invalid_argument);
  for (const char* text : {"fixed(4,8)/rounded-quotient", "fixed(4,8)/partial-sums", "fp32"}) {
    global.arithmetic = transformer::arithmetic_of(text);
    CHECK_THROWS_WITH(decompile(global), Catch::Matchers::Contains("a global head in " + std::string(text)));
  }
  Model local = compile(logic::parse(arena, "Y<=3 (a & Y b)", ab), ab);
  CHECK(reach(local) == 4);
  local.arithmetic = transformer::arithmetic_of("fp16");
  CHECK(decompile(local).dfa == automata::from_formula(logic::parse(arena, "Y<=3 (a & Y b)", ab), 2));
  DecompileOptions few;
  few.max_states = 30;  // of 31
  CHECK_THROWS_AS(decompile(local, few), std::length_error);
}

TEST_CASE("all words up to a length, by shared prefixes", "[bridge]") {
  const auto language = automata::find_language("alternating").value();
  const Model model = tests::alternating_model(FixedPoint(2, 8));
  const auto all = compare_all_words(model, 10, language.dfa);
  CHECK(all.words == 2047);
  CHECK(all.longest == 10);
  CHECK_FALSE(all.counterexample);
  // Against one word at a time.
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const auto dfa = tests::random_dfa(random, 4, 2);
    std::optional<Word> least;
    const transformer::ExactEngine engine(model);
    for (const Word& word : tests::words_up_to(2, 6))
      if (!least && engine.accepts(word) != dfa.accepts(word)) least = word;
    CHECK(compare_all_words(model, 6, dfa).counterexample == least);
  }
}
