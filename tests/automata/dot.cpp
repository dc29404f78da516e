#include "automata/dot.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "tests/automata/error_of.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

using namespace automata;

namespace {

const logic::Alphabet ab({"a", "b"});

std::string error(std::string_view text) {
  return tests::error_of(read_dot, text);
}

}  // namespace

TEST_CASE("DOT has a node for each state and joins edges", "[automata][dot]") {
  CHECK(to_dot({ab, from_regex("(ab)*", ab)}) ==
        "digraph language {\n"
        "  rankdir=LR;\n"
        "  node [shape=circle];\n"
        "  __start0 [label=\"\", shape=none];\n"
        "  s0 [label=\"s0\", shape=doublecircle];\n"
        "  s1 [label=\"s1\"];\n"
        "  s2 [label=\"s2\"];\n"
        "  __start0 -> s0 [label=\"\"];\n"
        "  s0 -> s1 [label=\"a\"];\n"
        "  s0 -> s2 [label=\"b\"];\n"
        "  s1 -> s2 [label=\"a\"];\n"
        "  s1 -> s0 [label=\"b\"];\n"
        "  s2 -> s2 [label=\"a, b\"];\n"
        "}\n");
  const std::string dot =
      to_dot({logic::Alphabet({"\"", "\\", ",", "x y", "'"}), Dfa(5, 0, {0, 0, 0, 0, 0}, {true})});
  CHECK(dot.find("  s0 -> s0 [label=\"\\\", \\\\, ',', 'x y', '\\\\''\"];\n") != std::string::npos);
}

TEST_CASE("DOT is read as AALpy and others write it", "[automata][dot]") {
  const auto same = [](std::string_view text, std::string_view regex) {
    CAPTURE(text);
    const Language language = read_dot(text);
    CHECK(language.dfa == from_regex(regex, language.alphabet));
  };
  // AALpy, save_automaton_to_file: one edge for each letter, the initial state last.
  same(R"(digraph learnedModel {
s0 [label="s0", shape=doublecircle];
s1 [label="s1"];
s2 [label="s2"];
s0 -> s1 [label="a"];
s0 -> s2 [label="b"];
s1 -> s2 [label="a"];
s1 -> s0 [label="b"];
s2 -> s2 [label="a"];
s2 -> s2 [label="b"];
__start0 [label="", shape=none];
__start0 -> s0 [label=""];
}
)",
       "(ab)*");
  same(R"(digraph "learned Model" {
s0 [label=s0];
s1 [label=s1, shape=doublecircle];
s0 -> s1 [label=1];
s1 -> s0 [label=0];
s1 -> s1  [label=1];
s0 -> s0  [label=0];
__start0 [shape=none, label=""];
__start0 -> s0  [label=""];
}
)",
       "(0|1)*1");
  // The library Mata.
  same(
      "digraph finiteAutomaton {\nnode [shape=circle];\n1 [shape=doublecircle];\n0 -> {0 1 } [label=97];\n"
      "1 -> {1 } [label=98];\nnode [shape=none, label=\"\"];\ni0 -> 0;\n}\n",
      "'97''97'*'98'*");
  // By hand: comments, default attributes, a point, an ε-move, several letters, a label in parts.
  same(
      "/* ends in b */ digraph {\n# a comment\n node [shape = circle] // and more\n i [shape=point]\n"
      "b [shape=doublecircle]; i -> a; a -> a [label=\"a,b\"]; a -> b [label=\"b\"] }",
      "(a|b)*b");
  same(R"(digraph { i [shape=none]; q [peripheries=2]; i -> p; p -> q [label="ε"]; q -> q [label="a\nb"]; })",
       "(a|b)*");
  same(
      R"(digraph { __start0 -> é; é [shape=doublecircle]; é -> é [label="'a, b', 'it\\'s', \"x\" ,'ε'"+", c"]; })",
      "('a, b'|'it\\'s'|'\"x\"'|'ε'|c)*");
  same(R"(digraph { __start0 -> q; q -> q [label="a"]; r [shape=doublecircle]; })", "∅");
  same(
      R"(digraph { __start0 -> q; __start1 -> r; q -> s [label="a"]; r -> s [label="b"]; s [shape="doublecircle"]; })",
      "a|b");
  same(R"(digraph { subgraph cluster_0 { node [shape=doublecircle]; q; r }; s; __start0 -> q;
            q -> r -> s [label="a"]; })",
       "()|a");
  same(R"(digraph { __start0 -> q; q:n -> q:s [label="big step"]; q [shape=doublecircle] })", "'big step'*");
}

