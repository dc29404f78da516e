#include "automata/dfa.hpp"

#include "tests/catch.hpp"

using automata::Dfa;

TEST_CASE("a Dfa cannot be written down incompletely", "[automata]") {
  CHECK_THROWS_WITH(Dfa(2, 0, {0, 1, 0}, {false, true}),
                    "Dfa: table of 3 entries for 2 states and 2 letters");
  CHECK_THROWS_WITH(Dfa(2, 0, {0, 2, 0, 0}, {false, true}), "Dfa: successor 2 of 2 states");
  CHECK_THROWS_WITH(Dfa(2, 2, {0, 1, 0, 0}, {false, true}), "Dfa: start state 2 of 2");
  CHECK_THROWS_WITH(Dfa(0, 0, {}, {true}), "Dfa: no letters");
  CHECK_THROWS_WITH(Dfa(1, 0, {}, {}), "Dfa: start state 0 of 0");
}

TEST_CASE("reading words", "[automata]") {
  const Dfa ends_a(2, 0, {1, 0, 1, 0}, {false, true});
  CHECK_FALSE(ends_a.accepts(logic::Word{}));
  CHECK(ends_a.accepts(logic::Word{1, 0}));
  CHECK_FALSE(ends_a.accepts(logic::Word{0, 1}));
  CHECK(ends_a == Dfa(2, 0, {1, 0, 1, 0}, {false, true}));
}
