#include "automata/express.hpp"

#include "automata/formula_search.hpp"
#include "automata/from_formula.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/formulas.hpp"
#include "tests/scale.hpp"
#include "tests/words.hpp"

#include <random>
#include <string>
#include <vector>

using automata::Dfa;
using automata::ExpressOptions;
using automata::Logic;
using automata::State;
using logic::Alphabet;
using logic::Arena;
using logic::Formula;

namespace {

constexpr Logic constructed[] = {Logic::y, Logic::p, Logic::py, Logic::y_mod, Logic::p_mod, Logic::py_mod};

bool is_allowed(const logic::Fragment& used, Logic logic) {
  const std::string operators(automata::name(logic));
  const auto has = [&](char c) { return operators.find(c, 4) != std::string::npos; };
  const bool modulo = operators.find("MOD") != std::string::npos;
  if (logic == Logic::s || logic == Logic::s_mod) return used.window == 0 && (modulo || !used.modulo);
  return !used.since && used.window == 0 && (has('P') || !used.previously) && (has('Y') || !used.yesterday) &&
         (modulo || !used.modulo);
}

/// The formula is in the logic and holds at the end of the words of the language, by the definition.
void check_formula(const Dfa& dfa, Logic logic, Formula f, const std::vector<logic::Word>& words) {
  CAPTURE(automata::name(logic), dfa.table(), dfa.accepting());
  REQUIRE(is_allowed(logic::fragment(f), logic));
  if (f->size > 2000) return;  // the definition takes |f| N^2 steps; express has compared the automata
  for (const auto& word : words) {
    CAPTURE(word);
    REQUIRE(logic::holds(f, word) == dfa.accepts(word));
  }
}

/// Every logic with a construction, without and with the search; whether some logic holds the language.
bool check_all(const Dfa& dfa, std::size_t budget, const std::vector<logic::Word>& words) {
  bool some = false;
  for (const Logic logic : constructed) {
    const auto member = automata::decide(dfa, logic).member;
    REQUIRE(member.has_value());
    for (const std::size_t search_formulas : {std::size_t{0}, budget}) {
      Arena arena;
      ExpressOptions options;
      options.search_formulas = search_formulas;
      CAPTURE(automata::name(logic), search_formulas, dfa.table(), dfa.accepting());
      const auto f = automata::express(arena, dfa, logic, options);
      REQUIRE(f.has_value() == *member);
      if (f) check_formula(dfa, logic, *f, words);
      some = some || f.has_value();
    }
  }
  return some;
}

Dfa regex(const std::string& text, const std::string& alphabet) {
  return automata::from_regex(text, logic::parse_alphabet(alphabet));
}

std::string expressed(const Dfa& dfa, Logic logic, const std::string& alphabet, ExpressOptions options = {}) {
  Arena arena;
  const auto f = automata::express(arena, dfa, logic, options);
  return f ? logic::to_string(*f, logic::parse_alphabet(alphabet)) : "none";
}

}  // namespace

TEST_CASE("the languages of the experiments come out as a person writes them", "[automata][express]") {
  struct Row {
    const char* regex;
    const char* alphabet;
    Logic logic;
    const char* formula;
    std::uint64_t size;
  };
  const Row rows[] = {
      {".*a", "ab", Logic::y, "Y a", 2},
      {".*ab", "ab", Logic::y, "Y(b & Y a)", 5},
      {"a.*", "ab", Logic::p, "P(a & first)", 4},
      {".*a.*b.*", "ab", Logic::p, "P(b & P a)", 5},
      {"(ab)*", "ab", Logic::py, "!O(b ^ Y a)", 6},
      {".*ab.*", "abc", Logic::py, "P(b & Y a)", 5},
      {"[acd]*a[bd]*", "abcd", Logic::s, "(b | d) S (a & !P b)", 9},
      {"(a(ab)*b)*", "ab", Logic::py_mod, "MOD(2,1) & !O(MOD(2,1) & (b ^ Y a))", 10},
      {"(..)*", "ab", Logic::y_mod, "MOD(2,1)", 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.regex);
    const Alphabet alphabet = logic::parse_alphabet(row.alphabet);
    Arena arena;
    const Dfa dfa = automata::from_regex(row.regex, alphabet);
    const auto f = automata::express(arena, dfa, row.logic);
    REQUIRE(f.has_value());
    CHECK(logic::to_string(*f, alphabet) == row.formula);
    CHECK((*f)->size == row.size);
    check_formula(dfa, row.logic, *f, tests::words_up_to(alphabet.size(), 5));
  }
}

