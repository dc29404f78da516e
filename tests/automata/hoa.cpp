#include "automata/hoa.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "tests/automata/error_of.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

using namespace automata;
using tests::below;

namespace {

std::string error(std::string_view text) {
  return tests::error_of(read_hoa, text);
}

void same(std::string_view text, std::string_view regex) {
  CAPTURE(text);
  const Language language = read_hoa(text);
  CHECK(language.dfa == from_regex(regex, language.alphabet));
}

/// A Boolean expression over the propositions 0, ..., n-1 as text, and its value under each valuation.
struct Expression {
  std::string text;
  std::vector<bool> values;
};
Expression random_expression(std::mt19937& random, std::uint32_t n, int depth) {
  const std::size_t valuations = std::size_t{1} << n;
  Expression e{"", std::vector<bool>(valuations)};
  const std::uint32_t kind = depth == 0 ? below(random, 2) : below(random, 5);
  if (kind == 0) {
    const std::uint32_t i = below(random, n);
    e.text = std::to_string(i);
    for (std::size_t v = 0; v < valuations; ++v) e.values[v] = (v >> i & 1) != 0;
  } else if (kind == 1) {
    const bool value = below(random, 2) == 1;
    e.text = value ? "t" : "f";
    e.values.assign(valuations, value);
  } else if (kind == 2) {
    const Expression x = random_expression(random, n, depth - 1);
    e.text = "!(" + x.text + ")";
    for (std::size_t v = 0; v < valuations; ++v) e.values[v] = !x.values[v];
  } else {
    const Expression x = random_expression(random, n, depth - 1);
    const Expression y = random_expression(random, n, depth - 1);
    e.text = "(" + x.text + ")" + (kind == 3 ? "&" : "|") + "( " + y.text + ")";
    for (std::size_t v = 0; v < valuations; ++v)
      e.values[v] = kind == 3 ? x.values[v] && y.values[v] : x.values[v] || y.values[v];
  }
  return e;
}

}  // namespace

TEST_CASE("HOA as Spot writes it is read on finite words", "[automata][hoa]") {
  // F(a & X[!]F b) of LTL on finite words, states marked: as ltl2tgba --ltlf -B would say it.
  same(R"(HOA: v1
name: "F(a & X[!] F b ) "
States: 3
Start: 0
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc complete
properties: deterministic very-weak
--BODY--
State: 0
[!0] 0
[0] 1
State: 1
[!1] 1
[1] 2
State: 2 {0}
[t] 2
--END--
)",
       ".*('a&!b'|'a&b').*('!a&b'|'a&b').*");
  // G a with marks on edges: the last edge decides, and the empty word has none.
  same(R"(HOA: v1
States: 2
Start: 0
AP: 1 "a"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc complete deterministic
--BODY--
State: 0
[0] 0 {0}
[!0] 1
State: 1
[t] 1
--END--
)",
       "a+");
  // A monitor: every run is accepted, as long as there is one.
  same("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" acc-name: all Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--",
       "a*");
  same("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 f --BODY-- State: 0 [0] 0 --END--", "∅");
}

TEST_CASE("HOA has implicit labels, state labels, aliases, several starts and none", "[automata][hoa]") {
  // Two examples of the definition of the format, with other acceptance.
  same(R"(HOA: v1
States: 3
Start: 0
acc-name: Rabin 1
Acceptance: 2 (Fin(0) & Inf(1))
AP: 2 "a" "b"
--BODY--
State: 0 "a U b" { 0 }
  2  /* !a  & !b */
  0  /*  a  & !b */
  1  /* !a  &  b */
  1  /*  a  &  b */
State: 1 { 1 }
  1 1 1 1       /* four transitions on one line */
State: 2 "sink state" { 0 }
  2 2 2 2
--END--
)",
       "'a&!b'*('!a&b'|'a&b').*");
  same(R"(HOA: v1
name: "GFa"
States: 2
Start: 0
Start: 1
acc-name: Buchi
Acceptance: 1 Inf(0)
AP: 1 "a"
--BODY--
State: [0] 0 {0}
  0 1
State: [!0] 1
  0 1
--END--
)",
       "()|.*.");  // the state that is reached has a label for its next letter only
  same(R"(HOA: v1 Alias: @bc 1 & 2 Start: 0 AP: 3 "a" "b" "c" Acceptance: 1 Inf(0) Alias: @x !@bc|0
          --BODY-- State: 1 {0} State: 0 [@bc&!@x] 1 --END--)",
       "'!a&b&c'");
  same("HOA: v1 States: 1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--", "∅");
  same("HOA: v1 States: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- --END--", "∅");
  same("HOA: v1 States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 0 0 --END--", "t*");
  same(
      "/* a /* nested */ comment */HOA: v1 tool: \"x\" \"1.0\" future: 1 t \"x\" y-z Start: 0\n"
      "AP: 1 \"\\\"\\\\\" Acceptance: 1 Inf(0)--BODY--State: 0 {0}[0]0--END--",
      "'\"\\\\'*");
  // One letter at a time.
  same(
      "HOA: v1 hindsight-letters: one-hot Start: 0 AP: 3 \"a\" \"b\" \"big c\" Acceptance: 1 Inf(0) --BODY-- "
      "State: 0 [0|!1&!2] 1 [!0&1] 0 State: 1 {0} [t] 1 --END--",
      "b*a.*");
  same(
      "HOA: v1 hindsight-letters: one-hot Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- "
      "State: 0 0 1 0 1 State: 1 {0} 0 0 1 0 --END--",
      "b*a(b|ab*a)*");
}

