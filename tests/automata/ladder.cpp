#include "automata/ladder.hpp"

#include "automata/minimize.hpp"
#include "automata/semigroup.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

using automata::Dfa;
using automata::Logic;
using automata::Membership;
using automata::State;
using automata::Witness;
using logic::Letter;
using logic::Word;

namespace {

using Answers = std::array<bool, 8>;

// By the algebraic definitions alone.
Answers by_definition(const Dfa& dfa) {
  const automata::Semigroup s(dfa);
  const auto stable = automata::stability(s).value().elements;
  return {automata::is_definite(s),
          automata::is_r_trivial(s),
          automata::is_locally_r_trivial(s),
          automata::is_aperiodic(s),
          automata::is_definite(s, stable),
          automata::is_r_trivial(s, stable),
          automata::is_locally_r_trivial(s, stable),
          automata::is_aperiodic(s, stable)};
}

Answers members(const std::array<Membership, 8>& ladder) {
  Answers result{};
  for (std::size_t i = 0; i < 8; ++i) {
    REQUIRE(ladder[i].logic == automata::all_logics[i]);
    REQUIRE(ladder[i].member.has_value());
    result[i] = *ladder[i].member;
  }
  return result;
}

// The classes that lie in each other: from, to.
constexpr std::pair<Logic, Logic> inclusions[] = {
    {Logic::y, Logic::py},         {Logic::p, Logic::py},         {Logic::py, Logic::s},
    {Logic::y, Logic::y_mod},      {Logic::p, Logic::p_mod},      {Logic::py, Logic::py_mod},
    {Logic::s, Logic::s_mod},      {Logic::y_mod, Logic::py_mod}, {Logic::p_mod, Logic::py_mod},
    {Logic::py_mod, Logic::s_mod},
};

std::string describe(const Dfa& dfa) {
  std::string text = std::to_string(dfa.letters()) + " letters, rows";
  for (State q = 0; q < dfa.states(); ++q) {
    text += q == dfa.start() ? " >" : " ";
    for (Letter a = 0; a < dfa.letters(); ++a) text += std::to_string(dfa.next(q, a)) + ",";
    text.back() = dfa.is_accepting(q) ? '+' : '-';
  }
  return text;
}

// Compares the two routes; returns the answers.
Answers check(const Dfa& dfa) {
  CAPTURE(describe(dfa));
  const auto ladder = automata::ladder(dfa);
  const Answers answers = members(ladder);
  CHECK(answers == by_definition(dfa));
  for (const auto& [from, to] : inclusions) CHECK((!answers[std::size_t(from)] || answers[std::size_t(to)]));
  for (const auto& membership : ladder) {
    CHECK_FALSE(membership.note.empty());
    CHECK(membership.note.find('\n') == std::string::npos);
    REQUIRE(membership.witness.has_value() == !*membership.member);
    if (!membership.witness) continue;
    CHECK(membership.witness->logic == membership.logic);
    CHECK(automata::replay(dfa, *membership.witness));
  }
  return answers;
}

// Minimal automata met before need not be checked again.
class Unseen {
 public:
  bool operator()(const Dfa& dfa) {
    return seen_.emplace(dfa.letters(), dfa.table(), dfa.accepting()).second;
  }

