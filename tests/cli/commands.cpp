// What each command answers, against the rows of the command-line contract.
#include "automata/regex.hpp"
#include "program.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::hindsight;
using tests::shell;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> operator+(std::vector<std::string> x, const std::vector<std::string>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

json json_of(const tests::Outcome& outcome) {
  CAPTURE(outcome.status, outcome.out, outcome.err);
  const json document = json::parse(outcome.out, nullptr, false);
  REQUIRE_FALSE(document.is_discarded());
  return document;
}

/// The classes of a classify document by name.
std::map<std::string, json> classes_of(const json& document) {
  std::map<std::string, json> classes;
  for (const auto& entry : document.at("classes")) classes[entry.at("name")] = entry;
  return classes;
}

}  // namespace

TEST_CASE("check answers word by word, and its status says whether all are in", "[cli][check]") {
  const auto some = hindsight({"check", "--regex", "(ab)*", "abab", "aba", ""});
  CHECK(some.status == 1);
  CHECK(some.out == "accept abab\nreject aba\naccept ε\n");
  CHECK(some.err.empty());
  CHECK(hindsight({"check", "--regex", "(ab)*", "abab", "ε", "''"}).status == 0);
  CHECK(hindsight({"check", "--regex", "(ab)*", "--json", "aba", ""}).out ==
        "{\"word\":\"aba\",\"accepted\":false}\n{\"word\":\"\",\"accepted\":true}\n");
}

TEST_CASE("the same language in every form", "[cli][check]") {
  const tests::Scratch scratch;
  const std::string att = "0 1 a\n1 1 a\n1 0 b\n0 0 b\n1\n";  // ends in a
  const auto file = scratch.write("ends.att", att);
  const std::vector<std::string> words{"a", "ba", "ab", "", "abba"};
  const std::string expected = "accept a\naccept ba\nreject ab\nreject ε\naccept abba\n";
  for (const std::vector<std::string>& language : {std::vector<std::string>{"--regex", "[ab]*a"},
                                                   {"--regex", ".*a", "--alphabet", "ab"},
                                                   {"--formula", "Y a", "--alphabet", "ab"},
                                                   {"--language", "ends-a", "--alphabet", "ab"},
                                                   {"--dfa", file}}) {
    CAPTURE(language);
    CHECK(hindsight(std::vector<std::string>{"check"} + language + words).out == expected);
  }
  const auto piped = hindsight(std::vector<std::string>{"check", "--dfa", "-"} + words, att);
  CHECK(piped.out == expected);
}

TEST_CASE("expressions and formulas in files may be longer than an argument of a process", "[cli][check]") {
  const tests::Scratch scratch;
  std::string formula = "Y a", regex = "(a|b)*a";
  for (int i = 0; i < 40'000; ++i) {  // 40,000 lines, 240 kB
    formula += "\n& Y a";
    regex += "\n&.*a ";
  }
  for (const auto& [option, text] : {std::pair{"--formula-file", formula}, {"--regex-file", regex}}) {
    const auto file = scratch.write("text", text);
    CAPTURE(option);
    const std::vector<std::string> rest{"--alphabet", "ab", "ba", "ab"};
    for (const std::string& from : {file, std::string("-")}) {
      const auto outcome = hindsight(std::vector<std::string>{"check", option, from} + rest, text);
      CHECK(outcome.out == "accept ba\nreject ab\n");
      CHECK(outcome.err.empty());
    }
    const auto bad = scratch.write("bad", "Y a\n& (\n");
    const auto outcome = hindsight(std::vector<std::string>{"check", option, bad} + rest);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, option + (" " + bad) + ": line "));
  }
}

TEST_CASE("a larger alphabet rejects the additional letters of automata", "[cli][check]") {
  const auto outcome =
      hindsight({"check", "--language", "alternating", "--alphabet", "cba", "ab", "abc", "cab"});
  CHECK(outcome.out == "accept ab\nreject abc\nreject cab\n");
}

