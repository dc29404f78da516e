#include "automata/classes.hpp"

#include "automata/ladder.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "automata/semigroup.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

using automata::ClassMembership;
using automata::Dfa;
using automata::Failure;
using automata::LanguageClass;
using automata::Logic;
using automata::Semigroup;
using automata::State;
using logic::Word;
using Element = Semigroup::Element;

namespace {

using enum automata::LanguageClass;

std::string describe(const Dfa& dfa) {
  std::string text;
  for (State q = 0; q < dfa.states(); ++q) {
    text += q == 0 ? "" : " | ";
    for (automata::Letter a = 0; a < dfa.letters(); ++a) text += std::to_string(dfa.next(q, a)) + " ";
    text += dfa.is_accepting(q) ? "+" : "-";
  }
  return text + ", start " + std::to_string(dfa.start());
}

// A semigroup as its table of products, with the definitions of the classes read off it, literally.
class Table {
 public:
  explicit Table(const Semigroup& s) : size_(s.size()), product_(size_ * size_) {
    for (Element x = 0; x < size_; ++x)
      for (Element y = 0; y < size_; ++y) product_[x * size_ + y] = s.multiply(x, y);
    for (Element x = 0; x < size_; ++x) {
      all_.push_back(x);
      if (of(x, x) == x) idempotents_.push_back(x);
    }
    has_identity_ = s.has_identity();
  }

  using Set = std::vector<Element>;

  Element of(Element x, Element y) const { return product_[x * size_ + y]; }
  template <class... More>
  Element of(Element x, Element y, More... more) const {
    return of(of(x, y), more...);
  }
  Element omega(Element x) const {
    Element power = x;
    while (of(power, power) != power) power = of(power, x);
    return power;
  }
  Set between(Element e, Element f) const {
    std::set<Element> set;
    for (const Element x : all_) set.insert(of(e, x, f));
    return {set.begin(), set.end()};
  }

  // Equal ideals mean equal elements, in the monoid part ∪ {1}.
  template <class Ideal>
  static bool ideals_differ(const Set& part, Ideal ideal) {
    std::set<std::set<Element>> seen;
    for (const Element x : part)
      if (!seen.insert(ideal(x)).second) return false;
    return true;
  }
  bool is_l_trivial(const Set& part) const {
    return ideals_differ(part, [&](Element x) {
      std::set<Element> ideal{x};
      for (const Element y : part) ideal.insert(of(y, x));
      return ideal;
    });
  }
  bool is_r_trivial(const Set& part) const {
    return ideals_differ(part, [&](Element x) {
      std::set<Element> ideal{x};
      for (const Element y : part) ideal.insert(of(x, y));
      return ideal;
    });
  }
  bool is_j_trivial(const Set& part) const {
    return ideals_differ(part, [&](Element x) {
      std::set<Element> ideal{x};
      for (const Element y : part) {
        ideal.insert({of(x, y), of(y, x)});
        for (const Element z : part) ideal.insert(of(y, x, z));
      }
      return ideal;
    });
  }
  // Regular D-classes are aperiodic semigroups, hence bands.
  bool is_da(const Set& part) const {
    return std::all_of(part.begin(), part.end(), [&](Element x) {
      const bool regular = std::any_of(part.begin(), part.end(), [&](Element y) { return of(x, y, x) == x; });
      return !regular || of(x, x) == x;
    });
  }
  bool is_semilattice(const Set& part) const {
    for (const Element x : part)
      for (const Element y : part)
        if (of(x, x) != x || of(x, y) != of(y, x)) return false;
    return true;
  }
  template <class Property>
  bool locally(Property property) const {
    return std::all_of(idempotents_.begin(), idempotents_.end(),
                       [&](Element e) { return property(between(e, e)); });
  }
  bool is_aperiodic() const {
    return std::all_of(all_.begin(), all_.end(), [&](Element x) { return of(omega(x), x) == omega(x); });
  }
  bool satisfies_beauquier_pin() const {
    for (const Element e : idempotents_) {
      for (const Element f : idempotents_) {
        const Set there = between(e, f), back = between(f, e);
        for (const Element x : there)
          for (const Element y : back)
            for (const Element z : there)
              if (of(x, y, z) != of(z, y, x)) return false;
      }
    }
    return true;
  }
  // (ab)^ω a d (cd)^ω = (ab)^ω (cd)^ω for a, c in eSf and b, d in fSe.
  bool satisfies_knast() const {
    for (const Element e : idempotents_) {
      for (const Element f : idempotents_) {
        std::set<std::pair<Element, Element>> lefts, rights;
        for (const Element a : between(e, f)) {
          for (const Element b : between(f, e)) {
            lefts.emplace(omega(of(a, b)), of(omega(of(a, b)), a));
            rights.emplace(omega(of(a, b)), of(b, omega(of(a, b))));
          }
        }
        for (const auto& [g, ga] : lefts)
          for (const auto& [h, dh] : rights)
            if (of(ga, dh) != of(g, h)) return false;
      }
    }
    return true;
  }
  bool is_group() const {  // of the monoid
    if (!has_identity_) return size_ == 0;
    return std::all_of(all_.begin(), all_.end(), [&](Element x) {
      return std::all_of(all_.begin(), all_.end(), [&](Element y) {
        return std::any_of(all_.begin(), all_.end(), [&](Element z) { return of(x, z) == y; }) &&
               std::any_of(all_.begin(), all_.end(), [&](Element z) { return of(z, x) == y; });
      });
    });
  }

