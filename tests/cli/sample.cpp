#include "program.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

/// The number of places where two words of one length differ.
std::size_t distance(const std::string& x, const std::string& y) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i] ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("sample draws words of the language and of its complement", "[cli][sample]") {
  for (const char* name : {"dyck-2", "rdp-1", "ends-ab"}) {
    for (const bool outside : {false, true}) {
      for (const char* kind : {"uniform", "near-miss", "periodic"}) {
        CAPTURE(name, outside, kind);
        std::vector<std::string> call{"sample",  "--language", name,     "--length", "20",
                                      "--count", "30",         "--kind", kind};
        if (outside) call.emplace_back("--outside");
        const auto outcome = hindsight(call);
        CHECK(outcome.status == 0);
        CHECK(lines(outcome.out).size() == 30);
        for (const auto& word : lines(outcome.out)) CHECK(word.size() == 20);
        const auto check = hindsight({"check", "--language", name, "--words", "-"}, outcome.out);
        CHECK(check.out.find(outside ? "accept" : "reject") == std::string::npos);
        CHECK(hindsight(call).out == outcome.out);
        call.insert(call.end(), {"--seed", "2"});
        CHECK(hindsight(call).out != outcome.out);
      }
    }
  }
  // The first words of a longer list.
  const auto ten = hindsight({"sample", "--language", "dyck-2", "--length", "40"});
  const auto twenty = hindsight({"sample", "--language", "dyck-2", "--length", "40", "--count", "20"});
  CHECK(lines(ten.out).size() == 10);
  CHECK(twenty.out.starts_with(ten.out));
}

TEST_CASE("sample: near misses name their base and edit", "[cli][sample]") {
  const auto outcome = hindsight(
      {"sample", "--language", "dyck-2", "--length", "12", "--kind", "near-miss", "--outside", "--json"});
  CHECK(outcome.status == 0);
  for (const auto& line : lines(outcome.out)) {
    const json miss = json::parse(line);
    const std::string word = miss.at("word");
    const std::string base = miss.at("base");
    CAPTURE(word, base);
    REQUIRE(word.size() == base.size());
    CHECK(distance(word, base) == 1);
    CHECK(miss.at("edit") == "substitution");
    CHECK(word.substr(miss.at("position").get<std::size_t>(), 1) == miss.at("letter"));
    CHECK(hindsight({"check", "--language", "dyck-2", base}).status == 0);
    CHECK(hindsight({"check", "--language", "dyck-2", word}).status == 1);
  }
  const auto deletions = hindsight({"sample", "--language", "dyck-2", "--length", "11", "--kind", "near-miss",
                                    "--outside", "--edits", "deletion", "--json"});
  CHECK(deletions.status == 0);
  for (const auto& line : lines(deletions.out)) {
    CHECK(json::parse(line).at("base").get<std::string>().size() == 12);
    CHECK_FALSE(json::parse(line).contains("letter"));
  }
}

TEST_CASE("sample: factors, periods, boundaries and totals", "[cli][sample]") {
  for (const auto& word : lines(
           hindsight({"sample", "--language", "contains-ab", "--length", "30", "--exactly-one", "ab"}).out)) {
    const auto at = word.find("ab");
    REQUIRE(at != std::string::npos);
    CHECK(word.find("ab", at + 1) == std::string::npos);
  }
  CHECK(hindsight({"sample", "--language", "ends-a", "--length", "7", "--kind", "periodic", "--period", "abb",
                   "--suffix", "a"})
            .out == "a\nabba\nabbabba\n");
  CHECK(hindsight({"sample", "--language", "ends-a", "--kind", "boundary"}).out == "a\naa\n");
  CHECK(hindsight({"sample", "--language", "dyck-2", "--length", "500", "--total"}).out ==
        "904625697166532776746648320380374280103671755200316906558262375061821325312\n");
  CHECK(hindsight({"sample", "--language", "dyck-2", "--length", "500", "--total", "--json"}).out ==
        "{\"total\":\"904625697166532776746648320380374280103671755200316906558262375061821325312\"}\n");
  CHECK(hindsight({"sample", "--language", "dyck-2", "--length", "0", "--count", "1"}).out == "ε\n");
  CHECK(hindsight({"sample", "--language", "dyck-2", "--length", "0", "--count", "1", "--json"}).out ==
        "{\"word\":\"\"}\n");
}

TEST_CASE("sample: what there is not, and what is wrong", "[cli][sample]") {
  const auto none = hindsight({"sample", "--language", "dyck-2", "--length", "5"});
  CHECK(none.status == 1);
  CHECK(none.out.empty());
  CHECK(none.err.find("no such word of length 5 is in the language") != std::string::npos);
  CHECK(hindsight({"sample", "--language", "all", "--length", "5", "--kind", "near-miss"}).status == 1);
  CHECK(hindsight({"sample", "--language", "all", "--kind", "boundary", "--outside"}).status == 1);
  CHECK(hindsight({"sample", "--language", "dyck-2", "--length", "5", "--total"}).out == "0\n");
  CHECK(hindsight({"sample", "--language", "dyck:1000", "--length", "100000"}).status == 3);
  for (const std::vector<std::string>& rest :
       std::vector<std::vector<std::string>>{{},
                                             {"--length", "x"},
                                             {"--length", "4", "word"},
                                             {"--length", "4", "--kind", "other"},
                                             {"--length", "4", "--edits", "any"},
                                             {"--length", "4", "--max-period", "3"},
                                             {"--length", "4", "--kind", "boundary"},
                                             {"--length", "4", "--kind", "periodic", "--suffix", "a"},
                                             {"--length", "4", "--kind", "periodic", "--period", ""},
                                             {"--length", "4", "--kind", "periodic", "--period", "c"},
                                             {"--length", "4", "--kind", "near-miss", "--exactly-one", "a"},
                                             {"--length", "4", "--exactly-one", "''"},
                                             {"--length", "4", "--total", "--count", "3"}}) {
    std::vector<std::string> call{"sample", "--language", "dyck-2"};
    call.insert(call.end(), rest.begin(), rest.end());
    CAPTURE(call);
    CHECK(hindsight(call).status == 2);
  }
}
