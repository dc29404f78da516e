// Automata through files: convert, and what the other commands read and write.
#include "program.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using tests::hindsight;
using tests::shell;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::string> formats{"att", "dot", "json", "hoa", "mata"};

}  // namespace

TEST_CASE("convert goes from every format to every other", "[cli][convert]") {
  const tests::Scratch scratch;
  const auto expected = hindsight({"automaton", "--language", "rdp-1", "--json"}).out;
  for (const auto& from : formats) {
    const auto first = scratch / ("x." + from);
    const auto written = hindsight({"automaton", "--language", "rdp-1", "--to", from});
    scratch.write("x." + from, written.out);
    CHECK(hindsight({"automaton", "--dfa", first, "--json"}).out == expected);
    for (const auto& to : formats) {
      CAPTURE(from, to);
      const auto second = scratch / ("y." + to);
      const auto outcome = hindsight({"convert", first, second});
      CHECK(outcome.status == 0);
      CHECK(outcome.err.empty());
      CHECK(contains(outcome.out, "y." + to + ": 4 states, 4 letters\n"));
      CHECK(hindsight({"automaton", "--dfa", second, "--json"}).out == expected);
      CHECK(hindsight({"convert", "-", "-", "--from", from, "--to", to}, written.out).out ==
            tests::contents(second));
    }
  }
  const auto json = hindsight({"convert", scratch / "x.att", scratch / "z", "--to", "hoa", "--json"});
  CHECK(json.out ==
        "{\"from\":\"att\",\"to\":\"hoa\",\"states\":4,\"alphabet\":[\"a\",\"b\",\"c\",\"d\"]}\n");
  CHECK(tests::contents(scratch / "z") == tests::contents(scratch / "y.hoa"));
  CHECK(hindsight({"convert", scratch / "x.att", scratch / "z.hoa", "--quiet"}).out.empty());
}

TEST_CASE("the extension gv is Graphviz, too", "[cli][convert]") {
  const tests::Scratch scratch;
  CHECK(hindsight({"convert", scratch.write("x.att", "0 0 a\n0\n"), scratch / "x.gv"}).status == 0);
  CHECK(contains(tests::contents(scratch / "x.gv"), "digraph"));
  CHECK(hindsight({"check", "--dfa", scratch / "x.gv", "aa"}).out == "accept aa\n");
}

TEST_CASE("convert says what is wrong", "[cli][convert]") {
  const tests::Scratch scratch;
  const auto att = scratch.write("x.att", "0 0 a\n0\n");
  const auto spaced = scratch.write(
      "s.json", R"({"alphabet":["big step"],"states":1,"initial":0,"accepting":[],"transitions":[[0]]})");
  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string message;
  };
  const Row rows[] = {
      {{"convert"}, 2, "expected two files, IN and OUT, found 0"},
      {{"convert", att}, 2, "found 1"},
      {{"convert", att, scratch / "y"},
       2,
       "the format is not given; there are att, dot, json, hoa, mata, svg"},
      {{"convert", att, "-"}, 2, "the format is not given"},
      {{"convert", "-", scratch / "y.dot"},
       2,
       "-: the format is not given; there are att, dot, json, hoa, mata"},
      {{"convert", att, scratch / "y.xml"}, 2, "the format xml is not known"},
      {{"convert", scratch / "x.svg", scratch / "y.dot"}, 2, "the format svg is not known"},
      {{"convert", att, scratch / "y.dot", "--from", "svg"}, 2, "--from: 'svg' is none of"},
      {{"convert", att, scratch / "y.dot", "--from", "hoa"}, 2, "line 1, column 1: expected 'HOA:'"},
      {{"convert", scratch / "missing.att", scratch / "y.dot"}, 2, "missing.att: No such file"},
      {{"convert", att, scratch / "no/y.dot"}, 2, "No such file"},
      {{"convert", att, "-", "--to", "dot", "--json"}, 2, "--json"},
      {{"convert", spaced, scratch / "y.att"}, 2, "the letter 'big step' could not be read back"},
      {{"convert", att, scratch / "y.dot", "--alphabet", "b"}, 2, "'a' is no letter of the alphabet"},
      {{"convert", att, scratch / "y.dot", "--max-states", "1", "--alphabet", "ab"}, 3, "limit"},
  };
  for (const auto& row : rows) {
    const auto outcome = hindsight(row.arguments);
    CAPTURE(row.arguments, outcome.err);
    CHECK(outcome.status == row.status);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, row.message));
  }
}

TEST_CASE("an alphabet that is given is that of the file", "[cli][convert]") {
  const tests::Scratch scratch;
  const auto att = scratch.write("x.att", "0\n");
  CHECK(hindsight({"check", "--dfa", att, ""}).status == 2);  // no letter at all
  CHECK(hindsight({"check", "--dfa", att, "--alphabet", "ab", "", "a"}).out == "accept ε\nreject a\n");
  CHECK(hindsight({"convert", att, "-", "--to", "json", "--alphabet", "b,a"}).out ==
        "{\"alphabet\":[\"b\",\"a\"],\"states\":2,\"initial\":0,\"accepting\":[0],\"transitions\":[[1,1],[1,"
        "1]]}\n");
}

TEST_CASE("pictures are drawn by Graphviz, or it is said that there is none", "[cli][convert]") {
  const auto missing = shell("PATH=/nonexistent \"$H\" automaton --regex '(ab)*' --to svg");
  CHECK(missing.status == 2);
  CHECK(missing.out.empty());
  CHECK(contains(missing.err, "there is no program dot in PATH"));
  const tests::Scratch scratch;
  const auto failing = scratch.write("dot", "#!/bin/sh\nexit 3\n");
  const auto failed = shell("chmod +x " + tests::quoted(failing) + "; PATH=" + tests::quoted(scratch / "") +
                            ":/usr/bin:/bin; \"$H\" automaton --regex '(ab)*' --to svg");
  CHECK(failed.status == 2);
  CHECK(contains(failed.err, "dot ended with exit status 3"));
  if (shell("command -v dot").status != 0) return;
  const auto svg = hindsight(
      {"automaton", "--regex", "(<'big & <step'>)*", "--alphabet", "<,>,'big & <step'", "--to", "svg"});
  CHECK(svg.status == 0);
  CHECK(contains(svg.out, "<svg"));
  CHECK(contains(svg.out, "big &amp; &lt;step"));
  CHECK(contains(svg.out, "#cfe2f3"));
  // More than the pipes hold.
  const auto large = hindsight(
      {"automaton", "--regex", ".{150}", "--alphabet", "abcdefghijklmnopqrstuvwxyz", "--to", "svg"});
  CHECK(large.status == 0);
  CHECK(contains(large.out, "</svg>"));
  const auto too_large = hindsight({"automaton", "--regex", ".{1500}", "--alphabet", "ab", "--to", "svg"});
  CHECK(too_large.status == 3);
  CHECK(contains(too_large.err, "too many to draw"));
}
