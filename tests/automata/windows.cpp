#include "automata/windows.hpp"

#include "automata/from_formula.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "automata/regex.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <map>
#include <set>
#include <string>

using automata::BisimilarPair;
using automata::Dfa;
using automata::WindowMembership;
using automata::Word;
using logic::WindowLogic;

namespace {

Dfa language(const std::string& regex, const std::string& alphabet = "ab") {
  return automata::from_regex(regex, logic::parse_alphabet(alphabet));
}

std::vector<WindowLogic> window_logics(std::uint32_t from, std::uint32_t to) {
  std::vector<WindowLogic> all;
  for (std::uint32_t k = from; k <= to; ++k)
    for (const bool p : {false, true})
      for (const bool counting : {false, true})
        if (!counting || k >= 3) all.push_back({p, k, counting, 1});
  return all;
}

/// The types of the end of `word` for depths 0, ..., depth, by the definition: at each depth the types are
/// numbered by what they are made of, in a table that all words share.
struct Oracle {
  using Key = std::tuple<int, std::vector<int>, std::set<int>>;
  WindowLogic logic;
  std::vector<std::map<Key, int>> numbers;

  std::vector<int> ends(const Word& word, std::uint32_t depth) {
    numbers.resize(depth + 1);
    const std::size_t n = word.size() + 1;
    std::vector<int> types(n);
    std::vector<int> result;
    for (std::uint32_t r = 0; r <= depth; ++r) {
      std::vector<int> next(n);
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<int> window;
        std::set<int> past;
        if (r > 0) {
          for (std::size_t m = i < logic.window ? 0 : i - logic.window; m < i; ++m)
            window.push_back(types[m]);
          std::sort(window.begin(), window.end());
          if (!logic.counting) window.erase(std::unique(window.begin(), window.end()), window.end());
          if (logic.previously) past.insert(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(i));
        }
        const int letter = i < word.size() ? static_cast<int>(word[i]) : -1;
        next[i] =
            numbers[r].emplace(Key{letter, window, past}, static_cast<int>(numbers[r].size())).first->second;
      }
      types = next;
      result.push_back(types.back());
    }
    return result;
  }
};

/// Whatever the answer is, what comes with it must be true.
void check_answer(const Dfa& dfa, const WindowLogic& logic, const WindowMembership& answer,
                  const std::vector<Word>& words) {
  CAPTURE(name(logic), dfa.table(), dfa.accepting(), answer.note);
  Oracle oracle{logic, {}};
  if (answer.member == true) {
    CHECK(!answer.witness);
    CHECK(!answer.pair);
    if (answer.formula) {
      CHECK(belongs(*answer.formula, logic));
      CHECK(!automata::difference(automata::from_formula(*answer.formula, dfa.letters()), dfa));
      CHECK((*answer.formula)->depth >= answer.depth);
      CHECK(answer.exact == ((*answer.formula)->depth == answer.depth));
    }
    if (answer.exact) {  // no two words with equal types and different verdicts
      std::map<int, bool> verdict;
      for (const Word& word : words) {
        const bool in = dfa.accepts(word);
        REQUIRE(verdict.emplace(oracle.ends(word, answer.depth).back(), in).first->second == in);
      }
    }
  }
  if (answer.member == false) {
    CHECK(!answer.formula);
    CHECK(answer.witness.has_value() != answer.pair.has_value());
    if (answer.witness) CHECK(replay(dfa, *answer.witness));
    if (answer.pair) {
      CHECK(answer.pair->logic == logic);
      CHECK(replay(dfa, *answer.pair));
      for (std::uint32_t r = 0; r <= 3; ++r) {
        for (const std::uint64_t more : {0, 1}) {
          const auto n = automata::periods_for_depth(*answer.pair, r) + more;
          const Word in = unroll(answer.pair->in, n);
          const Word out = unroll(answer.pair->out, n);
          CAPTURE(r, in, out);
          CHECK(dfa.accepts(in));
          CHECK(!dfa.accepts(out));
          if (in.size() + out.size() < 400) CHECK(oracle.ends(in, r).back() == oracle.ends(out, r).back());
        }
      }
    }
  }
  CHECK(answer.alike.has_value() == (answer.depth > 0));
  if (answer.alike) {
    CHECK(dfa.accepts(answer.alike->first));
    CHECK(!dfa.accepts(answer.alike->second));
    CHECK(oracle.ends(answer.alike->first, answer.depth - 1).back() ==
          oracle.ends(answer.alike->second, answer.depth - 1).back());
  }
}

std::optional<bool> member(const Dfa& dfa, const WindowLogic& logic) {
  logic::Arena arena;
  return decide(arena, dfa, logic).member;
}

}  // namespace