TEST_CASE("DOT that is no automaton is refused with the place", "[automata][dot]") {
  CHECK(error("") == "1:1 this is no digraph: unexpected the end");
  CHECK(error("graph { a -- b }") == "1:1 expected a digraph, found a graph");
  CHECK(error("strict digraph { }") == "1:1 a strict graph drops edges, so that it is no automaton");
  CHECK(error("digraph {\n  a -> b [label=\"x\"]\n") == "3:1 this is no digraph: unexpected the end");
  CHECK(error("digraph {\n  a -> ;\n}") == "2:8 this is no digraph: unexpected ';'");
  CHECK(error("digraph { a } b") == "1:15 this is no digraph: unexpected 'b'");
  CHECK(error("digraph { a -- b }") == "1:13 expected a part of a digraph, found '-'");
  CHECK(error("digraph { a [label=<b>] }") == "1:20 HTML in labels is not read");
  CHECK(error("digraph { a [label] }") == "1:19 expected '=' behind the name of an attribute, found ']'");
  CHECK(error("digraph { a [label=\"x] }") == "1:20 a string that is not closed");
  CHECK(error("digraph { /* }") == "1:11 a comment that is not closed");
  CHECK(error("digraph { {a b} -> c }") == "1:17 an edge from a subgraph is not read");
  CHECK(error("digraph { a -> subgraph x }") == "1:16 an edge to a subgraph is not read");
  CHECK(error("digraph { a -> {b -> c} }") ==
        "1:19 an edge leads to a node or to a list of nodes between braces");
  CHECK(error("digraph { a -> a [label=x] }") ==
        "1:29 no initial state: an edge leads to it from __start0 or from a node of shape none");
  const std::string start = "digraph { __start0 -> q; ";
  CHECK(error(start + "q -> r }") ==
        "1:26 the edge from 'q' to 'r' has no label (an ε-move has the label ε)");
  CHECK(error(start + "q -> r [label=\"\"] }") ==
        "1:40 the edge from 'q' to 'r' has no label (an ε-move has the label ε)");
  CHECK(error(start + "q -> __start0 [label=a] }") ==
        "1:47 the edge from 'q' to '__start0' leads to a node that only marks initial states");
  CHECK(error("digraph { __start0 -> q [label=a] }") ==
        "1:32 the edge from '__start0' to 'q' marks an initial state, so that it has no letters");
  const auto label = [&](const std::string& text) {
    return error(start + "q -> q [label=\"" + text + "\"] }");
  };
  CHECK(label("a,") == "1:40 in the label of an edge: a letter is missing");
  CHECK(label(",") == "1:40 in the label of an edge: a letter is missing");
  CHECK(label("a,,b") == "1:40 in the label of an edge: a letter is missing");
  CHECK(label("('a', 'b')") ==
        "1:40 in the label of an edge: a letter with a quote in its name is quoted, as in 'don\\'t'");
  CHECK(label("'a' b") == "1:40 in the label of an edge: expected a comma behind a quoted letter");
  CHECK(label("'a") == "1:40 in the label of an edge: expected a closing quote, found the end");
  CHECK(label("\\N") ==
        "1:40 in the label of an edge: a backslash in a label stands before a backslash or one of n, l, r");
  CHECK(tests::error_of(read_dot, start + "q -> q [label=a] }", logic::Alphabet({"b"})) ==
        "1:40 'a' is no letter of the alphabet");
}

TEST_CASE("a picture has the same automaton, with colours", "[automata][dot]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Language language{ab, minimize(tests::random_dfa(random, 1 + tests::below(random, 10), 2))};
    CAPTURE(seed);
    CHECK(read_dot(to_picture(language), ab).dfa == language.dfa);
  }
  const std::string picture = to_picture({logic::Alphabet({"a", "&"}), from_regex("(ab)*", ab)});
  CHECK(picture.find("s0 [label=\"s0\", shape=doublecircle, style=filled, fillcolor=\"#cfe2f3\"]") !=
        std::string::npos);
  CHECK(picture.find("s1 [label=\"s1\", style=filled, fillcolor=\"#cfe2f3\"]") != std::string::npos);
  CHECK(picture.find("s2 [label=\"s2\", color=\"#b0b0b0\"") != std::string::npos);
  CHECK(picture.find("s0 -> s2 [label=\"&amp;\", color=\"#c8c8c8\"") != std::string::npos);
}
