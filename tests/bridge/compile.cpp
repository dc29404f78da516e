#include "bridge/compile.hpp"

#include "automata/from_formula.hpp"
#include "bridge/agreement.hpp"
#include "bridge/angles.hpp"
#include "bridge/decompile.hpp"
#include "bridge/program.hpp"
#include "bridge/trace.hpp"
#include "bridge/uniform.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/words.hpp"
#include "transformer/engine.hpp"
#include "transformer/exact_engine.hpp"

#include <random>

using namespace bridge;
using logic::Alphabet;
using logic::Formula;
using logic::Word;
using transformer::FixedPoint;
using transformer::NormPlacement;

namespace {

const Alphabet ab({"a", "b"});

CompileOptions options_with(FixedPoint arithmetic, NormPlacement norm = NormPlacement::none,
                            std::optional<std::uint64_t> max_length = std::nullopt) {
  CompileOptions options;
  options.arithmetic = arithmetic;
  options.norm = norm;
  options.max_length = max_length;
  return options;
}

/// The first of `words` on which the compiled network and the definition differ, or "".
std::string disagreement(Formula f, const std::vector<Word>& words, const CompileOptions& options) {
  const auto dfa = automata::from_formula(f, 2);
  const auto model = compile(f, ab, options);
  const transformer::Engine engine(model);
  for (const Word& word : words) {
    if (model.max_length && word.size() > *model.max_length) continue;
    const bool expected = logic::holds(f, word);
    if (dfa.accepts(word) != expected) return "automaton on '" + to_string(ab, word) + "'";
    if (engine.accepts(word) != expected) return "network on '" + to_string(ab, word) + "'";
  }
  return "";
}

#ifdef NDEBUG
constexpr std::size_t stride = 1;
#else
constexpr std::size_t stride = 7;  // with sanitizers, some of the formulas
#endif

bool has_wide_window(Formula f, std::uint32_t width) {
  for (const Formula g : logic::subformulas(f))
    if ((g->kind == logic::Kind::window || g->kind == logic::Kind::counting_window) && g->k > width)
      return true;
  return false;
}

}  // namespace

TEST_CASE("formula, automaton and network accept the same words: all small formulas", "[bridge][law]") {
  logic::Arena arena;
  const auto by_size = tests::formulas_up_to(arena, 3);
  const auto words = tests::words_up_to(2, 6);
  for (const int p : {0, 1, 2, 4}) {
    const FixedPoint format(p, 8);
    for (const auto& formulas : by_size) {
      for (const Formula f : formulas) {
        if (has_wide_window(f, static_cast<std::uint32_t>(transformer::vanishing_count(format)))) continue;
        const auto found = disagreement(f, words, options_with(format));
        if (!found.empty()) FAIL(logic::to_string(f, ab) << ", p = " << p << ": " << found);
      }
    }
  }
  SUCCEED();
}