TEST_CASE("words from files and standard input, and words that look like options", "[cli][check]") {
  const tests::Scratch scratch;
  const auto file = scratch.write("words", "ab\r\n\naba");
  CHECK(hindsight({"check", "--regex", "(ab)*", "--words", file, "b"}).out ==
        "reject b\naccept ab\naccept ε\nreject aba\n");
  CHECK(hindsight({"check", "--regex", "(ab)*", "--words", "-"}, "ab\n").out == "accept ab\n");
  const auto none = hindsight({"check", "--regex", "(ab)*", "--words", "-"});
  CHECK(none.status == 0);
  CHECK(none.out.empty());
  CHECK(hindsight({"check", "--regex", "('-'|a)*", "--alphabet", "a-", "--", "-a-", "--a", "--"}).out ==
        "accept -a-\naccept --a\naccept --\n");
  CHECK(hindsight({"check", "--regex", "('['|']')*", "--alphabet", "[]", "[]", "[[", "]"}).out ==
        "accept []\naccept [[\naccept ]\n");
  CHECK(hindsight({"check", "--regex", "'open' 'close'", "--alphabet", "open,close", "open close", "close"})
            .out == "accept open close\nreject close\n");
  CHECK(hindsight({"check", "--regex", "(run)*", "run", "check"}).err.find("word 2 'check', character 1") !=
        std::string::npos);
}

TEST_CASE("a letter outside the alphabet is named with its place; earlier answers stay", "[cli][check]") {
  const auto word = hindsight({"check", "--regex", "(ab)*", "ab", "abxb", "b"});
  CHECK(word.status == 2);
  CHECK(word.out == "accept ab\n");
  CHECK(contains(word.err, "word 2 'abxb', character 3"));
  const auto line = hindsight({"check", "--regex", "(ab)*", "--words", "-"}, "ab\nb\nax\n");
  CHECK(line.status == 2);
  CHECK(line.out == "accept ab\nreject b\n");
  CHECK(contains(line.err, "standard input, line 3, character 2"));
  const std::string zero("a\0b\n", 4);
  CHECK(hindsight({"check", "--regex", "(ab)*", "--words", "-"}, zero).status == 2);
}

TEST_CASE("check --trace shows every subformula at every position", "[cli][check]") {
  const auto text = hindsight({"check", "--formula", "Y(b & Y a)", "--trace", "aab"});
  CHECK(text.status == 0);
  CHECK(contains(text.out, "accept aab\n"));
  CHECK(contains(text.out, "  Y a        . 1 1 .\n"));
  const json trace =
      json_of(hindsight({"check", "--formula", "P a", "--trace", "--json", "ba", "--alphabet", "ab"}));
  CHECK(trace.at("word") == "ba");
  CHECK(trace.at("accepted") == true);
  CHECK(trace.at("trace") == json::parse(R"([{"formula": "a", "truth": [false, true, false]},
                                             {"formula": "P a", "truth": [false, false, true]}])"));
}

TEST_CASE("a word of ten million letters", "[cli][check]") {
  const std::string word_of_a = "head -c 10000000 /dev/zero | tr '\\0' a | ";
  CHECK(shell(word_of_a + "\"$H\" check --regex '(aa)*' --words - | head -c 12").out == "accept aaaaa");
  CHECK(shell(word_of_a + "\"$H\" check --formula 'P b | Y a' --words - | head -c 12").out == "accept aaaaa");
}

TEST_CASE("automaton prints the minimal complete automaton in every format", "[cli][automaton]") {
  const json dfa = json_of(hindsight({"automaton", "--regex", "(ab)*", "--json"}));
  CHECK(dfa.at("alphabet") == json::parse(R"(["a", "b"])"));
  CHECK(dfa.at("states") == 3);
  CHECK(dfa.at("initial") == 0);
  CHECK(dfa.at("accepting") == json::parse("[0]"));
  CHECK(dfa.at("transitions") == json::parse("[[1, 2], [2, 0], [2, 2]]"));
  CHECK(hindsight({"automaton", "--regex", "(ab)*", "--to", "json"}).out ==
        hindsight({"automaton", "--regex", "(ab)*", "--json"}).out);
  CHECK(contains(hindsight({"automaton", "--regex", "(ab)*", "--to", "dot"}).out, "digraph"));
  CHECK(hindsight({"automaton", "--regex", "(ab)*"}).out ==
        "state  a  b\n0      1  2  initial accepting\n1      2  0\n2      2  2\n");
  // What is written as AT&T text is read back as the same automaton.
  const auto att = hindsight({"automaton", "--language", "dyck-2", "--to", "att"});
  CHECK(hindsight({"automaton", "--dfa", "-", "--json"}, att.out).out ==
        hindsight({"automaton", "--language", "dyck-2", "--json"}).out);
}

