#include "logic/print.hpp"

#include "logic/parse.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/scale.hpp"

#include <random>

using namespace logic;

namespace {

const Alphabet ab(std::vector<std::string>{"a", "b"});

}  // namespace

TEST_CASE("a formula in three notations", "[logic][print]") {
  Arena arena;
  struct Row {
    const char* ascii;
    const char* unicode;
    const char* latex;
  };
  for (const auto& [ascii, unicode, latex] : std::vector<Row>{
           {"true", "⊤", "\\top"},
           {"false & first", "⊥ ∧ first", "\\bot \\land \\mathrm{first}"},
           {"MOD(3,2)", "MOD(3,2)", "\\mathrm{MOD}_{3}^{2}"},
           {"!a | !(a & b)", "¬a ∨ ¬(a ∧ b)", "\\neg a \\lor \\neg (a \\land b)"},
           {"P a ^ P(a -> b)", "P a ⊕ P(a → b)", "\\mathbf{P}\\,a \\oplus \\mathbf{P}(a \\rightarrow b)"},
           {"Y Y a <-> Y^3 a", "Y Y a ↔ Y^3 a",
            "\\mathbf{Y}\\,\\mathbf{Y}\\,a \\leftrightarrow \\mathbf{Y}^{3}\\,a"},
           {"Y^12 (a | b)", "Y^12 (a ∨ b)", "\\mathbf{Y}^{12}(a \\lor b)"},
           {"Y<=3 a", "Y≤3 a", "\\mathbf{Y}^{\\le 3}\\,a"},
           {"Y<=3>=2 (a & b)", "Y≤3≥2 (a ∧ b)", "\\mathbf{Y}^{\\le 3}_{\\ge 2}(a \\land b)"},
           {"H !O a", "H ¬O a", "\\mathbf{H}\\,\\neg \\mathbf{O}\\,a"},
           {"(a S b) S a S b", "(a S b) S a S b",
            "(a \\mathbin{\\mathbf{S}} b) \\mathbin{\\mathbf{S}} a \\mathbin{\\mathbf{S}} b"},
       }) {
    const auto f = parse(arena, ascii, ab);
    CHECK(to_string(f, ab) == ascii);
    CHECK(to_string(f, ab, Notation::unicode) == unicode);
    CHECK(to_string(f, ab, Notation::latex) == latex);
  }
}

TEST_CASE("no bracket is written that could go", "[logic][print]") {
  Arena arena;
  for (const char* text :
       {"a & b & a", "a & (b & a)", "(a -> b) -> a", "a -> b -> a", "a <-> b <-> a", "a <-> (b <-> a)",
        "(a | b) & a", "a | b & a", "(a ^ b) & a ^ b | a -> b <-> a", "!(a S b)", "!a S P b",
        "(a & b) S (a | b)", "P(a S b)", "!!a", "P !P a", "Y(a & b) & Y !a"}) {
    const auto f = parse(arena, text, ab);
    CHECK(to_string(f, ab) == text);
  }
}

TEST_CASE("letters that could be taken for something else are quoted", "[logic][print]") {
  Arena arena;
  const std::vector<std::string> names{"x_1", "first", "true", "false", "Open", "(",   "it's", "a b",
                                       "1",   "é",     "ε",    "P",     "\\",   "a-b", "_",    "m%"};
  const Alphabet odd(names);
  const std::vector<std::string> ascii{"x_1",      "'first'", "'true'", "'false'", "'Open'", "'('",
                                       "'it\\'s'", "'a b'",   "'1'",    "'é'",     "'ε'",    "'P'",
                                       "'\\\\'",   "'a-b'",   "'_'",    "'m%'"};
  const std::vector<std::string> latex{"\\mathit{x\\_1}",
                                       "\\mathit{first}",
                                       "\\mathit{true}",
                                       "\\mathit{false}",
                                       "\\text{Open}",
                                       "\\text{(}",
                                       "\\text{it's}",
                                       "\\text{a b}",
                                       "\\text{1}",
                                       "\\text{é}",
                                       "\\text{ε}",
                                       "\\text{P}",
                                       "\\text{\\textbackslash{}}",
                                       "\\text{a-b}",
                                       "\\text{\\_}",
                                       "\\text{m\\%}"};
  for (Letter a = 0; a < odd.size(); ++a) {
    const auto f = arena.letter(a);
    CHECK(to_string(f, odd) == ascii[a]);
    CHECK(to_string(f, odd, Notation::latex) == latex[a]);
    CHECK(parse(arena, to_string(f, odd), odd) == f);
    CHECK(letters_of_formula(to_string(f, odd)) == std::vector<std::string>{names[a]});
  }
}