  bool has(const Dfa& dfa, LanguageClass c) const {
    switch (c) {
      case reverse_definite:
        return std::all_of(idempotents_.begin(), idempotents_.end(), [&](Element e) {
          return std::all_of(all_.begin(), all_.end(), [&](Element x) { return of(e, x) == e; });
        });
      case generalized_definite: return locally([](const Set& part) { return part.size() == 1; });
      case finite:
      case cofinite: {
        // Infinite exactly when a word of a length in [n, 2n) is accepted.
        std::set<State> now{dfa.start()};
        for (State length = 0; length < 2 * dfa.states(); ++length) {
          if (length >= dfa.states())
            for (const State q : now)
              if (dfa.is_accepting(q) == (c == finite)) return false;
          std::set<State> next;
          for (const State q : now)
            for (automata::Letter a = 0; a < dfa.letters(); ++a) next.insert(dfa.next(q, a));
          now = std::move(next);
        }
        return true;
      }
      case locally_testable: return locally([&](const Set& part) { return is_semilattice(part); });
      case locally_threshold_testable: return is_aperiodic() && satisfies_beauquier_pin();
      case piecewise_testable: return is_j_trivial(all_);
      case l_trivial: return is_l_trivial(all_);
      case da: return is_da(all_);
      case locally_da: return locally([&](const Set& part) { return is_da(part); });
      case locally_j_trivial: return locally([&](const Set& part) { return is_j_trivial(part); });
      case dot_depth_one: return satisfies_knast();
      case group: return is_group();
    }
    return false;
  }

  const Set& all() const { return all_; }

