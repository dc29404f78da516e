#include "logic/parse_error.hpp"

#include "tests/catch.hpp"

#include <string>

using logic::ParseError;

TEST_CASE("the place is counted in characters and shown with a caret", "[logic][error]") {
  const ParseError e("P (a)) & b", 5, "expected an operator or the end, found ')'");
  CHECK(e.line() == 1);
  CHECK(e.column() == 6);
  CHECK(e.offset() == 5);
  CHECK(e.message() == "expected an operator or the end, found ')'");
  CHECK(std::string(e.what()) ==
        "line 1, column 6: expected an operator or the end, found ')'\n"
        "  P (a)) & b\n"
        "       ^");
}

TEST_CASE("characters of several bytes and of several columns", "[logic][error]") {
  const std::string accents = "¬∧x";
  CHECK(std::string(ParseError(accents, 5, "m").what()) == "line 1, column 3: m\n  ¬∧x\n    ^");
  const std::string wide = "語x";
  CHECK(std::string(ParseError(wide, 3, "m").what()) == "line 1, column 2: m\n  語x\n    ^");
  const std::string combining = "e\u0301x";
  CHECK(std::string(ParseError(combining, 3, "m").what()) == "line 1, column 3: m\n  e\u0301x\n   ^");
}

TEST_CASE("lines", "[logic][error]") {
  const std::string text = "a\r\n\tb c\n";
  CHECK(std::string(ParseError(text, 0, "m").what()) == "line 1, column 1: m\n  a\n  ^");
  CHECK(std::string(ParseError(text, 6, "m").what()) == "line 2, column 4: m\n   b c\n     ^");
  CHECK(std::string(ParseError(text, 7, "m").what()) == "line 2, column 5: m\n   b c\n      ^");
  CHECK(std::string(ParseError(text, 8, "m").what()) == "line 3, column 1: m\n  \n  ^");
  CHECK(std::string(ParseError("", 0, "m").what()) == "line 1, column 1: m\n  \n  ^");
}

TEST_CASE("bytes that a terminal should not see are replaced", "[logic][error]") {
  CHECK(std::string(ParseError("\x1b\xff!", 2, "m").what()) == "line 1, column 3: m\n  \uFFFD\uFFFD!\n    ^");
}

TEST_CASE("of a long line the part around the place is shown", "[logic][error]") {
  const std::string xs(36, 'x');
  std::string text(2001, 'x');
  text[1000] = '!';
  CHECK(std::string(ParseError(text, 1000, "m").what()) ==
        "line 1, column 1001: m\n  …" + xs + "!" + xs.substr(1) + "…\n  " + std::string(37, ' ') + "^");
  CHECK(std::string(ParseError(text, 0, "m").what()) == "line 1, column 1: m\n  " + xs + xs + "…\n  ^");
  CHECK(std::string(ParseError(text, text.size(), "m").what()) ==
        "line 1, column 2002: m\n  …" + xs + xs + "\n  " + std::string(73, ' ') + "^");
}
