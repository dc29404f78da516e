#include "automata/sampler.hpp"

#include "automata/catalogue.hpp"
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "automata/regex.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

using namespace automata;

namespace {

const logic::Alphabet ab({"a", "b"});

std::vector<Word> words_of_length(Letter letters, std::size_t length) {
  std::vector<Word> words;
  for (auto& word : tests::words_up_to(letters, length))
    if (word.size() == length) words.push_back(std::move(word));
  return words;
}

bool is_on(const Dfa& dfa, Side side, const Word& word) {
  return dfa.accepts(word) == (side == Side::inside);
}

/// Throws unless the counts fit the uniform distribution on `classes` outcomes.
///
/// Pearson's statistic X is then nearly chi-square with d = classes - 1 degrees of freedom, and
/// P(X >= d + 2 sqrt(d t) + 2 t) <= e^-t, P(X <= d - 2 sqrt(d t)) <= e^-t (Laurent & Massart 2000, Lemma 1).
/// With t = 14 each is below 10^-6: the seeds are fixed, so a failure is an error and not bad luck.
template <class Key>
void check_uniform(const std::map<Key, int>& counts, std::size_t classes, int draws) {
  REQUIRE(counts.size() <= classes);
  const double expected = static_cast<double>(draws) / static_cast<double>(classes);
  REQUIRE(expected >= 20);
  double statistic = static_cast<double>(classes - counts.size()) * expected;
  for (const auto& [key, count] : counts) statistic += (count - expected) * (count - expected) / expected;
  const double d = static_cast<double>(classes) - 1;
  const double t = 14;
  CAPTURE(classes, draws);
  CHECK(statistic <= d + 2 * std::sqrt(d * t) + 2 * t);
  CHECK(statistic >= d - 2 * std::sqrt(d * t));
}

/// All edits of `word` of the kinds that are allowed.
std::vector<Edit> edits_of(const Word& word, Letter letters, const NearMissOptions& options) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i <= word.size(); ++i) {
    for (Letter a = 0; a < letters; ++a) {
      if (options.substitutions && i < word.size() && word[i] != a)
        edits.push_back({Edit::Kind::substitution, i, a});
      if (options.insertions) edits.push_back({Edit::Kind::insertion, i, a});
    }
    if (options.deletions && i < word.size()) edits.push_back({Edit::Kind::deletion, i, 0});
  }
  return edits;
}

struct Pair {
  Word base;
  Edit edit;
  Word word;
};

/// By the definition: each base on the other side, each edit of it with a result of that length on `side`.
std::vector<Pair> near_misses(const Dfa& dfa, Side side, std::size_t length, const NearMissOptions& options) {
  std::vector<Pair> pairs;
  for (const Word& base : tests::words_up_to(dfa.letters(), length + 1)) {
    if (is_on(dfa, side, base) || base.size() + 1 < length) continue;
    for (const Edit& edit : edits_of(base, dfa.letters(), options)) {
      Word word = apply_edit(edit, base);
      if (word.size() == length && is_on(dfa, side, word)) pairs.push_back({base, edit, std::move(word)});
    }
  }
  return pairs;
}

constexpr Side sides[] = {Side::inside, Side::outside};

}  // namespace

TEST_CASE("Philox4x32-10 gives the published values", "[automata][random]") {
  // The known answers of the authors' library Random123.
  using Block = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random streams", "[automata][random]") {
  const auto first = [](Random random) {
    std::vector<std::uint32_t> numbers(9);
    for (auto& number : numbers) number = random();
    return numbers;
  };
  CHECK(first(Random(1, 2, 3)) == first(Random(1, 2, 3)));
  // Seeds that differ in their upper half alone, purposes, and steps that do so: all streams differ.
  std::set<std::vector<std::uint32_t>> streams;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull})
    for (const std::uint32_t purpose : {0u, 1u, 7u})
      for (const std::uint64_t step : {0ull, 1ull, 1ull << 32})
        streams.insert(first(Random(seed, purpose, step)));
  CHECK(streams.size() == 4 * 3 * 3);

  for (const std::uint64_t bound : {1ull, 2ull, 3ull, 7ull, 64ull, 100ull}) {
    CAPTURE(bound);
    Random random(5, 0, bound);
    std::map<std::uint64_t, int> counts;
    const int draws = static_cast<int>(200 * bound);
    for (int i = 0; i < draws; ++i) ++counts[random.below(bound)];
    CHECK(counts.size() == bound);
    CHECK(counts.rbegin()->first == bound - 1);
    if (bound > 1) check_uniform(counts, bound, draws);
  }
  // Bounds of more than 32 bits: the halves of the range are equally likely.
  Random random(6);
  std::map<std::uint64_t, int> counts;
  const std::uint64_t bound = 3ull << 40;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t number = random.below(bound);
    REQUIRE(number < bound);
    ++counts[number >> 40];
  }
  check_uniform(counts, 3, 3000);
}

