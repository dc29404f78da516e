// What every command has in common: help, bad usage, bad languages, bad words, exit statuses.
#include "program.hpp"
#include "tests/catch.hpp"

using tests::hindsight;
using tests::shell;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::string> all_commands{"check",     "automaton", "convert",  "classify", "equivalent",
                                            "express",   "compile",   "quantise", "run",      "verify",
                                            "decompile", "agree",     "extract",  "trace",    "arithmetic",
                                            "languages", "separate",  "windows",  "demo"};

}  // namespace

TEST_CASE("help names every command, and each command explains itself with an example", "[cli]") {
  const auto help = hindsight({"--help"});
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  for (const auto& command : all_commands) {
    CAPTURE(command);
    CHECK(contains(help.out, "\n  " + command + " "));
    CHECK(contains(help.out, "\n  hindsight " + command));
    const auto own = hindsight({command, "--help"});
    CHECK(own.status == 0);
    CHECK(own.err.empty());
    CHECK(contains(own.out, "Usage: hindsight " + command));
    CHECK(contains(own.out, "Examples:\n  hindsight " + command));
    CHECK(contains(own.out, "--json"));
  }
  const auto alone = hindsight({});
  CHECK(alone.status == 2);
  CHECK(alone.out == help.out);
}

TEST_CASE("the version is one line", "[cli]") {
  const auto version = hindsight({"--version"});
  CHECK(version.status == 0);
  CHECK(version.out.substr(0, 10) == "hindsight ");
  CHECK(version.out.find('\n') == version.out.size() - 1);
}

