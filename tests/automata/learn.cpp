#include "automata/learn.hpp"

#include "automata/catalogue.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "automata/state_words.hpp"
#include "tests/catch.hpp"
#include "tests/scale.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

using namespace automata;

namespace {

/// Answers for `accepts`, and fails the test when a word comes twice.
template <class Accepts>
Oracle oracle_of(Accepts accepts) {
  return [=, asked = std::make_shared<std::set<Word>>()](std::span<const Word> words) {
    std::vector<bool> answers;
    for (const Word& word : words) {
      CHECK(asked->insert(word).second);
      answers.push_back(accepts(word));
    }
    return answers;
  };
}

Oracle oracle_of_dfa(const Dfa& dfa) {
  return oracle_of([&dfa](const Word& word) { return dfa.accepts(word); });
}

/// Every different language of an automaton with that many states at most, by its minimal automaton.
std::vector<Dfa> small_languages(State states, Letter letters) {
  std::set<std::pair<std::vector<State>, std::vector<bool>>> seen;
  std::vector<Dfa> languages;
  tests::for_each_dfa(states, letters, [&](const Dfa& dfa) {
    Dfa minimal = minimize(dfa);
    if (seen.emplace(minimal.table(), minimal.accepting()).second) languages.push_back(std::move(minimal));
  });
  return languages;
}

}  // namespace

TEST_CASE("access words lead to the states, and separating words tell them apart", "[automata][learn]") {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const Dfa dfa = minimize(tests::random_dfa(random, 1 + tests::below(random, 12), 1 + i % 3));
    CAPTURE(i, dfa.table());
    const auto access = access_words(dfa);
    REQUIRE(access.size() == dfa.states());
    for (State q = 0; q < dfa.states(); ++q) CHECK(dfa.run(0, access[q]) == q);
    const auto suffixes = separating_words(dfa);
    CHECK(suffixes.size() <= dfa.states());
    std::set<std::vector<bool>> rows;
    for (State q = 0; q < dfa.states(); ++q) {
      std::vector<bool> row;
      for (const auto& suffix : suffixes) row.push_back(dfa.is_accepting(dfa.run(q, suffix)));
      CHECK(rows.insert(row).second);
    }
  }
  CHECK_THROWS_AS(access_words(Dfa(1, 1, {0, 0}, {true, false})), std::invalid_argument);
  CHECK_THROWS_AS(access_words(Dfa(1, 0, {0, 0}, {true, false})), std::invalid_argument);
  CHECK_THROWS_AS(separating_words(Dfa(1, 0, {1, 0}, {true, true})), std::invalid_argument);
}

TEST_CASE("the W-method alone makes every small language exact", "[automata][learn][law]") {
  // Theorem 1 of docs/extract.md, on all languages of up to three states over two letters.
  const auto languages = small_languages(3, 2);
  CHECK(languages.size() > 1000);
  std::size_t wrong = 0;
  for (const Dfa& language : languages) {
    for (const State extra : {0u, 1u, 2u}) {
      CAPTURE(language.table(), language.accepting(), extra);
      const Learned learned = learn(2, oracle_of_dfa(language),
                                    {.exhaustive_words = 0, .extra_states = extra, .random_words = 0});
      CHECK(learned.complete);
      CHECK_FALSE(learned.exhaustive_length);
      REQUIRE(learned.exact_up_to_states == learned.dfa.states() + extra);
      if (language.states() <= *learned.exact_up_to_states) CHECK(learned.dfa == language);
      if (learned.dfa != language) ++wrong;
      CHECK_FALSE(learned.refuted_by);
    }
  }
  CHECK(wrong > 0);  // otherwise the bound of states has not been tested
}

