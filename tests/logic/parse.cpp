#include "logic/parse.hpp"

#include "tests/catch.hpp"

using namespace logic;

namespace {

const Alphabet abc(std::vector<std::string>{"a", "b", "c"});

/// The offset and the message of the error, or nothing.
std::string error(std::string_view text) {
  Arena arena;
  try {
    parse(arena, text, abc);
  } catch (const ParseError& e) {
    return std::to_string(e.offset()) + " " + e.message();
  }
  return "";
}

}  // namespace

TEST_CASE("every operator in every spelling", "[logic][parse]") {
  Arena arena;
  const auto a = arena.letter(0);
  const auto b = arena.letter(1);
  const std::vector<std::pair<std::vector<const char*>, Formula>> rows{
      {{"true", "⊤", "(true)", " true\n"}, arena.constant(true)},
      {{"false", "⊥"}, arena.constant(false)},
      {{"first"}, arena.first()},
      {{"a", "'a'", "((a))"}, a},
      {{"MOD(3,2)", "MOD ( 3 , 2 )", "MOD(03,2)"}, arena.modulo(3, 2)},
      {{"!a", "¬a", "! a", "!(a)"}, arena.negation(a)},
      {{"a & b", "a∧b", "a&b"}, arena.conjunction(a, b)},
      {{"a | b", "a ∨ b"}, arena.disjunction(a, b)},
      {{"a ^ b", "a ⊕ b"}, arena.exclusive_or(a, b)},
      {{"a -> b", "a → b", "a->b"}, arena.implication(a, b)},
      {{"a <-> b", "a ↔ b"}, arena.equivalence(a, b)},
      {{"a S b", "aSb", "(a)S(b)"}, arena.since(a, b)},
      {{"P a", "Pa", "P(a)"}, arena.previously(a)},
      {{"H a"}, arena.historically(a)},
      {{"O a"}, arena.once(a)},
      {{"Y a", "Y^1 a", "Y^{1} a", "Y<=1 a", "Y<=1>=1 a", "Y(a)"}, arena.yesterday(a)},
      {{"Y^0 a", "Y^{0} a"}, a},
      {{"Y^3 a", "Y^{3} a", "YYYa", "Y Y^2 a", "Y ^ { 3 } a"}, arena.yesterday(a, 3)},
      {{"Y<=3 a", "Y≤3 a", "Y^{<=3} a", "Y^{≤3}a", "Y^{\\le 3} a", "Y^{\\leq3} a", "Y<=3>=1 a", "Y <= 3 a"},
       arena.window(a, 3)},
      {{"Y<=3>=2 a", "Y≤3≥2 a", "Y^{<=3>=2} a", "Y^{≤3≥2} a", "Y^{\\le 3}_{\\ge 2} a", "Y^{<=3}_{>=2} a",
        "Y <= 3 >= 2 a"},
       arena.window(a, 3, 2)},
      {{"Y<=1000000 a"}, arena.window(a, 1000000)},
  };
  for (const auto& [texts, f] : rows) {
    for (const char* text : texts) {
      CAPTURE(text);
      CHECK(parse(arena, text, abc) == f);
    }
  }
}

