// All formats at once: what is written is read back, and no text does harm.
#include "automata/files.hpp"

#include "automata/catalogue.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <set>

using namespace automata;
using tests::below;

namespace {

/// Reads `text`, which may be anything; what comes back must survive writing, what is thrown must be as
/// documented.
enum class Outcome { read, refused, limit };
Outcome probe(const FileFormat& format, std::string_view text) {
  try {
    const Language language = format.read(text, std::nullopt, 300);
    REQUIRE(language.dfa.letters() == language.alphabet.size());
    REQUIRE(minimize(language.dfa) == language.dfa);
    const Language again = format.read(format.write(language), language.alphabet, 300);
    REQUIRE(again.dfa == language.dfa);
    return Outcome::read;
  } catch (const logic::ParseError& error) {
    REQUIRE(error.offset() <= text.size());
    const std::string_view what = error.what();
    for (std::size_t i = 0; i < what.size();) {
      const auto c = logic::code_point(what, i);
      REQUIRE(c.has_value());
      REQUIRE((!logic::is_control(c->value) || what[i] == '\n'));
      i += c->bytes;
    }
    return Outcome::refused;
  } catch (const std::length_error&) {
    return Outcome::limit;
  }
}

/// Sorted, so that formats that keep the letters in no order give the same alphabet.
const std::vector<std::vector<std::string>> alphabets{
    {"a"},
    {"a", "b"},
    {"!a&b", "#", "%x", "'", "0", "@y", "T\xc3\xa9", "[t]", "{0}", "|", "ε", "日本"},
};

/// Names that AT&T text cannot carry.
const std::vector<std::string> odd_names{" ",   "big step", "<eps>", "@0@",     "\"", "\\",   "a\"b",
                                         "\\n", ",",        "a, b",  "t",       "f",  "true", "->",
                                         "é à", "\u00a0",   "''",    "/* x */", "//", "x#y",  "&amp;"};

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("every format has a name, and paths have extensions", "[automata][files]") {
  std::set<std::string_view> names;
  for (const auto& format : file_formats()) {
    CHECK(names.insert(format.name).second);
    CHECK(find_format(format.name) == &format);
    CHECK(find_extension(format.name) == &format);
  }
  CHECK(find_extension("gv") == find_format("dot"));
  CHECK(find_format("gv") == nullptr);
  CHECK(find_extension("xml") == nullptr);
  CHECK(names == std::set<std::string_view>{"att", "dot", "json", "hoa", "mata"});
  CHECK(find_format("xml") == nullptr);
  CHECK(extension_of("a/b.c/x.hoa") == "hoa");
  CHECK(extension_of("a.b/x").empty());
  CHECK(extension_of("x").empty());
  CHECK(extension_of("-").empty());
  CHECK(extension_of("x.y.dot") == "dot");
}

TEST_CASE("every format gives every small language back", "[automata][files][law]") {
  // All minimal automata with at most three states over one and two letters, under several names.
  std::vector<Dfa> minimal;
  for (State n = 1; n <= 3; ++n)
    for (Letter k = 1; k <= 2; ++k)
      tests::for_each_dfa(n, k, [&](const Dfa& dfa) {
        if (minimize(dfa) == dfa) minimal.push_back(dfa);
      });
  CHECK(minimal.size() == 2 + 4 + 12 + 2 + 24 + 1028);  // Domaratzki, Kisman & Shallit 2002
  const std::vector<std::string> pairs[] = {{"a", "b"}, {"big step", "small step"}, {"é à", "日本"}};
  for (const auto& format : file_formats()) {
    for (const auto& names : pairs) {
      if (format.name == "att" && names[0].find(' ') != std::string::npos) continue;  // it has no quotes
      for (const Dfa& dfa : minimal) {
        const logic::Alphabet alphabet(std::vector<std::string>(
            names.begin(), names.begin() + static_cast<std::ptrdiff_t>(dfa.letters())));
        const std::string text = format.write({alphabet, dfa});
        const Language again = format.read(text, std::nullopt, 100);
        if (again.alphabet == alphabet && again.dfa == dfa) continue;
        CAPTURE(format.name, text);
        FAIL("another language");
      }
    }
  }
}

TEST_CASE("every format gives the catalogue back, through every other format", "[automata][files][law]") {
  for (const char* name : {"ends-ab", "contains-ab", "rdp-1", "dyck-2", "flip-flop", "ldp-2", "tomita-5",
                           "dyck:7", "modular-sum:10", "window:40", "none", "all"}) {
    const auto language = find_language(name);
    REQUIRE(language);
    for (const auto& first : file_formats()) {
      const Language once = first.read(first.write(*language), language->alphabet, 100);
      CAPTURE(name, first.name);
      CHECK(once.dfa == language->dfa);
      for (const auto& second : file_formats()) {
        CAPTURE(second.name);
        // Formats that keep no order of the letters sort them.
        const Language twice = second.read(second.write(once), language->alphabet, 100);
        CHECK(twice.alphabet == language->alphabet);
        CHECK(twice.dfa == language->dfa);
      }
    }
  }
}

TEST_CASE("every format gives random languages back, however the letters are called",
          "[automata][files][law]") {
  for (const auto& format : file_formats()) {
    for (const auto& names : alphabets) {
      const logic::Alphabet alphabet(names);
      for (std::uint32_t seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        const Dfa dfa = tests::random_dfa(random, 1 + below(random, 20), alphabet.size());
        const Language language{alphabet, minimize(dfa)};
        const std::string text = format.write(language);
        CAPTURE(format.name, seed, text);
        const Language again = format.read(text, std::nullopt, 100);
        CHECK(again.alphabet == alphabet);
        CHECK(again.dfa == language.dfa);
        CHECK(format.write(again) == text);
        // An automaton that is not minimal and does not start in state 0 is read as its language.
        const Dfa elsewhere(alphabet.size(), below(random, dfa.states()), dfa.table(), dfa.accepting());
        CHECK(format.read(format.write({alphabet, elsewhere}), std::nullopt, 100).dfa == minimize(elsewhere));
      }
    }
  }
}

TEST_CASE("names with spaces, quotes and other signs survive or are refused", "[automata][files]") {
  for (const auto& format : file_formats()) {
    for (const auto& name : odd_names) {
      const Language language{logic::Alphabet(sorted({"a", name})),
                              from_regex("ab*", logic::Alphabet({"a", "b"}))};
      CAPTURE(format.name, name);
      try {
        const std::string text = format.write(language);
        CAPTURE(text);
        const Language again = format.read(text, std::nullopt, 100);
        CHECK(again.alphabet == language.alphabet);
        CHECK(again.dfa == language.dfa);
      } catch (const std::invalid_argument& error) {
        CHECK(format.name == "att");  // which has no quotes
        CHECK(std::string(error.what()).find(logic::quote(name)) != std::string::npos);
      }
    }
  }
}

TEST_CASE("a given alphabet orders the letters, adds some, and excludes others", "[automata][files]") {
  const logic::Alphabet ab({"a", "b"});
  const logic::Alphabet bca({"b", "c", "a"});
  const Language language{ab, from_regex("a(b|ab)*", ab)};
  for (const auto& format : file_formats()) {
    CAPTURE(format.name);
    const std::string text = format.write(language);
    CHECK(format.read(text, bca, 100).dfa == from_regex("a(b|ab)*", bca));
    CHECK(format.read(text, bca, 100).alphabet == bca);
    CHECK_THROWS_AS(format.read(text, logic::Alphabet({"a", "c"}), 100), logic::ParseError);
    CHECK_THROWS_AS(format.read("", std::nullopt, 100), logic::ParseError);
    CHECK_THROWS_AS(format.read("\xff", std::nullopt, 100), logic::ParseError);
    CHECK_THROWS_AS(format.read(text, std::nullopt, 1), std::length_error);
  }
}

TEST_CASE("truncated and damaged files are read or refused, never more", "[automata][files]") {
  const logic::Alphabet names({"a", "é", "x y"});
  const logic::Alphabet plain({"a", "é", "xy"});
  for (const auto& format : file_formats()) {
    const auto& alphabet = format.name == "att" ? plain : names;
    const std::string text =
        format.write({alphabet, from_regex("(a'é')*", logic::Alphabet({"a", "é", "b"}))});
    CAPTURE(format.name);
    REQUIRE(probe(format, text) == Outcome::read);
    std::size_t refused = 0;
    for (std::size_t n = 0; n < text.size(); ++n) {
      CAPTURE(n);
      refused += probe(format, std::string_view(text).substr(0, n)) == Outcome::refused ? 1 : 0;
    }
    CHECK(refused > 0);
    std::mt19937 random(1);
    constexpr std::string_view signs = "\"'\\{}[]()&|!@#%,;:->/* \n\t0129atfqs\x01\xc3\xff";
    for (std::size_t n = 0; n < text.size(); ++n) {
      for (int i = 0; i < 6; ++i) {
        std::string damaged = text;
        const char c = signs[below(random, static_cast<std::uint32_t>(signs.size()))];
        if (i < 3)
          damaged[n] = c;
        else if (i < 5)
          damaged.insert(n, 1, c);
        else
          damaged.erase(n, 1);
        CAPTURE(n, i, damaged);
        probe(format, damaged);
      }
    }
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      std::mt19937 more(seed);
      std::string damaged = text;
      for (int i = 0; i < 4; ++i) {
        const std::size_t from = below(more, static_cast<std::uint32_t>(text.size()));
        const std::size_t to = below(more, static_cast<std::uint32_t>(damaged.size()) + 1);
        damaged.insert(to, text.substr(from, 1 + below(more, 20)));
      }
      CAPTURE(seed, damaged);
      probe(format, damaged);
    }
  }
}

