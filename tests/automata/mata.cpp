#include "automata/mata.hpp"

#include "automata/regex.hpp"
#include "tests/automata/error_of.hpp"
#include "tests/catch.hpp"

using namespace automata;

namespace {

std::string error(std::string_view text) {
  return tests::error_of(read_mata, text);
}

}  // namespace

TEST_CASE("mata files as the library writes them are read", "[automata][mata]") {
  const auto same = [](std::string_view text, std::string_view regex) {
    CAPTURE(text);
    const Language language = read_mata(text);
    CHECK(language.dfa == from_regex(regex, language.alphabet));
  };
  // As Nfa::print_to_mata prints them: letters are numbers.
  same("@NFA-explicit\n%Alphabet-auto\n%Initial q0\n%Final q1\nq0 97 q1\nq1 98 q0\n", "'97'('98''97')*");
  same("@NFA-explicit\n%Alphabet-auto\n%Initial q0 q2\n%Final q1 q2\nq0 a q1\nq1 b q1\nq2 b q2\n", "ab*|b*");
  // Comments, joined lines, quotes, formulas.
  same(
      "# a comment\n\n@NFA-explicit # here too\n%Alphabet-auto\n%Initial q\n%Final \\\n r s\n\nq a \\\n r # "
      "and here\n"
      "r \"b\" s\n",
      "a|ab");
  same(
      "@NFA-explicit\n%Initial \"big state\"\n%Final \"big state\"\n\"big state\" \"x \\\"\\\\\" \"big "
      "state\"\n",
      "'x \"\\\\'*");
  same("@NFA-explicit\n%Initial q | r\n%Final r|s\nq a s\nr a & r\n", "a*");
  same("@NFA-explicit\n%Initial q\n%Final true\nq a r\n", "()|a");
  same("@NFA-explicit\n%Initial q\n%Final \\true\nq a r\n", "()|a");
  same("@NFA-explicit\n%Initial q\n%Final false\nq a r\n", "∅");
  same("@NFA-explicit\n%Initial q\n%Final !r & !s\nq a r\nr a t\nt a s\n", "()|aa");
  same("@NFA-explicit\n%Initial q\n%Final \"true\"\nq a \"true\"\n", "a");
  same("@NFA-explicit\n%Initial q\n%Final q r\n%Final s\nq a r\nr a s\n", "a{0,2}");
  same("@NFA-explicit\n%Final q\nq a q\n", "∅");
  same("@NFA-explicit\n%Initial q\nq a q\n", "∅");
  same("@NFA-explicit\r\n%Alphabet-auto\r\n%Initial q\r\n%Final q\r\nq é q\r\n", "'é'*");
  const Language enumerated =
      read_mata("@NFA-explicit\n%Alphabet-enum c b a\n%States-enum q\n%Initial q\n%Final q\nq a q\n");
  CHECK(enumerated.alphabet == logic::Alphabet({"c", "b", "a"}));
  CHECK(enumerated.dfa == from_regex("a*", enumerated.alphabet));
}

TEST_CASE("mata files that are something else are refused with the place", "[automata][mata]") {
  CHECK(error("") == "1:1 expected @NFA-explicit, found the end");
  CHECK(error("q a q") == "1:1 expected @NFA-explicit, found 'q'");
  CHECK(error("\n @NFA-bits\n") == "2:2 only sections @NFA-explicit are read, found '@NFA-bits'");
  CHECK(error("@AFA-explicit") == "1:1 only sections @NFA-explicit are read, found '@AFA-explicit'");
  CHECK(error("@NFA-explicit x") == "1:15 expected the end of the line, found 'x'");
  CHECK(error("@NFA-explicit\n@NFA-explicit") == "2:1 a second section: a file holds one automaton");
  CHECK(error("@NFA-explicit\n%Epsilon x") == "2:1 the key '%Epsilon' is not read");
  CHECK(error("@NFA-explicit\n%Alphabet-utf") == "2:1 the key '%Alphabet-utf' is not read");
  CHECK(error("@NFA-explicit\nq r") ==
        "2:1 expected a transition, source letter target, found 2 of the three");
  CHECK(error("@NFA-explicit\nq a r s") == "2:7 expected the end of the transition, found 's'");
  CHECK(error("@NFA-explicit\nq (a) r") == "2:3 expected a name, found '(a)'");
  CHECK(error("@NFA-explicit\nq \"a r") == "2:7 expected a closing quote, found the end of the line");
  CHECK(error("@NFA-explicit\nq \"\" r") == "2:3 a name is empty");
  CHECK(error("@NFA-explicit\nq a\"b r") == "2:4 a quote inside a name that is not quoted");
  CHECK(error("@NFA-explicit\nq \"a\"b r") == "2:6 expected a space behind a closing quote, found 'b'");
  CHECK(error("@NFA-explicit\nq \"\\n\" r") ==
        "2:5 expected a quote or a backslash after a backslash between quotes, found 'n'");
  CHECK(error("@NFA-explicit\n%Initial q & r") == "2:12 expected a name, found '&'");
  CHECK(error("@NFA-explicit\n%Initial q |") == "2:12 expected a name, found '|'");
  CHECK(error("@NFA-explicit\n%Final !q | !r") == "2:11 expected '&', found '|'");
  CHECK(error("@NFA-explicit\n%Final !q &") == "2:11 expected a name behind '&'");
  CHECK(error("@NFA-explicit\n%Final q\n%Final true") == "3:8 a formula beside another %Final");
  CHECK(error("@NFA-explicit\n%Final false\n%Final q") == "3:1 a second %Final beside a formula");
  CHECK(error("@NFA-explicit\n%Alphabet-enum a\nq b r") == "3:3 'b' is not in %Alphabet-enum");
  CHECK(error("@NFA-explicit\nq b r\n%Alphabet-enum a b") ==
        "3:1 %Alphabet-enum has to stand before the transitions");
  CHECK(error("@NFA-explicit\n%Initial q") == "2:11 no letter occurs, so the alphabet has to be given");
}

TEST_CASE("mata files are written plainly", "[automata][mata]") {
  const logic::Alphabet ab({"a", "b c"});
  CHECK(to_mata({ab, Dfa(2, 1, {0, 1, 1, 0}, {true, false})}) ==
        "@NFA-explicit\n%Alphabet-auto\n%Initial q1\n%Final q0\n"
        "q0 a q0\nq0 \"b c\" q1\nq1 a q1\nq1 \"b c\" q0\n");
}