TEST_CASE("what comes with an answer is true, on all small automata", "[automata][windows]") {
  automata::WindowLimits limits;
  limits.max_states = 1'000;
  limits.search_formulas = 2'000;
  limits.bisimilar.max_work = 200'000;
  const std::vector<Word> words[] = {tests::words_up_to(1, 9), tests::words_up_to(2, 6)};
  std::size_t answers[3] = {0, 0, 0};  // no, yes, unknown
  const auto check = [&](const Dfa& dfa) {
    if (minimize(dfa) != dfa) return;
    for (const auto& logic : window_logics(1, 3)) {
      logic::Arena arena;
      const auto answer = decide(arena, dfa, logic, limits);
      ++answers[!answer.member ? 2 : *answer.member ? 1 : 0];
      check_answer(dfa, logic, answer, words[dfa.letters() - 1]);
      if (logic.window == 1) REQUIRE(answer.member.has_value());
    }
  };
  for (automata::State n = 1; n <= 4; ++n) tests::for_each_dfa(n, 1, check);
  for (automata::State n = 1; n <= 2; ++n) tests::for_each_dfa(n, 2, check);
  std::mt19937 random(17);
  for (int i = 0; i < 60; ++i) check(minimize(tests::random_dfa(random, 3 + tests::below(random, 3), 2)));
  for (int i = 0; i < 10; ++i) check(minimize(tests::random_dfa(random, 3, 2)));
  CAPTURE(answers[0], answers[1], answers[2]);
  CHECK(answers[0] > 100);
  CHECK(answers[1] > 100);
  CHECK(answers[2] < 20);
}

TEST_CASE("the last letter is out of reach of every window but Y", "[automata][windows]") {
  const Dfa dfa = language(".*a");
  const auto words = tests::words_up_to(2, 6);
  for (const auto& logic : window_logics(1, 5)) {
    logic::Arena arena;
    const auto answer = decide(arena, dfa, logic);
    CAPTURE(name(logic));
    CHECK(answer.member == (logic.window == 1));
    CHECK(answer.pair.has_value() == (logic.window > 1));
    check_answer(dfa, logic, answer, words);
  }
}

TEST_CASE("an a within the last m letters: windows up to m, and no wider", "[automata][windows]") {
  const auto words = tests::words_up_to(2, 6);
  for (std::uint32_t m = 1; m <= 4; ++m) {
    const Dfa dfa = language(".*a.{0," + std::to_string(m - 1) + "}");
    for (const auto& logic : window_logics(1, 5)) {
      logic::Arena arena;
      const auto answer = decide(arena, dfa, logic);
      CAPTURE(m, name(logic));
      CHECK(answer.member == (logic.window <= m));
      if (logic.window == m) CHECK(answer.formula == arena.window(arena.letter(0), m));
      if (answer.member == true) {
        CHECK(answer.exact);
        CHECK(answer.depth == (m + logic.window - 1) / logic.window);
      }
      check_answer(dfa, logic, answer, words);
    }
  }
}

TEST_CASE("two of the last three letters need a window that counts", "[automata][windows]") {
  const Dfa dfa = language(".*(aa.?|a.a|.aa)");
  for (const bool p : {false, true}) {
    CHECK(member(dfa, {p, 2, false, 1}) == false);
    CHECK(member(dfa, {p, 3, false, 1}) == false);
    CHECK(member(dfa, {p, 4, false, 1}) == false);
    CHECK(member(dfa, {p, 4, true, 1}) == false);
    logic::Arena arena;
    CHECK(decide(arena, dfa, {p, 3, true, 1}).formula == arena.window(arena.letter(0), 3, 2));
  }
}

TEST_CASE("known answers", "[automata][windows]") {
  struct Row {
    const char* regex;
    const char* alphabet;
    WindowLogic logic;
    bool member;
    std::uint32_t depth;  // the least
  };
  const Row rows[] = {
      {"∅", "ab", {false, 2, false, 1}, true, 0},       {".*", "ab", {false, 3, true, 1}, true, 0},
      {"ε", "ab", {true, 2, false, 1}, true, 1},        {"a{4}a*", "a", {false, 1, false, 1}, true, 4},
      {"a{4}a*", "a", {false, 2, false, 1}, true, 3},   {"a{4}a*", "a", {false, 3, true, 1}, true, 2},
      {"(aa)*", "a", {true, 2, false, 1}, false, 0},    {"a.*", "ab", {false, 2, false, 1}, false, 0},
      {"a.*", "ab", {true, 3, false, 1}, true, 2},      {"a.*", "ab", {true, 0, false, 1}, true, 2},
      {".*a.*b.*", "ab", {true, 2, false, 1}, true, 2}, {"(ab)*", "ab", {true, 2, false, 1}, false, 0},
      {"(ab)*", "ab", {true, 3, false, 1}, false, 0},   {"(ab)*", "ab", {true, 3, true, 1}, true, 2},
      {"(ab)*", "ab", {true, 4, true, 1}, false, 0},    {".*ab.*", "abc", {true, 3, false, 1}, false, 0},
  };
  for (const Row& row : rows) {
    logic::Arena arena;
    const Dfa dfa = language(row.regex, row.alphabet);
    const auto answer = decide(arena, dfa, row.logic);
    CAPTURE(row.regex, name(row.logic), answer.note);
    CHECK(answer.member == row.member);
    if (row.member) {
      CHECK(answer.exact);
      CHECK(answer.depth == row.depth);
    }
    check_answer(dfa, row.logic, answer, tests::words_up_to(dfa.letters(), dfa.letters() == 3 ? 4 : 6));
  }
}