TEST_CASE("acceptance is the condition on what is seen at the end", "[automata][hoa]") {
  // A word over one letter leads to the state with its length's marks; {} {0} {1} {0 1}, then no more.
  const auto lengths = [](const std::string& condition) {
    std::string text =
        "HOA: v1 hindsight-letters: one-hot Start: 0 AP: 1 \"a\" Acceptance: 2 " + condition +
        " --BODY-- State: 0 [0] 1 State: 1 {0} [0] 2 State: 2 {1} [0] 3 State: 3 {1 0} --END--";
    const Dfa dfa = read_hoa(text).dfa;
    std::string in;
    for (std::size_t n = 0; n < 4; ++n)
      if (dfa.accepts(logic::Word(n, 0))) in += std::to_string(n);
    return in;
  };
  CHECK(lengths("Inf(0)") == "13");
  CHECK(lengths("Fin(0)") == "02");
  CHECK(lengths("Inf(!0)") == "02");
  CHECK(lengths("Fin(!0)") == "13");
  CHECK(lengths("Inf(0)&Inf(1)") == "3");
  CHECK(lengths("Inf(0)|Inf(1)") == "123");
  CHECK(lengths("Inf(0)|Fin(0)&Inf(1)") == "123");
  CHECK(lengths("(Inf(0)|Fin(0))&Inf(1)") == "23");
  CHECK(lengths("t") == "0123");
  CHECK(lengths("f|Inf(1)&t") == "23");
}

TEST_CASE("labels mean what their connectives say", "[automata][hoa][law]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const std::uint32_t n = 1 + below(random, 4);
    const Expression e = random_expression(random, n, 4);
    std::string text = "HOA: v1 Start: 0 AP: " + std::to_string(n);
    for (std::uint32_t i = 0; i < n; ++i) text += " \"p" + std::to_string(i) + "\"";
    text += " Acceptance: 1 Inf(0) Alias: @e " + e.text + " --BODY-- State: 0 [" +
            (seed % 2 == 0 ? e.text : "@e") + "] 1 State: 1 {0} --END--";
    CAPTURE(seed, text);
    const Dfa dfa = read_hoa(text).dfa;
    for (Letter a = 0; a < dfa.letters(); ++a) CHECK(dfa.accepts(logic::Word{a}) == e.values[a]);
  }
  // Precedence, without parentheses.
  same(
      "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [!0&1|0] 1 State: 1 {0} "
      "--END--",
      "'!a&b'|'a&!b'|'a&b'");
  same(
      "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0|1&!!0] 1 State: 1 {0} "
      "--END--",
      "'a&!b'|'a&b'");
}