TEST_CASE("precedence and grouping", "[logic][parse]") {
  Arena arena;
  // Left: as a user writes it.  Right: with every bracket.
  const std::vector<std::pair<const char*, const char*>> rows{
      {"!a & b", "(!a) & b"},
      {"P a & b", "(P a) & b"},
      {"P a S b", "(P a) S b"},
      {"a S P b", "a S (P b)"},
      {"!a S !b", "(!a) S (!b)"},
      {"a S b S c", "a S (b S c)"},
      {"a S b & c S a", "(a S b) & (c S a)"},
      {"a & b & c", "(a & b) & c"},
      {"a & b ^ c & a", "(a & b) ^ (c & a)"},
      {"a ^ b ^ c", "(a ^ b) ^ c"},
      {"a ^ b | c ^ a", "(a ^ b) | (c ^ a)"},
      {"a | b | c", "(a | b) | c"},
      {"a | b -> c | a", "(a | b) -> (c | a)"},
      {"a -> b -> c", "a -> (b -> c)"},
      {"a -> b <-> b -> a", "(a -> b) <-> (b -> a)"},
      {"a <-> b <-> c", "(a <-> b) <-> c"},
      {"Y<=2 a & Y^2 b", "(Y<=2 a) & (Y(Y b))"},
      {"P Y !H O a", "P(Y(!(H(O(a)))))"},
      {"a <-> b -> c | a ^ b & c S !a", "a <-> (b -> (c | (a ^ (b & (c S (!a))))))"},
      {"!a S b & c ^ a | b -> c <-> a", "((((((!a) S b) & c) ^ a) | b) -> c) <-> a"},
  };
  for (const auto& [text, full] : rows) {
    CAPTURE(text, full);
    CHECK(parse(arena, text, abc) == parse(arena, full, abc));
  }
  CHECK(parse(arena, "a -> b -> c", abc) != parse(arena, "(a -> b) -> c", abc));
  CHECK(parse(arena, "a S b S c", abc) != parse(arena, "(a S b) S c", abc));
}

TEST_CASE("letters with other names are quoted", "[logic][parse]") {
  Arena arena;
  const Alphabet odd(std::vector<std::string>{"(", "x_1", "true", "it's", "ε", "Open", "b c", "\\", "first"});
  CHECK(parse(arena, "'('", odd) == arena.letter(0));
  CHECK(parse(arena, "x_1", odd) == arena.letter(1));
  CHECK(parse(arena, "'true'", odd) == arena.letter(2));
  CHECK(parse(arena, "true", odd) == arena.constant(true));
  CHECK(parse(arena, R"('it\'s')", odd) == arena.letter(3));
  CHECK(parse(arena, "'ε'", odd) == arena.letter(4));
  CHECK(parse(arena, "P'Open'", odd) == arena.previously(arena.letter(5)));
  CHECK(parse(arena, "'b c'S'\\\\'", odd) == arena.since(arena.letter(6), arena.letter(7)));
  CHECK(parse(arena, "'first'", odd) == arena.letter(8));
}

TEST_CASE("what is no formula is refused at the place", "[logic][parse]") {
  CHECK(error("") == "0 expected a formula, found the end");
  CHECK(error("  ") == "2 expected a formula, found the end");
  CHECK(error("P (a)) & b") == "5 expected an operator or the end, found ')'");
  CHECK(error("(a") == "2 expected an operator or ')', found the end");
  CHECK(error("(a b)") == "3 expected an operator or ')', found 'b'");
  CHECK(error("a first") == "2 expected an operator or the end, found 'first'");
  CHECK(error("a !b") == "2 expected an operator or the end, found '!'");
  CHECK(error("a Y<=3 b") == "2 expected an operator or the end, found 'Y<=3'");
  CHECK(error("()") == "1 expected a formula, found ')'");
  CHECK(error("a &") == "3 expected a formula, found the end");
  CHECK(error("a && b") == "3 expected a formula, found '&'");
  CHECK(error("& a") == "0 expected a formula, found '&'");
  CHECK(error("P") == "1 expected a formula, found the end");
  CHECK(error(")") == "0 expected a formula, found ')'");
  CHECK(error("a ∧ ∨") == "6 expected a formula, found '∨'");
  CHECK(error("a & d") == "4 'd' is no letter of the alphabet");
  CHECK(error("a & ab | c") == "4 'ab' is no letter of the alphabet");
  CHECK(error("a & 'b c'") == "4 'b c' is no letter of the alphabet");
  CHECK(
      error("a & é") ==
      "4 expected a formula or an operator, found 'é' (a letter that is no lower-case identifier is quoted)");
  CHECK(error("a & X b").substr(0, 47) == "4 expected a formula or an operator, found 'X' ");
  CHECK(error("a < b").substr(0, 46) == "2 expected a formula or an operator, found '<'");
  CHECK(error("3").substr(0, 46) == "0 expected a formula or an operator, found '3'");
  CHECK(error("a & \x1b") == "4 byte 0x1b starts a control character");
  CHECK(error("a & \xff") == "4 byte 0xff is not valid UTF-8");
  CHECK(error("a & 'b") == "6 expected a closing quote, found the end");
  CHECK(error("''") == "0 expected a name between the quotes");
  CHECK(error("'\\n'") == "2 expected a quote or a backslash after a backslash in a quoted name, found 'n'");
}

