#include "automata/json.hpp"

#include "automata/regex.hpp"
#include "tests/automata/error_of.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <nlohmann/json.hpp>

using namespace automata;
using tests::below;

namespace {

const logic::Alphabet ab({"a", "b"});

std::string error(std::string_view text) {
  return tests::error_of(read_json, text);
}

}  // namespace

TEST_CASE("JSON is the table", "[automata][json]") {
  CHECK(to_json({ab, from_regex("(ab)*", ab)}) ==
        R"({"alphabet":["a","b"],"states":3,"initial":0,"accepting":[0],"transitions":[[1,2],[2,0],[2,2]]})");
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const logic::Alphabet names({"\"", "\\", "é"});
    const Dfa dfa = tests::random_dfa(random, 1 + below(random, 30), names.size());
    const auto json = nlohmann::json::parse(to_json({names, dfa}));
    CAPTURE(seed);
    CHECK(json["alphabet"] == names.names());
    CHECK(json["states"] == dfa.states());
    std::vector<State> table;
    for (const auto& row : json["transitions"]) {
      CHECK(row.size() == names.size());
      for (const auto& q : row) table.push_back(q);
    }
    std::vector<bool> accepting(dfa.states(), false);
    for (const auto& q : json["accepting"]) accepting[q.get<State>()] = true;
    CHECK(Dfa(names.size(), json["initial"], table, accepting) == dfa);
  }
}

TEST_CASE("JSON is read, in any order, with gaps and choices", "[automata][json]") {
  const auto same = [](std::string_view text, std::string_view regex) {
    CAPTURE(text);
    const Language language = read_json(text);
    CHECK(language.dfa == from_regex(regex, language.alphabet));
  };
  same(R"({"alphabet":["a","b"],"states":3,"initial":0,"accepting":[0],"transitions":[[1,2],[2,0],[2,2]]})",
       "(ab)*");
  same(R"( { "transitions" : [ [ 1 , null ] , [ null , 0 ] ] , "accepting" : [ 0 ] ,
           "initial" : 0 , "states" : 2 , "alphabet" : [ "a" , "b" ] , "exact" : true } )",
       "(ab)*");
  same(
      R"({"alphabet":["a","b"],"states":2,"initial":[0],"accepting":[1],"transitions":[[[0,1],0],[[],null]]})",
      "(a|b)*a");
  same(R"({"alphabet":["a"],"states":2,"initial":[0,1],"accepting":[1],"transitions":[[0],[null]]})", "()");
  same(R"({"alphabet":["a"],"states":1,"initial":[],"accepting":[0],"transitions":[[0]]})", "∅");
  same(R"({"alphabet":["a"],"states":0,"initial":[],"accepting":[],"transitions":[]})", "∅");
  same(
      R"({"note":{"alphabet":[1],"x":[{"y":[]}]},"alphabet":["a"],"states":1,"initial":0,"accepting":[0,0],"transitions":[[0]]})",
      "a*");
  // The letters keep their order.
  CHECK(read_json(R"({"alphabet":["b","a"],"states":1,"initial":0,"accepting":[],"transitions":[[0,0]]})")
            .alphabet == logic::Alphabet({"b", "a"}));
}

TEST_CASE("JSON that is no automaton is refused with the place", "[automata][json]") {
  const std::string tail = R"("states":1,"initial":0,"accepting":[],"transitions":[[0]]})";
  CHECK(error("") == "1:1 expected JSON, found the end");
  CHECK(error("{\n \"states\": x}") == "2:12 expected JSON, found 'x'");
  CHECK(error("[1]") ==
        "1:1 expected an object with the keys alphabet, states, initial, accepting and transitions, found an "
        "array");
  CHECK(error("{}") == "1:3 the key \"alphabet\" is missing");
  CHECK(error(R"({"alphabet":["a"],"alphabet":["a"]})") == "1:28 the key \"alphabet\" comes twice");
  CHECK(error(R"({"alphabet":["a","a"],)" + tail) == "1:20 the letter 'a' comes twice");
  CHECK(error(R"({"alphabet":["a","\n"],)" + tail) == "1:21 a letter's name has a control character");
  CHECK(error(R"({"alphabet":[""],)" + tail) == "1:15 a letter's name is empty");
  CHECK(error(R"({"alphabet":"a"})") == "1:15 alphabet is a list of strings, not a string");
  CHECK(error(R"({"states":-1})") == "1:12 states is a number, not a negative number");
  CHECK(error(R"({"states":1.5})").find("states is a number, not a number that is not whole") !=
        std::string::npos);
  CHECK(error(R"({"states":4294967296})") == "1:11 a number of at least 2^32");
  CHECK(error(R"({"states":[1]})") == "1:11 states is a number, not an array");
  CHECK(error(R"({"initial":{}})") == "1:12 initial is a state or a list of states, not an object");
  CHECK(error(R"({"accepting":0})") == "1:14 accepting is a list of states, not a number");
  CHECK(error(R"({"alphabet":["a"],"states":1,"initial":0,"accepting":[],"transitions":[[7]]})") ==
        "1:73 state 7 of 1");
  CHECK(error(R"({"alphabet":["a"],"states":1,"initial":12,"accepting":[],"transitions":[[0]]})") ==
        "1:40 state 12 of 1");
  CHECK(error(R"({"alphabet":["a"],"states":2,"initial":0,"accepting":[],"transitions":[[0]]})") ==
        "1:73 transitions has 1 rows for 2 states");
  CHECK(error(R"({"alphabet":["a"],"states":1,"initial":0,"accepting":[],"transitions":[[0,0]]})") ==
        "1:75 row 0 of transitions has 2 entries for 1 letters");
  CHECK(
      error(R"({"alphabet":[],"states":0,"initial":[],"accepting":[],"transitions":[]})").find("no letter") !=
      std::string::npos);
  CHECK(tests::error_of(read_json, R"({"alphabet":["a"],)" + tail, logic::Alphabet({"b"})) ==
        "1:16 'a' is no letter of the alphabet");
}