TEST_CASE("deep nesting costs no stack", "[automata][files]") {
  const std::size_t depth = 200'000;
  const auto around = [&](std::string_view open, std::string_view inner, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += inner;
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  CHECK_THROWS_AS(read_json(around("[", "", "]")), logic::ParseError);
  CHECK_THROWS_AS(read_json("{\"transitions\":" + around("[", "", "]") + "}"), logic::ParseError);
  CHECK(read_json("{\"x\":" + around("[", "", "]") +
                  R"(,"alphabet":["a"],"states":1,"initial":0,"accepting":[],"transitions":[[0]]})")
            .dfa.states() == 1);
  CHECK_THROWS_AS(read_dot("digraph {" + around("{", "a", "}") + "}"), logic::ParseError);
  const auto hoa = [](const std::string& label) {
    return read_hoa("HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [" +
                    label + "] 0 --END--");
  };
  CHECK(hoa(around("(", "0", ")")).dfa == hoa("0").dfa);
  CHECK(hoa(around("!", "0", "")).dfa == hoa("0").dfa);
  CHECK(hoa(around("0&(", "0", ")")).dfa == hoa("0").dfa);
  CHECK(read_hoa("HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 1 " + around("(", "Inf(0)", ")") +
                 around("/*", "", "*/") + "--BODY-- State: 0 {0} [t] 0 --END--")
            .dfa.states() == 1);
}