TEST_CASE("layer norm changes nothing", "[bridge][law]") {
  logic::Arena arena;
  const auto by_size = tests::formulas_up_to(arena, 3);
  auto words = tests::words_up_to(2, 5);
  // Past N_max = 7 of p = 2, where attention vanishes and the far heads decide.
  for (const std::size_t n : {6, 7, 8, 9, 20}) {
    for (const Word& end : tests::words_up_to(2, 1)) {
      for (const logic::Letter a : {0, 1}) {
        Word word(n, a);
        word.insert(word.end(), end.begin(), end.end());
        words.push_back(word);
        word.insert(word.begin(), 1 - a);
        words.push_back(word);
      }
    }
  }
  for (const auto norm : {NormPlacement::post, NormPlacement::pre}) {
    for (const int p : {1, 2, 4}) {
      for (const auto& formulas : by_size) {
        for (std::size_t i = 0; i < formulas.size(); i += stride) {
          const Formula f = formulas[i];
          const auto found = disagreement(f, words, options_with(FixedPoint(p, 8), norm));
          if (!found.empty()) FAIL(logic::to_string(f, ab) << ", p = " << p << ": " << found);
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("a length bound saves a layer for each P", "[bridge][law]") {
  logic::Arena arena;
  const auto words = tests::words_up_to(2, 7);
  for (const auto& formulas : tests::formulas_up_to(arena, 3)) {
    for (const Formula f : formulas) {
      const auto found = disagreement(f, words, options_with(FixedPoint(2, 8), NormPlacement::none, 7));
      if (!found.empty()) FAIL(logic::to_string(f, ab) << ": " << found);
    }
  }
  const Formula f = logic::parse(arena, "P(b & P a)", ab);
  CHECK(compile(f, ab).layers.size() == 4);
  CHECK(compile(f, ab).max_length == std::nullopt);
  const auto bounded = compile(f, ab, options_with(FixedPoint(4, 8), NormPlacement::none, 31));
  CHECK(bounded.layers.size() == 2);
  CHECK(bounded.max_length == 31);
  // A bound that the arithmetic cannot use, or that no P needs, bounds nothing.
  CHECK(compile(f, ab, options_with(FixedPoint(4, 8), NormPlacement::none, 32)).max_length == std::nullopt);
  CHECK(compile(logic::parse(arena, "Y a", ab), ab, options_with(FixedPoint(4, 8), NormPlacement::none, 31))
            .max_length == std::nullopt);
}

TEST_CASE("random formulas with larger Boolean parts", "[bridge][law]") {
  const unsigned seed = 20260502;
  std::mt19937 random(seed);
  const auto words = tests::words_up_to(2, 6);
  for (int round = 0; round < (stride == 1 ? 400 : 80); ++round) {
    logic::Arena arena;
    std::vector<Formula> pool{arena.letter(0), arena.letter(1), arena.first(), arena.modulo(3, 1)};
    for (int i = 0; i < 14; ++i) {
      const Formula x = pool[tests::below(random, static_cast<std::uint32_t>(pool.size()))];
      const Formula y = pool[tests::below(random, static_cast<std::uint32_t>(pool.size()))];
      switch (tests::below(random, 9)) {
        case 0: pool.push_back(arena.previously(x)); break;
        case 1: pool.push_back(arena.yesterday(x)); break;
        case 2: pool.push_back(arena.window(x, 3)); break;
        case 3: pool.push_back(arena.window(x, 3, 2)); break;
        case 4: pool.push_back(arena.conjunction(x, y)); break;
        case 5: pool.push_back(arena.exclusive_or(x, y)); break;
        case 6: pool.push_back(arena.negation(x)); break;
        case 7: pool.push_back(arena.implication(x, y)); break;
        default: pool.push_back(arena.disjunction(x, y)); break;
      }
    }
    const Formula f = pool.back();
    CompileOptions options = options_with(FixedPoint(1 + static_cast<int>(tests::below(random, 4)), 8));
    const bool counting = logic::fragment(f).counting;
    switch (round % 8) {
      case 1: options.minimize = Minimize::width; break;
      case 2: options.norm = NormPlacement::pre; break;
      case 3: options.norm = NormPlacement::post; break;
      case 4: options.positions = PositionTable::angles; break;
      case 5: options.arithmetic = transformer::arithmetic_of("fp16/pairwise"); break;
      case 6: options.arithmetic = transformer::arithmetic_of(counting ? "fp32" : "e5m2"); break;
      case 7: options.reuse_coordinates = false; break;
      default: break;
    }
    if (round % 16 > 8) options.minimize = Minimize::width;
    auto found = disagreement(f, words, options);
    const Word longer = tests::random_word(random, 2, 12);
    if (trace(compile(f, ab, options), longer).disagreements != 0)
      found = "a coordinate on '" + to_string(ab, longer) + "'";
    if (!found.empty())
      FAIL("seed " << seed << ", round " << round << ", " << to_string(options.arithmetic) << ": "
                   << logic::to_string(f, ab) << ": " << found);
  }
  SUCCEED();
}

TEST_CASE("counting windows, short and full, under all thresholds", "[bridge][law]") {
  logic::Arena arena;
  const auto words = tests::words_up_to(2, 8);
  for (std::uint32_t k = 2; k <= 5; ++k) {
    for (std::uint32_t j = 2; j <= k; ++j) {
      const Formula count = arena.window(arena.letter(0), k, j);
      // The second one shows any value of the comparisons other than 0 and 1.
      for (const Formula f :
           {count, arena.conjunction(arena.window(arena.negation(count), 3), arena.negation(count))}) {
        for (const int p : {2, 3, 4, 6}) {
          if (k > transformer::vanishing_count(FixedPoint(p, 8))) continue;
          const auto found = disagreement(f, words, options_with(FixedPoint(p, 10)));
          if (!found.empty()) FAIL(logic::to_string(f, ab) << ", p = " << p << ": " << found);
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("every way to compile gives the same language", "[bridge][law]") {
  logic::Arena arena;
  const auto words = tests::words_up_to(2, 5);
  for (const auto norm : {NormPlacement::none, NormPlacement::post, NormPlacement::pre}) {
    for (const auto positions : {PositionTable::table, PositionTable::angles}) {
      for (const auto minimize : {Minimize::depth, Minimize::width}) {
        for (const bool reuse : {true, false}) {
          CompileOptions options = options_with(FixedPoint(3, 8), norm);
          options.positions = positions;
          options.minimize = minimize;
          options.reuse_coordinates = reuse;
          for (const auto& formulas : tests::formulas_up_to(arena, 3)) {
            for (std::size_t i = reuse ? 0 : 1; i < formulas.size(); i += reuse ? 4 * stride : 10 * stride) {
              auto found = disagreement(formulas[i], words, options);
              // Some for words of every length.
              if (i % 8 == 0 &&
                  decompile(compile(formulas[i], ab, options)).dfa != automata::from_formula(formulas[i], 2))
                found = "on a long word";
              if (!found.empty()) {
                FAIL(logic::to_string(formulas[i], ab)
                     << ", norm " << static_cast<int>(norm) << ", positions " << static_cast<int>(positions)
                     << ", minimize " << static_cast<int>(minimize) << ", reuse " << reuse << ": " << found);
              }
            }
          }
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("coordinates are used again, and more of them where layers may be added", "[bridge]") {
  logic::Arena arena;
  const auto width = [&](const char* text, Minimize minimize, bool reuse = true) {
    CompileOptions options;
    options.minimize = minimize;
    options.reuse_coordinates = reuse;
    return compile(logic::parse(arena, text, ab), ab, options).width();
  };
  CHECK(width("Y Y Y Y a", Minimize::depth) == 2);
  CHECK(width("Y Y Y Y a", Minimize::depth, false) == 6);  // b, which nothing reads, has one too
  CHECK(compile(arena.yesterday(arena.letter(0), 10'000), ab).width() == 2);
  CHECK(width("true", Minimize::depth) == 1);
  const char* tree = "(Y a & Y Y a | Y Y Y a & Y Y Y Y a) & (P Y a | Y<=3 b & Y Y<=3 b)";
  CHECK(width(tree, Minimize::width) < width(tree, Minimize::depth));
  CHECK(width(tree, Minimize::depth) < width(tree, Minimize::depth, false));
  for (const auto& formulas : tests::formulas_up_to(arena, 3)) {
    for (const Formula f : formulas) {
      CompileOptions options;
      const auto shallow = compile(f, ab, options);
      options.minimize = Minimize::width;
      const auto narrow = compile(f, ab, options);
      CAPTURE(logic::to_string(f, ab));
      REQUIRE(narrow.width() <= shallow.width());
      REQUIRE(shallow.layers.size() <= narrow.layers.size());
    }
  }
}

TEST_CASE("residues by angles: each unit is 1 at its residue and 0 at the others", "[bridge]") {
  // The table of docs/compile.md.
  const std::uint32_t all_up_to[] = {5, 7, 10, 15, 21, 31, 37, 52, 74};
  const std::uint32_t largest[] = {5, 7, 12, 17, 21, 31, 44, 60, 87};
  for (int p = 0; p <= 8; ++p) {
    const FixedPoint format(p, 8);
    for (std::uint32_t m = 2; m <= largest[p] + 40; ++m) {
      const AngleTable table(m, format, false);
      bool whole = true;
      for (std::uint32_t r = 0; r < m; ++r) {
        const auto unit = table.separate(r);
        whole = whole && unit;
        if (!unit) continue;
        for (std::uint32_t n = 0; n < m; ++n) {
          const double z =
              unit->cosine * table.entry(n, false) + unit->sine * table.entry(n, true) + unit->bias;
          const double hidden = std::max(0.0, format.to_double(round_to(z, format)));
          if (hidden * unit->scale != (n == r ? 1 : 0))
            FAIL("p = " << p << ", m = " << m << ", r = " << r << ", n = " << n << ": " << z);
        }
      }
      CAPTURE(p, m);
      if (m <= all_up_to[p]) CHECK(whole);
      if (m == all_up_to[p] + 1) CHECK_FALSE(whole);
      if (m == largest[p]) CHECK(whole);
      if (m > largest[p]) CHECK_FALSE(whole);
    }
    CHECK(proven_angle_modulus(format, false) <= all_up_to[p]);
    if (p >= 1)
      CHECK(proven_angle_modulus(format, true) == proven_angle_modulus(FixedPoint(p - 1, 8), false));
  }
  CHECK(proven_angle_modulus(FixedPoint(8, 8), false) == 28);
}

TEST_CASE("with so many mirrored pairs a norm rounds back to what was there, and hardly with fewer",
          "[bridge]") {
  const std::vector<Value> values{{"clean"}, {"half", false, 0, 1}, {"average", false, -0.5f, 1.5f}};
  for (const int p : {1, 2, 4, 6}) {
    const FixedPoint format(p, 8);
    for (const auto& unclean : {std::vector<std::size_t>{1}, {1, 1, 1}, {2, 2, 2}, {1, 2}}) {
      const std::size_t enough = pairs_for_identity(values, unclean, p, 0x1p-30f);
      // Extreme values disturb most, in either direction.
      const auto identity = [&](std::size_t pairs) {
        for (int way = 0; way < 4; ++way) {
          std::vector<transformer::Raw> x;
          for (const std::size_t v : unclean) {
            const double middle = 0.5;
            const double extreme = way % 2 == 0 ? middle : values[v].most;
            x.push_back(round_to(extreme, format));
          }
          x.resize(std::max(pairs, x.size()), way < 2 ? 0 : format.one());
          const std::size_t count = x.size();
          for (std::size_t i = 0; i < count; ++i) x.push_back(format.one() - x[i]);
          const std::vector<transformer::Raw> half(x.size(), format.one() / 2);
          auto y = x;
          layer_norm({half, half, 0x1p-30f}, format, x, y);
          if (x != y) return false;
        }
        return true;
      };
      CAPTURE(p, unclean.size(), enough);
      CHECK(identity(enough));
      CHECK(identity(enough + 1));
      if (p >= 4 && unclean[0] == 1 && unclean.back() == 1) CHECK_FALSE(identity(enough - 3));
    }
  }
}

TEST_CASE("windows wider than the arithmetic allows, where no word is long", "[bridge][law]") {
  logic::Arena arena;
  const auto words = tests::words_up_to(2, 8);
  const FixedPoint format(2, 8);  // N_max = 7
  for (const char* text : {"Y<=20 a", "Y<=20>=3 a", "Y<=20>=8 a", "Y<=9>=7 (a & Y<=30 b)", "Y<=8>=2 !a"}) {
    const Formula f = logic::parse(arena, text, ab);
    CAPTURE(text);
    for (const std::uint64_t length : {0, 3, 6, 7}) {
      CHECK(disagreement(f, words, options_with(format, NormPlacement::none, length)).empty());
      CHECK(compile(f, ab, options_with(format, NormPlacement::none, length)).max_length == length);
    }
    CHECK_THROWS_AS(compile(f, ab, options_with(format, NormPlacement::none, 8)), std::invalid_argument);
  }
}

TEST_CASE("networks are right in the arithmetic that they are made for", "[bridge][law]") {
  logic::Arena arena;
  const auto by_size = tests::formulas_up_to(arena, 3, false);
  const auto words = tests::words_up_to(2, 4);
  const std::vector<const char*> names{"fp32",
                                       "fp32/exact",
                                       "fp16/pairwise",
                                       "bf16",
                                       "bf16/partial-sums/pairwise",
                                       "bf16/rounded-quotient",
                                       "e5m2",
                                       "e5m2/pairwise",
                                       "e5m2/exact",
                                       "e5m2/partial-sums",
                                       "e4m3",
                                       "e4m3/exact",
                                       "e4m3/pairwise/clamped-denominator",
                                       "e4m3/partial-sums",
                                       "e4m3/rounded-quotient/pairwise",
                                       "fixed(2,8)/rounded-quotient",
                                       "fixed(2,8)/clamped-denominator",
                                       "fixed(7,6)/clamped-denominator",
                                       "fixed(2,8)/partial-sums",
                                       "fixed(6,6)/partial-sums"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    CompileOptions options;
    options.arithmetic = transformer::arithmetic_of(names[k]);
    for (const auto minimize : {Minimize::depth, Minimize::width}) {
      options.minimize = minimize;
      for (const auto& formulas : by_size) {
        for (std::size_t i = k % 3; i < formulas.size(); i += formulas.size() < 100 ? 1 : 3 * stride) {
          const Formula f = formulas[i];
          const transformer::Engine engine(compile(f, ab, options));
          for (const Word& word : words)
            if (engine.accepts(word) != logic::holds(f, word))
              FAIL(names[k] << ": " << logic::to_string(f, ab) << " is wrong on '" << to_string(ab, word)
                            << "'");
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("counting windows in floating point", "[bridge][law]") {
  logic::Arena arena;
  std::mt19937 random(5);
  auto words = tests::words_up_to(2, stride == 1 ? 6 : 4);
  for (int i = 0; i < 12; ++i) words.push_back(tests::random_word(random, 2, 8 + tests::below(random, 60)));
  const std::vector<const char*> names{
      "fp32",          "fp32/exact", "fp32/pairwise/partial-sums",  "fp32/rounded-quotient",
      "fp16/pairwise", "fp16",       "fp16/exact/rounded-quotient", "fp16/partial-sums"};
  for (std::size_t i = 0; i < names.size(); i += stride == 1 ? 1 : 4) {
    const std::string name = names[i];
    CompileOptions options;
    options.arithmetic = transformer::arithmetic_of(name);
    for (const std::uint32_t k : {2, 3, 5, 6, 29}) {
      if (k > 6 && name[2] == '1') continue;
      for (std::uint32_t j = 2; j <= k; j += k > 6 ? 5 : 1) {
        const Formula count = arena.window(arena.letter(0), k, j);
        // The second one shows any value other than 0 and 1.
        for (const Formula f : {count, arena.yesterday(arena.exclusive_or(count, arena.yesterday(count)))}) {
          const transformer::Engine engine(compile(f, ab, options));
          for (const Word& word : words)
            if (engine.accepts(word) != logic::holds(f, word))
              FAIL(name << ": " << logic::to_string(f, ab) << " is wrong on '" << to_string(ab, word) << "'");
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("in each arithmetic P is right up to the bound that the file states", "[bridge][law]") {
  struct Row {
    const char* arithmetic;
    std::optional<std::uint64_t> lasting;  // positions that share attention and do not vanish
    bool sharp;
  };
  constexpr std::uint64_t unreachable = std::uint64_t{1} << 53;
  const Row rows[] = {
      {"fixed(4,8)", 31, true},
      {"fixed(4,8)/rounded-quotient", std::nullopt, true},
      {"fixed(2,8)/partial-sums", 7, true},
      {"fixed(2,8)/clamped-denominator", 7, true},
      {"fixed(7,6)/clamped-denominator", std::nullopt, true},
      {"fp32", unreachable, false},
      {"bf16/exact", unreachable, false},
      {"bf16/partial-sums", std::nullopt, true},
      {"bf16/rounded-quotient", std::nullopt, true},
      {"fp16", 65519, true},
      {"fp16/rounded-quotient/exact", std::nullopt, true},
      {"e5m2", 61439, true},
      {"e5m2/partial-sums", std::nullopt, true},
      {"e4m3", 1023, true},
      {"e4m3/pairwise", 1023, true},
      {"e4m3/exact", 1023, true},
      {"e4m3/clamped-denominator", 1792, false},
      {"e4m3/partial-sums", std::nullopt, true},
      {"float(4,7)", 255, true},
      {"float(4,3)/exact", 247, true},
      {"fp16/partial-sums/pairwise", 64994, false},
      {"e5m2/partial-sums/pairwise", 11024, false},
      {"e4m3/partial-sums/pairwise", 259, false},
      {"float(5,4,no-subnormals)/partial-sums/pairwise", 10649, false},
  };
  logic::Arena arena;
  const Formula f = logic::parse(arena, "P a", ab);
  const std::size_t longest = stride == 1 ? 2100 : 300;
  for (const Row& row : rows) {
    CompileOptions options;
    options.arithmetic = transformer::arithmetic_of(row.arithmetic);
    CAPTURE(row.arithmetic);
    const UniformAttention uniform = uniform_attention(options.arithmetic);
    CHECK(uniform.lasting == row.lasting);
    CHECK(uniform.sharp == row.sharp);
    const auto model = compile(f, ab, options);
    CHECK(model.layers.size() == (row.lasting && row.sharp ? 2 : 1));
    CHECK(model.max_length == (row.sharp ? std::nullopt : row.lasting));
    options.max_length = 5;
    CHECK(compile(f, ab, options).layers.size() == 1);
    CHECK(compile(f, ab, options).max_length ==
          (row.lasting ? std::optional<std::uint64_t>(5) : std::nullopt));
    const std::uint64_t reach = row.lasting ? std::min<std::uint64_t>(*row.lasting, longest) : longest;
    options.max_length = reach;
    const auto narrow = compile(f, ab, options);
    const transformer::Engine short_engine(narrow);
    auto run = short_engine.start();
    const transformer::Engine engine(model);
    auto long_run = engine.start();
    for (std::uint64_t n = 1; n <= reach + 1 && n <= longest; ++n) {
      run.read(0);
      long_run.read(0);
      if (n > 40 && n + 2 < reach && n % 97 != 0) continue;
      CAPTURE(n);
      if (n <= reach) REQUIRE(run.accepts());
      // One more position, and attention has vanished.
      if (n == reach + 1 && row.lasting && *row.lasting == reach && row.sharp) CHECK_FALSE(run.accepts());
      if (!model.max_length || n <= *model.max_length) REQUIRE(long_run.accepts());
    }
    // Few hits among many other positions, in places of any kind.
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
      Word word(1 + tests::below(random, 300), 1);
      const std::uint32_t hits = tests::below(random, 4);
      for (std::uint32_t h = 0; h < hits; ++h)
        word[tests::below(random, static_cast<std::uint32_t>(word.size()))] = 0;
      if (narrow.max_length && word.size() > *narrow.max_length) word.resize(*narrow.max_length);
      CAPTURE(round, word);
      REQUIRE(short_engine.accepts(word) == logic::holds(f, word));
      REQUIRE(engine.accepts(word) == logic::holds(f, word));
    }
  }
}

TEST_CASE("wide conjunctions are one hidden unit, and many alternatives are split", "[bridge]") {
  const Alphabet letters({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"});
  logic::Arena arena;
  Formula all = arena.constant(true);
  Formula parity = arena.constant(false);
  Formula pairs = arena.constant(false);
  for (logic::Letter a = 0; a < letters.size(); ++a) {
    all = arena.conjunction(all, arena.negation(arena.previously(arena.letter(a))));
    parity = arena.exclusive_or(parity, arena.previously(arena.letter(a)));
    if (a > 0) {
      pairs = arena.disjunction(
          pairs, arena.conjunction(arena.previously(arena.letter(a - 1)), arena.previously(arena.letter(a))));
    }
  }
  std::mt19937 random(7);
  for (const Formula f : {all, parity, pairs}) {
    const auto model = compile(f, letters, options_with(FixedPoint(1, 8)));
    const transformer::ExactEngine engine(model);
    for (int i = 0; i < 200; ++i) {
      const Word word = tests::random_word(random, letters.size(), tests::below(random, 20));
      CAPTURE(logic::to_string(f, letters), word);
      CHECK(engine.accepts(word) == logic::holds(f, word));
    }
  }
}

TEST_CASE("the masks are those of the formula", "[bridge]") {
  logic::Arena arena;
  const auto masks = [&](const char* text) {
    std::string found;
    for (const auto& layer : compile(logic::parse(arena, text, ab), ab).layers)
      for (const auto mask : layer.masks) found += to_string(mask) + " ";
    return found;
  };
  CHECK(masks("Y a") == "local-1 ");
  CHECK(masks("Y<=3 a") == "local-3 ");
  CHECK(masks("P a") == "global global ");
  CHECK(masks("first") == "local-1 ");
  CHECK(masks("Y<=2 (a & first)") == "local-2 local-2 ");
  CHECK(masks("P (a & first)").find("local") == std::string::npos);
  CHECK(masks("a | true").empty());
}

TEST_CASE("attention vanishes, and the second layer of P is what saves it", "[bridge]") {
  logic::Arena arena;
  const Formula f = logic::parse(arena, "P a", ab);
  for (const int p : {0, 1, 2, 3, 4, 6}) {
    const FixedPoint format(p, 8);
    const std::uint64_t full = transformer::vanishing_count(format);
    const auto dfa = automata::from_formula(f, 2);
    auto one_layer = compile(f, ab, options_with(format, NormPlacement::none, full));
    const transformer::ExactEngine narrow(one_layer);
    const transformer::ExactEngine wide(compile(f, ab, options_with(format)));
    for (std::uint64_t n : {full - 1, full, full + 1, 2 * full + 2, 10 * full + 3}) {
      const Word word(n, 0);
      CAPTURE(p, n);
      CHECK(wide.accepts(word) == (n > 0));
      CHECK(narrow.accepts(word) == (n > 0 && n <= full));
    }
  }
}

TEST_CASE("what cannot be compiled is refused with the reason", "[bridge]") {
  logic::Arena arena;
  using Catch::Matchers::Contains;
  const auto refuse = [&](const char* text, CompileOptions options = {}) {
    try {
      compile(logic::parse(arena, text, ab), ab, options);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("(compiled)");
  };
  CHECK_THAT(refuse("a S b"), Contains("S") && Contains("express"));
  CHECK_THAT(refuse("Y<=32 a"), Contains("32") && Contains("31"));
  CHECK(refuse("Y<=31 a") == "(compiled)");
  CHECK_THAT(refuse("Y<=2 a", options_with(FixedPoint(0, 8))), Contains("window of 2"));
  CHECK_THAT(refuse("P a", options_with(FixedPoint(4, 5))), Contains("integer range"));
  CHECK_THAT(refuse("P a", options_with(FixedPoint(0, 8), NormPlacement::post)),
             Contains("at least 1 fraction"));
  const auto in = [](const char* arithmetic, NormPlacement norm = NormPlacement::none) {
    CompileOptions options;
    options.arithmetic = transformer::arithmetic_of(arithmetic);
    options.norm = norm;
    return options;
  };
  CHECK_THAT(refuse("P a", in("float(5,1)")), Contains("1 mantissa bit"));
  CHECK_THAT(refuse("P a", in("float(3,4)")), Contains("largest number"));
  CHECK_THAT(refuse("Y<=3>=2 a", in("bf16")), Contains("counting in a window of 3") && Contains("bf16"));
  CHECK_THAT(refuse("Y<=7>=2 a", in("fp16")), Contains("counting in a window of 7"));
  CHECK(refuse("Y<=6>=2 a", in("fp16")) == "(compiled)");
  CHECK(refuse("Y<=500>=2 a", in("fp32")) == "(compiled)");
  CHECK_THAT(refuse("Y<=1000>=2 a", in("fp32")), Contains("counting in a window of 1000"));
  CHECK_THAT(refuse("Y<=3>=2 a", in("fixed(4,8)/rounded-quotient")), Contains("counting windows"));
  CHECK_THAT(refuse("Y a", in("bf16", NormPlacement::pre)), Contains("layer norm") && Contains("bf16"));
  CHECK_THAT(refuse("Y<=1100 a", in("e4m3")), Contains("1100") && Contains("1023"));
  CHECK(refuse("Y<=1000 a", in("e4m3")) == "(compiled)");
  CompileOptions float_angles = in("bf16");
  float_angles.positions = PositionTable::angles;
  CHECK_THAT(refuse("MOD(3,1)", float_angles), Contains("angles") && Contains("bf16"));
  CHECK_THROWS_AS(compile(arena.letter(2), ab), std::invalid_argument);
  CompileOptions small;
  small.max_parameters = 100;
  CHECK_THROWS_AS(compile(arena.yesterday(arena.letter(0), 10'000), ab, small), std::length_error);
  CHECK_THROWS_AS(compile(logic::parse(arena, "MOD(65537,0)", ab), ab), std::length_error);
  // A positional table: too many rows, or rows that are too wide.
  CHECK_THROWS_AS(compile(logic::parse(arena, "MOD(101,0)", ab), ab, small), std::length_error);
  CHECK_THROWS_AS(compile(logic::parse(arena, "MOD(53,0) & MOD(53,1)", ab), ab, small), std::length_error);
  CompileOptions angles;
  angles.positions = PositionTable::angles;
  CHECK_THAT(refuse("MOD(100,1)", angles),
             Contains("MOD(100,1)") && Contains("residue 1 ") && Contains("up to 7"));
  CHECK(refuse("MOD(21,1)", angles) == "(compiled)");
  angles.norm = NormPlacement::post;
  CHECK_THAT(refuse("MOD(60,1)", angles), Contains("under layer norm"));
}

TEST_CASE("the sample holds all short words and goes past the point where attention vanishes", "[bridge]") {
  logic::Arena arena;
  const auto model = compile(logic::parse(arena, "P a", ab), ab);
  const auto sample = agreement_words(model, 1000);
  CHECK(sample.exhaustive_length == 8);
  CHECK(std::is_sorted(sample.words.begin(), sample.words.end(), [](const Word& x, const Word& y) {
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  }));
  const auto longest = sample.words.back().size();
  CHECK(longest > 2 * transformer::vanishing_count(model.arithmetic).value());

  const auto bounded =
      compile(logic::parse(arena, "P a", ab), ab, options_with(FixedPoint(4, 8), NormPlacement::none, 5));
  CHECK(agreement_words(bounded).words.size() == 63);

  const logic::Alphabet a({"a"});  // one word of each length: the budget is letters
  const auto unary = agreement_words(compile(logic::parse(arena, "P a", a), a), 100'000);
  std::size_t letters = 0;
  for (const auto& word : unary.words) letters += word.size();
  CHECK(unary.exhaustive_length > 1'000);
  CHECK(letters < 3'000'000);
}

TEST_CASE("a sample is cut to what an engine of quadratic cost can bear", "[bridge]") {
  WordSample sample;
  sample.exhaustive_length = 1;
  sample.words = {{}, {0}, {1}, Word(3, 0), Word(4, 0), Word(10, 0)};
  CHECK(within_squares(sample, 0).words.size() == 3);
  CHECK(within_squares(sample, 9 + 15).words.size() == 4);
  CHECK(within_squares(sample, 9 + 16).words.size() == 5);
  CHECK(within_squares(sample, 125).words == sample.words);
}

TEST_CASE("a wrong network is caught with the least word", "[bridge]") {
  logic::Arena arena;
  const Formula f = logic::parse(arena, "P a", ab);
  const auto dfa = automata::from_formula(f, 2);
  auto model = compile(f, ab);
  const auto sample = agreement_words(model);
  CHECK(compare_exact(model, sample, dfa).counterexample == std::nullopt);
  model.layers[1].contract = transformer::Matrix(model.width(), model.layers[1].hidden());
  model.layers[1].contract_bias.assign(model.width(), 0);
  CHECK(compare_exact(model, sample, dfa).counterexample.has_value());
  const auto other = automata::from_formula(logic::parse(arena, "Y a", ab), 2);
  CHECK(compare_exact(compile(f, ab), sample, other).counterexample == Word{0, 1});
  CHECK_THROWS_AS(compare_exact(model, sample, automata::from_formula(f, 3)), std::invalid_argument);
}
