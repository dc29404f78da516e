#include "transformer/exact_engine.hpp"

#include "tests/alternating_model.hpp"
#include "tests/catch.hpp"
#include "tests/random_model.hpp"
#include "tests/scale.hpp"
#include "tests/transformer/naive_engine.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace transformer {
namespace {

using Word = std::vector<Letter>;

/// f(word) for all words of at most `length` letters, every prefix before its extensions.
void for_each_word(Letter letters, std::size_t length, const std::function<void(const Word&)>& f) {
  Word word;
  const std::function<void()> extend = [&] {
    f(word);
    if (word.size() == length) return;
    for (Letter a = 0; a < letters; ++a) {
      word.push_back(a);
      extend();
      word.pop_back();
    }
  };
  extend();
}

/// Engine and oracle side by side over all words of at most `length` letters, sharing prefixes.
void compare(const ExactEngine::Run& run, const tests::NaiveEngine& oracle, Letter letters,
             std::size_t length, const std::string& word) {
  ExactEngine::Run here = run;
  tests::NaiveEngine there = oracle;
  CAPTURE(word);
  REQUIRE(here.logit() == there.logit());
  if (length == 0) return;
  for (Letter a = 0; a < letters; ++a) {
    ExactEngine::Run next = run;
    tests::NaiveEngine other = oracle;
    next.read(a);
    other.read(a);
    compare(next, other, letters, length - 1, word + static_cast<char>('a' + a));
  }
}

tests::RandomModelOptions options_of(unsigned seed) {
  tests::RandomModelOptions options;
  options.arithmetic = FixedPoint(static_cast<int>(seed % 5), 1 + static_cast<int>(seed / 5 % 8));
  options.norm = static_cast<NormPlacement>(seed % 3);
  options.positions = static_cast<PositionKind>(seed / 3 % 3);
  options.position_rows = options.positions == PositionKind::learned ? 60 : 1 + seed % 4;
  options.letters = 1 + seed / 2 % 3;
  options.layers = seed / 4 % 4;
  options.on_grid = seed % 2 == 0;
  options.scale = seed % 7 == 0 ? 20 : 2;
  return options;
}

TEST_CASE("the engine is the reference arithmetic on all short words", "[exact_engine][law]") {
  for (unsigned seed = 0; seed < tests::scaled(60u, 20u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto options = options_of(seed);
    const Model model = random_model(random, options);
    const auto letters = static_cast<Letter>(options.letters);
    const std::size_t length = letters == 1 ? 20 : letters == 2 ? 4 : 3;
    // With room for nothing, the memo is dropped before every letter.
    const ExactEngine engine(model, seed % 4 == 0 ? 0 : 1 << 20);
    compare(engine.start(), tests::NaiveEngine(model), letters, length, "");
  }
}

TEST_CASE("the engine is the reference arithmetic on words beyond the vanishing count",
          "[exact_engine][law]") {
  for (unsigned seed = 100; seed < tests::scaled(140u, 112u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto options = options_of(seed);
    options.arithmetic = FixedPoint(static_cast<int>(seed % 4), 4 + static_cast<int>(seed % 5));
    options.scale = 1;
    const Model model = random_model(random, options);
    const ExactEngine engine(model, seed % 4 == 0 ? 200 : 1 << 20);
    ExactEngine::Run run = engine.start();
    tests::NaiveEngine oracle(model);
    std::string word;
    for (int n = 0; n < 50; ++n) {  // N_max is 1, 3, 7 or 15
      const auto a = static_cast<Letter>(random() % options.letters);
      word += static_cast<char>('a' + a);
      run.read(a);
      oracle.read(a);
      CAPTURE(word);
      if (n % 3 == 1) REQUIRE(run.logit() == oracle.logit());
    }
  }
}

TEST_CASE("the hand-set network accepts (ab)* and nothing else", "[exact_engine][law]") {
  for (const int p : {1, 2, 4, 8, 16}) {
    const ExactEngine engine(tests::alternating_model(FixedPoint(p, 8)));
    for_each_word(2, p == 4 ? 12 : 9, [&](const Word& word) {
      CAPTURE(p, word);
      REQUIRE(engine.accepts(word) == tests::is_alternating(word));
    });
    // Long words, with one letter too many at each end or one exchanged, wherever attention may vanish.
    const std::size_t last = p == 16 ? 40'000 : static_cast<std::size_t>(vanishing_count(FixedPoint(p, 8)));
    for (const std::size_t pairs : {last / 2, last, last + 1, 2 * last + 3}) {
      Word word;
      for (std::size_t n = 0; n < 2 * pairs; ++n) word.push_back(static_cast<Letter>(n % 2));
      CAPTURE(p, pairs);
      CHECK(engine.accepts(word));
      for (const std::size_t n : {std::size_t{0}, pairs, 2 * pairs - 1}) {
        Word other = word;
        other[n] ^= 1;
        CHECK_FALSE(engine.accepts(other));
      }
      word.push_back(0);
      CHECK_FALSE(engine.accepts(word));
      word.back() = 1;
      CHECK_FALSE(engine.accepts(word));
      CHECK_FALSE(engine.accepts(Word(pairs, 1)));  // every position is bad
    }
  }
}

TEST_CASE("one layer for P fails exactly beyond the vanishing count", "[exact_engine][law]") {
  for (const int p : {1, 2, 3, 4, 5, 6}) {
    const FixedPoint format(p, 8);
    const ExactEngine once(tests::alternating_model(format, false));
    const ExactEngine twice(tests::alternating_model(format, true));
    for (std::size_t n = 1; n < 3 * vanishing_count(format); ++n) {
      CAPTURE(p, n);
      REQUIRE(once.accepts(Word(n, 1)) == (n > vanishing_count(format)));
      REQUIRE_FALSE(twice.accepts(Word(n, 1)));
    }
  }
}

/// x -> the value of one head over a word of b's and then c's, as the sum of an attention layer over `mask`.
Model averaging_model(Mask mask) {
  Model model;
  model.alphabet = {"a", "b"};
  model.arithmetic = FixedPoint(8, 8);
  model.embedding = Matrix(3, 1);
  model.embedding(1, 0) = 1;
  Layer layer;
  layer.masks = {mask};
  layer.query = layer.key = layer.value = Matrix(1, 1);
  layer.value(0, 0) = 1;
  layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = layer.contract_bias = {0};
  layer.output = Matrix(1, 1);
  layer.output(0, 0) = 1;
  layer.expand = Matrix(0, 1);
  layer.contract = Matrix(1, 0);
  model.layers = {layer};
  model.readout = {1};
  return model;
}

TEST_CASE("masks are strict and empty rows are zero", "[exact_engine][mask]") {
  // The end marker's logit is the average of [w_m = b] over the m its mask sees.
  for (const std::uint32_t k : {0u, 1u, 2u, 3u, 7u}) {
    const ExactEngine engine(averaging_model(k == 0 ? Mask::global() : Mask::local(k)));
    for_each_word(2, 9, [&](const Word& word) {
      const std::size_t window = k == 0 ? word.size() : std::min<std::size_t>(k, word.size());
      const auto bs = std::count(word.end() - static_cast<std::ptrdiff_t>(window), word.end(), 1u);
      ExactEngine::Run run = engine.start();
      for (const Letter a : word) run.read(a);
      CAPTURE(k, word);
      // Up to 9 positions of weight rnd(1/9), each off by at most half a step of 2^-8.
      const auto exact = window == 0 ? 0.0 : 256.0 * static_cast<double>(bs) / static_cast<double>(window);
      REQUIRE(std::abs(static_cast<double>(run.logit()) - exact) <= 0.5 * static_cast<double>(bs));
    });
  }
}

TEST_CASE("layer norm is correctly rounded", "[exact_engine]") {
  // Values at hand: x = (0, 1) has mean 1/2 and variance 1/4; with epsilon 3/4 the root is 1, so the result
  // is gain (x - 1/2) + bias, and on a grid with p = 0 that is a tie.
  const FixedPoint whole(0, 8);
  RoundedNorm norm{{1, 1}, {0, 0}, 0.75f};
  std::vector<Raw> y(2);
  layer_norm(norm, whole, std::vector<Raw>{0, 1}, y);
  CHECK(y == std::vector<Raw>{0, 0});
  norm.bias = {1, 1};
  layer_norm(norm, whole, std::vector<Raw>{0, 1}, y);
  CHECK(y == std::vector<Raw>{0, 2});
  norm = {{3, -3}, {0, 0}, 0.75f};
  layer_norm(norm, whole, std::vector<Raw>{0, 1}, y);
  CHECK(y == std::vector<Raw>{-2, -2});
  norm = {{255, 255}, {100, 100}, 0x1p-149f};  // (x - mean) / sqrt(1/4) = -1, 1 but for a tiny epsilon
  layer_norm(norm, whole, std::vector<Raw>{0, 1}, y);
  CHECK(y == std::vector<Raw>{-155, 255});  // clamped
  norm = {{1, 1}, {7, 7}, 0x1.fffffep127f};
  layer_norm(norm, whole, std::vector<Raw>{0, 255}, y);
  CHECK(y == std::vector<Raw>{7, 7});
  // The largest numbers there are, at a width that would overflow 128 bits.
  const FixedPoint large(16, 16);
  const Raw end = large.largest();
  std::vector<Raw> x(1001, end);
  for (std::size_t i = 0; i < 500; ++i) x[i] = -end;
  norm = {std::vector<Raw>(1001, end), std::vector<Raw>(1001, 0), 0x1p-149f};
  y.resize(1001);
  layer_norm(norm, large, x, y);
  // mean = end/1001, deviations (1000/1001) end and -(1002/1001) end, standard deviation end sqrt(1 -
  // 1/1001^2).
  CHECK(y[1000] == static_cast<Raw>(std::llround(4294967295.0L * (1000.0L / 1001) /
                                                 std::sqrt(1.0L - 1.0L / (1001.0L * 1001)))));
  CHECK(y[0] == -end);
}

TEST_CASE("out-of-range letters and positions are refused and change nothing", "[exact_engine]") {
  Model model = averaging_model(Mask::global());
  model.position_kind = PositionKind::learned;
  model.positions = Matrix(3, 1);
  const ExactEngine engine(model);
  ExactEngine::Run run = engine.start();
  CHECK_THROWS_AS(run.read(2), std::invalid_argument);
  CHECK_THROWS_WITH(run.read(2), "ExactEngine::Run::read: letter 2 of 2");
  run.read(1);
  run.read(1);
  CHECK_THROWS_AS(run.read(1), std::length_error);
  CHECK_THROWS_WITH(run.read(1), "ExactEngine::Run::read: the positions end after 2 letters");
  CHECK(run.length() == 2);
  CHECK(run.logit() == 256);
  model.readout.clear();
  CHECK_THROWS_AS(ExactEngine(model), std::invalid_argument);
}

TEST_CASE("runs are values, and outlive engines", "[exact_engine]") {
  auto engine = std::make_unique<ExactEngine>(tests::alternating_model());
  ExactEngine::Run run = engine->start();
  run.read(0);
  ExactEngine::Run copy = run;
  const ExactEngine other = *engine;
  engine.reset();
  copy.read(1);
  CHECK(copy.accepts());
  CHECK_FALSE(run.accepts());
  run = copy;
  CHECK(run.accepts());
  CHECK(run.length() == 2);
  run = std::move(copy);
  CHECK(run.accepts());
  CHECK(other.accepts(Word{0, 1}));
}

TEST_CASE("reading is independent of what the memo knows", "[exact_engine]") {
  // Two runs of one engine with a tiny memo take turns, so each finds the other's memo or a new one.
  std::mt19937 random(5);
  tests::RandomModelOptions options;
  options.positions = PositionKind::periodic;
  options.position_rows = 7;
  const Model model = random_model(random, options);
  const ExactEngine tiny(model, 100), large(model);
  ExactEngine::Run x = tiny.start(), y = tiny.start(), x2 = large.start(), y2 = large.start();
  for (int n = 0; n < 500; ++n) {
    CAPTURE(n);
    const auto a = static_cast<Letter>(random() % 2), b = static_cast<Letter>(random() % 2);
    x.read(a);
    x2.read(a);
    if (n % 3 != 0) {
      y.read(b);
      y2.read(b);
    }
    REQUIRE(x.logit() == x2.logit());
    REQUIRE(y.logit() == y2.logit());
  }
}

}  // namespace
}  // namespace transformer