TEST_CASE("automata are learned exactly, with about k n^2 queries", "[automata][learn]") {
  std::mt19937 random(5);
  for (int i = 0; i < tests::scaled(60, 10); ++i) {
    const Letter letters = 1 + i % 3;
    const Dfa language = minimize(tests::random_dfa(random, 1 + tests::below(random, 30), letters));
    CAPTURE(i, letters, language.states());
    const Learned learned = learn(letters, oracle_of_dfa(language), {.extra_states = 1});
    CHECK(learned.complete);
    CHECK(learned.dfa == language);
    CHECK(learned.random_words == 2'000);
    REQUIRE(learned.exhaustive_length);
    CHECK(*learned.exhaustive_length == (letters == 1 ? 631 : letters == 2 ? 12 : 8));
    const double n = language.states();
    const double m = static_cast<double>(learned.longest_query);
    CHECK(static_cast<double>(learned.queries - learned.test_queries) <=
          letters * n * n + n * (std::log2(m + 2) + 2) + 1);
  }
}

TEST_CASE("the catalogue's languages are learned", "[automata][learn]") {
  for (const char* name :
       {"ends-ab", "starts-a", "alternating", "contains-ab", "rdp-1", "dyck-2", "dyck:12"}) {
    CAPTURE(name);
    const Dfa language = find_language(name)->dfa;
    const Learned learned = learn(language.letters(), oracle_of_dfa(language));
    CHECK(learned.complete);
    CHECK(learned.dfa == language);
  }
}

TEST_CASE("learning is the same for the same seed", "[automata][learn]") {
  const Dfa language = find_language("dyck:6")->dfa;
  const auto words_for = [&](std::uint64_t seed) {
    std::vector<Word> asked;
    learn(2,
          [&](std::span<const Word> words) {
            std::vector<bool> answers;
            for (const Word& word : words) {
              asked.push_back(word);
              answers.push_back(language.accepts(word));
            }
            return answers;
          },
          {.exhaustive_words = 50, .extra_states = 0, .random_words = 100, .seed = seed});
    return asked;
  };
  CHECK(words_for(1) == words_for(1));
  CHECK(words_for(1) != words_for(2));
}

TEST_CASE("a language that is not regular ends at a limit, with what is known", "[automata][learn]") {
  const auto balanced = [](const Word& word) {
    return 2 * static_cast<std::size_t>(std::count(word.begin(), word.end(), 0u)) == word.size();
  };
  for (const std::size_t budget : {50u, 500u, 5'000u}) {
    CAPTURE(budget);
    const Learned learned = learn(2, oracle_of(balanced), {.max_queries = budget});
    CHECK_FALSE(learned.complete);
    CHECK(learned.queries <= budget);
    // What is claimed is true of the automaton, and the refuting word refutes it.
    if (learned.exhaustive_length)
      for (const Word& word : tests::words_up_to(2, *learned.exhaustive_length))
        CHECK(learned.dfa.accepts(word) == balanced(word));
    if (learned.refuted_by) CHECK(learned.dfa.accepts(*learned.refuted_by) != balanced(*learned.refuted_by));
  }
  const Learned few = learn(2, oracle_of(balanced), {.max_states = 7});
  CHECK_FALSE(few.complete);
  CHECK(few.dfa.states() <= 7);
  REQUIRE(few.refuted_by);
  CHECK(few.dfa.accepts(*few.refuted_by) != balanced(*few.refuted_by));

  int calls = 0;
  const Learned stopped =
      learn(2, oracle_of(balanced), {.go_on = [&](std::size_t, State) { return ++calls < 20; }});
  CHECK_FALSE(stopped.complete);
  CHECK(calls == 20);
}

TEST_CASE("a language that the tests do not reach is learned wrong, and no more is claimed",
          "[automata][learn]") {
  const auto long_word = [](const Word& word) { return word.size() == 1000; };
  const Learned learned = learn(2, oracle_of(long_word));
  CHECK(learned.complete);
  CHECK(learned.dfa.states() == 1);
  CHECK(learned.exact_up_to_states == 3u);
  CHECK(learned.exhaustive_length == 12u);
}

TEST_CASE("learn refuses what it cannot use", "[automata][learn]") {
  const Oracle silent = [](std::span<const Word>) { return std::vector<bool>(); };
  CHECK_THROWS_AS(learn(0, silent), std::invalid_argument);
  CHECK_THROWS_AS(learn(2, silent), std::invalid_argument);
  CHECK_THROWS_AS(learn(2, oracle_of([](const Word&) { return true; }), {.max_queries = 2}),
                  std::length_error);
}
