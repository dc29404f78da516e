#include "logic/alphabet.hpp"

#include "logic/parse_error.hpp"
#include "logic/text.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <random>

using namespace logic;

namespace {

using Names = std::vector<std::string>;

std::string error(const Alphabet& alphabet, std::string_view text) {
  try {
    parse_word(alphabet, text);
  } catch (const ParseError& e) {
    return std::to_string(e.offset()) + " " + e.message();
  }
  return "";
}

std::string alphabet_error(std::string_view text) {
  try {
    parse_alphabet(text);
  } catch (const ParseError& e) {
    return std::to_string(e.offset()) + " " + e.message();
  }
  return "";
}

}  // namespace

TEST_CASE("names that are no alphabet are refused", "[logic][alphabet]") {
  CHECK_THROWS_WITH(Alphabet(Names{}), "Alphabet: no letters");
  CHECK_THROWS_WITH(Alphabet(Names{"a", ""}), "Alphabet: an empty name");
  CHECK_THROWS_WITH(Alphabet(Names{"a", "b", "a"}), "Alphabet: the name 'a' occurs twice");
  CHECK_THROWS_WITH(Alphabet(Names{"a\n"}), "Alphabet: a name has a control character at byte 1");
  CHECK_THROWS_WITH(Alphabet(Names{"\u0085"}), "Alphabet: a name has a control character at byte 0");
  for (const char* bad :
       {"\xff", "\xc3", "a\x80", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    CHECK_THROWS_AS(Alphabet(Names{bad}), std::invalid_argument);
}

TEST_CASE("letters are found by name", "[logic][alphabet]") {
  const Alphabet alphabet(Names{"z", "open", "é", "a"});
  for (Letter a = 0; a < alphabet.size(); ++a) CHECK(alphabet.find(alphabet.name(a)) == a);
  CHECK_FALSE(alphabet.find("ope").has_value());
  CHECK_FALSE(alphabet.find("").has_value());
  CHECK_FALSE(alphabet.has_single_characters());
  CHECK(Alphabet(Names{"é", "∧", "😀"}).has_single_characters());
}

TEST_CASE("alphabets as text", "[logic][alphabet]") {
  CHECK(parse_alphabet("ba").names() == Names{"b", "a"});
  CHECK(parse_alphabet("é∧(").names() == Names{"é", "∧", "("});
  CHECK(parse_alphabet("open,close, x1 ").names() == Names{"open", "close", "x1"});
  CHECK(parse_alphabet("open,").names() == Names{"open"});
  CHECK(parse_alphabet("'open'").names() == Names{"open"});
  CHECK(parse_alphabet(R"('big step','it\'s','a\\b',',',' ')").names() ==
        Names{"big step", "it's", "a\\b", ",", " "});

  CHECK(alphabet_error("") == "0 expected a letter, found the end");
  CHECK(alphabet_error("aba") == "2 the letter 'a' occurs twice");
  CHECK(alphabet_error("x,y,'x'") == "4 the letter 'x' occurs twice");
  CHECK(alphabet_error("a b") ==
        "1 expected a letter, found a space (names are separated by commas, and a space as a letter is "
        "quoted)");
  CHECK(alphabet_error(",") == "0 expected a name, found ','");
  CHECK(alphabet_error("a,,b") == "2 expected a name, found ','");
  CHECK(alphabet_error("big step,x") ==
        "4 expected a comma, found 's' (a name with a space in it is quoted)");
  CHECK(alphabet_error("a'b") == "1 a name with a quote in it is quoted, as in 'don\\'t'");
  CHECK(alphabet_error("'a") == "2 expected a closing quote, found the end");
  CHECK(alphabet_error("'a\\b'") ==
        "3 expected a quote or a backslash after a backslash in a quoted name, found 'b'");
  CHECK(alphabet_error("'a\\") ==
        "3 expected a quote or a backslash after a backslash in a quoted name, found the end");
  CHECK(alphabet_error("a,''") == "2 expected a name between the quotes");
  CHECK(alphabet_error("a,\xff") == "2 expected a character of a name, found byte 0xff");
  CHECK(alphabet_error("'\x1b'") == "1 expected a character of a quoted name, found byte 0x1b");
  CHECK(alphabet_error("a\xff").substr(0, 36) == "1 expected a letter, found byte 0xff");
}

TEST_CASE("the union of alphabets is sorted", "[logic][alphabet]") {
  CHECK(unite(parse_alphabet("cb"), parse_alphabet("ba")).names() == Names{"a", "b", "c"});
}

TEST_CASE("words as text", "[logic][alphabet]") {
  const auto ab = parse_alphabet("ab");
  const auto names = parse_alphabet("open,close");
  for (const auto& alphabet : {ab, names})
    for (const char* empty : {"", " ", "''", "ε", " ''\n"}) CHECK(parse_word(alphabet, empty).empty());
  CHECK(parse_word(ab, "abba") == Word{0, 1, 1, 0});
  CHECK(parse_word(ab, " ab b\ta\n") == Word{0, 1, 1, 0});
  CHECK(parse_word(names, " open  close open ") == Word{0, 1, 0});
  CHECK(parse_word(names, "'open' close") == Word{0, 1});

  CHECK(error(ab, "abc") == "2 'c' is no letter of the alphabet");
  CHECK(error(ab, "aεb") == "1 'ε' is no letter of the alphabet");
  CHECK(error(ab, "a\x01") == "1 expected a letter, found byte 0x01");
  CHECK(error(names, "open shut") == "5 'shut' is no letter of the alphabet");
  CHECK(error(names, "openclose") == "0 'openclose' is no letter of the alphabet");
  CHECK(error(names, "'open'close") == "6 expected a space between two names, found 'c'");
  CHECK(error(names, "open ''") == "5 expected a name between the quotes");
}

TEST_CASE("ε, the quote and the space can be letters", "[logic][alphabet]") {
  const Alphabet odd(Names{"ε", "'", " "});
  CHECK(parse_word(odd, "ε") == Word{0});
  CHECK(parse_word(odd, "''") == Word{1, 1});
  CHECK(parse_word(odd, "  ") == Word{2, 2});
  CHECK(parse_word(odd, "").empty());
  const Alphabet named(Names{"ε", "'", " ", "x y", "\\"});
  CHECK(parse_word(named, R"(ε '\'' ' ' 'x y' \ '\\')") == Word{0, 1, 2, 3, 4, 4});
}

TEST_CASE("parse_word inverts to_string", "[logic][alphabet][law]") {
  const std::vector<Names> alphabets{{"a", "b"},        {"'", "a"},         {" ", "a"},   {"ε", "a"},
                                     {"'", " ", "ε"},   {"é", "∧"},         {"ab", "a"},  {"a b", "'"},
                                     {"''", "ε", "a'"}, {"\\", "\\'", "x"}, {",", "a,b"}, {"εε", "ε", "' '"}};
  for (const auto& names : alphabets) {
    const Alphabet alphabet(names);
    for (const auto& word : tests::words_up_to(alphabet.size(), 4)) {
      const auto text = to_string(alphabet, word);
      CAPTURE(names, text);
      CHECK(parse_word(alphabet, text) == word);
    }
  }
}

TEST_CASE("names survive quoting", "[logic][text][law]") {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string name;
    const auto length = 1 + tests::below(random, 6);
    for (std::uint32_t n = 0; n < length; ++n) name += to_utf8(U"'\\ ,aé∧😀"[tests::below(random, 8)]);
    CAPTURE(i, name);
    const auto back = read_quoted("<" + quote(name) + ">", 1);
    CHECK(back.name == name);
    CHECK(back.end == quote(name).size() + 1);
    const Alphabet single(Names{name});
    CHECK(parse_alphabet(quote(name) + ",").names() == Names{name});
    CHECK(parse_word(single, to_string(single, Word{0, 0})) == Word{0, 0});
  }
}

TEST_CASE("every code point is written and read", "[logic][text]") {
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    const auto text = to_utf8(c);
    const auto back = code_point(text, 0);
    if (!back || back->value != c || back->bytes != text.size()) FAIL(static_cast<std::uint32_t>(c));
  }
}
