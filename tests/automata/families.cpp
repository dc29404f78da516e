#include "automata/families.hpp"

#include "automata/minimize.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <array>
#include <stdexcept>

using automata::Dfa;
using automata::Logic;
using logic::Word;

namespace {

// The Ehrenfeucht-Fraisse game of the logic, literally: Duplicator has an answer to every move for so many
// rounds.  Positions are counted from 1, the end of the word last.
bool duplicator_wins(const Word& x, std::size_t i, const Word& y, std::size_t j, Logic logic, int rounds,
                     std::uint32_t modulus) {
  const auto letter = [](const Word& w, std::size_t n) { return n <= w.size() ? int(w[n - 1]) : -1; };
  if (letter(x, i) != letter(y, j) || i % modulus != j % modulus) return false;
  if (rounds == 0) return true;
  const auto wins = [&](std::size_t m, std::size_t n) {
    return duplicator_wins(x, m, y, n, logic, rounds - 1, modulus);
  };
  const bool yesterday =
      logic == Logic::y || logic == Logic::py || logic == Logic::y_mod || logic == Logic::py_mod;
  const bool previously =
      logic == Logic::p || logic == Logic::py || logic == Logic::p_mod || logic == Logic::py_mod;
  if (yesterday && ((i == 1) != (j == 1) || (i > 1 && !wins(i - 1, j - 1)))) return false;
  if (previously) {
    for (std::size_t m = 1; m < i; ++m) {
      bool answered = false;
      for (std::size_t n = 1; n < j && !answered; ++n) answered = wins(m, n);
      if (!answered) return false;
    }
    for (std::size_t n = 1; n < j; ++n) {
      bool answered = false;
      for (std::size_t m = 1; m < i && !answered; ++m) answered = wins(m, n);
      if (!answered) return false;
    }
  }
  if (logic == Logic::s || logic == Logic::s_mod) {
    // Spoiler picks a witness in one word, Duplicator one in the other; Spoiler may then pick a position
    // after Duplicator's, and Duplicator answers after Spoiler's.
    const auto answered = [&](std::size_t m, std::size_t end_m, std::size_t end_n, auto game) {
      for (std::size_t n = 1; n < end_n; ++n) {
        if (!game(m, n)) continue;
        bool good = true;
        for (std::size_t between = n + 1; between < end_n && good; ++between) {
          good = false;
          for (std::size_t reply = m + 1; reply < end_m && !good; ++reply) good = game(reply, between);
        }
        if (good) return true;
      }
      return false;
    };
    for (std::size_t m = 1; m < i; ++m)
      if (!answered(m, i, j, wins)) return false;
    for (std::size_t n = 1; n < j; ++n)
      if (!answered(n, j, i, [&](std::size_t q, std::size_t p) { return wins(p, q); })) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("inseparable words are those on which the game is won", "[families]") {
  const auto words = tests::words_up_to(2, 5);
  for (const Logic logic : automata::all_logics) {
    const std::uint32_t modulus = logic >= Logic::y_mod ? 2 : 1;
    for (int depth = 0; depth <= 2; ++depth) {
      int equal = 0, different = 0;
      for (std::size_t i = 0; i < words.size(); i += 2) {
        for (std::size_t j = 0; j < i; j += 3) {
          const Word &x = words[i], &y = words[j];
          const bool expected = duplicator_wins(x, x.size() + 1, y, y.size() + 1, logic, depth, modulus);
          CAPTURE(automata::name(logic), depth, x, y);
          CHECK(automata::inseparable(x, y, logic, static_cast<std::uint32_t>(depth), modulus) == expected);
          ++(expected ? equal : different);
        }
      }
      CHECK((equal > 0 || depth == 2));
      CHECK((different > 0 || (depth == 0 && modulus == 1)));
    }
  }
}

TEST_CASE("each depth has its pair of words", "[families][law]") {
  std::array<int, 8> seen{};
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, 2 + tests::below(random, 4), 2));
    for (const auto& membership : automata::ladder(dfa)) {
      if (!membership.witness || ++seen[std::size_t(membership.logic)] > 20) continue;
      const std::uint32_t most = membership.logic >= Logic::y_mod ? 3 : 1;
      for (std::uint32_t modulus = 1; modulus <= most; ++modulus) {
        for (std::uint32_t depth = 1; depth <= 3; ++depth) {
          CAPTURE(seed, automata::name(membership.logic), depth, modulus);
          const auto pair = automata::inseparable_pair(dfa, *membership.witness, depth, modulus);
          CHECK(dfa.accepts(pair.in));
          CHECK_FALSE(dfa.accepts(pair.out));
          CHECK(pair.checked.value_or(true));
          if (pair.in.size() + pair.out.size() < 100) CHECK(pair.checked == true);
        }
      }
    }
  }
  for (const int count : seen) CHECK(count >= 15);
}

TEST_CASE("what is out of the domain of families", "[families]") {
  const Dfa ends(2, 0, {1, 0, 1, 0}, {false, true});  // definite
  const Dfa starts(2, 0, {1, 2, 1, 1, 2, 2}, {false, true, false});
  const auto witness = *automata::decide(starts, Logic::y).witness;
  CHECK_THROWS_AS(automata::inseparable_pair(starts, witness, 0), std::invalid_argument);
  CHECK_THROWS_AS(automata::inseparable_pair(starts, witness, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(automata::inseparable_pair(ends, witness, 1), std::invalid_argument);
  CHECK_THROWS_WITH(automata::inseparable_pair(starts, witness, 1000, 1, 100),
                    "inseparable_pair: more than 100 letters");
  CHECK(automata::inseparable(Word(100, 0), Word(101, 0), Logic::s, 3, 1, 10) == std::nullopt);
  CHECK(automata::inseparable(Word(100, 0), Word(101, 0), Logic::py, 3, 1, 10) == std::nullopt);
}