TEST_CASE("counts are those of brute force on all small automata", "[automata][sampler]") {
  const auto check = [](const Dfa& dfa, std::size_t length) {
    const Sampler sampler(dfa, length);
    std::vector<std::size_t> inside(length + 1, 0);
    std::vector<std::size_t> all(length + 1, 0);
    for (const Word& word : tests::words_up_to(dfa.letters(), length)) {
      ++all[word.size()];
      if (dfa.accepts(word)) ++inside[word.size()];
    }
    for (std::size_t n = 0; n <= length; ++n) {
      const std::size_t outside = all[n] - inside[n];
      if (sampler.count(Side::inside, n) == std::to_string(inside[n]) &&
          sampler.count(Side::outside, n) == std::to_string(outside) &&
          sampler.has_words(Side::inside, n) == (inside[n] > 0) &&
          sampler.has_words(Side::outside, n) == (outside > 0))
        continue;
      CAPTURE(dfa.table(), dfa.accepting(), n, inside[n], all[n]);
      FAIL("wrong count");
    }
  };
  for (const State states : {1u, 2u})
    for (const Letter letters : {1u, 2u, 3u})
      tests::for_each_dfa(states, letters, [&](const Dfa& dfa) { check(dfa, 4); });
  tests::for_each_dfa(3, 1, [&](const Dfa& dfa) { check(dfa, 7); });
  tests::for_each_dfa(3, 2, [&](const Dfa& dfa) { check(dfa, 4); });
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) check(tests::random_dfa(random, 3 + i % 4, 2), 8);
}

TEST_CASE("counts of long words are exact", "[automata][sampler]") {
  // Catalan-like: the balanced words of length 2n and depth at most 2 are 2^(n-1).
  const Sampler dyck(find_language("dyck-2")->dfa, 500);
  CHECK(dyck.count(Side::inside, 500) ==
        "904625697166532776746648320380374280103671755200316906558262375061821325312");  // 2^249
  CHECK(dyck.log2_count(Side::inside, 500) == 249);
  CHECK(dyck.count(Side::inside, 499) == "0");
  CHECK(dyck.log2_count(Side::inside, 499) == -std::numeric_limits<double>::infinity());
  // 2^200 words, one of them inside.
  const Sampler power(from_regex("a*", ab), 200);
  CHECK(power.count(Side::inside, 200) == "1");
  CHECK(power.count(Side::outside, 200) == "1606938044258990275541962092341162602522202993782792835301375");
  CHECK(power.log2_count(Side::outside, 200) == Approx(200));
}

TEST_CASE("uniform words are uniform", "[automata][sampler]") {
  struct Case {
    const char* language;
    std::size_t length;
  };
  for (const auto& [name, length] : {Case{"dyck-2", 12}, Case{"rdp-1", 3}, Case{"contains-ab", 4},
                                     Case{"a-before-b", 6}, Case{"tomita-4", 7}, Case{"ends-a", 5}}) {
    const auto language = find_language(name);
    REQUIRE(language);
    const Sampler sampler(language->dfa, length);
    for (const Side side : sides) {
      std::size_t classes = 0;
      for (const Word& word : words_of_length(language->alphabet.size(), length))
        classes += is_on(language->dfa, side, word) ? 1 : 0;
      if (classes < 2 || classes > 300) continue;
      CAPTURE(name, length, side == Side::inside);
      const int draws = static_cast<int>(40 * classes);
      std::map<Word, int> counts;
      for (int i = 0; i < draws; ++i) {
        Random random(7, 0, static_cast<std::uint64_t>(i));
        const auto word = sampler.uniform(side, length, random);
        REQUIRE(word);
        REQUIRE(word->size() == length);
        if (!is_on(language->dfa, side, *word)) FAIL("a word of the other side");
        ++counts[*word];
      }
      check_uniform(counts, classes, draws);
    }
  }
}