TEST_CASE("the constructions alone are short where little is to say", "[automata][express]") {
  ExpressOptions options;
  options.search_formulas = 0;
  CHECK(expressed(regex(".*ab", "ab"), Logic::y, "ab", options) == "Y(b & Y a)");
  CHECK(expressed(regex("a.*", "ab"), Logic::p, "ab", options) == "P(first & a)");
  CHECK(expressed(regex("(ab)*", "ab"), Logic::py, "ab", options) == "H(a ^ Y a) & !Y a");
  CHECK(expressed(regex(".*a.........", "ab"), Logic::y, "ab", options) == "Y^10 a");
  CHECK(expressed(regex(".*", "ab"), Logic::y, "ab", options) == "true");
  CHECK(expressed(regex("∅", "ab"), Logic::p, "ab", options) == "false");
  CHECK(expressed(regex("ε", "ab"), Logic::p, "ab", options) == "first");
}

TEST_CASE("every language of at most three states, in every logic that holds it",
          "[automata][express][law]") {
  const auto words = tests::words_up_to(2, 6);
  std::size_t expressed_languages = 0;
  for (const State n : {1u, 2u, 3u}) {
    tests::for_each_dfa(n, 2, [&](const Dfa& dfa) {
      // one automaton for each language
      if (automata::minimize(dfa) != dfa) return;
      expressed_languages += check_all(dfa, 2000, words) ? 1 : 0;
    });
  }
  CHECK(expressed_languages == 222);
}

TEST_CASE("every language of at most five states over one letter", "[automata][express][law]") {
  const auto words = tests::words_up_to(1, 20);
  for (const State n : {1u, 2u, 3u, 4u, 5u}) {
    tests::for_each_dfa(n, 1, [&](const Dfa& dfa) {
      if (automata::minimize(dfa) == dfa) CHECK(check_all(dfa, 500, words));
    });
  }
}

TEST_CASE("random languages", "[automata][express][law]") {
  const unsigned seed = 7;
  std::mt19937 random(seed);
  const auto two = tests::words_up_to(2, 6);
  const auto three = tests::words_up_to(3, 4);
  std::size_t held = 0;
  for (int round = 0; round < tests::scaled(600, 200); ++round) {
    CAPTURE(seed, round);
    const automata::Letter letters = 2 + round % 2;
    const State states = 3 + tests::below(random, 5);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, states, letters));
    held += check_all(dfa, 1000, letters == 2 ? two : three) ? 1 : 0;
  }
  CHECK(held > tests::scaled(50u, 15u));
}

TEST_CASE("what a formula says is said again, by the constructions alone", "[automata][express][law]") {
  const unsigned seed = 11;
  std::mt19937 random(seed);
  const auto words = tests::words_up_to(2, 6);
  std::size_t larger = 0;
  for (int round = 0; round < tests::scaled(1200, 400); ++round) {
    const Logic logic = constructed[round % 6];
    const bool yesterday = logic != Logic::p && logic != Logic::p_mod;
    const bool previously = logic != Logic::y && logic != Logic::y_mod;
    tests::Operators operators;
    operators.unary = {logic::Kind::negation};
    if (yesterday) operators.unary.push_back(logic::Kind::yesterday);
    if (previously)
      for (const auto kind : {logic::Kind::previously, logic::Kind::historically, logic::Kind::once})
        operators.unary.push_back(kind);
    operators.binary = {logic::Kind::conjunction, logic::Kind::disjunction, logic::Kind::exclusive_or};
    operators.modulo = round % 6 >= 3;
    Arena arena;
    const Formula f = tests::random_formula(random, arena, 2, 10 + round % 15, operators);
    const Dfa dfa = automata::from_formula(f, 2);
    CAPTURE(seed, round, logic::to_string(f, Alphabet({"a", "b"})), dfa.states());
    if (dfa.states() > 40) continue;
    larger += dfa.states() >= 6 ? 1 : 0;
    ExpressOptions options;
    options.search_formulas = 0;
    const auto g = automata::express(arena, dfa, logic, options);
    REQUIRE(g.has_value());
    check_formula(dfa, logic, *g, words);
  }
  CHECK(larger > tests::scaled(100u, 30u));
}