TEST_CASE("classify puts the eight languages where the theory does", "[cli][classify]") {
  // The logics of THEORY 9: the smallest class without MOD, and whether MOD brings it into LTL[P,Y,MOD].
  struct Row {
    const char* language;
    bool y, p, py, s, py_mod;
  };
  const Row rows[] = {
      {"ends-a", true, false, true, true, true},       {"ends-ab", true, false, true, true, true},
      {"starts-a", false, true, true, true, true},     {"a-before-b", false, true, true, true, true},
      {"alternating", false, false, true, true, true}, {"contains-ab", false, false, true, true, true},
      {"rdp-1", false, false, false, true, false},     {"dyck-2", false, false, false, true, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.language);
    auto classes = classes_of(json_of(hindsight({"classify", "--language", row.language, "--json"})));
    CHECK(classes["LTL[Y]"]["member"] == row.y);
    CHECK(classes["LTL[P]"]["member"] == row.p);
    CHECK(classes["LTL[P,Y]"]["member"] == row.py);
    CHECK(classes["LTL[S]"]["member"] == row.s);
    CHECK(classes["LTL[P,Y,MOD]"]["member"] == row.py_mod);
    CHECK(classes["LTL[S,MOD]"]["member"] == true);
  }
  // Over two letters, "contains ab" is smaller than over three.
  CHECK(hindsight({"classify", "--regex", ".*ab.*", "--in", "LTL[P]"}).status == 0);
  CHECK(hindsight({"classify", "--regex", ".*ab.*", "--alphabet", "abc", "--in", "LTL[P]"}).status == 1);
}

TEST_CASE("the keys and sizes of classify", "[cli][classify]") {
  const json document = json_of(hindsight({"classify", "--regex", "(a(ab)*b)*", "--json"}));
  CHECK(document.at("alphabet") == json::parse(R"(["a", "b"])"));
  CHECK(document.at("states") == 4);
  CHECK(document.at("semigroup").is_number());
  CHECK(document.at("monoid").is_number());
  CHECK(document.at("stability_index").is_number());
  REQUIRE(document.at("classes").size() == 21);
  for (const auto& entry : document.at("classes")) {
    CAPTURE(entry.dump());
    CHECK(entry.at("name").is_string());
    CHECK(entry.at("note").is_string());
    CHECK(entry.at("witness").is_null() == (entry.at("member") == true));
  }
  // (ab)* has the maps of a, b, ab, ba and the zero; no non-empty word is the identity.
  const json small = json_of(hindsight({"classify", "--regex", "(ab)*", "--json"}));
  CHECK(small.at("semigroup") == 5);
  CHECK(small.at("monoid") == 6);
  CHECK(small.at("stability_index") == 2);
}

TEST_CASE("every no can be replayed with check", "[cli][classify]") {
  for (const std::string regex : {"(a(ab)*b)*", "(ab)*", "[ab]*a", "a[ab]*", "(aa)*", "([ab]{3})*a",
                                  "(b*ab*ab*)*", "(aa|bb)*", "a*b", "(a|ba)*"}) {
    const json document = json_of(hindsight({"classify", "--regex", regex, "--alphabet", "ab", "--json"}));
    for (const auto& entry : document.at("classes")) {
      if (entry.at("member") != false) continue;
      CAPTURE(regex, entry.dump());
      const auto& replay = entry.at("witness").at("replay");
      const bool on_ladder = entry.at("name").get<std::string>().rfind("LTL", 0) == 0;
      REQUIRE((on_ladder ? replay.size() == 6 : replay.size() >= 2));
      std::vector<std::string> arguments{"check", "--json", "--regex", regex, "--alphabet", "ab", "--"};
      std::string expected;
      for (std::size_t i = 0; on_ladder && i < replay.size(); i += 2) {
        CHECK(replay[i].at("accepted") != replay[i + 1].at("accepted"));
        const std::string name = entry.at("name");
        if (name.find("MOD") != std::string::npos)  // no counter tells them apart
          CHECK(replay[i].at("word").get<std::string>().size() ==
                replay[i + 1].at("word").get<std::string>().size());
      }
      for (const auto& pair : replay) {
        arguments.push_back(pair.at("word"));
        expected +=
            "{\"word\":" + pair.at("word").dump() + ",\"accepted\":" + pair.at("accepted").dump() + "}\n";
      }
      CHECK(hindsight(arguments).out == expected);
    }
  }
}