TEST_CASE("a word depends on seed, purpose and index alone", "[automata][sampler]") {
  const Sampler sampler(find_language("rdp-1")->dfa, 40);
  const Sampler longer(find_language("rdp-1")->dfa, 100);
  const auto draw = [](const Sampler& from, std::uint64_t index) {
    Random random(11, 3, index);
    return from.uniform(Side::outside, 40, random);
  };
  std::vector<std::optional<Word>> forwards;
  for (std::uint64_t i = 0; i < 50; ++i) forwards.push_back(draw(sampler, i));
  for (std::uint64_t i = 50; i-- > 0;) CHECK(draw(longer, i) == forwards[i]);
  CHECK(std::set<std::optional<Word>>(forwards.begin(), forwards.end()).size() == 50);
  // Pinned: a change here changes what every seed means.
  Random random(1, 0, 0);
  CHECK(logic::to_string(ab,
                         *Sampler(find_language("a-before-b")->dfa, 20).uniform(Side::inside, 20, random)) ==
        "baaaaaaaabbaabbbaaba");
}

TEST_CASE("lengths without words give none, and lengths out of range are errors", "[automata][sampler]") {
  const Sampler sampler(find_language("alternating")->dfa, 9);
  Random random(1);
  CHECK_FALSE(sampler.uniform(Side::inside, 7, random));
  CHECK(sampler.uniform(Side::inside, 0, random) == Word{});
  CHECK_FALSE(sampler.uniform(Side::outside, 0, random));
  CHECK(sampler.uniform(Side::inside, 4, random) == Word{0, 1, 0, 1});
  CHECK_FALSE(random_periodic_word(sampler, Side::inside, 7, 3, random));
  CHECK_THROWS_WITH(sampler.uniform(Side::inside, 10, random),
                    "Sampler: length 10 is above the maximum of 9");
  CHECK_THROWS_AS(sampler.count(Side::inside, 10), std::invalid_argument);
  CHECK_THROWS_AS(sampler.uniform_from(3, Side::inside, 1, random), std::invalid_argument);
  CHECK_THROWS_AS(random_periodic_word(sampler, Side::inside, 4, 0, random), std::invalid_argument);
  CHECK_THROWS_AS(Sampler(find_language("dyck:1000")->dfa, 1000, 1 << 20), std::length_error);
  NearMissOptions no_edit;
  no_edit.substitutions = false;
  CHECK_THROWS_AS(NearMissSampler(find_language("dyck-2")->dfa, Side::inside, 4, no_edit),
                  std::invalid_argument);
  CHECK_THROWS_AS(apply_edit({Edit::Kind::deletion, 2, 0}, Word{0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(apply_edit({Edit::Kind::insertion, 3, 0}, Word{0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(apply_edit({Edit::Kind::substitution, 1, 1}, Word{0, 1}), std::invalid_argument);
}

TEST_CASE("long words of the whole catalogue", "[automata][sampler]") {
  for (const auto& entry : catalogue()) {
    if (entry.is_family()) continue;
    const auto language = find_language(entry.name);
    const Sampler sampler(language->dfa, 500);
    for (const Side side : sides) {
      for (const std::size_t length : {499u, 500u}) {
        CAPTURE(entry.name, length, side == Side::inside);
        Random random(13, 0, length);
        const auto word = sampler.uniform(side, length, random);
        CHECK(word.has_value() == sampler.has_words(side, length));
        if (word) CHECK((word->size() == length && is_on(language->dfa, side, *word)));
      }
    }
  }
}

TEST_CASE("near misses are counted as the definition says", "[automata][sampler]") {
  const auto check = [](const Dfa& dfa, std::size_t length, NearMissOptions options) {
    for (const Side side : sides) {
      const NearMissSampler sampler(dfa, side, length, options);
      for (std::size_t n = 0; n <= length; ++n) {
        const auto pairs = near_misses(dfa, side, n, options);
        std::map<State, std::size_t> by_state;
        for (const Pair& pair : pairs) ++by_state[dfa.run(dfa.start(), pair.word)];
        bool right = sampler.count(n) == std::to_string(pairs.size());
        for (State q = 0; q < dfa.states() && options.stratified; ++q)
          right = right && sampler.count(n, q) == std::to_string(by_state[q]);
        Random random(17, 0, n);
        const auto miss = sampler.sample(n, random);
        right = right && miss.has_value() == !pairs.empty();
        if (miss)
          right = right && std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                    return pair.base == miss->base && pair.edit == miss->edit && pair.word == miss->word;
                  });
        if (right) continue;
        CAPTURE(dfa.table(), dfa.accepting(), n, side == Side::inside, pairs.size(), sampler.count(n));
        FAIL("near misses differ from the definition");
      }
    }
  };
  std::vector<NearMissOptions> all_options;
  for (int kinds = 1; kinds < 8; ++kinds)
    for (const bool stratified : {true, false})
      all_options.push_back({(kinds & 1) != 0, (kinds & 2) != 0, (kinds & 4) != 0, stratified});
  tests::for_each_dfa(2, 2, [&](const Dfa& dfa) {
    for (const auto& options : all_options) check(dfa, 3, options);
  });
  tests::for_each_dfa(3, 1, [&](const Dfa& dfa) { check(dfa, 4, {true, true, true}); });
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i)
    check(tests::random_dfa(random, 3 + i % 3, 2 + i % 2), 4, all_options[static_cast<std::size_t>(i) % 14]);
}

TEST_CASE("near misses are uniform, among final states first when stratified", "[automata][sampler]") {
  struct Case {
    const char* language;
    std::size_t length;
    NearMissOptions options;
  };
  for (const auto& [name, length, options] :
       {Case{"dyck-2", 8, {}}, Case{"dyck-2", 8, {true, false, false, false}},
        Case{"rdp-1", 3, {true, true, true}}, Case{"alternating", 7, {false, true, true}}}) {
    const Dfa dfa = find_language(name)->dfa;
    for (const Side side : sides) {
      const auto pairs = near_misses(dfa, side, length, options);
      if (pairs.empty()) continue;
      CAPTURE(name, length, side == Side::inside, options.stratified);
      const NearMissSampler sampler(dfa, side, length, options);
      std::map<State, std::size_t> size_of;
      for (const Pair& pair : pairs) ++size_of[dfa.run(dfa.start(), pair.word)];
      std::map<State, int> strata;
      std::map<State, std::map<std::pair<Word, std::pair<std::size_t, Word>>, int>> within;
      const int draws = static_cast<int>(60 * pairs.size());
      for (int i = 0; i < draws; ++i) {
        Random random(19, 1, static_cast<std::uint64_t>(i));
        const auto miss = sampler.sample(length, random);
        REQUIRE(miss);
        const State q = dfa.run(dfa.start(), miss->word);
        ++strata[q];
        // Base, position and result tell the pairs apart.
        ++within[q][{miss->base, {miss->edit.position, miss->word}}];
      }
      if (options.stratified) {
        CHECK(strata.size() == size_of.size());
        if (strata.size() > 1) check_uniform(strata, strata.size(), draws);
        for (const auto& [q, counts] : within)
          if (size_of[q] > 1 && strata[q] >= static_cast<int>(20 * size_of[q]))
            check_uniform(counts, size_of[q], strata[q]);
      } else {
        std::map<std::pair<Word, std::pair<std::size_t, Word>>, int> all;
        for (const auto& [q, counts] : within) all.insert(counts.begin(), counts.end());
        check_uniform(all, pairs.size(), draws);
      }
    }
  }
}

TEST_CASE("long near misses", "[automata][sampler]") {
  for (const char* name : {"dyck-2", "rdp-1", "alternating", "contains-ab", "parity", "dyck:2:3"}) {
    const Dfa dfa = find_language(name)->dfa;
    for (const Side side : sides) {
      const NearMissSampler sampler(dfa, side, 300);
      for (std::uint64_t i = 0; i < 5; ++i) {
        CAPTURE(name, i, side == Side::inside);
        Random random(23, 0, i);
        const auto miss = sampler.sample(300, random);
        REQUIRE(miss);
        CHECK(apply_edit(miss->edit, miss->base) == miss->word);
        CHECK(is_on(dfa, side, miss->word));
        CHECK_FALSE(is_on(dfa, side, miss->base));
        CHECK(miss->word.size() == 300);
      }
    }
  }
}

TEST_CASE("boundary words tell an automaton from all that are no larger", "[automata][sampler]") {
  std::vector<Dfa> minimal;  // each language of at most 3 states over 2 letters, once
  std::set<std::pair<std::vector<State>, std::vector<bool>>> seen;
  for (const State states : {1u, 2u, 3u})
    tests::for_each_dfa(states, 2, [&](const Dfa& dfa) {
      Dfa small = minimize(dfa);
      if (seen.emplace(small.table(), small.accepting()).second) minimal.push_back(std::move(small));
    });
  REQUIRE(minimal.size() > 1000);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < minimal.size(); i += 1 + i / 12) {
    const auto words = boundary_words(minimal[i]);
    for (const Dfa& other : minimal) {
      if (other.states() > minimal[i].states() || other == minimal[i]) continue;
      const bool agree = std::all_of(words.begin(), words.end(), [&](const Word& word) {
        return other.accepts(word) == minimal[i].accepts(word);
      });
      ++checked;
      if (!agree) continue;
      CAPTURE(minimal[i].table(), other.table());
      FAIL("a smaller automaton agrees on all boundary words");
    }
  }
  CHECK(checked > 10'000);
  const auto words = boundary_words(find_language("ends-a")->dfa);
  CHECK(words == std::vector<Word>{{}, {0}, {1}, {0, 0}, {0, 1}});
  CHECK_THROWS_AS(boundary_words(Dfa(1, 0, {1, 0}, {true, true})), std::invalid_argument);
  CHECK_THROWS_AS(boundary_words(find_language("dyck:20")->dfa, 100), std::length_error);
}

TEST_CASE("periodic words", "[automata][sampler]") {
  CHECK(periodic_word(Word{}, Word{0, 1}, 3, Word{0}) == Word{0, 1, 0, 1, 0, 1, 0});
  CHECK(periodic_word(Word{1, 1}, Word{0}, 0, Word{0}) == Word{1, 1, 0});
  // Whether some |u| < p, |w| <= p leave a middle that is a repetition of p letters.
  const auto is_periodic = [](const Word& word, std::size_t max_period) {
    for (std::size_t p = 1; p <= max_period; ++p)
      for (std::size_t tail = 0; tail <= std::min(p, word.size()); ++tail) {
        const std::size_t begin = (word.size() - tail) % p;
        bool repeats = true;
        for (std::size_t i = begin; i + p < word.size() - tail; ++i)
          repeats = repeats && word[i] == word[i + p];
        if (repeats) return true;
      }
    return false;
  };
  for (const char* name : {"dyck-2", "rdp-1", "alternating", "parity", "ends-ab"}) {
    const Dfa dfa = find_language(name)->dfa;
    const Sampler sampler(dfa, 60);
    for (const Side side : sides) {
      std::set<Word> words;
      for (std::uint64_t i = 0; i < 100; ++i) {
        CAPTURE(name, i, side == Side::inside);
        Random random(29, 0, i);
        const auto word = random_periodic_word(sampler, side, 60, 4, random);
        REQUIRE(word);
        CHECK(word->size() == 60);
        CHECK(is_on(dfa, side, *word));
        CHECK(is_periodic(*word, 4));
        words.insert(*word);
      }
      if (std::string_view(name) != "alternating" || side == Side::outside) CHECK(words.size() > 5);
    }
  }
}

TEST_CASE("words with a number of occurrences", "[automata][sampler]") {
  for (const Word& factor : {Word{0}, Word{0, 1}, Word{0, 0}, Word{0, 0, 0}, Word{0, 1, 0},
                             Word{0, 1, 0, 1, 1}, Word{0, 0, 1, 0, 0}}) {
    for (const std::size_t times : {0u, 1u, 2u, 3u}) {
      const Dfa dfa = exactly_occurring(factor, 2, times);
      CHECK(dfa == minimize(dfa));
      for (const Word& word : tests::words_up_to(2, 9)) {
        std::size_t count = 0;
        for (std::size_t i = 0; i + factor.size() <= word.size(); ++i)
          count +=
              std::equal(factor.begin(), factor.end(), word.begin() + static_cast<std::ptrdiff_t>(i)) ? 1 : 0;
        if (dfa.accepts(word) == (count == times)) continue;
        CAPTURE(factor, times, word);
        FAIL("wrong number of occurrences");
      }
    }
  }
  const Dfa contains = find_language("contains-ab")->dfa;
  const Dfa once =
      minimize(combine(contains, exactly_occurring(Word{0, 1}, 3), BooleanOperation::intersection));
  CHECK(once == exactly_occurring(Word{0, 1}, 3));
  CHECK_THROWS_AS(exactly_occurring(Word{}, 2), std::invalid_argument);
  CHECK_THROWS_AS(exactly_occurring(Word{2}, 2), std::invalid_argument);
}