 private:
  std::size_t size_;
  std::vector<Element> product_;
  Set all_, idempotents_;
  bool has_identity_;
};

struct Counts {
  std::array<int, 13> yes{}, no{};
  std::map<std::string, int> reasons;
};

void check_against_definitions(const Dfa& dfa, Counts& counts, std::size_t max_size) {
  const Semigroup s(dfa);
  if (s.size() > max_size) return;
  const Table table(s);
  const auto answers = automata::decide_classes(dfa);
  REQUIRE(answers.size() == 13);
  for (const auto& answer : answers) {
    const bool expected = table.has(dfa, answer.language_class);
    CAPTURE(describe(dfa), automata::name(answer.language_class), expected, answer.note);
    REQUIRE(answer.member == expected);
    REQUIRE(answer.failure.has_value() == !expected);
    if (answer.failure) {
      REQUIRE(automata::replay(dfa, *answer.failure));
      REQUIRE(automata::included(answer.language_class, answer.failure->language_class));
    }
    ++(expected ? counts.yes : counts.no)[std::size_t(answer.language_class)];
    // The reasons that are not borrowed from another class, numbers left out.
    const bool own = answer.failure ? answer.failure->language_class == answer.language_class
                                    : answer.note.rfind("follows from", 0) != 0;
    if (!own) continue;
    std::string note(automata::name(answer.language_class));
    note += ": ";
    for (const char character : answer.note)
      if (character < '0' || character > '9') note += character;
    ++counts.reasons[note];
  }
  // Inclusions, also with the ladder.
  const auto is = [&](LanguageClass c) { return answers[std::size_t(c)].member == true; };
  for (const auto smaller : automata::all_language_classes)
    for (const auto larger : automata::all_language_classes)
      if (automata::included(smaller, larger) && is(smaller)) REQUIRE(is(larger));
  const auto ladder = automata::ladder(dfa);
  const auto in = [&](Logic logic) { return ladder[std::size_t(logic)].member == true; };
  CHECK((!in(Logic::y) || is(generalized_definite)));
  CHECK((in(Logic::y) && is(reverse_definite)) == (is(finite) || is(cofinite)));
  CHECK((in(Logic::p) && is(l_trivial)) == is(piecewise_testable));
  CHECK((!in(Logic::p) || is(da)));
  CHECK((!is(locally_j_trivial) || in(Logic::py)));
  CHECK((!in(Logic::py) || is(locally_da)));
  CHECK((!is(locally_da) || in(Logic::s)));
  CHECK((is(group) && in(Logic::s)) == (dfa.states() == 1));
  // One by one is the same as all together.
  const auto c = automata::all_language_classes[s.size() % 13];
  CHECK(automata::decide(dfa, c).member == answers[std::size_t(c)].member);
}

// Every way to an answer must have been gone that often.
void expect_reasons(const Counts& counts, int least, std::initializer_list<const char*> reasons) {
  for (const std::string reason : reasons) {
    int count = 0;
    for (const auto& [text, times] : counts.reasons)
      if (text.rfind(reason, 0) == 0) count += times;
    CAPTURE(reason);
    CHECK(count >= least);
  }
}

// Once for each language: the automata that are already canonical.
template <class Function>
void for_each_minimal(State states, automata::Letter letters, Function f) {
  tests::for_each_dfa(states, letters, [&](const Dfa& dfa) {
    if (automata::minimize(dfa) == dfa) f(dfa);
  });
}

}  // namespace

TEST_CASE("the tests on the automaton agree with the definitions: all small automata", "[classes][law]") {
  Counts counts;
  for (State states = 1; states <= 3; ++states)
    for_each_minimal(states, 2, [&](const Dfa& dfa) { check_against_definitions(dfa, counts, 100); });
  for (State states = 1; states <= 5; ++states)
    for_each_minimal(states, 1, [&](const Dfa& dfa) { check_against_definitions(dfa, counts, 100); });
  for (const auto c : automata::all_language_classes) {
    CAPTURE(automata::name(c));
    CHECK(counts.yes[std::size_t(c)] >= 4);
    CHECK(counts.no[std::size_t(c)] >= 4);
  }
}

