// Compiled networks on LibTorch: the same answers as the definition, in every type.
#include "tests/transformer/torch_catch.hpp"
//
#include "bridge/agreement.hpp"
#include "bridge/compile.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/formulas.hpp"
#include "tests/words.hpp"
#include "transformer/torch_model.hpp"

#include <random>

using namespace bridge;
using logic::Alphabet;
using logic::Formula;
using logic::Word;
using transformer::FixedPoint;

namespace {

const Alphabet ab({"a", "b"});

void check(Formula f, const std::vector<Word>& words, torch::ScalarType dtype,
           const CompileOptions& options = {}) {
  transformer::TorchModel model(compile(f, ab, options), dtype);
  const auto accepted = transformer::accepts(model, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (accepted[i] == logic::holds(f, words[i])) continue;
    FAIL(logic::to_string(f, ab) << ", " << c10::toString(dtype) << ": wrong on '" << to_string(ab, words[i])
                                 << "'");
  }
}

}  // namespace

TEST_CASE("all small formulas on LibTorch", "[bridge][torch][law]") {
  logic::Arena arena;
  const auto words = tests::words_up_to(2, 5);
  const auto by_size = tests::formulas_up_to(arena, 3);
  for (const auto& formulas : by_size)
    for (const Formula f : formulas) check(f, words, torch::kFloat32);
  for (std::size_t size = 0; size < 2; ++size) {
    for (const Formula f : by_size[size]) {
      check(f, words, torch::kFloat64);
      check(f, words, torch::kBFloat16);
      for (const auto norm : {transformer::NormPlacement::post, transformer::NormPlacement::pre}) {
        for (const auto minimize : {Minimize::depth, Minimize::width}) {
          CompileOptions options;
          options.norm = norm;
          options.minimize = minimize;
          options.positions = PositionTable::angles;
          check(f, words, torch::kFloat32, options);
        }
      }
      if (logic::fragment(f).counting) continue;
      for (const char* arithmetic : {"fp32", "e4m3"}) {
        CompileOptions options;
        options.arithmetic = transformer::arithmetic_of(arithmetic);
        check(f, words, torch::kFloat32, options);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("counting windows of every threshold on LibTorch", "[bridge][torch][law]") {
  const unsigned seed = 11;
  std::mt19937 random(seed);
  std::vector<Word> words = tests::words_up_to(2, 4);
  for (int i = 0; i < 150; ++i) words.push_back(tests::random_word(random, 2, 5 + tests::below(random, 30)));
  logic::Arena arena;
  for (const std::uint32_t k : {2, 3, 5, 10, 11, 12, 13, 21, 29})
    for (std::uint32_t j = 2; j <= k; j += k > 10 ? 3 : 1)
      check(arena.window(arena.letter(0), k, j), words, torch::kFloat32);
  SUCCEED();
}

TEST_CASE("long words past the point where fixed-point attention vanishes", "[bridge][torch]") {
  logic::Arena arena;
  for (const char* text : {"P(b & P a)", "!O(b ^ Y a)", "P(a & first)", "H(a -> Y<=3 b)"}) {
    const Formula f = logic::parse(arena, text, ab);
    std::vector<Word> words;
    for (const std::size_t n : {31, 32, 33, 64, 300}) {
      for (const logic::Letter a : {0, 1}) {
        words.emplace_back(n, a);
        words.back().push_back(1 - a);
        words.emplace_back(n, a);
        words.back().insert(words.back().begin(), 1 - a);
      }
    }
    check(f, words, torch::kFloat32);
    check(f, words, torch::kFloat64);
  }
  SUCCEED();
}
