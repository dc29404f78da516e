#include "automata/census.hpp"

#include "automata/minimize.hpp"
#include "automata/semigroup.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <set>

using namespace automata;

namespace {

/// How many languages need exactly that many states, letters not renamed: by minimising every table there is.
std::uint64_t languages_by_force(State states, Letter letters) {
  std::set<std::pair<std::vector<State>, std::vector<bool>>> found;
  tests::for_each_dfa(states, letters, [&](const Dfa& dfa) {
    const Dfa least = minimize(dfa);
    if (least.states() == states) found.emplace(least.table(), least.accepting());
  });
  return found.size();
}

Dfa swap_letters(const Dfa& dfa) {
  std::vector<State> next;
  for (State q = 0; q < dfa.states(); ++q) next.insert(next.end(), {dfa.next(q, 1), dfa.next(q, 0)});
  return minimize(Dfa(2, dfa.start(), next, dfa.accepting()));
}

/// The languages of for_each_language over two letters, and how many there are when the letters keep their
/// names.
std::uint64_t languages_with_names(State states) {
  std::uint64_t count = 0;
  for_each_language(states, 2, [&](const Dfa& dfa) { count += swap_letters(dfa) == dfa ? 1 : 2; });
  return count;
}

}  // namespace

TEST_CASE("every language once: by force, and as published", "[census]") {
  for (State n = 1; n <= 3; ++n) {
    std::uint64_t one_letter = 0;
    for_each_language(n, 1, [&](const Dfa&) { ++one_letter; });
    CAPTURE(n);
    CHECK(one_letter == languages_by_force(n, 1));
    CHECK(languages_with_names(n) == languages_by_force(n, 2));
  }
  // Domaratzki, Kisman and Shallit, "On the number of distinct languages accepted by finite automata with n
  // states" (J. Automata, Languages and Combinatorics 7, 2002): minimal automata over two letters.
  CHECK(languages_with_names(1) == 2);
  CHECK(languages_with_names(2) == 24);
  CHECK(languages_with_names(3) == 1028);
  CHECK(languages_with_names(4) == 56014);
}

TEST_CASE("what is visited is minimal, numbered canonically, and no two differ by names alone", "[census]") {
  std::set<std::pair<std::vector<State>, std::vector<bool>>> seen;
  for_each_language(3, 2, [&](const Dfa& dfa) {
    CHECK(minimize(dfa) == dfa);
    CHECK(seen.emplace(dfa.table(), dfa.accepting()).second);
    const Dfa swapped = swap_letters(dfa);
    if (swapped != dfa) CHECK(seen.count({swapped.table(), swapped.accepting()}) == 0);
  });
  CHECK(seen.size() > 500);
}

TEST_CASE("the counts agree with the definitions on the semigroup", "[census]") {
  const Census found = census(3, 2);
  REQUIRE(found.rows.size() == 3);
  const auto at = [](std::string_view class_name) {
    for (std::size_t i = 0; i < census_classes; ++i)
      if (census_class_name(i) == class_name) return i;
    FAIL("no class " << class_name);
    return std::size_t{0};
  };
  for (State n = 1; n <= 3; ++n) {
    std::uint64_t definite = 0, r_trivial = 0, locally_r_trivial = 0, aperiodic = 0, languages = 0;
    for_each_language(n, 2, [&](const Dfa& dfa) {
      const Semigroup semigroup(dfa);
      ++languages;
      definite += is_definite(semigroup);
      r_trivial += is_r_trivial(semigroup);
      locally_r_trivial += is_locally_r_trivial(semigroup);
      aperiodic += is_aperiodic(semigroup);
    });
    CAPTURE(n);
    const Census::Row& row = found.rows[n - 1];
    CHECK(row.languages == languages);
    CHECK(row.members[at("LTL[Y]")] == definite);
    CHECK(row.members[at("LTL[P]")] == r_trivial);
    CHECK(row.members[at("LTL[P,Y]")] == locally_r_trivial);
    CHECK(row.members[at("LTL[S]")] == aperiodic);
    for (const auto unknown : row.unknown) CHECK(unknown == 0);
  }
  // A difference that is empty by a theorem, one that is not, and the witness in it.
  CHECK_FALSE(found.difference[at("LTL[Y]")][at("LTL[P,Y]")]);
  CHECK_FALSE(found.difference[at("locally-testable")][at("locally-threshold-testable")]);
  const auto witness = found.difference[at("LTL[P,Y]")][at("locally-testable")];
  REQUIRE(witness);
  CHECK(profile(*witness)[at("LTL[P,Y]")] == true);
  CHECK(profile(*witness)[at("locally-testable")] == false);
}

TEST_CASE("sizes that cannot be enumerated are refused", "[census]") {
  CHECK_THROWS_AS(for_each_language(0, 2, [](const Dfa&) {}), std::invalid_argument);
  CHECK_THROWS_AS(for_each_language(2, 0, [](const Dfa&) {}), std::invalid_argument);
  CHECK_THROWS_AS(census(17, 1), std::invalid_argument);
}