TEST_CASE("what cannot be written is refused", "[logic][print]") {
  Arena arena;
  auto f = arena.letter(0);
  for (int i = 0; i < 30; ++i) f = arena.conjunction(f, f);
  CHECK_THROWS_WITH(to_string(f, ab), "to_string: the formula written out has more than 10000000 nodes");
  CHECK_THROWS_WITH(to_string(arena.letter(2), ab), "to_string: letter 2 of 2");
  CHECK(to_string(arena.letter(0), ab, Notation::ascii, 1) == "a");
  CHECK_THROWS_AS(to_string(arena.first(), ab, Notation::ascii, 0), std::length_error);
}

TEST_CASE("parse inverts to_string on all small formulas", "[logic][print][law]") {
  Arena arena;
  const auto all = tests::small_formulas(arena, 2, 4);
  REQUIRE(all.size() > 9000);
  for (const auto f : all) {
    for (const auto notation : {Notation::ascii, Notation::unicode}) {
      const auto text = to_string(f, ab, notation);
      if (parse(arena, text, ab) != f) FAIL(text);
    }
  }
}

TEST_CASE("brackets are needed on all small formulas", "[logic][print][law]") {
  Arena arena;
  for (const auto f : tests::small_formulas(arena, 1, 4)) {
    const auto text = to_string(f, ab);
    // The only pair of brackets of a formula this small, if any: without it another formula is read.
    const auto open = text.find('(');
    if (open == std::string::npos || text.find("MOD") != std::string::npos) continue;
    const auto close = text.rfind(')');
    auto without = text;
    without[open] = without[close] = ' ';
    if (parse(arena, without, ab) == f) FAIL(text);
  }
}

TEST_CASE("parse inverts to_string on random formulas", "[logic][print][law]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const Alphabet alphabet(std::vector<std::string>{"a", "x_1", "S", "true", "it's", "∧"});
    const auto f = tests::random_formula(random, arena, alphabet.size(), 1 + tests::below(random, 2000));
    for (const auto notation : {Notation::ascii, Notation::unicode}) {
      const auto text = to_string(f, alphabet, notation);
      if (parse(arena, text, alphabet) != f) FAIL("seed " << seed << ": " << text);
    }
  }
}

TEST_CASE("deep formulas are parsed and printed", "[logic][parse][print][deep]") {
  constexpr std::size_t n = tests::scaled(100'000, 20'000);
  Arena arena;
  const auto repeat = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  SECTION("prefix operators") {
    for (const char* sign : {"P ", "!", "Y<=2 ", "H !"}) {
      const auto text = repeat(sign, n) + "a";
      const auto f = parse(arena, text, ab);
      CHECK(f->size == n * (std::string_view(sign) == "H !" ? 2 : 1) + 1);
      CHECK((to_string(f, ab) == text));
    }
    const auto f = parse(arena, repeat("Y", n) + "a", ab);
    CHECK(f->depth == n);
    CHECK(to_string(f, ab) == "Y^" + std::to_string(n) + " a");
  }
  SECTION("brackets") {
    CHECK(parse(arena, repeat("(", n) + "a" + repeat(")", n), ab) == arena.letter(0));
    CHECK_THROWS_AS(parse(arena, repeat("(", n) + "a" + repeat(")", n + 1), ab), ParseError);
    CHECK_THROWS_AS(parse(arena, repeat("(", n) + "a" + repeat(")", n - 1), ab), ParseError);
  }
  SECTION("chains") {
    for (const char* sign : {" & ", " S ", " -> ", " <-> "}) {
      const auto flat = repeat(std::string("a") + sign, n) + "b";
      const auto f = parse(arena, flat, ab);
      CHECK(f->size == 2 * n + 1);
      CHECK((to_string(f, ab) == flat));
    }
    const auto nested = repeat("a & (", n) + "a & b" + repeat(")", n);
    CHECK((to_string(parse(arena, nested, ab), ab) == nested));
  }
}