TEST_CASE("an automaton of fifty states with a huge monoid: honest nulls and status 3", "[cli][classify]") {
  // Up, down, and a random map that keeps the order: aperiodic, but nothing small shows it.
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    constexpr std::uint32_t n = 50;
    std::vector<std::uint32_t> third;
    for (std::uint32_t q = 0; q < n; ++q) third.push_back(tests::below(random, n));
    std::sort(third.begin(), third.end());
    json automaton{{"alphabet", {"a", "b", "c"}}, {"states", n}, {"initial", 0}, {"accepting", {0}}};
    for (std::uint32_t q = 0; q < n; ++q)
      automaton["transitions"].push_back({std::min(q + 1, n - 1), q == 0 ? 0 : q - 1, third[q]});
    const std::vector<std::string> command{"classify", "--dfa",          "-",   "--format",
                                           "json",     "--max-elements", "5000"};
    const auto outcome = hindsight(command + std::vector<std::string>{"--json"}, automaton.dump());
    CHECK(outcome.status == 3);
    CHECK(contains(outcome.err, "hindsight classify: LTL[S] is undecided: "));
    CHECK(contains(outcome.err, "5000"));
    const json document = json_of(outcome);
    CHECK(document.at("states") == n);
    for (const char* key : {"monoid", "semigroup", "stability_index"}) CHECK(document.at(key).is_null());
    std::set<std::string> undecided;
    for (const auto& [name, entry] : classes_of(document)) {
      CAPTURE(name, entry.dump());
      if (!entry.at("member").is_null()) continue;
      undecided.insert(name);
      CHECK(entry.at("witness").is_null());
      CHECK(contains(entry.at("note"), "5000"));
    }
    CHECK(undecided == std::set<std::string>{"LTL[S]", "LTL[S,MOD]"});
    const auto text = hindsight(command, automaton.dump());
    CHECK(text.status == 3);
    CHECK(contains(text.out, "unknown"));
    CHECK(hindsight(command + std::vector<std::string>{"--in", "LTL[P,Y]"}, automaton.dump()).status == 1);
    CHECK(hindsight(command + std::vector<std::string>{"--in", "LTL[S]"}, automaton.dump()).status == 3);
  }
}

TEST_CASE("classify --in asks for one class", "[cli][classify]") {
  CHECK(hindsight({"classify", "--regex", "(ab)*", "--in", "LTL[P,Y]"}).status == 0);
  const auto no = hindsight({"classify", "--regex", "(ab)*", "--in", "LTL[Y]"});
  CHECK(no.status == 1);
  CHECK(contains(no.out, "LTL[Y]"));
  CHECK_FALSE(contains(no.out, "LTL[P]"));
  const json one = json_of(hindsight({"classify", "--regex", "(ab)*", "--in", "LTL[S]", "--json"}));
  REQUIRE(one.at("classes").size() == 1);
  CHECK(one.at("classes")[0].at("member") == true);
}

TEST_CASE("a semigroup that is too large leaves what needs it unknown", "[cli][classify]") {
  // Of dot-depth one and not locally testable, so that the locally threshold testable need the semigroup.
  const std::vector<std::string> language{"classify", "--regex", "a*ba*", "--max-elements", "1", "--json"};
  const auto outcome = hindsight(language);
  CHECK(outcome.status == 3);
  CHECK(contains(outcome.err, "more than 1 elements"));
  const json document = json_of(outcome);
  CHECK(document.at("semigroup").is_null());
  CHECK(document.at("monoid").is_null());
  auto classes = classes_of(document);
  CHECK(classes["locally-threshold-testable"]["member"].is_null());
  CHECK(classes["locally-threshold-testable"]["witness"].is_null());
  CHECK(classes["LTL[S]"]["member"] == true);
  CHECK(classes["LTL[Y]"]["member"] == false);
  CHECK(hindsight(language + std::vector<std::string>{"--in", "locally-threshold-testable"}).status == 3);
  CHECK(hindsight(language + std::vector<std::string>{"--in", "LTL[Y]"}).status == 1);
}