TEST_CASE("the tests on the automaton agree with the definitions: random automata", "[classes][law]") {
  Counts counts;
  int checked = 0;
  for (std::uint32_t seed = 0; checked < 5000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    // Any automata; chains; and sparse ones, where most letters lead to a sink.
    const auto shape = tests::below(random, 4);
    const State states = 2 + tests::below(random, shape >= 2 ? 8 : 6);
    Dfa dfa = tests::random_dfa(random, states, 1 + tests::below(random, 3));
    if (shape != 0) {
      auto table = dfa.table();
      for (std::size_t i = 0; i < table.size(); ++i) {
        const auto q = static_cast<State>(i / dfa.letters());
        if (shape == 1 && tests::below(random, 2) == 0) table[i] = std::max(table[i], q);
        if (tests::below(random, 3) < (shape == 1 ? 1u : 2u)) table[i] = states - 1;
        if (q == states - 1) table[i] = q;
      }
      dfa = Dfa(dfa.letters(), 0, table, dfa.accepting());
    }
    dfa = automata::minimize(dfa);
    if (dfa.states() == 1) continue;
    try {
      if (Semigroup(dfa, 60).size() > 60) continue;
    } catch (const std::length_error&) {
      continue;
    }
    ++checked;
    check_against_definitions(dfa, counts, 60);
  }
  for (const auto c : automata::all_language_classes) {
    CAPTURE(automata::name(c), counts.yes[std::size_t(c)], counts.no[std::size_t(c)]);
    CHECK(counts.yes[std::size_t(c)] >= 20);
    CHECK(counts.no[std::size_t(c)] >= 20);
  }
  expect_reasons(
      counts, 20,
      {"DA: letters of a common loop lead", "DA: no two states", "L-trivial: nothing before a loop",
       "L-trivial: what came before", "cofinite: the longest", "finite: the longest",
       "locally-DA: a word swaps", "locally-testable: Trahtman", "piecewise-testable: the first of two",
       "piecewise-testable: the subwords", "locally-threshold-testable: the equation"});
}

namespace {

// The pattern of Knast's equation, letters e, f, a, b, c, d, and a sink: e loops at p, s, s'; f at r, t, t'.
Dfa knast_pattern() {
  enum : State { p, r, s, t, s2, t2, x };
  return Dfa(6, p, {p,  x,  r, x, t,  x,   //
                    x,  r,  x, p, x,  s2,  //
                    s,  x,  x, x, t,  x,   //
                    x,  t,  x, x, x,  s,   //
                    s2, x,  x, x, t2, x,   //
                    x,  t2, x, x, x,  s2,  //
                    x,  x,  x, x, x,  x},
             {false, false, true, false, false, true, false});
}

}  // namespace

TEST_CASE("the tests on the automaton agree with the definitions: around Knast's pattern", "[classes][law]") {
  Counts counts;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Dfa pattern = knast_pattern();
    auto table = pattern.table();
    for (State& q : table)
      if (tests::below(random, 16) == 0) q = tests::below(random, 7);
    const Dfa dfa = automata::minimize(Dfa(6, 0, table, pattern.accepting()));
    if (automata::decide(dfa, LanguageClass::generalized_definite).member == true && seed > 0) continue;
    try {
      if (Semigroup(dfa, 150).size() > 150) continue;
    } catch (const std::length_error&) {
      continue;
    }
    check_against_definitions(dfa, counts, 150);
  }
  expect_reasons(
      counts, 5,
      {"dot-depth-one: Knast", "dot-depth-one: no bad one", "locally-DA: a regular element",
       "locally-DA: a word swaps", "locally-J-trivial: no bad one", "locally-J-trivial: which of two",
       "locally-J-trivial: two states", "locally-testable: it matters how often",
       "locally-testable: the order", "locally-testable: Trahtman", "locally-threshold-testable: the order"});
}

