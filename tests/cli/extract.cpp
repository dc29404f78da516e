// extract: automata of models and programs.
#include "program.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;
using tests::shell;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json json_of(const tests::Outcome& outcome) {
  CAPTURE(outcome.status, outcome.out, outcome.err);
  const json document = json::parse(outcome.out, nullptr, false);
  REQUIRE_FALSE(document.is_discarded());
  return document;
}

/// The keys of `automaton`.
json automaton_of(const json& document) {
  json automaton;
  for (const char* key : {"alphabet", "states", "initial", "accepting", "transitions"})
    automaton[key] = document.at(key);
  return automaton;
}

}  // namespace

TEST_CASE("a compiled model gives its formula's automaton, computed or learned", "[cli][extract]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  for (const char* formula : {"P(a & !P true)", "Y(b & Y a)", "P(b & Y a)"}) {
    CAPTURE(formula);
    REQUIRE(
        hindsight({"compile", "--formula", formula, "--alphabet", "ab", "-o", file, "--no-check"}).status ==
        0);
    const json wanted = json_of(hindsight({"automaton", "--formula", formula, "--alphabet", "ab", "--json"}));
    const json exact = json_of(hindsight({"extract", file, "--json"}));
    CHECK(automaton_of(exact) == wanted);
    CHECK(exact.at("exact") == true);
    CHECK(exact.at("learned").is_null());
    const json learned = json_of(hindsight({"extract", file, "--no-exact", "--json"}));
    CHECK(automaton_of(learned) == wanted);
    CHECK(learned.at("exact") == false);
    CHECK(learned.at("learned").at("complete") == true);
    CHECK(learned.at("learned").at("exhaustive_length") == 12);
    CHECK(learned.at("learned").at("exact_up_to_states") == wanted.at("states").get<int>() + 2);
  }
  CHECK(hindsight({"extract", file, "--to", "dot"}).out == hindsight({"decompile", file, "--to", "dot"}).out);
  CHECK(contains(hindsight({"extract", file}).out, "exact, for words of every length"));
  const auto limited = hindsight({"extract", file, "--max-states", "10", "--json"});
  CHECK(limited.status == 0);
  CHECK(contains(limited.err, "learned from answers instead"));
  CHECK(json_of(limited).at("exact") == false);
}

TEST_CASE("a program is an oracle", "[cli][extract]") {
  const std::string commands[] = {
      "\"$H\" extract --oracle \"'$H' check --regex '(ab)*' --words -\" --alphabet ab --each --json",
      "\"$H\" extract --alphabet a,bb --json --oracle '"
      "while IFS= read -r w; do case \"$w\" in *bb) echo accept;; *) echo reject;; esac; done'"};
  const json states[] = {3, 2};
  for (int i = 0; i < 2; ++i) {
    CAPTURE(commands[i]);
    const json document = json_of(shell(commands[i] + " --exhaustive-words 100 --random-words 50"));
    CHECK(document.at("states") == states[i]);
    CHECK(document.at("learned").at("complete") == true);
  }
  // What was learned is a language for the other commands.
  const auto piped = shell(
      "\"$H\" extract --oracle \"'$H' check --regex '[ab]*a' --words -\" --alphabet ab --each --json"
      " | \"$H\" equivalent --dfa - --format json -- --regex '[ab]*a'");
  CHECK(piped.status == 0);
}

TEST_CASE("an oracle that answers nonsense, too little or too much is refused", "[cli][extract]") {
  struct Row {
    std::string command;
    std::string message;
  };
  const Row rows[] = {
      {"no-such-program-here 2>/dev/null", "0 answers for 1 words: it ended with exit status 127"},
      {"cat", "is '' and not accept or reject"},
      {"while read w; do echo accept b; done", "is 'accept b' and not accept or reject"},
      {"while read w; do echo accepted; done", "'accepted'"},
      {"true", "0 answers for 1 words: it ended"},
      {"echo accept", "answers for"},
      {"yes accept", "more than "},
      {"while read w; do echo accept; echo accept; done", "more than "},
      {"kill -9 $$", "signal 9"},
      {"exec >&-; sleep 5", "it closed its output"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.command);
    const auto outcome = hindsight({"extract", "--oracle", row.command, "--alphabet", "ab"});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CAPTURE(outcome.err);
    CHECK(contains(outcome.err, "--oracle: "));
    CHECK(contains(outcome.err, row.message));
  }
  const Row each[] = {{"while read w; do echo accept; done; exit 3", "exit status 3"},
                      {"while read w; do echo accept; echo accept; done", "more than "},
                      {"echo accept", "1 answers for 2 words"}};
  for (const Row& row : each) {
    CAPTURE(row.command);
    const auto outcome = hindsight({"extract", "--oracle", row.command, "--alphabet", "ab", "--each"});
    CHECK(outcome.status == 2);
    CAPTURE(outcome.err);
    CHECK(contains(outcome.err, row.message));
  }
}

TEST_CASE("limits end an extraction with status 3 and what there is", "[cli][extract]") {
  // As many a as b: not regular.
  const std::string balanced =
      "awk '{ a = gsub(/a/, \"\"); b = gsub(/b/, \"\"); print a == b ? \"accept\" : \"reject\" }'";
  const auto outcome = hindsight(
      {"extract", "--oracle", balanced, "--each", "--alphabet", "ab", "--max-queries", "300", "--json"});
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.err, "300 words asked"));
  const json document = json_of(outcome);
  CHECK(document.at("learned").at("complete") == false);
  CHECK(document.at("learned").at("queries") == 300);
  const auto silent =
      hindsight({"extract", "--oracle", "sleep 9", "--alphabet", "ab", "--oracle-seconds", "1"});
  CHECK(silent.status == 3);
  CHECK(contains(silent.err, "nothing more in 1 s"));
}
