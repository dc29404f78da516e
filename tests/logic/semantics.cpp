#include "logic/semantics.hpp"

#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"

#include <random>

using namespace logic;

namespace {

const Alphabet ab(std::vector<std::string>{"a", "b"});

/// The truth of the formula at positions 1, ..., N+1, as zeros and ones.
std::string row(std::string_view formula, std::string_view word) {
  Arena arena;
  const auto f = parse(arena, formula, ab);
  const auto letters = parse_word(ab, word);
  std::string text;
  const auto truths = truth_table(f, letters).back();
  for (const bool b : truths) text += b ? '1' : '0';
  CHECK(holds(f, letters) == (text.back() == '1'));
  return text;
}

}  // namespace

TEST_CASE("rows computed by hand", "[logic][semantics]") {
  // A letter holds where it stands, and nowhere at the end.
  CHECK(row("a", "abaa") == "10110");
  CHECK(row("!a & !b", "ab") == "001");
  CHECK(row("true", "ab") == "111");
  CHECK(row("false", "ab") == "000");
  CHECK(row("first", "abaa") == "10000");
  // Strict past: position 1 sees nothing.
  CHECK(row("P a", "bab") == "0011");
  CHECK(row("P b", "bab") == "0111");
  CHECK(row("H a", "aab") == "1110");
  CHECK(row("O a", "bab") == "0111");
  CHECK(row("Y a", "abaa") == "01011");
  CHECK(row("Y true", "abaa") == "01111");
  CHECK(row("Y Y a", "abaa") == "00101");
  // Windows are cut at position 1.
  CHECK(row("Y<=2 a", "abbbab") == "0110011");
  CHECK(row("Y<=9 a", "babb") == "00111");
  CHECK(row("Y<=3>=2 a", "aabbaa") == "0011001");
  CHECK(row("Y<=2>=2 true", "aaa") == "0011");
  // Since: b somewhere before, and a at every position between.
  CHECK(row("a S b", "babaaa") == "0111111");
  CHECK(row("b S a", "babba") == "001111");
  CHECK(row("a S b", "abbaab") == "0011111");
  CHECK(row("false S a", "abaa") == "01011");
  CHECK(row("true S a", "bab") == "0011");
  CHECK(row("(a | first) S (b & Y a)", "abab") == "00111");
  CHECK(row("!b S first", "aaba") == "01100");
  // The position at the end of a word of length N is N+1.
  CHECK(row("MOD(2,0)", "aaa") == "0101");
  CHECK(row("MOD(3,1)", "aaa") == "1001");
  CHECK(row("MOD(1,0)", "a") == "11");
  // Booleans.
  CHECK(row("a ^ Y a", "aab") == "1010");
  CHECK(row("a -> Y a", "aab") == "0111");
  CHECK(row("a <-> Y a", "aab") == "0101");
  CHECK(row("a | Y b", "abb") == "1011");
}

TEST_CASE("the empty word is read at position 1", "[logic][semantics]") {
  for (const char* no : {"a", "P true", "Y true", "Y<=3 true", "O a", "true S true", "MOD(2,0)", "false"})
    CHECK(row(no, "") == "0");
  for (const char* yes : {"first", "true", "H false", "O true", "!P true", "!Y true", "MOD(2,1)", "MOD(1,0)"})
    CHECK(row(yes, "") == "1");
}

TEST_CASE("the examples of the definition", "[logic][semantics]") {
  Arena arena;
  const auto starts_a = parse(arena, "P(a & !P true)", ab);
  const auto ends_a = parse(arena, "Y a", ab);
  const auto ends_ab = parse(arena, "Y(b & Y a)", ab);
  for (const auto& w : tests::words_up_to(2, 7)) {
    const auto n = w.size();
    CAPTURE(w);
    CHECK(holds(starts_a, w) == (n >= 1 && w[0] == 0));
    CHECK(holds(ends_a, w) == (n >= 1 && w[n - 1] == 0));
    CHECK(holds(ends_ab, w) == (n >= 2 && w[n - 2] == 0 && w[n - 1] == 1));
  }
}

TEST_CASE("laws between the operators", "[logic][semantics][law]") {
  // Both sides are equal at every position of every word.
  const std::vector<std::pair<const char*, const char*>> laws{
      {"H a", "!P !a"},
      {"O a", "a | P a"},
      {"first", "!Y true"},
      {"first", "!P true"},
      {"P a", "true S a"},
      {"Y a", "false S a"},
      {"Y<=3 a", "Y(a | Y(a | Y a))"},
      {"Y<=2>=2 a", "Y(a & Y a)"},
      {"Y<=3>=2 a", "Y(a & Y(a | Y a) | !a & Y(a & Y a))"},
      {"P a", "Y(a | P a)"},
      {"a S b", "Y(b | a & (a S b))"},
      {"MOD(2,0)", "Y MOD(2,1)"},
      {"MOD(3,1) | MOD(3,2)", "!MOD(3,0)"},
      {"a -> b", "!a | b"},
      {"a ^ b", "!(a <-> b)"},
  };
  Arena arena;
  for (const auto& [left, right] : laws) {
    const auto f = parse(arena, left, ab);
    const auto g = parse(arena, right, ab);
    for (const auto& word : tests::words_up_to(2, 7)) {
      CAPTURE(left, right, word);
      CHECK(truth_table(f, word).back() == truth_table(g, word).back());
    }
  }
}

TEST_CASE("the prefix of a word decides what holds in it", "[logic][semantics][law]") {
  // Past formulas: the truth at position n <= N depends on w_1 ... w_n alone.
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Arena arena;
    const auto f = tests::random_formula(random, arena, 2, 12);
    const auto word = tests::random_word(random, 2, 8);
    const auto whole = truth_table(f, word);
    const auto part = truth_table(f, std::span(word).first(5));
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (std::size_t n = 1; n <= 5; ++n)
        if (whole[i][n - 1] != part[i][n - 1]) FAIL("seed " << seed << ": " << to_string(f, ab));
  }
}

TEST_CASE("the table has a row for each subformula", "[logic][semantics]") {
  Arena arena;
  const auto f = parse(arena, "P(a & Y a) | a", ab);
  const auto parts = subformulas(f);
  const auto table = truth_table(f, parse_word(ab, "aab"));
  REQUIRE(table.size() == parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    CHECK(table[i] == truth_table(parts[i], parse_word(ab, "aab")).back());
}