namespace {

struct Example {
  const char* regex;
  const char* letters;
  std::vector<LanguageClass> in;
  std::vector<LanguageClass> out;
  const char* source;  // or a proof
};

// LC25: Li & Cotterell 2025, arXiv 2505.23623, section E.1.2, names the language, and the class that holds it
// or the class DA (LTL[P,F]) that does not.  Where a row has a proof, it is for what no source is named for.
std::vector<Example> published() {
  return {
      {"(ab)*",
       "ab",
       {locally_testable},
       {piecewise_testable, da, l_trivial, group},
       "LC25, DYCK(1,1): strictly locally testable, not in DA; the monoid is B2 with an identity"},
      {".*ab.*",
       "abc",
       {locally_testable},
       {piecewise_testable, da},
       "LC25, LT-2: locally testable, not in DA"},
      {".*a.*b.*",
       "abc",
       {piecewise_testable},
       {locally_testable},
       "LC25, PT-2; c^n a c^n b c^n and c^n b c^n a c^n have the same factors of length n"},
      {".*a.*", "ab", {locally_testable, piecewise_testable}, {group}, "LC25, LT-1"},
      {".*ab.*", "ab", {piecewise_testable}, {}, "the same words as .*a.*b.*"},
      {"(aa)*", "a", {group}, {locally_da, dot_depth_one}, "Schuetzenberger 1965: Z_2 is not aperiodic"},
      {"a*(ba*ba*)*", "ab", {group}, {locally_da}, "LC25, PARITY: not star-free"},
      {"(aaa)*", "a", {group}, {locally_da}, "Z_3"},
      {".+",
       "a",
       {cofinite, reverse_definite, piecewise_testable},
       {finite, group},
       "the semigroup is trivial, the monoid {1, 0} is no group"},
      {".*", "ab", {cofinite, group, reverse_definite}, {finite}, "trivial"},
      {"∅", "ab", {finite, group}, {cofinite}, "trivial"},
      {"ab|ba",
       "ab",
       {finite, reverse_definite, piecewise_testable},
       {cofinite, group},
       "finite languages: subwords of three letters decide"},
      {"b.*",
       "ab",
       {reverse_definite, da},
       {l_trivial, piecewise_testable, finite, cofinite},
       "LC25, FIRST: left-deterministic; a(ba)^n and (ba)^n end alike, and have the same subwords up to n"},
      {".*b",
       "ab",
       {generalized_definite, l_trivial, da},
       {reverse_definite, piecewise_testable},
       "LC25, LAST: in DA, right-deterministic, not left-deterministic"},
      {"a.*b",
       "ab",
       {generalized_definite, da},
       {reverse_definite, l_trivial, piecewise_testable},
       "first and last letter; its last letter as in LAST, its first as in FIRST"},
      {".*a.*b.*a.*",
       "ab",
       {piecewise_testable},
       {locally_testable},
       "subword aba; b^n a b^n and b^n a b^n a b^n have the same factors of length n"},
      {"a*b*",
       "ab",
       {piecewise_testable, locally_testable},
       {generalized_definite},
       "no subword ba, no factor ba"},
      {"a*ba*",
       "ab",
       {piecewise_testable, locally_threshold_testable},
       {locally_testable},
       "one b; a^n b a^n and a^n b a^n b a^n have the same factors of length n"},
      {"a*ba*ca*",
       "abc",
       {piecewise_testable, dot_depth_one},
       {locally_threshold_testable},
       "a^n b a^n c a^n and a^n c a^n b a^n have the same factors of length n, equally often"},
      {".*ab.*&!(.*ab.*ab.*)",
       "abc",
       {locally_threshold_testable},
       {locally_testable},
       "one factor ab; c^n ab c^n and c^n ab c^n ab c^n have the same factors of length n"},
      {"(a(ab)*b)*",
       "ab",
       {},
       {da, dot_depth_one, locally_j_trivial},
       "LC25, DYCK(1,2): not in DA; Brzozowski & Knast 1978: bounded Dyck of depth n has dot-depth n"},
      {"c*(ac*bc*)*", "abc", {}, {locally_da}, "c is neutral, so the local monoid at c is that of (ab)*"},
      {"[^b]*a[^ac]*",
       "abcd",
       {l_trivial, da},
       {locally_j_trivial, piecewise_testable},
       "LC25, RDP-1: right-deterministic, not left-deterministic"},
      {"[^ab]*a[^c]*", "abcd", {da}, {l_trivial}, "LC25, LDP-1: left-deterministic; symmetrical to RDP-1"},
      {".*aa.*", "ab", {locally_testable}, {da}, "(ab)^n a (ab)^n has the factor, (ab)^n does not"},
      {"!(.*aa.*)", "ab", {locally_testable}, {da}, "the complement: strictly locally testable"},
      {".*si*",
       "sri",
       {l_trivial, da},
       {locally_j_trivial, locally_testable},
       "flip-flop: i is an identity in the semigroup, and s, r are R-related"},
      {"(ab)*|(ba)*|(ab)*a|(ba)*b", "ab", {locally_testable}, {da}, "neither aa nor bb"},
      {"a(a|b)*a|a", "ab", {generalized_definite}, {reverse_definite, l_trivial}, "first and last letter"},
  };
}

}  // namespace