TEST_CASE("numbers outside their domains are refused at the place", "[logic][parse]") {
  CHECK(error("Y<=0 a") == "3 the window Y<=k needs k >= 1, found 0");
  CHECK(error("Y<=3>=4 a") == "6 the window Y<=k>=j needs 1 <= j <= k, found 4");
  CHECK(error("Y<=3>=0 a") == "6 the window Y<=k>=j needs 1 <= j <= k, found 0");
  CHECK(error("Y^{<=3}_{>=4} a") == "11 the window Y<=k>=j needs 1 <= j <= k, found 4");
  CHECK(error("MOD(0,0)") == "4 MOD(m,r) needs m >= 1, found 0");
  CHECK(error("MOD(2,2)") == "6 MOD(m,r) needs r < m, found 2");
  CHECK(error("Y<=1000001 a") == "3 numbers go up to 1000000");
  CHECK(error("Y^99999999999999999999 a") == "2 numbers go up to 1000000");
  CHECK(error("Y<= a") == "4 expected a number, found 'a'");
  CHECK(error("Y<=3>= a") == "7 expected a number, found 'a'");
  CHECK(error("Y<=-1 a") == "3 expected a number, found '-'");
  CHECK(error("Y^ a") == "3 expected a number or '{', found 'a'");
  CHECK(error("Y^{a}") == "3 expected a number or '<=', found 'a'");
  CHECK(error("Y^{3 a") == "5 expected '}', found 'a'");
  CHECK(error("Y^{<=3 a") == "7 expected '}', found 'a'");
  CHECK(error("Y^{<=3}_2 a") == "8 expected '{', found '2'");
  CHECK(error("Y^{<=3}_{2} a") == "9 expected '>=', found '2'");
  CHECK(error("Y^{3}_{>=2} a").substr(0, 46) == "5 expected a formula or an operator, found '_'");
  CHECK(error("MOD 3") == "4 expected '(', found '3'");
  CHECK(error("MOD(3") == "5 expected ',', found the end");
  CHECK(error("MOD(3,1") == "7 expected ')', found the end");
  CHECK(error("MOD(3,-1)") == "6 expected a number, found '-'");
}

TEST_CASE("the letters of a formula", "[logic][parse]") {
  using Names = std::vector<std::string>;
  CHECK(letters_of_formula("b & P(a | b) S 'b c'") == Names{"a", "b", "b c"});
  CHECK(letters_of_formula("Y^1000000 Y^1000000 x1 & true | first & MOD(2,1)") == Names{"x1"});
  CHECK(letters_of_formula("true").empty());
  CHECK_THROWS_AS(letters_of_formula("a &"), ParseError);
  CHECK_THROWS_AS(letters_of_formula("MOD(2,2)"), ParseError);
}

TEST_CASE("the size of what is built is limited", "[logic][parse]") {
  Arena arena;
  CHECK_THROWS_WITH(parse(arena, "Y^1000 a", abc, 1000),
                    "parse: the formula written out has more than 1000 nodes");
  CHECK(parse(arena, "Y^999 a", abc, 1000)->depth == 999);
  CHECK(parse(arena, "a & b", abc, 3)->size == 3);
  CHECK_THROWS_AS(parse(arena, "a & b", abc, 2), std::length_error);
}