TEST_CASE("bad usage and bad input end with status 2 and a message that names the fault", "[cli]") {
  struct Row {
    std::vector<std::string> arguments;
    std::string message;
  };
  const tests::Scratch scratch;
  const std::string directory = scratch / "";
  const std::string not_att = scratch.write("x.att", "0 1 a\n1 x\n");
  const std::string unknown = scratch.write("x.yaml", "a: b");
  const Row rows[] = {
      {{"nonsense"}, "no command 'nonsense'"},
      {{"--nonsense"}, "no command '--nonsense'"},
      {{"check", "--regex", "a", "--nonsense"}, "unknown option --nonsense"},
      {{"check", "--regex", "a", "-x"}, "unknown option -x"},
      {{"check", "--regex"}, "--regex"},
      {{"check", "--regex", "a", "--regex", "b", "a"}, "--regex"},
      {{"check", "a"}, "no language"},
      {{"check", "--regex", "a", "--formula", "a", "a"}, "more than one language"},
      {{"check", "--regex", "a"}, "no word"},
      {{"check", "--regex", "ab)", "a"}, "column 3"},
      {{"check", "--regex", "(a", "a"}, "column 3"},
      {{"check", "--regex", ".*", "a"}, "no letter"},
      {{"check", "--regex", "", "a"}, "--regex"},
      {{"check", "--formula", "true", "a"}, "no letter"},
      {{"check", "--formula", "P (a", "a"}, "^"},
      {{"check", "--formula", "Y<=0 a", "a"}, "column 4"},
      {{"check", "--formula", "MOD(2,2)", "--alphabet", "a", "a"}, "column 7"},
      {{"check", "--formula", "a & c", "--alphabet", "ab", "a"}, "'c'"},
      {{"check", "--regex", "c", "--alphabet", "ab", "a"}, "'c'"},
      {{"check", "--regex", "a", "--alphabet", "", "a"}, "--alphabet"},
      {{"check", "--regex", "a", "--alphabet", "aa", "a"}, "--alphabet"},
      {{"check", "--language", "no-such", "a"}, "no entry 'no-such'"},
      {{"check", "--language", "contains-ab", "--alphabet", "ab", "a"}, "lacks 'c'"},
      {{"check", "--dfa", scratch / "missing.att", "a"}, "missing.att: No such file"},
      {{"check", "--dfa", directory, "--format", "att", "a"}, "directory"},
      {{"check", "--dfa", unknown, "a"},
       "x.yaml: the format yaml is not known; there are att, dot, json, hoa, mata"},
      {{"check", "--dfa", not_att, "a"}, "line 2"},
      {{"check", "--dfa", not_att, "--format", "png", "a"}, "--format"},
      {{"check", "--regex", "a", "--format", "att", "a"}, "--format"},
      {{"check", "--regex", "a", "--max-states", "0", "a"}, "--max-states"},
      {{"check", "--regex", "a", "--max-states", "many", "a"}, "--max-states"},
      {{"check", "--regex", "a", "--max-states", "-1", "a"}, "--max-states"},
      {{"check", "--regex", "a", "--words", scratch / "missing"}, "missing: No such file"},
      {{"check", "--regex", "a", "--words", directory}, "directory"},
      {{"check", "--regex", "a", "--trace", "a"}, "--trace"},
      {{"automaton", "--regex", "a", "--to", "png"}, "--to"},
      {{"automaton", "--regex", "a", "--to", "dot", "--json"}, "--json"},
      {{"automaton", "--regex", "a", "b"}, "unexpected argument 'b'"},
      {{"automaton", "--regex", "a", "--", "b"}, "unexpected argument"},
      {{"classify", "--regex", "a", "--in", "LTL[X]"}, "no class 'LTL[X]'"},
      {{"equivalent", "--regex", "a"}, "two languages are needed, with -- between them"},
      {{"equivalent", "--regex", "a", "--"}, "no language"},
      {{"equivalent", "--regex", "a", "--alphabet", "ab", "--", "--regex", "a", "--alphabet", "abc"},
       "different"},
      {{"equivalent", "--dfa", "-", "--", "--dfa", "-"}, "standard input"},
      {{"equivalent", "--regex-file", "-", "--", "--formula-file", "-"}, "standard input"},
      {{"check", "--regex-file", scratch / "missing", "a"}, "missing: No such file"},
      {{"check", "--regex-file", directory, "a"}, "directory"},
      {{"check", "--regex-file", "x", "--regex", "a", "a"}, "more than one language"},
      {{"express", "--regex", "a", "--logic", "LTL"}, "no logic 'LTL'"},
      {{"compile", "--regex", "a"}, "-o FILE"},
      {{"compile", "--regex", "a", "-o", scratch / "x.onnx"}, ".safetensors or .pt"},
      {{"compile", "--regex", "a", "-o", scratch / "no/such/place.safetensors"}, "No such file"},
      {{"compile", "--regex", "a", "-o", scratch / "x.safetensors", "--fraction-bits", "17"},
       "--fraction-bits"},
      {{"compile", "--formula", "a S b", "-o", scratch / "x.safetensors"}, "express"},
      {{"compile", "--regex", "a", "--logic", "LTL[S]", "-o", scratch / "x.safetensors"},
       "no attention pattern with these masks computes S"},
      {{"run"}, "no model"},
      {{"run", scratch / "missing.safetensors", "a"}, "missing.safetensors"},
      {{"run", directory, "a"}, "directory"},
      {{"run", not_att, "a"}, "x.att"},
      {{"run", not_att, "a", "--dtype", "fp64"}, "--dtype"},
      {{"agree", "--regex", "a"}, "no model file"},
      {{"agree", not_att, "--regex", "a"}, "x.att"},
      {{"agree", not_att, "--regex", "a", "--dtype", "fp64"}, "--dtype"},
      {{"agree", not_att, "--regex", "a", "--step", "0"}, "--step"},
      {{"extract"}, "no model file and no --oracle"},
      {{"extract", not_att}, "x.att"},
      {{"extract", not_att, "--oracle", "cat", "--alphabet", "ab"}, "a model and --oracle"},
      {{"extract", not_att, "--dtype", "fp64"}, "--dtype"},
      {{"extract", not_att, "--alphabet", "ab"}, "--alphabet and --each go with --oracle"},
      {{"extract", "--oracle", "cat"}, "--oracle needs --alphabet"},
      {{"extract", "--oracle", "cat", "--alphabet", "aa"}, "--alphabet"},
      {{"extract", "--oracle", "cat", "--alphabet", "ab", "--engine", "torch"}, "--engine goes with a model"},
      {{"languages", "no-such"}, "no entry 'no-such'"},
      {{"languages", "dyck-2", "more"}, "unexpected argument 'more'"},
      {{"demo", "no-such"}, "no entry 'no-such'"},
      {{"demo", "dyck-2", "--regex", "a"}, "unexpected argument 'dyck-2'"},
  };
  for (const Row& row : rows) {
    std::string line = "hindsight";
    for (const auto& argument : row.arguments) line += ' ' + argument;
    CAPTURE(line);
    const auto outcome = hindsight(row.arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CAPTURE(outcome.err, row.message);
    CHECK(outcome.err.substr(0, 9) == "hindsight");
    CHECK(contains(outcome.err, row.message));
  }
}

TEST_CASE("a syntax error shows the line with a caret under the place", "[cli]") {
  const auto outcome = hindsight({"check", "--formula", "P (a)) & b", "a"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, "line 1, column 6"));
  CHECK(contains(outcome.err, "\n  P (a)) & b\n       ^"));
}

TEST_CASE("a limit that is reached ends with status 3 and the number", "[cli]") {
  // The 20th letter from the end needs 2^20 states.
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"automaton", "--regex", "[ab]*a[ab]{19}", "--max-states", "1000"},
        {"automaton", "--formula", "Y^20 a", "--alphabet", "ab", "--max-states", "1000"},
        {"classify", "--formula", "Y^20 a", "--alphabet", "ab", "--max-states", "1000"},
        {"compile", "--formula", "Y^20 a", "--alphabet", "ab", "--max-states", "1000", "-o", "x.safetensors"},
        {"check", "--regex", "[ab]*a[ab]{19}", "--max-states", "1000", "ab"}}) {
    const auto outcome = hindsight(arguments);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "1000"));
  }
}

TEST_CASE("standard output that cannot be written is an error, a closed pipe is a quiet one", "[cli]") {
  const auto closed = shell("\"$H\" check --regex 'a*' a >&-");
  CHECK(closed.status == 2);
  CHECK(contains(closed.err, "standard output"));
  if (std::filesystem::exists("/dev/full")) {
    const auto full = shell("\"$H\" check --regex 'a*' a >/dev/full");
    CHECK(full.status == 2);
    CHECK(contains(full.err, "No space left"));
  }
  const auto pipe =
      shell("yes a | head -n 200000 | { \"$H\" check --regex 'a*' --words -; echo $? >&2; } | head -n 1");
  CHECK(pipe.out == "accept a\n");
  CHECK(pipe.err == "2\n");
}

TEST_CASE("the same command prints the same bytes twice", "[cli]") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"classify", "--regex", "(a(ab)*b)*", "--json"},
                                                    {"classify", "--regex", "(aa|b)*"},
                                                    {"express", "--language", "contains-ab"},
                                                    {"automaton", "--language", "dyck-2", "--to", "dot"},
                                                    {"languages", "--json"}}) {
    CAPTURE(arguments);
    const auto once = hindsight(arguments);
    CHECK(once.out == hindsight(arguments).out);
    CHECK_FALSE(once.out.empty());
  }
}