TEST_CASE("published examples", "[classes]") {
  for (const auto& example : published()) {
    const auto alphabet = logic::parse_alphabet(example.letters);
    const Dfa dfa = automata::from_regex(example.regex, alphabet);
    const auto answers = automata::decide_classes(dfa);
    for (const auto c : example.in) {
      CAPTURE(example.regex, automata::name(c), example.source);
      CHECK(answers[std::size_t(c)].member == true);
    }
    for (const auto c : example.out) {
      CAPTURE(example.regex, automata::name(c), example.source);
      CHECK(answers[std::size_t(c)].member == false);
    }
  }
  CHECK(automata::decide(knast_pattern(), LanguageClass::locally_j_trivial).member == true);
  CHECK(automata::decide(knast_pattern(), LanguageClass::dot_depth_one).member == false);
}

TEST_CASE("names of classes", "[classes]") {
  for (const auto c : automata::all_language_classes) {
    CHECK(automata::language_class_of_name(automata::name(c)) == c);
    CHECK(automata::describe(c).language_class == c);
    CHECK(automata::included(c, c));
  }
  CHECK_FALSE(automata::language_class_of_name("LTL[Y]"));
}

TEST_CASE("limits leave classes undecided, or decided by others", "[classes]") {
  const Dfa pattern = knast_pattern();
  for (const auto& answer : automata::decide_classes(pattern, {.max_edges = 0})) {
    CAPTURE(automata::name(answer.language_class), answer.note);
    switch (answer.language_class) {
      case LanguageClass::reverse_definite:
      case LanguageClass::finite:
      case LanguageClass::cofinite:
      case LanguageClass::piecewise_testable:
      case LanguageClass::group: CHECK(answer.member == false); break;
      default: CHECK(answer.member == std::nullopt); CHECK(answer.note.rfind("undecided: ", 0) == 0);
    }
  }
  CHECK(automata::decide(pattern, LanguageClass::dot_depth_one, {.max_steps = 100}).member == std::nullopt);
  // a*ba* with two letters a: linear tests alone say yes to what holds the piecewise testable languages.
  const Dfa one_b(2, 0, {0, 1, 1, 2, 2, 2}, {false, true, false});
  CHECK(automata::decide(one_b, LanguageClass::dot_depth_one, {.max_edges = 0}).member == true);
  CHECK(automata::decide(one_b, LanguageClass::locally_da, {.max_edges = 0}).member == true);
  CHECK(automata::decide(one_b, LanguageClass::locally_testable, {.max_edges = 0}).member == std::nullopt);
  const auto threshold =
      automata::decide(one_b, LanguageClass::locally_threshold_testable, {.max_elements = 1});
  CHECK(threshold.member == std::nullopt);
  CHECK(threshold.note == "undecided: Semigroup: more than 1 elements on 3 states");
  CHECK_THROWS_AS(automata::decide(Dfa(1, 0, {1, 0}, {true, true}), LanguageClass::finite),
                  std::invalid_argument);
}

TEST_CASE("a corrupted failure does not replay", "[classes]") {
  int tried = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, 2 + tests::below(random, 3), 2));
    for (const auto& answer : automata::decide_classes(dfa)) {
      if (!answer.failure) continue;
      const Failure good = *answer.failure;
      const auto expect_bad = [&](auto change) {
        Failure bad = good;
        change(bad);
        CHECK_FALSE(automata::replay(dfa, bad));
        ++tried;
      };
      expect_bad([](Failure& f) { std::swap(f.in, f.out); });
      expect_bad([](Failure& f) { f.values.front().second.clear(); });
      expect_bad([](Failure& f) { f.values.front().first = 'q'; });
      expect_bad([&](Failure& f) { f.suffix.push_back(dfa.letters()); });
      expect_bad([](Failure& f) { f.prefix.push_back(0); });  // the words no longer fit it
      expect_bad([](Failure& f) { f.equation = "u = u"; });
      expect_bad([](Failure& f) { f.equation = ""; });
      expect_bad([](Failure& f) { ++f.exponent; });
    }
  }
  CHECK(tried > 1000);
}

