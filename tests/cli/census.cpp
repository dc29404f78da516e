// census: the counts and the differences, as text and as JSON.
#include "automata/ladder.hpp"
#include "program.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using tests::hindsight;

namespace {

automata::Dfa dfa_of(const nlohmann::json& json) {
  std::vector<automata::State> next;
  for (const auto& row : json["transitions"])
    for (const auto& q : row) next.push_back(q);
  std::vector<bool> accepting(json["states"].get<std::size_t>());
  for (const std::size_t q : json["accepting"]) accepting[q] = true;
  return automata::Dfa(static_cast<automata::Letter>(json["alphabet"].size()), json["initial"], next,
                       accepting);
}

}  // namespace

TEST_CASE("census counts languages by class", "[cli][census]") {
  const auto outcome = hindsight({"census", "--states", "2", "--letters", "2", "--json"});
  REQUIRE(outcome.status == 0);
  const auto document = nlohmann::json::parse(outcome.out);
  REQUIRE(document["states"].size() == 2);
  CHECK(document["states"][0]["languages"] == 2);
  CHECK(document["states"][1]["languages"] == 14);
  CHECK(document["states"][1]["members"]["LTL[Y]"] == 4);
  CHECK(document["states"][1]["members"]["group"] == 4);
  for (const auto& difference : document["differences"]) {
    const auto inside = automata::logic_of_name(difference["in"].get<std::string>());
    const auto outside = automata::logic_of_name(difference["not_in"].get<std::string>());
    if (!inside || !outside) continue;
    CAPTURE(difference.dump());
    const automata::Dfa dfa = dfa_of(difference["automaton"]);
    CHECK(automata::decide(dfa, *inside).member == true);
    CHECK(automata::decide(dfa, *outside).member == false);
  }
  const auto text = hindsight({"census", "--states", "2"});
  CHECK(text.status == 0);
  CHECK(text.out.find("Y b") != std::string::npos);
  CHECK(text.out == hindsight({"census", "--states", "2"}).out);
  CHECK(hindsight({"census", "--states", "0"}).status == 2);
  CHECK(hindsight({"census", "--states", "17"}).status == 2);
  CHECK(hindsight({"census", "more"}).status == 2);
}