TEST_CASE("human text fits a hundred columns", "[cli]") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"classify", "--language", "rdp-1"},
        {"classify", "--regex", "(a(ab)*b)*"},
        {"classify", "--regex", "([ab]{7})*a"},
        {"languages"},
        {"languages", "dyck-2"},
        {"--help"}}) {
    const auto outcome = hindsight(arguments);
    std::size_t width = 0;
    for (const char c : outcome.out) {
      if (c == '\n') width = 0;
      if (c != '\n' && (static_cast<unsigned char>(c) & 0xC0u) != 0x80u) ++width;
      CAPTURE(arguments, outcome.out);
      if (width > 100) FAIL("a line is too long");
    }
  }
}

TEST_CASE("equivalent finds the shortest word that tells two languages apart", "[cli][equivalent]") {
  const auto equal = hindsight({"equivalent", "--regex", "[ab]*ab", "--", "--formula", "Y(b & Y a)"});
  CHECK(equal.status == 0);
  CHECK(equal.out == "equal\n");
  const json same =
      json_of(hindsight({"equivalent", "--json", "--regex", "(ab)*", "--", "--language", "alternating"}));
  CHECK(same == json::parse(R"({"equivalent": true, "counterexample": null, "accepted_by": null})"));
  const auto differ = hindsight({"equivalent", "--regex", "a*", "--json", "--", "--regex", "a*b?"});
  CHECK(differ.status == 1);
  CHECK(json_of(differ) ==
        json::parse(R"({"equivalent": false, "counterexample": "b", "accepted_by": "right"})"));
  CHECK(json_of(hindsight({"equivalent", "--regex", "a*", "--json", "--", "--regex", "a+"})) ==
        json::parse(R"({"equivalent": false, "counterexample": "", "accepted_by": "left"})"));
}

TEST_CASE("equivalent reads both sides over the union of their letters", "[cli][equivalent]") {
  // Over a alone both are everything; over a, b the right one lacks b.
  const auto outcome = hindsight({"equivalent", "--formula", "true", "--", "--regex", "a*b*"});
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.out, "ba"));
  CHECK(hindsight({"equivalent", "--regex", "!b*", "--", "--regex", "!b*|b"}).status == 1);
  CHECK(hindsight({"equivalent", "--formula", "true", "--", "--regex", "a*"}).status == 0);
  CHECK(hindsight({"equivalent", "--formula", "true", "--alphabet", "ab", "--", "--regex", "a*"}).status ==
        1);
  CHECK(hindsight({"equivalent", "--formula", "true", "--", "--regex", "a*", "--alphabet", "ab"}).status ==
        1);
  CHECK(hindsight({"equivalent", "--formula", "true", "--", "--formula", "!false"}).status == 2);
  CHECK(hindsight({"equivalent", "--language", "contains-ab", "--", "--regex", "[abc]*ab[abc]*"}).status ==
        0);
}

TEST_CASE("express finds the first logic, and its formula is equivalent", "[cli][express]") {
  const std::map<std::string, std::string> logics{{"[ab]*ab", "LTL[Y]"},
                                                  {"a[ab]*", "LTL[P]"},
                                                  {"(ab)*", "LTL[P,Y]"},
                                                  {"([ab]{2})*a", "LTL[Y,MOD]"},
                                                  {"(a(ab)*b)*", "LTL[P,Y,MOD]"}};
  for (const auto& [regex, logic] : logics) {
    CAPTURE(regex, logic);
    const json document = json_of(hindsight({"express", "--regex", regex, "--json"}));
    CHECK(document.at("logic") == logic);
    CHECK(document.at("depth").is_number());
    CHECK(document.at("size").is_number());
    const std::string formula = document.at("formula");
    CHECK(
        hindsight({"equivalent", "--regex", regex, "--", "--formula", formula, "--alphabet", "ab"}).status ==
        0);
  }
  const auto text = hindsight({"express", "--regex", "[ab]*a"});
  CHECK(text.status == 0);
  CHECK(contains(text.out, "Y a"));
  CHECK(contains(hindsight({"express", "--formula", "P a & Y b", "--notation", "unicode"}).out, "∧"));
}