namespace {

using tests::below;

// Fifty states of three kinds.  The semigroups are far too large in all of them.
enum class Shape { any, ordered_moves, partially_ordered };

Dfa fifty_states(std::uint32_t seed, Shape shape) {
  constexpr State n = 50;
  std::mt19937 random(seed);
  Dfa dfa = tests::random_dfa(random, n, 3);
  if (shape == Shape::any) return automata::minimize(dfa);
  auto table = dfa.table();
  if (shape == Shape::partially_ordered) {  // the first letter moves one up, the others stay or move up
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto q = static_cast<State>(i / 3);
      table[i] = std::min<State>(n - 1, q + (i % 3 == 0 ? 1 : below(random, 3)));
    }
  } else {  // one step up, one step down, and a map that keeps the order: no group, but one component
    std::vector<State> third;
    for (State q = 0; q < n; ++q) third.push_back(below(random, n));
    std::sort(third.begin(), third.end());
    for (State q = 0; q < n; ++q) {
      table[3 * q] = std::min(q + 1, n - 1);
      table[3 * q + 1] = q == 0 ? 0 : q - 1;
      table[3 * q + 2] = third[q];
    }
  }
  return automata::minimize(Dfa(3, 0, table, dfa.accepting()));
}

}  // namespace

TEST_CASE("random automata of fifty states: all polynomial answers, and no guess", "[classes][law]") {
  constexpr std::size_t elements = 3000;
  constexpr Logic polynomial[] = {Logic::y, Logic::p, Logic::py, Logic::y_mod, Logic::p_mod, Logic::py_mod};
  int undecided = 0;
  for (const Shape shape : {Shape::any, Shape::ordered_moves, Shape::partially_ordered}) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      const Dfa dfa = fifty_states(seed, shape);
      CAPTURE(int(shape), seed, dfa.states());
      REQUIRE(dfa.states() > 20);
      REQUIRE_THROWS_AS(Semigroup(dfa, elements), std::length_error);
      const auto logics = automata::ladder(dfa, {.max_elements = elements, .max_counter_edges = 100'000});
      for (const Logic logic : polynomial) REQUIRE(logics[std::size_t(logic)].member.has_value());
      for (const auto& answer : logics) {
        CAPTURE(automata::name(answer.logic), answer.note);
        CHECK(answer.witness.has_value() == (answer.member == false));
        if (answer.witness) CHECK(automata::replay(dfa, *answer.witness));
        if (!answer.member) {
          ++undecided;
          CHECK(answer.note.rfind("undecided: ", 0) == 0);
          CHECK(answer.note.find(std::to_string(elements)) != std::string::npos);
        }
        // What keeps an order is aperiodic; a partial order makes it R-trivial.
        if (shape != Shape::any && answer.logic == Logic::s) CHECK(answer.member != false);
        if (shape == Shape::partially_ordered) {
          if (answer.logic != Logic::y && answer.logic != Logic::y_mod) CHECK(answer.member == true);
        }
      }
      for (const auto& answer : automata::decide_classes(dfa, {.max_elements = elements})) {
        CAPTURE(automata::name(answer.language_class), answer.note);
        // Only LTT goes through the semigroup, and only where smaller and larger classes leave it open.
        if (!answer.member) {
          ++undecided;
          CHECK(answer.language_class == locally_threshold_testable);
          CHECK(answer.note.find(std::to_string(elements)) != std::string::npos);
        }
        if (answer.failure) CHECK(automata::replay(dfa, *answer.failure));
      }
    }
  }
  CHECK(undecided >= 5);
}
