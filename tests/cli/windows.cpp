// separate, windows, and express for the window logics.
#include "program.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;
using tests::Outcome;

namespace {

json json_of(const Outcome& outcome) {
  CAPTURE(outcome.status, outcome.out, outcome.err);
  const json document = json::parse(outcome.out, nullptr, false);
  REQUIRE_FALSE(document.is_discarded());
  return document;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("separate replays the lemma of the paper", "[cli][separate]") {
  const std::vector<std::string> words{"abababa", "ababab"};
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"separate", "--logic", "LTL[P,Y<=2]"});
    options.insert(options.end(), words.begin(), words.end());
    return hindsight(options);
  };
  const auto least = json_of(with({"--json"}));
  CHECK(least["separated"] == true);
  CHECK(least["depth"] == 4);
  CHECK(least["logic"] == "LTL[P,Y<=2]");
  const std::string formula = least["formula"];
  CHECK(hindsight({"check", "--formula", formula, "--alphabet", "ab", words[0]}).status == 0);
  CHECK(hindsight({"check", "--formula", formula, "--alphabet", "ab", words[1]}).status == 1);
  CHECK(with({"--depth", "4"}).status == 0);
  const auto none = with({"--depth", "3", "--types"});
  CHECK(none.status == 1);
  CHECK(contains(none.out, "no formula of LTL[P,Y<=2] with depth at most 3"));
  CHECK(contains(none.out, "\ndepth 3 "));
  CHECK(json_of(with({"--depth", "3", "--json"}))["formula"].is_null());
  CHECK(with({"--max-depth", "3"}).status == 3);
}

TEST_CASE("separate reads words of all kinds", "[cli][separate]") {
  CHECK(hindsight({"separate", "--logic", "LTL[P,MOD(2)]", "open close", "open open close"}).status == 0);
  CHECK(hindsight({"separate", "--logic", "LTL[Y]", "äö", "öä"}).status == 0);
  CHECK(hindsight({"separate", "--logic", "LTL[Y]", "", "a"}).status == 0);
  CHECK(hindsight({"separate", "--logic", "LTL[Y]", "ab", "ab"}).status == 1);
  CHECK(hindsight({"separate", "--logic", "LTL[Y]", "ab", "--", "ab"}).status == 1);
  const std::vector<std::vector<std::string>> bad{{"a", "b"},
                                                  {"--logic", "LTL[S]", "a", "b"},
                                                  {"--logic", "LTL[Y<=0]", "a", "b"},
                                                  {"--logic", "LTL[Y]", "a"},
                                                  {"--logic", "LTL[Y]", "a", "b", "c"},
                                                  {"--logic", "LTL[Y]", "", ""},
                                                  {"--logic", "LTL[Y]", "--alphabet", "a", "a", "b"},
                                                  {"--logic", "LTL[Y]", "--depth", "x", "a", "b"},
                                                  {"--logic", "LTL[Y]", "a", "\xff"}};
  for (auto arguments : bad) {
    arguments.insert(arguments.begin(), "separate");
    CAPTURE(arguments);
    const auto outcome = hindsight(arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_FALSE(outcome.err.empty());
  }
}

TEST_CASE("express in the window logics: yes, no, unknown", "[cli][express]") {
  const auto in = [](const std::string& logic, std::vector<std::string> language) {
    language.insert(language.begin(), {"express", "--logic", logic});
    return hindsight(language);
  };
  const std::vector<std::string> last{"--regex", ".*a", "--alphabet", "ab"};
  const std::vector<std::string> two{"--formula", "Y<=3>=2 a", "--alphabet", "ab"};
  CHECK(in("LTL[Y<=1]", last).status == 0);
  for (const auto* logic : {"LTL[Y<=2]", "LTL[P,Y<=2]", "LTL[P,#Y<=3]", "LTL[Y<=4]"}) {
    const auto answer = in(logic, last);
    CAPTURE(logic);
    CHECK(answer.status == 1);
    CHECK(contains(answer.out, "not in " + std::string(logic)));
    CHECK(contains(answer.out, ")^N"));
  }
  CHECK(in("LTL[P,Y<=3]", two).status == 1);
  const auto yes = in("LTL[#Y<=3]", {"--formula", "Y<=3>=2 a", "--alphabet", "ab", "--json"});
  CHECK(yes.status == 0);
  CHECK(json_of(yes)["formula"] == "Y<=3>=2 a");
  CHECK(json_of(yes)["depth"] == 1);
  CHECK(in("LTL[P,Y<=3,MOD(2)]", two).status == 2);
  CHECK(in("LTL[Y<=3", two).status == 2);
}

TEST_CASE("windows lists the logics, with networks, and draws", "[cli][windows]") {
  const tests::Scratch scratch;
  const std::vector<std::string> three{"windows", "--regex", ".*a.{0,2}", "--alphabet", "ab"};
  auto arguments = three;
  arguments.insert(arguments.end(), {"--json", "--plot", scratch / "plot.svg"});
  const auto document = json_of(hindsight(arguments));
  CHECK(document["alphabet"] == json({"a", "b"}));
  CHECK(document["windows"].size() == 12);
  for (const auto& row : document["windows"]) {
    const std::uint32_t k = row["window"];
    CAPTURE(row.dump());
    CHECK(row["member"] == (k <= 3));
    if (k > 3) {
      CHECK(row["pair"]["replay"].size() == 4);
      for (const auto& replay : row["pair"]["replay"]) {
        const std::string depth = std::to_string(replay["depth"].get<int>());
        const std::string logic = row["name"];
        CHECK(hindsight({"separate", "--logic", logic, "--depth", depth, replay["in"].get<std::string>(),
                         replay["out"].get<std::string>()})
                  .status == 1);
      }
      continue;
    }
    CHECK(row["depth"] == (3 + k - 1) / k);
    CHECK(row["network"]["layers"] >= row["depth"]);
    CHECK(hindsight({"equivalent", "--formula", row["formula"].get<std::string>(), "--alphabet", "ab", "--",
                     "--regex", ".*a.{0,2}"})
              .status == 0);
  }
  const auto svg = tests::contents(scratch / "plot.svg");
  CHECK(contains(svg, "<svg "));
  CHECK(contains(svg, "LTL[P,Y&lt;=k]"));
  CHECK(contains(svg, "</svg>"));
  const auto text = hindsight(three);
  CHECK(text.status == 0);
  CHECK(contains(text.out, "Y<=3 a"));
  CHECK(text.out == hindsight(three).out);
  CHECK(hindsight({"windows"}).status == 2);
  CHECK(hindsight({"windows", "--regex", "a", "--max-window", "0"}).status == 2);
}
