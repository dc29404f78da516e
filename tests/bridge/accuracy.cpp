#include "bridge/accuracy.hpp"

#include "automata/catalogue.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <map>
#include <set>

using automata::Dfa;
using bridge::accuracy;
using logic::Word;

namespace {

template <class Accepts>
bridge::Answers answers_of(Accepts accepts) {
  return [=](std::span<const Word> words) {
    std::vector<bool> answers;
    for (const Word& word : words) answers.push_back(accepts(word));
    return answers;
  };
}

Dfa language_of(const char* name) {
  return automata::find_language(name)->dfa;
}

}  // namespace

TEST_CASE("all short words are compared, length by length", "[bridge][accuracy]") {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const logic::Letter letters = 1 + i % 3;
    const Dfa language = automata::minimize(tests::random_dfa(random, 1 + i % 4, letters));
    const Dfa other = automata::minimize(tests::random_dfa(random, 1 + i % 4, letters));
    CAPTURE(i, language.table(), other.table());
    const auto result = accuracy(answers_of([&](const Word& word) { return other.accepts(word); }), language,
                                 {.exhaustive_length = 7, .longest = 7});
    REQUIRE(result.lengths.size() == 8);
    std::map<std::size_t, std::pair<std::uint64_t, std::uint64_t>> wanted;
    for (const Word& word : tests::words_up_to(letters, 7)) {
      ++wanted[word.size()].first;
      if (language.accepts(word) == other.accepts(word)) ++wanted[word.size()].second;
    }
    for (const auto& [length, exhaustive, words, right] : result.lengths) {
      CAPTURE(length);
      CHECK(exhaustive);
      CHECK(words == wanted[length].first);
      CHECK(right == wanted[length].second);
    }
    // Two automata of four states differ on a word of at most 7 letters, or not at all.
    const auto difference = automata::difference(language, other);
    CHECK(result.counterexample == difference);
    if (!difference)
      CHECK(result.perfect_length == 7u);
    else if (difference->empty())
      CHECK_FALSE(result.perfect_length);
    else
      CHECK(result.perfect_length == difference->size() - 1);
  }
}

TEST_CASE("what uniform words do not show is found by the other kinds", "[bridge][accuracy]") {
  const bridge::AccuracyOptions options{.exhaustive_length = 4, .longest = 60};
  const Dfa alternating = language_of("alternating");
  const Dfa ends_a = language_of("ends-a");

  SECTION("near misses") {  // accepts words that one letter takes from (ab)*
    const auto result = accuracy(answers_of([](const Word& word) {
                                   std::size_t wrong = word.size() % 2;
                                   for (std::size_t i = 0; i < word.size(); ++i) wrong += word[i] != i % 2;
                                   return wrong == 0 || (wrong == 1 && word.size() > 30);
                                 }),
                                 alternating, options);
    REQUIRE(result.counterexample);
    CHECK(result.counterexample->size() == 32);
    CHECK_FALSE(alternating.accepts(*result.counterexample));
  }
  SECTION("periodic words") {  // wrong where the period is 3
    const auto result = accuracy(answers_of([&](const Word& word) {
                                   bool period = word.size() > 30;
                                   for (std::size_t i = 3; i < word.size(); ++i)
                                     period = period && word[i] == word[i - 3];
                                   return ends_a.accepts(word) != period;
                                 }),
                                 ends_a, options);
    CHECK(result.counterexample);
  }
  SECTION("one occurrence of a letter") {
    const auto result = accuracy(answers_of([&](const Word& word) {
                                   const bool once =
                                       word.size() > 30 && std::count(word.begin(), word.end(), 0u) == 1;
                                   return ends_a.accepts(word) != once;
                                 }),
                                 ends_a, options);
    REQUIRE(result.counterexample);
    CHECK(result.counterexample->size() == 31);
  }
}

TEST_CASE("a drawn counterexample loses the letters that do not matter", "[bridge][accuracy]") {
  const Dfa language = language_of("ends-a");
  const auto wrong = [](const Word& word) { return std::count(word.begin(), word.end(), 1u) >= 9; };
  const auto result =
      accuracy(answers_of([&](const Word& word) { return language.accepts(word) != wrong(word); }), language,
               {.exhaustive_length = 8, .longest = 40, .step = 7});
  CHECK(result.counterexample == Word(9, 1));
  CHECK(result.perfect_length == 8u);
  std::vector<std::size_t> lengths;
  for (const auto& row : result.lengths) lengths.push_back(row.length);
  CHECK(lengths == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 23, 30, 37});
}

TEST_CASE("half of the words drawn are in the language, and a seed draws them again", "[bridge][accuracy]") {
  for (const char* name : {"ends-a", "alternating", "contains-ab", "dyck-2"}) {
    CAPTURE(name);
    const Dfa language = language_of(name);
    const auto words_for = [&](std::uint64_t seed) {
      std::vector<Word> drawn;
      accuracy(
          [&](std::span<const Word> words) {
            drawn.insert(drawn.end(), words.begin(), words.end());
            std::vector<bool> answers;
            for (const Word& word : words) answers.push_back(language.accepts(word));
            return answers;
          },
          language, {.exhaustive_length = 0, .longest = 20, .samples = 40, .seed = seed});
      return drawn;
    };
    const auto drawn = words_for(1);
    std::map<std::size_t, int> inside, all;
    for (const Word& word : drawn) {
      ++all[word.size()];
      if (language.accepts(word)) ++inside[word.size()];
    }
    for (const std::size_t length : {2u, 10u, 20u}) {
      CHECK(all[length] == 40);
      CHECK(inside[length] == 20);
    }
    CHECK(drawn == words_for(1));
    CHECK(drawn != words_for(2));
  }
}

TEST_CASE("Wilson's interval", "[bridge][accuracy]") {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  const auto check = [](std::uint64_t right, std::uint64_t words, double low, double high) {
    const auto interval = bridge::wilson_interval(right, words);
    CAPTURE(right, words);
    CHECK(interval.low == Approx(low).margin(6e-5));
    CHECK(interval.high == Approx(high).margin(6e-5));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0000, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  check(29, 29, 0.8830, 1.0000);
  check(0, 0, 0, 1);
}

TEST_CASE("accuracy refuses what it cannot use", "[bridge][accuracy]") {
  const Dfa language = language_of("ends-a");
  const auto yes = answers_of([](const Word&) { return true; });
  CHECK_THROWS_AS(accuracy(yes, language, {.step = 0}), std::invalid_argument);
  CHECK_THROWS_AS(accuracy([](std::span<const Word>) { return std::vector<bool>(); }, language),
                  std::invalid_argument);
  CHECK_THROWS_AS(accuracy(yes, language, {.longest = 1'000'000, .max_bytes = 1000}), std::length_error);
}