TEST_CASE("a pair that was tampered with does not replay", "[automata][windows]") {
  const Dfa dfa = language(".*a.?");
  for (const auto& logic : window_logics(3, 4)) {
    logic::Arena arena;
    const auto pair = find_bisimilar(dfa, logic);
    REQUIRE(pair);
    REQUIRE(replay(dfa, *pair));
    CAPTURE(name(logic));
    const auto refuse = [&](auto change) {
      BisimilarPair other = *pair;
      change(other);
      CHECK(!replay(dfa, other));
    };
    refuse([](BisimilarPair& p) { std::swap(p.in, p.out); });
    refuse([](BisimilarPair& p) { p.out = p.in; });
    refuse([](BisimilarPair& p) { p.in.period.clear(), p.in.period_classes.clear(); });
    refuse([](BisimilarPair& p) { p.in.period_classes.pop_back(); });
    refuse([](BisimilarPair& p) { p.in.tail.push_back(0); });
    refuse([](BisimilarPair& p) { p.out.access = {7}; });
    refuse([](BisimilarPair& p) { p.logic.modulus = 2; });
    for (std::size_t i = 0; i < pair->in.period.size(); ++i) {
      refuse([&](BisimilarPair& p) { p.in.period[i] = 1 - p.in.period[i]; });
      refuse([&](BisimilarPair& p) { p.in.period_classes[i] = 1 - p.in.period_classes[i]; });
    }
    for (std::size_t i = 0; i < pair->out.tail.size(); ++i) {
      refuse([&](BisimilarPair& p) { p.out.tail[i] = 1 - p.out.tail[i]; });
      refuse([&](BisimilarPair& p) { p.out.tail_classes[i] = 7; });
    }
    // one narrower window, and it no longer looks alike
    refuse([](BisimilarPair& p) { p.logic.window = 2; });
  }
  // with P the past must agree: here each tail has a class of its own
  const Word none;
  BisimilarPair pair{
      {false, 2, false, 1}, {none, {1}, {0, 1, 1}, {1}, {0, 2, 3}}, {none, {1}, {1}, {1}, {1}}};
  const Dfa has_a = language("b*a.*");
  pair.in.tail = {0, 1, 1, 1, 1};
  pair.in.tail_classes = {0, 2, 3, 1, 1};
  CHECK(!replay(has_a, pair));  // class 1 is not what it was before
  pair.in = {{0}, {1}, none, {1}, {}};
  pair.out = {none, {1}, none, {1}, {}};
  CHECK(replay(has_a, pair));
  pair.logic.previously = true;
  CHECK(!replay(has_a, pair));
}

TEST_CASE("errors of the window logics", "[automata][windows]") {
  logic::Arena arena;
  const Dfa dfa = language(".*a");
  CHECK_THROWS_AS(decide(arena, dfa, WindowLogic{true, 2, false, 2}), std::invalid_argument);
  CHECK_THROWS_AS(decide(arena, dfa, WindowLogic{}), std::invalid_argument);
  CHECK_THROWS_AS(find_bisimilar(dfa, WindowLogic{true, 0, false, 1}), std::invalid_argument);
  const Dfa large(2, 0, {1, 1, 1, 1}, {false, false});
  CHECK_THROWS_AS(decide(arena, large, WindowLogic{true, 2, false, 1}), std::invalid_argument);
}

TEST_CASE("limits make answers unknown, not wrong", "[automata][windows]") {
  const Dfa dfa = language(".*ab.*", "abc");
  automata::WindowLimits limits;
  limits.max_states = 20;
  limits.search_formulas = 0;
  for (const auto& logic : window_logics(2, 3)) {
    logic::Arena arena;
    const auto answer = decide(arena, dfa, logic, limits);
    CAPTURE(name(logic), answer.note);
    if (!logic.previously) {
      CHECK(answer.member == false);
    } else if (logic.window == 2 || logic.counting) {
      CHECK(!answer.member);
      CHECK(!answer.note.empty());
    }
    check_answer(dfa, logic, answer, tests::words_up_to(3, 4));
  }
  limits.max_depth = 0;
  logic::Arena arena;
  const auto answer = decide(arena, language(".*a.?"), {false, 2, false, 1}, limits);
  CHECK(!answer.member);
  CHECK(answer.depth == 1);
}