 private:
  std::set<std::tuple<Letter, std::vector<State>, std::vector<bool>>> seen_;
};

std::string answers_of(const Dfa& dfa) {
  const Answers answers = check(automata::minimize(dfa));
  std::string text;
  for (const bool answer : answers) text += answer ? '1' : '0';
  return text;
}

// The automaton of a language given by a membership test, from the residuals of words up to `length`; the
// test below knows that this is long enough for its languages.
Dfa learn(Letter letters, const std::function<bool(const Word&)>& accepts, std::size_t length) {
  const auto suffixes = tests::words_up_to(letters, length);
  std::map<std::vector<bool>, State> state_of;
  std::vector<Word> access;
  const auto state = [&](const Word& word) {
    std::vector<bool> row;
    for (const auto& suffix : suffixes) {
      Word both = word;
      both.insert(both.end(), suffix.begin(), suffix.end());
      row.push_back(accepts(both));
    }
    const auto [place, is_new] = state_of.emplace(row, static_cast<State>(access.size()));
    if (is_new) access.push_back(word);
    return place->second;
  };
  state({});
  std::vector<State> next;
  std::vector<bool> accepting;
  for (std::size_t q = 0; q < access.size(); ++q) {
    accepting.push_back(accepts(access[q]));
    for (Letter a = 0; a < letters; ++a) {
      Word word = access[q];
      word.push_back(a);
      next.push_back(state(word));
    }
  }
  return Dfa(letters, 0, next, accepting);
}

bool contains(const Word& word, const Word& factor) {
  return std::search(word.begin(), word.end(), factor.begin(), factor.end()) != word.end();
}

// (Σ∖{b0})* a (Σ∖{a,b1})* with a = 0, b0 = 1, b1 = 2.
bool rdp_1(const Word& word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != 0) continue;
    const bool before =
        std::none_of(word.begin(), word.begin() + std::ptrdiff_t(i), [](Letter x) { return x == 1; });
    const bool after = std::none_of(word.begin() + std::ptrdiff_t(i) + 1, word.end(),
                                    [](Letter x) { return x == 0 || x == 2; });
    if (before && after) return true;
  }
  return false;
}

bool dyck(const Word& word, int depth) {
  int open = 0;
  for (const Letter a : word) {
    open += a == 0 ? 1 : -1;
    if (open < 0 || open > depth) return false;
  }
  return open == 0;
}

}  // namespace

TEST_CASE("names of the logics", "[ladder]") {
  for (const Logic logic : automata::all_logics)
    CHECK(automata::logic_of_name(automata::name(logic)) == logic);
  CHECK(automata::name(Logic::py_mod) == "LTL[P,Y,MOD]");
  CHECK_FALSE(automata::logic_of_name("LTL[Y,P]"));
}

TEST_CASE("automaton and algebra agree on all small automata", "[ladder][law]") {
  Unseen unseen;
  std::map<std::string, int> seen_answers;
  const auto check_language = [&](const Dfa& dfa) {
    const Dfa minimal = automata::minimize(dfa);
    if (unseen(minimal)) ++seen_answers[answers_of(minimal)];
  };
  for (Letter letters = 1; letters <= 2; ++letters)
    for (State states = 1; states <= 3; ++states) tests::for_each_dfa(states, letters, check_language);
  tests::for_each_dfa(2, 3, check_language);
  CHECK(seen_answers.size() >= 8);  // many different rungs occur
}

TEST_CASE("automaton and algebra agree on random automata", "[ladder][law]") {
  Unseen unseen;
  std::map<std::string, int> seen_answers;
  for (std::uint32_t seed = 0; seed < 12000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const State states = 2 + tests::below(random, 7);
    const Letter letters = 1 + tests::below(random, 3);
    // Automata whose edges are biased: forwards, to a neighbour on a ring, or to a sink, are members more
    // often than uniform ones.
    const auto kind = tests::below(random, 4);
    std::vector<State> next(std::size_t{states} * letters);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const auto q = static_cast<State>(i / letters);
      switch (kind) {
        case 0: next[i] = tests::below(random, states); break;
        case 1: next[i] = std::min(states - 1, q + tests::below(random, 3)); break;
        case 2: next[i] = tests::below(random, 4) == 0 ? states - 1 : (q + 1) % states; break;
        case 3: next[i] = tests::below(random, 2) == 0 ? states - 1 : tests::below(random, states); break;
      }
    }
    std::vector<bool> accepting(states);
    for (State q = 0; q < states; ++q) accepting[q] = tests::below(random, 2) == 1;
    const Dfa dfa = automata::minimize(Dfa(letters, 0, next, accepting));
    const automata::LadderLimits limits{.max_elements = 150};
    if (!unseen(dfa)) continue;
    try {
      automata::Semigroup(dfa, limits.max_elements);
    } catch (const std::length_error&) {
      continue;  // the literal definitions would take long
    }
    ++seen_answers[answers_of(dfa)];
  }
  CHECK(seen_answers.size() >= 12);
  int total = 0;
  for (const auto& [answers, count] : seen_answers) total += count;
  CHECK(total >= 2500);
}

