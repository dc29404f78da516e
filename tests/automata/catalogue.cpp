#include "automata/catalogue.hpp"

#include "automata/from_formula.hpp"
#include "automata/ladder.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "logic/parse.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <set>

using namespace automata;

namespace {

/// Whether `word` is balanced, with a as +1 and b as -1, and never deeper than n.
bool is_balanced(const Word& word, int n) {
  int depth = 0;
  for (const Letter a : word) {
    depth += a == 0 ? 1 : -1;
    if (depth < 0 || depth > n) return false;
  }
  return depth == 0;
}

}  // namespace

TEST_CASE("regular expression, formula and ladder agree on every entry", "[automata][catalogue]") {
  std::set<std::string_view> names;
  for (const auto& entry : catalogue()) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK_FALSE(entry.meaning.empty());
    CHECK_FALSE(entry.source.empty());
    const auto alphabet = logic::parse_alphabet(entry.alphabet);
    if (entry.regex.empty()) {
      CHECK(entry.name.ends_with(":n"));
      continue;
    }
    const auto language = find_language(entry.name);
    REQUIRE(language);
    CHECK(language->alphabet == alphabet);
    CHECK(language->dfa == from_regex(entry.regex, alphabet));
    if (!entry.formula.empty()) {
      logic::Arena arena;
      CHECK(from_formula(logic::parse(arena, entry.formula, alphabet), alphabet.size()) == language->dfa);
    }
    std::string_view smallest;
    for (const Logic logic : {Logic::y, Logic::p, Logic::py, Logic::s})
      if (smallest.empty() && decide(language->dfa, logic).member == true) smallest = name(logic);
    CHECK(entry.smallest == smallest);
  }
}

TEST_CASE("the eight languages of the paper are what their definitions say", "[automata][catalogue]") {
  // The definitions, in C++: a word is a string over its alphabet.
  const auto check = [](std::string_view name, auto definition) {
    const auto language = find_language(name);
    REQUIRE(language);
    const Letter letters = language->alphabet.size();
    for (const auto& word : tests::words_up_to(letters, letters == 2 ? 10 : 6)) {
      const std::string text = to_string(language->alphabet, word);
      if (language->dfa.accepts(word) == definition(text)) continue;
      CAPTURE(name, text);
      FAIL("wrong");
    }
  };
  check("ends-a", [](const std::string& w) { return w.ends_with("a"); });
  check("ends-ab", [](const std::string& w) { return w.ends_with("ab"); });
  check("starts-a", [](const std::string& w) { return w.starts_with("a"); });
  check("a-before-b", [](const std::string& w) {
    const auto a = w.find('a');
    return a != std::string::npos && w.find('b', a) != std::string::npos;
  });
  check("alternating", [](const std::string& w) {
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i] != (i % 2 == 0 ? 'a' : 'b')) return false;
    return w.size() % 2 == 0;
  });
  check("contains-ab", [](const std::string& w) { return w.find("ab") != std::string::npos; });
  check("rdp-1", [](const std::string& w) {
    const auto last = w.rfind('a');
    return last != std::string::npos && w.find('b') > last && w.find('c', last) == std::string::npos;
  });
  const auto dyck = find_language("dyck-2");
  for (const auto& word : tests::words_up_to(2, 12)) CHECK(dyck->dfa.accepts(word) == is_balanced(word, 2));
}

TEST_CASE("bounded brackets", "[automata][catalogue]") {
  const auto words = tests::words_up_to(2, 12);
  for (int n = 1; n <= 7; ++n) {
    const auto language = find_language("dyck:" + std::to_string(n));
    REQUIRE(language);
    CAPTURE(n);
    CHECK(language->dfa.states() == static_cast<State>(n) + 2);
    for (const auto& word : words)
      if (language->dfa.accepts(word) != is_balanced(word, n)) FAIL("wrong");
  }
  CHECK(find_language("dyck:1")->dfa == find_language("alternating")->dfa);
  CHECK(find_language("dyck:2")->dfa == find_language("dyck-2")->dfa);
  CHECK(find_language("dyck:3")->dfa == from_regex("(a(a(ab)*b)*b)*", logic::Alphabet({"a", "b"})));
  CHECK(find_language("dyck:100000")->dfa.states() == 100'002);
}

TEST_CASE("catalogue: names and parameters that there are not", "[automata][catalogue]") {
  CHECK_FALSE(find_language("no-such-language"));
  CHECK_FALSE(find_language(""));
  CHECK_FALSE(find_language("dyck"));
  CHECK_THROWS_WITH(find_language("dyck:0"),
                    "find_language: dyck:n needs a number n from 1 to 100000, not '0'");
  for (const char* name : {"dyck:", "dyck:n", "dyck:100001", "dyck:-1", "dyck:2x", "dyck:99999999999"})
    CHECK_THROWS_AS(find_language(name), std::invalid_argument);
}