TEST_CASE("express says no with the reason", "[cli][express]") {
  const auto no = hindsight({"express", "--regex", "(ab)*", "--logic", "LTL[Y]"});
  CHECK(no.status == 1);
  CHECK(contains(no.out, "not in LTL[Y]"));
  const auto as_json = hindsight({"express", "--regex", "(ab)*", "--logic", "LTL[Y]", "--json"});
  CHECK(as_json.status == 1);
  const json document = json_of(as_json);
  CHECK(document.at("formula").is_null());
  CHECK(classes_of(document)["LTL[Y]"]["witness"].is_object());
  // An even number of a's among others is in no logic of the order.
  CHECK(hindsight({"express", "--regex", "(b*ab*a)*b*"}).status == 1);
}

TEST_CASE("languages lists the catalogue", "[cli][languages]") {
  const json list = json_of(hindsight({"languages", "--json"}));
  std::map<std::string, json> entries;
  for (const auto& entry : list) entries[entry.at("name")] = entry;
  for (const char* name :
       {"ends-a", "ends-ab", "starts-a", "a-before-b", "alternating", "contains-ab", "rdp-1", "dyck-2"}) {
    CAPTURE(name);
    REQUIRE(entries.count(name) == 1);
    CHECK(contains(hindsight({"languages"}).out, name));
    const json& entry = entries[name];
    if (entry.at("regex").is_string())
      CHECK(hindsight({"equivalent", "--language", name, "--", "--regex", entry.at("regex"), "--alphabet",
                       entry.at("alphabet")})
                .status == 0);
    if (entry.at("formula").is_string())
      CHECK(hindsight({"equivalent", "--language", name, "--", "--formula", entry.at("formula"), "--alphabet",
                       entry.at("alphabet")})
                .status == 0);
  }
  CHECK(contains(hindsight({"languages", "dyck-2"}).out, "(a(ab)*b)*"));
  CHECK(json_of(hindsight({"languages", "dyck-2", "--json"})).at("name") == "dyck-2");
  const auto member = hindsight({"languages", "dyck:2:3"});
  CHECK(contains(member.out, "dyck:k:m"));
  CHECK(contains(member.out, "16"));  // 1 + 2 + 4 + 8 stacks, and the sink
  CHECK(hindsight({"languages", "dyck:2:0"}).status == 2);
  CHECK(hindsight({"languages", "dyck"}).status == 2);
}

TEST_CASE("languages keeps to a class", "[cli][languages]") {
  const json groups = json_of(hindsight({"languages", "--in", "group", "--json"}));
  std::set<std::string> names;
  for (const auto& entry : groups) {
    CHECK(entry.at("classes").dump().find("group") != std::string::npos);
    names.insert(entry.at("name"));
  }
  CHECK(names.count("parity") == 1);
  CHECK(names.count("ends-a") == 0);
  CHECK(hindsight({"languages", "--in", "LTL[Q]"}).status == 2);
  CHECK(hindsight({"languages", "parity", "--in", "group"}).status == 2);
}

TEST_CASE("the table in docs is the catalogue", "[cli][languages]") {
  const auto outcome = hindsight({"languages", "--markdown"});
  CHECK(outcome.status == 0);
  CHECK(contains(tests::contents(HINDSIGHT_SOURCE_DIR "/docs/catalogue.md"), outcome.out));
}

TEST_CASE("check agrees with the library on random expressions' words", "[cli][check]") {
  const std::string regex = "(a|ba)*(b|())";
  const logic::Alphabet alphabet({"a", "b"});
  const auto dfa = automata::from_regex(regex, alphabet);
  std::string input;
  std::string expected;
  for (const auto& word : tests::words_up_to(2, 10)) {
    input += logic::to_string(alphabet, word) + '\n';
    expected += std::string(dfa.accepts(word) ? "accept " : "reject ") +
                (word.empty() ? "ε" : logic::to_string(alphabet, word)) + '\n';
  }
  CHECK(hindsight({"check", "--regex", regex, "--words", "-"}, input).out == expected);
}