TEST_CASE("the languages of the paper, and others on each rung", "[ladder]") {
  // Answers in the order LTL[Y], LTL[P], LTL[P,Y], LTL[S], and the same with MOD.
  const auto ends_with = [](Word factor) {
    return [factor](const Word& w) {
      return w.size() >= factor.size() && std::equal(factor.rbegin(), factor.rend(), w.rbegin());
    };
  };
  const auto has_factor_ab = [](const Word& w) { return contains(w, {0, 1}); };
  const auto starts_a = [](const Word& w) { return !w.empty() && w[0] == 0; };
  const auto a_before_b = [](const Word& w) {
    return std::find(std::find(w.begin(), w.end(), 0u), w.end(), 1u) != w.end();
  };
  const auto alternating = [](const Word& w) {
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i] != i % 2) return false;
    return w.size() % 2 == 0;
  };
  CHECK(answers_of(learn(2, ends_with({0}), 2)) == "10111011");
  CHECK(answers_of(learn(2, ends_with({0, 1}), 2)) == "10111011");
  CHECK(answers_of(learn(2, starts_a, 2)) == "01110111");
  CHECK(answers_of(learn(2, a_before_b, 2)) == "01110111");
  CHECK(answers_of(learn(2, alternating, 2)) == "00110111");
  // Whether ab occurs: over two letters it is enough that an a comes before a b.
  CHECK(answers_of(learn(2, has_factor_ab, 2)) == "01110111");
  CHECK(answers_of(learn(3, has_factor_ab, 2)) == "00110011");
  CHECK(answers_of(learn(4, has_factor_ab, 2)) == "00110011");
  // The right-deterministic polynomial needs its neutral letter to leave LTL[P,Y].
  CHECK(answers_of(learn(3, rdp_1, 3)) == "00110011");
  CHECK(answers_of(learn(4, rdp_1, 3)) == "00010001");
  CHECK(answers_of(learn(
            2, [](const Word& w) { return dyck(w, 1); }, 3)) == "00110111");
  CHECK(answers_of(learn(
            2, [](const Word& w) { return dyck(w, 2); }, 3)) == "00010011");
  CHECK(answers_of(learn(
            2, [](const Word& w) { return dyck(w, 3); }, 4)) == "00010001");

  CHECK(answers_of(learn(
            2, [](const Word&) { return true; }, 2)) == "11111111");
  CHECK(answers_of(learn(
            2, [](const Word&) { return false; }, 2)) == "11111111");
  CHECK(answers_of(learn(
            2, [](const Word& w) { return !w.empty(); }, 2)) == "11111111");
  CHECK(answers_of(learn(
            2,
            [](const Word& w) {
              return w == Word{0, 1};
            },
            4)) == "11111111");
  const auto even_a = [](const Word& w) { return std::count(w.begin(), w.end(), 0u) % 2 == 0; };
  CHECK(answers_of(learn(2, even_a, 2)) == "00000000");
  CHECK(answers_of(learn(
            2, [&](const Word& w) { return even_a(w) && w.size() % 2 == 0; }, 2)) == "00000000");
  for (std::size_t m = 2; m <= 7; ++m) {
    const auto multiple = [m](const Word& w) { return w.size() % m == 0; };
    for (Letter letters = 1; letters <= 3; ++letters)
      CHECK(answers_of(learn(letters, multiple, m)) == "00001111");
    CHECK(answers_of(learn(
              1, [m](const Word& w) { return w.size() >= 3 && w.size() % m == 0; }, 20)) == "00001111");
    CHECK(answers_of(learn(
              1, [m](const Word& w) { return w.size() >= m; }, 20)) == "11111111");
    // The last letter is a, and the length a multiple.
    CHECK(answers_of(learn(
              2, [&](const Word& w) { return multiple(w) && ends_with({0})(w); }, m)) == "00001011");
    // The first letter is a, and the length a multiple.
    CHECK(answers_of(learn(
              2, [&](const Word& w) { return multiple(w) && starts_a(w); }, m)) == "00000111");
  }
}

