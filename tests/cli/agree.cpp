// agree: a model against a language, proved, tried and sampled.
#include "program.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;

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

}  // namespace

TEST_CASE("a compiled model agrees with its language, with a proof and without", "[cli][agree]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  for (const bool exact : {true, false}) {
    std::vector<std::string> arguments{"agree",        file, "--regex",   "(ab)*", "--json",
                                       "--max-length", "8",  "--longest", "40"};
    if (!exact) arguments.push_back("--no-exact");
    const auto outcome = hindsight(arguments);
    CHECK(outcome.status == 0);
    const json document = json_of(outcome);
    CHECK(document.at("agrees") == true);
    CHECK(document.at("exact") == exact);
    CHECK(document.at("counterexample").is_null());
    CHECK(document.at("perfect_length") == 40);
    const json& lengths = document.at("accuracy");
    REQUIRE(lengths.size() == 41);
    CHECK(lengths[8].at("exhaustive") == true);
    CHECK(lengths[8].at("words") == 256);
    CHECK(lengths[8].at("interval").is_null());
    CHECK(lengths[9].at("exhaustive") == false);
    CHECK(lengths[9].at("words") == 100);
    CHECK(lengths[9].at("accuracy") == 1.0);
    CHECK(lengths[9].at("interval")[1] == 1.0);
    CHECK(hindsight(arguments).out == outcome.out);
  }
  CHECK(contains(hindsight({"agree", file, "--regex", "(ab)*"}).out, "proved equal for every length"));
  CHECK(contains(hindsight({"agree", file, "--regex", "(ab)*", "--no-exact"}).out, "no difference found"));
  const auto limited = hindsight({"agree", file, "--regex", "(ab)*", "--max-states", "10", "--json"});
  CHECK(limited.status == 0);
  CHECK(contains(limited.err, "only answers are compared"));
  CHECK(json_of(limited).at("exact") == false);
}

TEST_CASE("a difference is the least one, or a drawn one made shorter", "[cli][agree]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  // They differ at abababababab and what begins with it.
  const std::vector<std::string> language{"--regex", "(ab){0,5}"};
  const auto agree = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"agree", file, "--json"};
    arguments.insert(arguments.end(), language.begin(), language.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto outcome = hindsight(arguments);
    CHECK(outcome.status == 1);
    return json_of(outcome);
  };
  for (const auto& more : {std::vector<std::string>{"--max-length", "3", "--longest", "3"},
                           {"--no-exact", "--max-length", "13"},
                           {"--no-exact", "--max-length", "3"}}) {
    CAPTURE(more);
    const json document = agree(more);
    CHECK(document.at("agrees") == false);
    CHECK(document.at("counterexample") == "abababababab");
    CHECK(document.at("accepted_by") == "model");
  }
  const json document = agree({"--no-exact", "--max-length", "13", "--longest", "13"});
  CHECK(document.at("perfect_length") == 11);
  CHECK(document.at("accuracy")[12].at("right") == 4095);
  CHECK(document.at("accuracy")[13].at("right") == 8192);
  CHECK(
      contains(hindsight({"agree", file, "--regex", "(ab){0,5}", "--max-length", "12"}).out,
               "different: abababababab, of 12 letters, is accepted by the model alone; no shorter word is"));
}

TEST_CASE("a model's max_length bounds what is asked", "[cli][agree]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--formula", "P a", "--alphabet", "ab", "--max-length", "20", "-o", file,
                     "--no-check"})
              .status == 0);
  const json document =
      json_of(hindsight({"agree", file, "--formula", "P a", "--json", "--max-length", "6"}));
  CHECK(document.at("agrees") == true);
  CHECK(document.at("longest_word") == 20);
  CHECK(document.at("accuracy").size() == 21);
  CHECK(contains(hindsight({"agree", file, "--formula", "P a"}).out, "words of up to 20 letters"));
  CHECK(hindsight({"agree", file, "--formula", "P c"}).status == 2);
  CHECK(hindsight({"agree", file, "--formula", "P a", "--alphabet", "abc"}).status == 2);
}
