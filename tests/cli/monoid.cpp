// monoid, and the classes beside the ladder in classify.
#include "automata/regex.hpp"
#include "program.hpp"
#include "tests/catch.hpp"

#include <map>

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;

TEST_CASE("monoid prints counts and the egg-box picture", "[cli][monoid]") {
  const auto text = hindsight({"monoid", "--regex", "(ab)*"});
  CHECK(text.status == 0);
  CHECK(text.out ==
        "6 elements, 4 idempotents (*); classes: R 4, L 4, J = D 3, H 6\n"
        "\nD1: 1 x 1\n  ε*\n"
        "\nD2: 2 x 2\n  a    ab*\n  ba*  b\n"
        "\nD3: 1 x 1\n  aa*\n");

  const auto document = json::parse(hindsight({"monoid", "--language", "dyck:3", "--json"}).out);
  CHECK(document["elements"] == 31);  // (n+1)(n+2)(2n+3)/6 + 1
  CHECK(document["idempotents"] == 11);
  CHECK(document["r_classes"] == 11);
  CHECK(document["l_classes"] == 11);
  CHECK(document["j_classes"] == 5);
  CHECK(document["h_classes"] == 31);
  CHECK(document["d_classes"].size() == 5);
  CHECK(document["d_classes"][0]["cells"] == json::parse(R"([[[{"word": "", "idempotent": true}]]])"));
  CHECK(hindsight({"monoid", "--language", "dyck:3", "--to", "json"}).out ==
        hindsight({"monoid", "--language", "dyck:3", "--json"}).out);

  const auto svg = hindsight({"monoid", "--regex", "('<' '&')*", "--alphabet", "<,&", "--to", "svg"});
  CAPTURE(svg.err);
  CHECK(svg.status == 0);
  CHECK(svg.out.rfind("<svg xmlns=", 0) == 0);
  CHECK(svg.out.find("&lt;&amp;*") != std::string::npos);
}

TEST_CASE("what monoid refuses", "[cli][monoid]") {
  CHECK(hindsight({"monoid", "--language", "dyck:20", "--max-elements", "100"}).status == 3);
  CHECK(hindsight({"monoid", "--language", "dyck:20", "--to", "svg", "--max-picture", "100"}).status == 3);
  const auto large = hindsight({"monoid", "--language", "dyck:20", "--max-picture", "100"});
  CHECK(large.status == 0);
  CHECK(large.out.find("no picture: 3312 elements are more than 100 (--max-picture)") != std::string::npos);
  CHECK(hindsight({"monoid", "--regex", "a", "--json", "--to", "svg"}).status == 2);
  CHECK(hindsight({"monoid", "--regex", "a", "--to", "png"}).status == 2);
}

TEST_CASE("classify answers for all classes, in the order of the contract", "[cli][classify]") {
  const auto outcome = hindsight({"classify", "--regex", "(a(ab)*b)*", "--json"});
  CHECK(outcome.status == 0);
  const auto document = json::parse(outcome.out);
  std::vector<std::string> names, members;
  for (const auto& entry : document["classes"]) {
    names.push_back(entry["name"]);
    if (entry["member"] == true) members.push_back(entry["name"]);
  }
  CHECK(names == std::vector<std::string>{"LTL[Y]",
                                          "LTL[P]",
                                          "LTL[P,Y]",
                                          "LTL[S]",
                                          "LTL[Y,MOD]",
                                          "LTL[P,MOD]",
                                          "LTL[P,Y,MOD]",
                                          "LTL[S,MOD]",
                                          "reverse-definite",
                                          "generalized-definite",
                                          "finite",
                                          "cofinite",
                                          "locally-testable",
                                          "locally-threshold-testable",
                                          "piecewise-testable",
                                          "L-trivial",
                                          "DA",
                                          "locally-DA",
                                          "locally-J-trivial",
                                          "dot-depth-one",
                                          "group"});
  CHECK(members == std::vector<std::string>{"LTL[S]", "LTL[P,Y,MOD]", "LTL[S,MOD]"});

  // The two words of each class are in and out.
  const auto alphabet = logic::parse_alphabet("ab");
  const auto dfa = automata::from_regex("(a(ab)*b)*", alphabet);
  const auto accepts = [&](const std::string& text) {
    logic::Word word;
    for (const char c : text) word.push_back(static_cast<logic::Letter>(c - 'a'));
    return dfa.accepts(word);
  };
  for (std::size_t i = 8; i < document["classes"].size(); ++i) {
    const auto& witness = document["classes"][i]["witness"];
    CAPTURE(names[i]);
    REQUIRE(witness.is_object());
    if (!witness["in"].is_null()) CHECK(accepts(witness["in"]));
    if (!witness["out"].is_null()) CHECK_FALSE(accepts(witness["out"]));
    CHECK_FALSE((witness["in"].is_null() && witness["out"].is_null()));
  }
}

TEST_CASE("classify --in takes every class, and --depth gives pairs", "[cli][classify]") {
  CHECK(hindsight({"classify", "--regex", "(ab)*", "--in", "locally-testable"}).status == 0);
  CHECK(hindsight({"classify", "--regex", "(ab)*", "--in", "piecewise-testable"}).status == 1);
  CHECK(hindsight({"classify", "--regex", "(ab)*", "--in", "simple"}).status == 2);
  const auto limited = hindsight(
      {"classify", "--regex", "a*ba*", "--in", "locally-threshold-testable", "--max-elements", "1"});
  CHECK(limited.status == 3);
  CHECK(limited.err.find("locally-threshold-testable is undecided") != std::string::npos);

  const auto document = json::parse(
      hindsight({"classify", "--regex", "(ab)*", "--in", "LTL[P]", "--depth", "3", "--json"}).out);
  const auto& pair = document["classes"][0]["witness"]["inseparable"];
  CHECK(pair["depth"] == 3);
  CHECK(pair["checked"] == true);
  CHECK(pair["in"] == "ababab");
  CHECK(hindsight({"classify", "--regex", "(ab)*", "--depth", "0"}).status == 2);
}