namespace {

// A ring of `first` states and a ring of `second` ones under the letter a; b leads from one state of each
// ring to the other ring, and from everywhere else to a sink.
Dfa two_rings(State first, State second) {
  const State n = first + second + 1, sink = n - 1;
  std::vector<State> next(std::size_t{n} * 2, sink);
  for (State i = 0; i < first; ++i) next[2 * i] = (i + 1) % first;
  for (State i = 0; i < second; ++i) next[2 * (first + i)] = first + (i + 1) % second;
  next[1] = first;
  next[2 * first + 1] = 1;
  std::vector<bool> accepting(n, false);
  accepting[0] = true;
  return automata::minimize(Dfa(2, 0, next, accepting));
}

}  // namespace

TEST_CASE("witnesses with long loops", "[ladder]") {
  const auto check_rings = [](State first, State second, bool modular) {
    const Dfa dfa = two_rings(first, second);
    REQUIRE(dfa.states() == first + second + 1);
    CAPTURE(first, second);
    const auto ladder = automata::ladder(dfa);
    CHECK(members(ladder) == Answers{false, false, false, false, false, false, false, modular});
    for (const auto& membership : ladder)
      if (membership.witness) CHECK(automata::replay(dfa, *membership.witness));
  };
  check_rings(7, 9, false);  // two states, one on each ring, change places
  check_rings(6, 8, true);   // the component has period 2, and they cannot

  // Here the semigroup has more than a million elements.
  const Dfa coprime = two_rings(31, 37);
  for (const Logic logic : automata::all_logics) {
    CAPTURE(automata::name(logic));
    const auto membership = automata::decide(coprime, logic, {.max_elements = 5000});
    CHECK(membership.member == (logic == Logic::s_mod ? std::nullopt : std::optional(false)));
    CHECK(membership.witness.has_value() == (logic != Logic::s_mod));
  }
  CHECK(automata::decide(coprime, Logic::py).witness->loop == Word(31, 0));
}

TEST_CASE("a witness from the whole semigroup", "[ladder]") {
  // Blocks a^60 b and a^60 c, with an even number of the former: thousands of maps before one is periodic.
  constexpr State length = 61, sink = 2 * length;
  std::vector<State> next(std::size_t{sink + 1} * 3, sink);
  for (const State side : {State{0}, length}) {
    for (State i = 0; i + 1 < length; ++i) next[3 * (side + i)] = side + i + 1;
    next[3 * (side + length - 1) + 1] = length - side;
    next[3 * (side + length - 1) + 2] = side;
  }
  std::vector<bool> accepting(sink + 1, false);
  accepting[0] = true;
  const Dfa dfa(3, 0, next, accepting);
  const auto membership = automata::decide(dfa, Logic::s_mod);
  REQUIRE(membership.member == false);
  CHECK(automata::replay(dfa, *membership.witness));
  CHECK(membership.witness->loop.size() == length);
  CHECK(membership.witness->period == 2);
}

