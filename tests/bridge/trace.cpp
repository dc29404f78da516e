#include "bridge/trace.hpp"

#include "bridge/compile.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/random_model.hpp"
#include "tests/words.hpp"
#include "transformer/engine.hpp"

using namespace bridge;
using logic::Alphabet;
using logic::Formula;
using logic::Word;
using transformer::FixedPoint;
using transformer::NormPlacement;

namespace {

const Alphabet ab({"a", "b"});

#ifdef NDEBUG
constexpr std::size_t stride = 3;
#else
constexpr std::size_t stride = 9;  // with sanitizers, some of the formulas
#endif

}  // namespace

TEST_CASE("in compiled networks every coordinate holds the truth of what it is called", "[bridge][law]") {
  logic::Arena arena;
  const auto by_size = tests::formulas_up_to(arena, 3);
  std::vector<Word> words = tests::words_up_to(2, 2);
  words.push_back({0, 1, 1, 0, 1, 0, 0});
  words.emplace_back(10, 0);  // past N_max = 7 of p = 2
  words.emplace_back(9, 1);
  words.back().push_back(0);
  std::size_t named = 0;
  for (const auto norm : {NormPlacement::none, NormPlacement::post, NormPlacement::pre}) {
    for (const auto minimize : {Minimize::depth, Minimize::width}) {
      for (const bool reuse : {true, false}) {
        CompileOptions options;
        options.arithmetic = FixedPoint(2, 8);
        if (!reuse) options.arithmetic = transformer::arithmetic_of("e4m3");
        options.norm = norm;
        options.minimize = minimize;
        options.reuse_coordinates = reuse;
        if (!reuse && norm != NormPlacement::none) continue;
        for (const auto& formulas : by_size) {
          for (std::size_t i = 0; i < formulas.size(); i += stride) {
            const Formula f = formulas[i];
            if (!reuse && logic::fragment(f).counting) continue;
            const auto model = compile(f, ab, options);
            for (const Word& word : words) {
              const Trace found = trace(model, word);
              const std::string where = logic::to_string(f, ab) + " on '" + to_string(ab, word) + "', norm " +
                                        std::to_string(static_cast<int>(norm));
              if (found.accepted != logic::holds(f, word)) FAIL(where << ": wrong answer");
              if (!found.holds) FAIL(where << ": the source is lost");
              for (const TraceStage& stage : found.stages) {
                for (const TracedCoordinate& c : stage.coordinates) {
                  if (c.truth) ++named;
                  if (!c.wrong.empty())
                    FAIL(where << ": layer " << stage.layer << ", half " << static_cast<int>(stage.half)
                               << ", " << c.name << " is " << c.values[c.wrong[0] - 1] << " at "
                               << c.wrong[0]);
                }
              }
              if (found.disagreements != 0) FAIL(where << ": disagreements without a place");
            }
          }
        }
      }
    }
  }
  CHECK(named > 10'000);
}

TEST_CASE("a trace runs as the exact engine does, and shows weights that add up", "[bridge]") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.arithmetic = FixedPoint(2 + static_cast<int>(seed % 4), 5);
    options.norm = static_cast<NormPlacement>(seed % 3);
    options.layers = 1 + seed % 3;
    auto model = random_model(random, options);
    const char* others[] = {"fp16", "e4m3/exact", "bf16/partial-sums", "fixed(3,6)/rounded-quotient"};
    if (seed % 2 == 1) model.arithmetic = transformer::arithmetic_of(others[seed / 2 % 4]);
    transformer::Engine engine(model);
    const Word word = tests::random_word(random, static_cast<logic::Letter>(model.letters()), seed % 12);
    const Trace found = trace(model, word);
    auto run = engine.start();
    for (const auto a : word) run.read(a);
    CHECK(found.logit == run.logit());
    CHECK_FALSE(found.holds);
    CHECK(found.disagreements == 0);
    CHECK(found.stages.size() == 1 + 2 * model.layers.size());
    for (const TraceStage& stage : found.stages) {
      for (const TracedHead& head : stage.heads) {
        REQUIRE(head.weights.size() == word.size() + 1);
        for (std::size_t n = 1; n <= head.weights.size(); ++n) {
          const auto& row = head.weights[n - 1];
          REQUIRE(row.size() == n - 1);
          double sum = 0;
          for (std::size_t m = 1; m < n; ++m) {
            if (!head.mask.sees(n, m)) CHECK(row[m - 1] == 0);
            sum += row[m - 1];
          }
          if (model.arithmetic.is_reference()) CHECK(sum < 2);
          // One visible position has all the weight.
          if (n > 1 && (n == 2 || head.mask.window() == 1)) CHECK(row.back() == 1);
        }
      }
    }
  }
}

TEST_CASE("a damaged network is caught at the coordinate that it damages", "[bridge]") {
  logic::Arena arena;
  auto model = compile(logic::parse(arena, "Y a & P b", ab), ab);
  const Word word{1, 0};
  REQUIRE(trace(model, word).disagreements == 0);
  // The value of the first head of layer 0 is lost.
  for (std::size_t c = 0; c < model.width(); ++c) model.layers[0].value(0, c) = 0;
  model.layers[0].value_bias[0] = 0;
  const Trace found = trace(model, word);
  CHECK(found.disagreements > 0);
  bool first = true;
  for (const TraceStage& stage : found.stages) {
    for (const TracedCoordinate& c : stage.coordinates) {
      if (c.wrong.empty() || !first) continue;
      first = false;
      CHECK(stage.layer == 0);
      CHECK(stage.half == Half::attention);
    }
  }
  CHECK_FALSE(first);
}

TEST_CASE("names that mean nothing, sources that do not parse, limits", "[bridge]") {
  logic::Arena arena;
  auto model = compile(logic::parse(arena, "P a", ab), ab);
  const Word word{0, 1};
  for (const char* source : {"", "P (", "P c"}) {
    model.source = source;
    CAPTURE(source);
    const Trace found = trace(model, word);
    CHECK_FALSE(found.holds);
    CHECK(found.disagreements == 0);
    CHECK(found.accepted);
  }
  model.source = "a S b";  // not a formula that is compiled, but one that names can be compared with
  CHECK(trace(model, word).holds.value());
  model.source = "P a";
  for (auto& name : model.coordinates) name = "what (near";
  CHECK(trace(model, word).disagreements == 0);
  CHECK_THROWS_AS(trace(model, Word{2}), std::invalid_argument);
  TraceLimits limits;
  limits.max_numbers = 10;
  CHECK_THROWS_AS(trace(model, word, limits), std::length_error);
}
