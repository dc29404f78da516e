#include "automata/product.hpp"

#include "automata/minimize.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

using namespace automata;
using tests::below;

namespace {

std::vector<Dfa> all_dfas(State states, Letter letters) {
  std::vector<Dfa> dfas;
  tests::for_each_dfa(states, letters, [&](const Dfa& dfa) { dfas.push_back(dfa); });
  return dfas;
}

/// `words` must go up to length n + m - 1 for n and m states: there a difference shows, if anywhere.
void check_pair(const Dfa& x, const Dfa& y, const std::vector<Word>& words) {
  const Dfa products[] = {
      combine(x, y, BooleanOperation::intersection), combine(x, y, BooleanOperation::union_),
      combine(x, y, BooleanOperation::difference), combine(x, y, BooleanOperation::symmetric_difference)};
  std::optional<Word> least;
  for (const auto& word : words) {
    const bool p = x.accepts(word);
    const bool q = y.accepts(word);
    if (p != q && !least) least = word;
    const bool right = products[0].accepts(word) == (p && q) && products[1].accepts(word) == (p || q) &&
                       products[2].accepts(word) == (p && !q) && products[3].accepts(word) == (p != q);
    if (right) continue;
    CAPTURE(x.table(), x.accepting(), y.table(), y.accepting(), word);
    FAIL("wrong product");
  }
  if (difference(x, y) == least && shortest_accepted(products[3]) == least) return;
  CAPTURE(x.table(), x.accepting(), x.start(), y.table(), y.accepting(), y.start());
  FAIL("not the least difference");
}

}  // namespace

TEST_CASE("products and differences of all small automata", "[automata][product]") {
  const auto check_all = [](const std::vector<Dfa>& dfas, const std::vector<Word>& words) {
    for (const Dfa& x : dfas)
      for (const Dfa& y : dfas) check_pair(x, y, words);
  };
  check_all(all_dfas(2, 2), tests::words_up_to(2, 3));
  check_all(all_dfas(3, 1), tests::words_up_to(1, 5));
}

TEST_CASE("products and differences of random automata", "[automata][product]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const Letter letters = 1 + below(random, 2);
    const Dfa x = tests::random_dfa(random, 1 + below(random, 5), letters);
    // Half of the time automata that differ late: one acceptance flipped.
    auto accepting = x.accepting();
    const State flipped = below(random, x.states());
    accepting[flipped] = !accepting[flipped];
    const Dfa y = below(random, 2) == 0 ? Dfa(letters, x.start(), x.table(), accepting)
                                        : tests::random_dfa(random, 1 + below(random, 4), letters);
    INFO("seed " << seed);
    check_pair(x, y, tests::words_up_to(letters, std::size_t{x.states()} + y.states() - 1));
  }
}

TEST_CASE("the laws of complement and equality", "[automata][product]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Letter letters = 1 + below(random, 3);
    const Dfa x = tests::random_dfa(random, 1 + below(random, 30), letters);
    const Dfa y = tests::random_dfa(random, 1 + below(random, 30), letters);
    CAPTURE(seed);
    CHECK(difference(x, complement(x)) == Word{});
    CHECK(complement(complement(x)) == x);
    CHECK_FALSE(difference(x, minimize(x)));
    CHECK(difference(x, y).has_value() == !(minimize(x) == minimize(y)));
    CHECK_FALSE(difference(complement(combine(x, y, BooleanOperation::union_)),
                           combine(complement(x), complement(y), BooleanOperation::intersection)));
    CHECK_FALSE(shortest_accepted(combine(x, x, BooleanOperation::difference)));
  }
}

TEST_CASE("states differ as the automata that start there do", "[automata][product]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Dfa dfa = tests::random_dfa(random, 1 + below(random, 12), 1 + below(random, 3));
    const auto from = [&](State q) { return Dfa(dfa.letters(), q, dfa.table(), dfa.accepting()); };
    CAPTURE(seed);
    for (State p = 0; p < dfa.states(); ++p)
      for (State q = 0; q < dfa.states(); ++q) CHECK(difference(dfa, p, q) == difference(from(p), from(q)));
  }
}

TEST_CASE("the comparison of large automata is near-linear", "[automata][product]") {
  // Cycles of coprime lengths have 10^12 reachable pairs; both reject everything.
  const auto cycle = [](State n, bool accepts_last) {
    std::vector<State> next(n);
    for (State q = 0; q < n; ++q) next[q] = (q + 1) % n;
    std::vector<bool> accepting(n, false);
    accepting[n - 1] = accepts_last;
    return Dfa(1, 0, next, accepting);
  };
  CHECK_FALSE(difference(cycle(1'000'000, false), cycle(999'999, false)));
  CHECK(difference(cycle(1'000'000, true), cycle(999'999, false)) == Word(999'999, 0));
}

TEST_CASE("products: limits and wrong input", "[automata][product]") {
  const Dfa three(1, 0, {1, 2, 0}, {true, false, false});
  const Dfa five(1, 0, {1, 2, 3, 4, 0}, {true, false, false, false, false});
  CHECK(combine(three, five, BooleanOperation::intersection, 15).states() == 15);
  CHECK_THROWS_AS(combine(three, five, BooleanOperation::intersection, 14), std::length_error);
  CHECK_THROWS_WITH(combine(three, five, BooleanOperation::intersection, 14),
                    "combine: 15 pairs of states reached, max_states is 14");
  const Dfa two_letters(2, 0, {0, 0}, {true});
  CHECK_THROWS_WITH(combine(three, two_letters, BooleanOperation::union_), "combine: 1 and 2 letters");
  CHECK_THROWS_WITH(difference(three, two_letters), "difference: 1 and 2 letters");
  CHECK(shortest_accepted(two_letters) == Word{});
}
