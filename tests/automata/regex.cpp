#include "automata/regex.hpp"

#include "automata/minimize.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <random>
#include <string>

using namespace automata;

namespace {

const logic::Alphabet abc(std::vector<std::string>{"a", "b", "c"});

// The oracle: expressions as trees, their text, and the textbook definition of their language.

enum class Op {
  empty_set,
  empty_word,
  any,
  set,
  not_set,
  complement,
  repeat,
  concatenation,
  intersection,
  alternation
};

struct Expression {
  Op op;
  std::vector<Letter> letters = {};
  std::size_t least = 0;
  std::size_t most = 0;
  bool bounded = true;
  std::vector<Expression> parts = {};
};

/// Whether `e` matches word[i, j), by the definition.
bool matches(const Expression& e, std::span<const Letter> word, std::size_t i, std::size_t j);

/// Whether word[i, j) is a product of `least` or more (at most `most`) words of `e`.
bool is_product(const Expression& e, std::size_t least, std::size_t most, bool bounded,
                std::span<const Letter> word, std::size_t i, std::size_t j) {
  if (i == j) {
    if (least == 0) return true;
    return matches(e, word, i, i);  // then the empty word can be taken as often as needed
  }
  if (bounded && most == 0) return false;
  // The first factor: the empty one leads nowhere new unless it is needed to reach `least`.
  const std::size_t fewer = least > 0 ? least - 1 : 0;
  const std::size_t next_most = bounded ? most - 1 : 0;
  for (std::size_t k = i + 1; k <= j; ++k)
    if (matches(e, word, i, k) && is_product(e, fewer, next_most, bounded, word, k, j)) return true;
  return least > 0 && matches(e, word, i, i) && is_product(e, fewer, next_most, bounded, word, i, j);
}

bool matches(const Expression& e, std::span<const Letter> word, std::size_t i, std::size_t j) {
  const auto part = [&](std::size_t n, std::size_t from, std::size_t to) {
    return matches(e.parts[n], word, from, to);
  };
  const auto in_set = [&] {
    return std::find(e.letters.begin(), e.letters.end(), word[i]) != e.letters.end();
  };
  switch (e.op) {
    case Op::empty_set: return false;
    case Op::empty_word: return i == j;
    case Op::any: return j == i + 1;
    case Op::set: return j == i + 1 && in_set();
    case Op::not_set: return j == i + 1 && !in_set();
    case Op::complement: return !part(0, i, j);
    case Op::repeat: return is_product(e.parts[0], e.least, e.most, e.bounded, word, i, j);
    case Op::concatenation:
      for (std::size_t k = i; k <= j; ++k)
        if (part(0, i, k) && part(1, k, j)) return true;
      return false;
    case Op::intersection: return part(0, i, j) && part(1, i, j);
    case Op::alternation: return part(0, i, j) || part(1, i, j);
  }
  return false;
}

int binding(Op op) {
  switch (op) {
    case Op::empty_set:
    case Op::empty_word:
    case Op::any:
    case Op::set:
    case Op::not_set: return 6;
    case Op::complement: return 5;
    case Op::repeat: return 4;
    case Op::concatenation: return 3;
    case Op::intersection: return 2;
    case Op::alternation: return 1;
  }
  return 0;
}

/// The text of `e`, with brackets only where the contract's precedences need them; `random` chooses among
/// spellings.
std::string text_of(const Expression& e, std::mt19937& random) {
  const auto part = [&](std::size_t n, int least) {
    const auto text = text_of(e.parts[n], random);
    return binding(e.parts[n].op) < least || tests::below(random, 8) == 0 ? "(" + text + ")" : text;
  };
  const auto names = [&] {
    std::string text;
    for (const Letter a : e.letters)
      text += tests::below(random, 3) == 0 ? "'" + abc.name(a) + "'" : abc.name(a);
    return text;
  };
  const auto choose = [&](std::initializer_list<const char*> spellings) {
    return std::string(spellings.begin()[tests::below(random, static_cast<std::uint32_t>(spellings.size()))]);
  };
  switch (e.op) {
    case Op::empty_set: return "∅";
    case Op::empty_word: return choose({"()", "ε", "( )"});
    case Op::any: return choose({".", "[a-c]", "[abc]"});
    case Op::set:
      return e.letters.size() == 1 && tests::below(random, 2) == 0 ? names() : "[" + names() + "]";
    case Op::not_set: return "[^" + names() + "]";
    case Op::complement: return "!" + part(0, 5);
    case Op::repeat: {
      const auto least = std::to_string(e.least);
      std::string sign = "{" + least + "," + (e.bounded ? std::to_string(e.most) : "") + "}";
      if (!e.bounded && e.least == 0) sign = choose({"*", "{0,}", "{ 0 , }"});
      if (!e.bounded && e.least == 1) sign = choose({"+", "{1,}"});
      if (e.bounded && e.least == 0 && e.most == 1) sign = choose({"?", "{0,1}"});
      if (e.bounded && e.least == e.most && tests::below(random, 2) == 0) sign = "{" + least + "}";
      return part(0, 4) + sign;
    }
    case Op::concatenation: return part(0, 3) + choose({"", " "}) + part(1, 4);
    case Op::intersection: return part(0, 2) + choose({"&", " & "}) + part(1, 3);
    case Op::alternation: return part(0, 1) + choose({"|", " | "}) + part(1, 2);
  }
  return "";
}

Expression random_atom(std::mt19937& random) {
  const auto choice = tests::below(random, 12);
  if (choice == 0) return {Op::empty_set};
  if (choice == 1) return {Op::empty_word};
  if (choice == 2) return {Op::any};
  Expression e{choice < 5 ? Op::not_set : Op::set, {tests::below(random, 3)}};
  if (choice < 7) e.letters.push_back(tests::below(random, 3));
  return e;
}

Expression random_expression(std::mt19937& random, std::size_t size) {
  if (size <= 1) return random_atom(random);
  const auto choice = tests::below(random, 10);
  if (choice < 2) return {Op::complement, {}, 0, 0, true, {random_expression(random, size - 1)}};
  if (choice < 5) {
    const std::size_t least = tests::below(random, 3);
    const std::size_t most = least + tests::below(random, 3);
    return {Op::repeat, {}, least, most, tests::below(random, 2) == 0, {random_expression(random, size - 1)}};
  }
  const auto left = 1 + tests::below(random, static_cast<std::uint32_t>(size - 1));
  const Op op = choice < 7 ? Op::concatenation : choice == 7 ? Op::intersection : Op::alternation;
  return {op, {}, 0, 0, true, {random_expression(random, left), random_expression(random, size - left)}};
}

/// The offset and the message of the error, or nothing.
std::string error(std::string_view text) {
  try {
    from_regex(text, abc);
  } catch (const logic::ParseError& e) {
    return std::to_string(e.offset()) + " " + e.message();
  }
  return "";
}

bool equal(std::string_view x, std::string_view y) {
  return from_regex(x, abc) == from_regex(y, abc);
}

std::string repeat(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("words in and out of some languages", "[automata][regex]") {
  struct Row {
    const char* regex;
    std::vector<const char*> in;
    std::vector<const char*> out;
  };
  for (const auto& [regex, in, out] : std::vector<Row>{
           {"(ab)*", {"", "ab", "abab"}, {"a", "ba", "aba", "abc"}},
           {"a|bc", {"a", "bc"}, {"", "ac", "abc", "b"}},
           {"ab*", {"a", "abb"}, {"", "abab", "b"}},
           {"a+b?", {"a", "aab"}, {"", "b", "abb"}},
           {"a{2}", {"aa"}, {"a", "aaa", ""}},
           {"a{1,3}", {"a", "aaa"}, {"", "aaaa"}},
           {"a{2,}", {"aa", "aaaa"}, {"a", ""}},
           {"a{0}", {""}, {"a"}},
           {"(a|b){0,2}", {"", "ba"}, {"bab", "c"}},
           {".", {"a", "b", "c"}, {"", "ab"}},
           {"[ab]c", {"ac", "bc"}, {"cc", "abc"}},
           {"[^ab]", {"c"}, {"a", "b", ""}},
           {"[a-c]", {"a", "b", "c"}, {"", "ab"}},
           {"!a", {"", "b", "aa"}, {"a"}},
           {"!a*", {"", "aa", "b", "ab"}, {"a"}},
           {"!(a*)", {"b", "ab"}, {"", "a", "aa"}},
           {"a!b", {"a", "aa", "abb"}, {"ab", "", "b"}},
           {"(.*a.*)&(.*b.*)", {"ab", "cbca"}, {"a", "b", ""}},
           {"()", {""}, {"a"}},
           {"ε|a", {"", "a"}, {"aa"}},
           {"∅", {}, {"", "a"}},
           {"∅*", {""}, {"a"}},
           {"'a' 'b' ", {"ab"}, {"a", "a b c"}},
       }) {
    const auto dfa = from_regex(regex, abc);
    CAPTURE(regex);
    for (const char* word : in) CHECK(dfa.accepts(parse_word(abc, word)));
    for (const char* word : out) CHECK_FALSE(dfa.accepts(parse_word(abc, word)));
  }
}

TEST_CASE("binding of regular expressions", "[automata][regex]") {
  CHECK(equal("!a*", "(!a)*"));
  CHECK_FALSE(equal("!b*a", "!(b*a)"));
  CHECK(equal("!b*a", "((!b)*)a"));
  CHECK(equal("!!a", "a"));
  CHECK(equal("ab*", "a(b*)"));
  CHECK(equal("a|bc", "a|(bc)"));
  CHECK(equal("a&b|c", "(a&b)|c"));
  CHECK(equal("c|a&b", "c|(a&b)"));
  CHECK(equal("ab&a.", "(ab)&(a.)"));
  CHECK(equal("a*?", "a*"));
  CHECK(equal("a{2}{3}", "a{6}"));
  CHECK(equal("a?{2,}", "a*"));
}

TEST_CASE("the result is minimal", "[automata][regex]") {
  CHECK(from_regex("(ab)*", abc).states() == 3);
  CHECK(from_regex("∅", abc).states() == 1);
  CHECK(from_regex(".*a.{9}", abc).states() == 1024);
  const auto dfa = from_regex("(a|b)*abb&!(c.*)", abc);
  CHECK(minimize(dfa) == dfa);
}

TEST_CASE("letters in regular expressions", "[automata][regex]") {
  const logic::Alphabet odd(std::vector<std::string>{"open", "*", "'", "ε", "é", "-", " ", "∅", "\\", "^",
                                                     "]", "x", "y", "z", "1", ","});
  const auto word = [&](std::string_view regex, std::initializer_list<const char*> names) {
    logic::Word w;
    for (const char* name : names) w.push_back(*odd.find(name));
    CAPTURE(regex);
    CHECK(from_regex(regex, odd).accepts(w));
  };
  word("'open'x", {"open", "x"});
  word("'*'*", {"*", "*"});
  word(R"('\'''ε'é-' ')", {"'", "ε", "é", "-", " "});
  word(R"('∅''\\''^'']'1,)", {"∅", "\\", "^", "]", "1", ","});
  word("['open''*'é]{3}", {"é", "*", "open"});
  word("[-x][x-][x-z-][^-]", {"-", "-", "y", "x"});
  word("[*]['x'-'z'][x - z]", {"*", "y", "y"});
  word("1{2}", {"1", "1"});
  CHECK_FALSE(from_regex("[^-x]", odd).accepts(logic::Word{*odd.find("-")}));
  CHECK(from_regex("[^-x]", odd).accepts(logic::Word{*odd.find("y")}));

  using Names = std::vector<std::string>;
  CHECK(letters_of_regex("b'open'[x-z]*|(a)") == Names{"a", "b", "open", "x", "y", "z"});
  CHECK(letters_of_regex("[^b]{2,3}.!é") == Names{"b", "é"});
  CHECK(letters_of_regex("['~'-¡]") == Names{"~", "\u00a0", "¡"});  // no control characters between
  CHECK(letters_of_regex("()*.∅ε").empty());
  CHECK_THROWS_AS(letters_of_regex("a)"), logic::ParseError);
}

TEST_CASE("what is no expression is refused at the place", "[automata][regex]") {
  CHECK(error("") == "0 expected an expression, found the end");
  CHECK(error("a|") == "2 expected an expression, found the end");
  CHECK(error("(|a)") == "1 expected an expression, found '|'");
  CHECK(error("*a") == "0 expected an expression, found '*'");
  CHECK(error("{2}") == "0 expected an expression, found '{2}'");
  CHECK(error("(a") == "2 expected an operator or ')', found the end");
  CHECK(error("a)") == "1 expected an operator or the end, found ')'");
  CHECK(error("ab & d") == "5 'd' is no letter of the alphabet");
  CHECK(error("ab[ad]") == "2 'd' is no letter of the alphabet");
  CHECK(error("[^d]") == "0 'd' is no letter of the alphabet");
  CHECK(error("'open'") == "0 'open' is no letter of the alphabet");
  CHECK(error("a{") == "2 expected a number, found the end");
  CHECK(error("a{,3}") == "2 expected a number, found ','");
  CHECK(error("a{2") == "3 expected ',' or '}', found the end");
  CHECK(error("a{2,b}") == "4 expected a number or '}', found 'b'");
  CHECK(error("a{3,2}") == "4 the repetition {m,n} needs m <= n, found 2");
  CHECK(error("a{1000001}") == "2 numbers go up to 1000000");
  CHECK(error("a{99999999999999999999}") == "2 numbers go up to 1000000");
  CHECK(error("[]") == "1 expected a letter, found ']'");
  CHECK(error("[^]") == "2 expected a letter, found ']'");
  CHECK(error("[a") == "2 expected ']', found the end");
  CHECK(error("[c-a]") == "3 a range of letters goes upwards and has at most 1000");
  CHECK(error("[a-語]") == "3 a range of letters goes upwards and has at most 1000");
  CHECK(error("[a-'bc']") == "3 a range of letters goes from one character to another");
  CHECK(
      error("a\\b") ==
      "1 expected an expression or an operator, found '\\' (a special character that is a letter is quoted)");
  CHECK(error("^a").substr(0, 45) == "0 expected an expression or an operator, foun");
  CHECK(error("[a^]") == "2 expected ']', found '^'");
  CHECK(error("a]").substr(0, 45) == "1 expected an expression or an operator, foun");
  CHECK(error("'a") == "2 expected a closing quote, found the end");
  CHECK(error("a\x01") == "1 byte 0x01 starts a control character");
  CHECK(error("a\xff") == "1 byte 0xff is not valid UTF-8");
}

TEST_CASE("limits are kept", "[automata][regex]") {
  CHECK_THROWS_AS(from_regex(".*a.{9}", abc, 500), std::length_error);
  CHECK_THROWS_WITH(from_regex("a{1000}{1000}", abc, 500),
                    "from_regex: the expression written out has more than 100000 states");
  CHECK_THROWS_AS(from_regex("((((a{1000}){1000}){1000}){1000}){1000}", abc), std::length_error);
  CHECK_THROWS_AS(from_regex("(a{0}|.){1000000}{1000000}", abc), std::length_error);
  CHECK(from_regex("a{1000}", abc, 2000).states() == 1002);
  CHECK(from_regex("a{0,1000}", abc, 2000).states() == 1002);
}

TEST_CASE("expressions mean what the textbook says: all small ones", "[automata][regex][law]") {
  // All expressions over one atom each of the kinds, of at most two operators.
  std::vector<Expression> atoms{{Op::empty_set}, {Op::empty_word},  {Op::any},
                                {Op::set, {0}},  {Op::set, {0, 1}}, {Op::not_set, {1}}};
  const auto grow = [](const std::vector<Expression>& xs, const std::vector<Expression>& ys) {
    std::vector<Expression> made;
    for (const auto& x : xs) {
      made.push_back({Op::complement, {}, 0, 0, true, {x}});
      for (std::size_t least = 0; least <= 2; ++least) {
        made.push_back({Op::repeat, {}, least, 0, false, {x}});
        for (std::size_t most = least; most <= 2; ++most)
          made.push_back({Op::repeat, {}, least, most, true, {x}});
      }
      for (const auto& y : ys) {
        for (const Op op : {Op::concatenation, Op::intersection, Op::alternation}) {
          made.push_back({op, {}, 0, 0, true, {x, y}});
          made.push_back({op, {}, 0, 0, true, {y, x}});
        }
      }
    }
    return made;
  };
  const auto one = grow(atoms, atoms);
  auto all = grow(one, atoms);
  all.insert(all.end(), one.begin(), one.end());
  std::mt19937 random(1);
  const auto words = tests::words_up_to(3, 3);
  for (const auto& e : all) {
    const auto text = text_of(e, random);
    const auto dfa = from_regex(text, abc);
    for (const auto& word : words)
      if (dfa.accepts(word) != matches(e, word, 0, word.size()))
        FAIL(text << " on '" << to_string(abc, word) << "'");
  }
}

TEST_CASE("expressions mean what the textbook says: random ones", "[automata][regex][law]") {
  const auto words = tests::words_up_to(3, 5);
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    const auto e = random_expression(random, 1 + tests::below(random, 9));
    const auto text = text_of(e, random);
    const auto dfa = from_regex(text, abc);
    for (const auto& word : words)
      if (dfa.accepts(word) != matches(e, word, 0, word.size()))
        FAIL("seed " << seed << ": " << text << " on '" << to_string(abc, word) << "'");
  }
}

TEST_CASE("deep and long expressions", "[automata][regex][deep]") {
  constexpr std::size_t n = 20'000;
  CHECK(equal(repeat("(", n) + "a" + repeat(")", n), "a"));
  CHECK(equal(repeat("!", n) + "a", "a"));
  CHECK(equal("a" + repeat("*", n), "a*"));
  CHECK(equal(repeat("(", n) + "a" + repeat(")*", n), "a*"));
  CHECK(equal(repeat("a|(", n) + "b" + repeat(")", n), "a|b"));
  CHECK(equal(repeat("a&(", n) + "a" + repeat(")", n), "a"));
  CHECK(from_regex(repeat("a", n), abc).states() == n + 2);
  CHECK(from_regex(repeat("a(", n) + "b" + repeat(")", n), abc).states() == n + 3);
  CHECK_THROWS_AS(from_regex(repeat("(", n) + "a", abc), logic::ParseError);
}