TEST_CASE("limits are reported as unknown", "[ladder]") {
  // Random automata over n states have huge semigroups, but no large class holds their languages.
  std::mt19937 random(1);
  const Dfa large = automata::minimize(tests::random_dfa(random, 300, 2));
  for (const auto& membership : automata::ladder(large, {.max_elements = 2000}))
    CHECK(membership.member == false);

  // Star-free and outside LTL[P,Y]: the semigroup is needed.
  const Dfa depth = learn(
      2, [](const Word& w) { return dyck(w, 2); }, 3);
  const auto answers =
      automata::ladder(automata::minimize(depth), {.max_elements = 5, .max_counter_edges = 0});
  CHECK(answers[std::size_t(Logic::s)].member == std::nullopt);
  CHECK(answers[std::size_t(Logic::s)].note ==
        "undecided: the first 5 elements of the transition semigroup are aperiodic, and there are more; no "
        "counter was found along 0 edges of tuples of states (0 prime periods in full)");
  CHECK(answers[std::size_t(Logic::s_mod)].member == true);
  CHECK(answers[std::size_t(Logic::s_mod)].note == "follows from LTL[P,Y,MOD]");

  const Dfa rdp = automata::minimize(learn(4, rdp_1, 3));
  const auto few = automata::decide(rdp, Logic::s_mod, {.max_elements = 3, .max_counter_edges = 0});
  CHECK(few.member == std::nullopt);
  CHECK_FALSE(few.witness);

  // No word of a few letters settles the component of Σ*abΣ*'s automaton, so its one pair is needed.
  const Dfa factor = automata::minimize(learn(
      3,
      [](const Word& w) {
        return contains(w, {0, 1});
      },
      2));
  CHECK(automata::decide(factor, Logic::py).member == true);
  const auto no_pairs = automata::decide(factor, Logic::py, {.max_pairs = 0});
  CHECK(no_pairs.member == std::nullopt);
  CHECK(no_pairs.note == "undecided: 1 pairs of states are more than the limit of 0");
  CHECK(automata::decide(factor, Logic::s, {.max_pairs = 0}).member == true);
}

TEST_CASE("only minimal automata have a place on the ladder", "[ladder]") {
  const Dfa twice(1, 0, {1, 0}, {true, true});
  CHECK_THROWS_WITH(automata::decide(twice, Logic::y),
                    "ladder: the automaton has 2 states, the minimal one 1");
  CHECK_THROWS_AS(automata::ladder(twice), std::invalid_argument);
  // Minimal, with another numbering than the canonical one.
  CHECK(automata::decide(Dfa(2, 1, {0, 1, 0, 1}, {true, false}), Logic::y).member == true);
}

namespace {

// Every change of one field that must break the claim of a witness against its logic.
std::vector<Witness> corruptions(const Dfa& dfa, const Witness& good) {
  const Logic logic = good.logic;
  const bool modular = logic >= Logic::y_mod;
  const bool rotates = logic == Logic::s || logic == Logic::s_mod;
  const bool connects =
      logic == Logic::p || logic == Logic::py || logic == Logic::p_mod || logic == Logic::py_mod;
  const bool both_fixed =
      logic == Logic::y || logic == Logic::py || logic == Logic::y_mod || logic == Logic::py_mod;
  std::vector<Witness> result;
  const auto with = [&](auto change) {
    Witness w = good;
    change(w);
    result.push_back(std::move(w));
  };
  for (State q = 0; q <= dfa.states(); ++q) {
    if (q != good.p) with([&](Witness& w) { w.p = q; });
    if (q != good.q) with([&](Witness& w) { w.q = q; });
  }
  for (Word Witness::*field : {&Witness::access_p, &Witness::access_q, &Witness::suffix})
    with([&](Witness& w) { (w.*field).push_back(dfa.letters()); });
  for (const Word& word : tests::words_up_to(dfa.letters(), 3)) {
    const auto run = [&](State q) { return dfa.run(q, word); };
    if (run(dfa.start()) != good.p || (logic == Logic::y_mod && word.size() != good.access_q.size()))
      with([&](Witness& w) { w.access_p = word; });
    if (run(dfa.start()) != good.q || (logic == Logic::y_mod && word.size() != good.access_p.size()))
      with([&](Witness& w) { w.access_q = word; });
    if (dfa.is_accepting(run(good.p)) == dfa.is_accepting(run(good.q)))
      with([&](Witness& w) { w.suffix = word; });
    if (connects && (run(good.p) != good.q || (modular && word.size() % good.loop.size() != 0)))
      with([&](Witness& w) { w.to_q = word; });
    if (connects &&
        (run(good.q) != good.p || (logic == Logic::p_mod && word.size() % good.rest.size() != 0) ||
         (logic == Logic::py_mod && word.size() % good.loop.size() != 0)))
      with([&](Witness& w) { w.to_p = word; });
    if ((both_fixed && (run(good.p) != good.p || run(good.q) != good.q || word.empty())) ||
        (logic == Logic::p_mod && (run(good.p) != good.p || word.empty())) ||
        (rotates && run(good.p) != good.q) || (logic == Logic::s_mod && word.size() != good.loop.size()))
      with([&](Witness& w) { w.loop = word; });
    if ((logic == Logic::p_mod && (run(good.q) != good.q || word.empty())) ||
        (logic == Logic::s_mod && (run(good.p) != good.p || word.size() != good.loop.size())))
      with([&](Witness& w) { w.rest = word; });
  }
  if (rotates) {
    for (const std::uint64_t period : {std::uint64_t{0}, std::uint64_t{1}, good.period + 1})
      with([&](Witness& w) { w.period = period; });
  }
  return result;
}

}  // namespace