TEST_CASE("larger languages, by the constructions alone", "[automata][express]") {
  ExpressOptions options;
  options.search_formulas = 0;
  const auto size = [&](const Dfa& dfa, Logic logic) {
    Arena arena;
    const auto f = automata::express(arena, dfa, logic, options);
    REQUIRE(f.has_value());
    return (*f)->size;
  };
  SECTION("chains of letters grow by three nodes for each") {
    for (const State n : {2u, 5u, 10u, 40u}) {
      std::vector<State> next;
      std::vector<bool> accepting(n + 1, false);
      accepting[n] = true;
      for (State q = 0; q <= n; ++q)
        for (State a = 0; a < n; ++a) next.push_back(q < n && a == q ? q + 1 : q);
      CHECK(size(Dfa(n, 0, next, accepting), Logic::p) == 3 * std::uint64_t{n} - 1);
    }
  }
  SECTION("languages of the last letters") {
    const unsigned seed = 5;
    std::mt19937 random(seed);
    for (const std::uint32_t order : {3u, 6u, 8u, 10u}) {
      // a random set of words of that length, and no shorter word
      CAPTURE(seed, order);
      const State full = State{1} << order;
      std::vector<State> next;  // state 2^i + bits: the last i letters
      std::vector<bool> accepting;
      for (State q = 0; q < 2 * full; ++q) {
        for (State a = 0; a < 2; ++a) {
          const State longer = 2 * std::max(q, 1u) + a;
          next.push_back(longer < 2 * full ? longer : full + longer % full);
        }
        accepting.push_back(q >= full && tests::below(random, 2) == 0);
      }
      const Dfa dfa = automata::minimize(Dfa(2, 1, next, accepting));
      CHECK(size(dfa, Logic::y) <= 8 * std::uint64_t{full});
    }
  }
  SECTION("residues and letters") {
    CHECK(size(regex("(.......)*", "ab"), Logic::y_mod) == 1);
    CHECK(size(regex("((..)*a.*)|(...)*", "ab"), Logic::p_mod) < 20);
    CHECK(size(regex("((a|b)(a|c))*", "abc"), Logic::p_mod) < 20);
    CHECK(size(regex("(..)*.*aba", "ab"), Logic::y_mod) < 10);
    CHECK(size(regex("c(a(ab)*b)*c(ab)*", "abc"), Logic::py_mod) < 200);
    CHECK(size(regex("(a(ab)*b)*", "ab"), Logic::py_mod) == 13);
  }
}

TEST_CASE("what is not in the logic has no formula", "[automata][express]") {
  CHECK(expressed(regex("a.*", "ab"), Logic::y, "ab") == "none");
  CHECK(expressed(regex(".*a", "ab"), Logic::p, "ab") == "none");
  CHECK(expressed(regex("[acd]*a[bd]*", "abcd"), Logic::py_mod, "abcd") == "none");
  CHECK(expressed(regex("(a(ab)*b)*", "ab"), Logic::py, "ab") == "none");
  CHECK(expressed(regex("(..)*", "ab"), Logic::s, "ab") == "none");
  CHECK(expressed(regex("(b*ab*a)*b*", "ab"), Logic::s_mod, "ab") == "none");
}

TEST_CASE("limits are said", "[automata][express]") {
  Arena arena;
  ExpressOptions options;
  options.search_formulas = 0;
  options.max_size = 5;
  CHECK_THROWS_WITH(automata::express(arena, regex("(ab)*", "ab"), Logic::py, options),
                    "express: a formula of LTL[P,Y] with 9 nodes, the limit is 5");
  options.max_size = 1000;
  CHECK_THROWS_WITH(automata::express(arena, regex("(a(ab)*b)*", "ab"), Logic::s, options),
                    "express: no formula of LTL[S] found among 0, and there is no construction for S");
  options.max_states = 1;
  CHECK_THROWS_AS(automata::express(arena, regex("(ab)*", "ab"), Logic::py, options), std::length_error);
  const Dfa twice(1, 0, {1, 0}, {true, true});
  CHECK_THROWS_AS(automata::express(arena, twice, Logic::y), std::invalid_argument);
}

TEST_CASE("the search finds the least formula, the same one each time", "[automata][express]") {
  // all formulas of at most five nodes: none of them is shorter than what the search finds for its language
  Arena arena;
  tests::Operators operators;
  operators.unary = {logic::Kind::negation, logic::Kind::previously, logic::Kind::yesterday,
                     logic::Kind::historically, logic::Kind::once};
  operators.binary = {logic::Kind::conjunction, logic::Kind::disjunction, logic::Kind::exclusive_or,
                      logic::Kind::implication, logic::Kind::equivalence};
  operators.modulo = false;
  const auto formulas = tests::small_formulas(arena, 2, 5, operators);
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const Formula f = formulas[tests::below(random, static_cast<std::uint32_t>(formulas.size()))];
    const Dfa dfa = automata::from_formula(f, 2);
    CAPTURE(round, logic::to_string(f, Alphabet({"a", "b"})));
    const auto found = automata::search_formula(arena, dfa, Logic::py, 200'000);
    REQUIRE(found.has_value());
    CHECK((*found)->size <= f->size);
    CHECK(automata::from_formula(*found, 2) == dfa);
    Arena other;
    const auto again = automata::search_formula(other, dfa, Logic::py, 200'000);
    const Alphabet alphabet({"a", "b"});
    CHECK(logic::to_string(*again, alphabet) == logic::to_string(*found, alphabet));
  }
}