TEST_CASE("HOA that is something else is refused with the place", "[automata][hoa]") {
  CHECK(error("") == "1:1 expected 'HOA:', found the end");
  CHECK(error("HOA: v2") == "1:6 expected the version v1, found 'v2'");
  CHECK(error("HOA: v1\nStates: x") == "2:9 expected how many states, found 'x'");
  CHECK(error("HOA: v1\n--BODY--") == "2:1 expected 'Acceptance:' before the body, found '--BODY--'");
  CHECK(error("HOA: v1\nAcceptance: 0 t Acceptance: 0 t") == "2:17 Acceptance: comes twice");
  CHECK(error("HOA: v1 Colour: red") ==
        "1:9 the header item Colour: changes the meaning of the automaton and is not known");
  CHECK(error("HOA: v1 Start: 0&1") == "1:17 universal branching has no automaton on finite words here");
  CHECK(error("HOA: v1 AP: 2 \"a\"") == "1:9 AP: does not have as many names as it says, 2");
  CHECK(error("HOA: v1 AP: 2 \"a\" \"a\"") == "1:19 'a' comes twice");
  CHECK(error("HOA: v1 AP: 1 \"a\\n\"") ==
        "1:18 a backslash in a proposition stands before a quote or a backslash");
  CHECK(error("HOA: v1 AP: 1 \"a") == "1:15 a string that is not closed");
  CHECK(error("HOA: v1 /* x") == "1:9 a comment that is not closed");
  CHECK(error("HOA: v1 --ABORT--") == "1:9 the automaton was given up where it was written");
  CHECK(error("HOA: v1 Acceptance: 1 Inf(1)") == "1:27 acceptance set 1 of 1");
  CHECK(error("HOA: v1 Acceptance: 1 Inf(0") == "1:28 expected ')', found the end");
  CHECK(error("HOA: v1 Acceptance: 1 Buchi(0)") == "1:23 expected Inf(...), Fin(...), t or f, found 'Buchi'");
  CHECK(error("HOA: v1 Acceptance: 1 (Inf(0)") == "1:30 expected '&', '|' or ')', found the end");
  CHECK(error("HOA: v1 Start: 99999999999") == "1:16 a number of at least 2^31");
  CHECK(error("HOA: v1 hindsight-letters: binary") == "1:28 expected 'one-hot', found 'binary'");
  const std::string head = "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n--BODY--\n";
  CHECK(error(head) == "3:1 expected 'State:' or --END--, found the end");
  CHECK(error(head + "--END--\nHOA:") ==
        "4:1 expected the end, since a file holds one automaton, found 'HOA:'");
  CHECK(error(head + "State: 0 [1] 0 --END--") == "3:11 proposition 1 of 1");
  CHECK(error(head + "State: 0 [0&] 0 --END--") ==
        "3:13 expected a proposition, an alias, t or f, found ']'");
  CHECK(error(head + "State: 0 [(0] 0 --END--") == "3:13 expected '&', '|' or ')', found ']'");
  CHECK(error(head + "State: 0 [0)] 0 --END--") == "3:12 expected '&', '|' or ']', found ')'");
  CHECK(error(head + "State: 0 [@x] 0 --END--") == "3:11 the alias @x is not defined before");
  CHECK(error(head + "State: 0 [0] 1 --END--") == "3:14 state 1 of 1");
  CHECK(error(head + "State: 0 [0] 0&0 --END--") ==
        "3:15 universal branching has no automaton on finite words here");
  CHECK(error(head + "State: 0 State: 0 --END--") == "3:17 state 0 comes twice");
  CHECK(error(head + "State: 1 --END--") == "3:10 not every state from 0 to 1 is in the body");
  CHECK(error(head + "State: 2000000000 --END--") == "3:8 state 2000000000 is more than there can be");
  CHECK(error(head + "State: 0 0 --END--") ==
        "3:8 state 0 has 1 edges without labels for 1 propositions, not one for each valuation");
  CHECK(error(head + "State: 0 [0] 0 0 --END--") == "3:16 either all edges of a state have labels or none");
  CHECK(error(head + "State: [0] 0 [0] 0 --END--") == "3:14 a label on an edge of a state that has a label");
  CHECK(error(head + "State: 0 {1} --END--") == "3:11 acceptance set 1 of 1");
  CHECK(
      error(head + "State: 0 {0} [0] 0 {0} --END--") ==
      "3:20 acceptance marks on states and on edges: which of them decide at the end of a finite word is not "
      "defined");
  CHECK(error("HOA: v1 States: 2 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 --END--") ==
        "1:63 not every state from 0 to 1 is in the body");
  CHECK(error("HOA: v1 Alias: @a 0 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- --END--") ==
        "1:21 expected the end of the alias, found '0'");
  std::string many = "HOA: v1 AP: 13";
  for (int i = 0; i < 13; ++i) many += " \"p" + std::to_string(i) + "\"";
  CHECK_THROWS_AS(read_hoa(many + " Acceptance: 0 t --BODY-- --END--"), std::length_error);
}

TEST_CASE("HOA is written with a proposition for each letter", "[automata][hoa]") {
  const logic::Alphabet ab({"a", "\""});
  CHECK(to_hoa({ab, Dfa(2, 0, {0, 1, 1, 1}, {true, false})}) ==
        "HOA: v1\ntool: \"hindsight\"\nStates: 2\nStart: 0\nAP: 2 \"a\" \"\\\"\"\n"
        "Alias: @0 0&!1\nAlias: @1 !0&1\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
        "properties: trans-labels explicit-labels state-acc deterministic\nhindsight-letters: "
        "one-hot\n--BODY--\n"
        "State: 0 {0}\n[@0] 0\n[@1] 1\nState: 1\n[@0|@1] 1\n--END--\n");
}