TEST_CASE("a corrupted witness does not replay", "[ladder]") {
  std::array<int, 8> seen{};
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, 2 + tests::below(random, 4), 2));
    CAPTURE(describe(dfa));
    for (const auto& membership : automata::ladder(dfa)) {
      if (!membership.witness) continue;
      ++seen[std::size_t(membership.logic)];
      for (const Witness& bad : corruptions(dfa, *membership.witness))
        CHECK_FALSE(automata::replay(dfa, bad));
    }
  }
  for (const int count : seen) CHECK(count >= 20);
}

namespace {

// What formulas of some depth can see at a position: two positions have the same type exactly when they
// satisfy the same formulas of that depth (docs/ladder.md).
struct Sees {
  bool previously = false;
  bool yesterday = false;
  bool since = false;
  std::size_t modulus = 1;
};

// Whether the ends of the two words have the same type of that depth.
bool inseparable(const Word& x, const Word& y, int depth, const Sees& sees) {
  using Type = std::vector<std::uint32_t>;
  std::map<Type, std::uint32_t> numbers;
  const auto number = [&](Type type) {
    return numbers.emplace(std::move(type), static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  constexpr auto nothing =
      static_cast<std::uint32_t>(-1);  // the letter at the end, the type before position 1
  const auto end_type = [&](const Word& word) {
    std::vector<std::uint32_t> letters(word.begin(), word.end());
    letters.push_back(nothing);
    const auto ground = [&](std::size_t n) {
      return Type{letters[n], static_cast<std::uint32_t>(n % sees.modulus)};
    };
    std::vector<std::uint32_t> types(letters.size());
    for (std::size_t n = 0; n < types.size(); ++n) types[n] = number(ground(n));
    for (int r = 1; r <= depth; ++r) {
      std::vector<std::uint32_t> deeper(types.size());
      std::set<std::uint32_t> before;
      for (std::size_t n = 0; n < types.size(); ++n) {
        Type type = ground(n);
        type.push_back(static_cast<std::uint32_t>(r));
        if (sees.yesterday) type.push_back(n == 0 ? nothing : types[n - 1]);
        if (sees.previously) type.insert(type.end(), before.begin(), before.end());
        if (sees.since) {
          std::set<std::uint32_t> pairs, between;  // (type at m, types after m)
          for (std::size_t m = n; m > 0; --m) {
            Type pair{nothing, types[m - 1]};
            pair.insert(pair.end(), between.begin(), between.end());
            pairs.insert(number(std::move(pair)));
            between.insert(types[m - 1]);
          }
          type.insert(type.end(), pairs.begin(), pairs.end());
        }
        deeper[n] = number(std::move(type));
        before.insert(types[n]);
      }
      types = std::move(deeper);
    }
    return types.back();
  };
  return end_type(x) == end_type(y);
}

Word power(const Word& word, std::size_t exponent) {
  Word result;
  for (std::size_t i = 0; i < exponent; ++i) result.insert(result.end(), word.begin(), word.end());
  return result;
}

Word operator*(Word x, const Word& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

// The words of docs/ladder.md that no formula of depth r with moduli dividing m separates.
std::pair<Word, Word> family(const Witness& w, std::size_t r, std::size_t m) {
  const Word& u = w.loop;
  // loop^j · way, with a length divisible by m.
  const auto fitted = [&](const Word& loop, Word way) {
    while (way.size() % m != 0) way = loop * way;
    return way;
  };
  switch (w.logic) {
    case Logic::y:
    case Logic::y_mod: return {w.access_p * power(u, r) * w.suffix, w.access_q * power(u, r) * w.suffix};
    case Logic::p:
    case Logic::p_mod: {
      const Word t = fitted(w.loop, w.to_q), t_back = fitted(w.rest, w.to_p);
      const Word x = w.access_p * power(t * t_back, r);
      return {x * w.suffix, x * t * w.suffix};
    }
    case Logic::py:
    case Logic::py_mod: {
      const Word loops = power(u, r * m);
      const Word t = fitted(u, w.to_q) * loops, t_back = fitted(u, w.to_p) * loops;
      const Word x = w.access_p * loops * power(t * t_back, r);
      return {x * w.suffix, x * t * w.suffix};
    }
    case Logic::s:
    case Logic::s_mod: {
      const Word turn = u * power(w.rest, m - 1);
      const Word x = w.access_p * power(turn, 2 * r * w.period);
      return {x * w.suffix, x * turn * w.suffix};
    }
  }
  return {};
}

}  // namespace

TEST_CASE("types see what formulas see", "[ladder]") {
  const Sees y{.yesterday = true}, p{.previously = true}, s{.since = true};
  CHECK(inseparable({0, 1}, {1, 1}, 1, y));
  CHECK_FALSE(inseparable({0, 1}, {1, 1}, 2, y));
  CHECK_FALSE(inseparable({0, 1}, {1, 1}, 1, p));
  CHECK(inseparable({0, 1}, {1, 0}, 1, p));
  CHECK_FALSE(inseparable({0, 1}, {1, 0}, 2, p));
  CHECK(inseparable({2, 0, 2, 1, 2, 0, 2}, {2, 0, 2, 1, 2, 0, 2, 1, 2}, 1, p));
  CHECK_FALSE(
      inseparable({2, 0, 2, 1, 2, 0, 2}, {2, 0, 2, 1, 2, 0, 2, 1, 2}, 1, s));  // no a since the last b
  CHECK(inseparable({0}, {0, 0}, 0, y));
  CHECK_FALSE(inseparable({0}, {0, 0}, 0, Sees{.modulus = 2}));
}

TEST_CASE("the words of a witness are inseparable, and one of them is in the language", "[ladder][law]") {
  std::array<int, 8> seen{};
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, 2 + tests::below(random, 4), 2));
    for (const auto& membership : automata::ladder(dfa)) {
      if (!membership.witness || ++seen[std::size_t(membership.logic)] > 30) continue;
      const Witness& w = *membership.witness;
      const bool modular = w.logic >= Logic::y_mod;
      const Logic plain = modular ? Logic(int(w.logic) - int(Logic::y_mod)) : w.logic;
      for (std::size_t m = 1; m <= (modular ? 3u : 1u); ++m) {
        for (std::size_t r = 1; r <= 3; ++r) {
          Sees sees;
          sees.previously = plain == Logic::p || plain == Logic::py;
          sees.yesterday = plain == Logic::y || plain == Logic::py;
          sees.since = plain == Logic::s;
          sees.modulus = m;
          const auto [x, y] = family(w, r, m);
          CAPTURE(seed, describe(dfa), automata::name(w.logic), m, r, x, y);
          CHECK(dfa.accepts(x) != dfa.accepts(y));
          if (x.size() + y.size() < 400) CHECK(inseparable(x, y, static_cast<int>(r), sees));
        }
      }
    }
  }
  for (const int count : seen) CHECK(count >= 20);
}
