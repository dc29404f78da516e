#include "automata/catalogue.hpp"

#include "automata/classes.hpp"
#include "automata/from_formula.hpp"
#include "automata/ladder.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "automata/semigroup.hpp"
#include "logic/parse.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace automata;

namespace {

// ---- The definitions in C++.  A word is a string with one character for each letter: its name, or, where
// names are longer, A, B, C, ... in their order.

using Text = std::string;
using Predicate = std::function<bool(const Text&)>;

Text text_of(const logic::Alphabet& alphabet, const Word& word) {
  Text text;
  for (const Letter a : word)
    text += alphabet.has_single_characters() ? alphabet.name(a)[0] : static_cast<char>('A' + a);
  return text;
}

/// How often `factor` occurs.
int occurrences(const Text& w, const Text& factor) {
  int count = 0;
  for (auto i = w.find(factor); i != Text::npos; i = w.find(factor, i + 1)) ++count;
  return count;
}

int count(const Text& w, char c) {
  return static_cast<int>(std::count(w.begin(), w.end(), c));
}

bool has(const Text& w, char c) {
  return w.find(c) != Text::npos;
}

bool only(const Text& w, const Text& letters) {
  return w.find_first_not_of(letters) == Text::npos;
}

bool has_subsequence(const Text& w, const Text& letters) {
  std::size_t i = 0;
  for (const char c : w)
    if (i < letters.size() && c == letters[i]) ++i;
  return i == letters.size();
}

bool is_repetition(const Text& w, const Text& block) {
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] != block[i % block.size()]) return false;
  return w.size() % block.size() == 0;
}

/// Whether `w` is balanced, with the letters in pairs (a, b), (c, d), ..., and never deeper than `depth`.
bool is_balanced(const Text& w, std::size_t depth) {
  Text open;
  for (const char c : w) {
    if ((c - 'a') % 2 == 0) {
      open += c;
    } else {
      if (open.empty() || open.back() != c - 1) return false;
      open.pop_back();
    }
    if (open.size() > depth) return false;
  }
  return open.empty();
}

std::vector<Text> runs(const Text& w) {
  std::vector<Text> result;
  for (const char c : w) {
    if (result.empty() || result.back()[0] != c) result.emplace_back();
    result.back() += c;
  }
  return result;
}

/// The last n letters, or all.
Text tail(const Text& w, std::size_t n) {
  return w.substr(w.size() - std::min(n, w.size()));
}

bool is_rdp_1(const Text& w) {
  const auto last = w.rfind('a');
  return last != Text::npos && w.find('b') > last && w.find('c', last) == Text::npos;
}

bool is_flip_flop(const Text& w) {  // A, B write 0, 1; C, D read 0, 1; E is ignored
  char bit = 0;
  for (const char c : w) {
    if (c == 'A' || c == 'B') bit = c;
    if ((c == 'C' && bit != 'A') || (c == 'D' && bit != 'B')) return false;
  }
  return true;
}

bool is_tomita_3(const Text& w) {
  bool odd = false;
  for (const Text& run : runs(w)) {
    if (odd && run[0] == '0' && run.size() % 2 == 1) return false;
    odd = odd || (run[0] == '1' && run.size() % 2 == 1);
  }
  return true;
}

const std::map<std::string, Predicate>& definitions() {
  static const std::map<std::string, Predicate> list{
      {"ends-a", [](const Text& w) { return w.ends_with("a"); }},
      {"ends-ab", [](const Text& w) { return w.ends_with("ab"); }},
      {"starts-a", [](const Text& w) { return w.starts_with("a"); }},
      {"a-before-b", [](const Text& w) { return has_subsequence(w, "ab"); }},
      {"alternating", [](const Text& w) { return is_repetition(w, "ab"); }},
      {"contains-ab", [](const Text& w) { return occurrences(w, "ab") >= 1; }},
      {"rdp-1", is_rdp_1},
      {"dyck-2", [](const Text& w) { return is_balanced(w, 2); }},
      {"first", [](const Text& w) { return w.starts_with("b"); }},
      {"last", [](const Text& w) { return w.ends_with("b"); }},
      {"pt-2", [](const Text& w) { return has_subsequence(w, "ab"); }},
      {"lt-1", [](const Text& w) { return has(w, 'a'); }},
      {"lt-2", [](const Text& w) { return occurrences(w, "ab") >= 1; }},
      {"ldp-1",
       [](const Text& w) {
         const auto a = w.find('a');
         return a != Text::npos && w.find('b') > a && w.find('c', a) == Text::npos;
       }},
      {"ldp-2",
       [](const Text& w) {  // A, B for a1, a2 and C, D, E for b0, b1, b2
         const auto first = w.find('A');
         if (first == Text::npos || w.find('C') < first) return false;
         const auto second = w.find('B', first);
         return second != Text::npos && w.find('D', first) > second && w.find('E', second) == Text::npos;
       }},
      {"parity", [](const Text& w) { return count(w, 'a') % 2 == 0; }},
      {"tomita-1", [](const Text& w) { return !has(w, '0'); }},
      {"tomita-2", [](const Text& w) { return is_repetition(w, "10"); }},
      {"tomita-3", is_tomita_3},
      {"tomita-4", [](const Text& w) { return occurrences(w, "000") == 0; }},
      {"tomita-5", [](const Text& w) { return count(w, '0') % 2 == 0 && count(w, '1') % 2 == 0; }},
      {"tomita-6", [](const Text& w) { return (count(w, '0') - count(w, '1')) % 3 == 0; }},
      {"tomita-7", [](const Text& w) { return runs(w).size() + (w.starts_with("1") ? 1 : 0) <= 4; }},
      {"flip-flop", is_flip_flop},
      {"set-reset",
       [](const Text& w) {
         const auto last = w.find_last_of("sr");
         return last != Text::npos && w[last] == 's';
       }},
      {"even-pairs", [](const Text& w) { return (occurrences(w, "ab") + occurrences(w, "ba")) % 2 == 0; }},
      {"abab-star", [](const Text& w) { return is_repetition(w, "abab"); }},
      {"all", [](const Text&) { return true; }},
      {"none", [](const Text&) { return false; }},
      {"empty-word", [](const Text& w) { return w.empty(); }},
      {"only-ab", [](const Text& w) { return w == "ab"; }},
      {"not-ab", [](const Text& w) { return w != "ab"; }},
      {"starts-a-ends-b", [](const Text& w) { return w.starts_with("a") && w.ends_with("b"); }},
      {"a-star-b-star", [](const Text& w) { return std::is_sorted(w.begin(), w.end()); }},
      {"one-a", [](const Text& w) { return count(w, 'a') == 1; }},
      {"one-a-then-b",
       [](const Text& w) { return count(w, 'a') == 1 && count(w, 'b') == 1 && w.find('a') < w.find('b'); }},
      {"therien-wilke",
       [](const Text& w) {
         const auto a = w.find('a');
         const auto b = w.rfind('b');
         return a != Text::npos && b != Text::npos && w.find('c') > a && w.find('c', b) == Text::npos;
       }},
      {"no-aa", [](const Text& w) { return occurrences(w, "aa") == 0; }},
      {"aab-star", [](const Text& w) { return is_repetition(w, "aab"); }},
      {"two-ab", [](const Text& w) { return occurrences(w, "ab") >= 2; }},
      {"ab-or-ba-star",
       [](const Text& w) {
         for (std::size_t i = 0; i + 1 < w.size(); i += 2)
           if (w[i] == w[i + 1]) return false;
         return w.size() % 2 == 0;
       }},
      {"aa-star", [](const Text& w) { return w.size() % 2 == 0; }},
      {"even-a-power", [](const Text& w) { return w.size() % 2 == 0 && only(w, "a"); }},
      {"a-at-even",
       [](const Text& w) {
         for (std::size_t i = 0; i < w.size(); i += 2)
           if (w[i] == 'a') return false;
         return true;
       }},
      {"even-runs",
       [](const Text& w) {
         for (const Text& run : runs(w))
           if (run[0] == 'a' && run.size() % 2 == 1) return false;
         return true;
       }},
  };
  return list;
}

/// A member with its definition; the last of a family is one that is as hard as the family.
struct Member {
  std::string family;
  std::string name;
  Predicate definition;
};

std::vector<Member> members() {
  std::vector<Member> list;
  const auto add = [&](const std::string& family, std::vector<std::size_t> numbers, auto definition) {
    for (const std::size_t n : numbers)
      list.push_back({family, family.substr(0, family.size() - 1) + std::to_string(n),
                      [=](const Text& w) { return definition(w, n); }});
  };
  const auto add_two = [&](const std::string& family,
                           std::vector<std::pair<std::size_t, std::size_t>> numbers, auto definition) {
    for (const auto& [k, m] : numbers)
      list.push_back({family,
                      family.substr(0, family.size() - 3) + std::to_string(k) + ':' + std::to_string(m),
                      [=, k = k, m = m](const Text& w) { return definition(w, k, m); }});
  };
  add("dyck:n", {1, 2, 3, 4}, [](const Text& w, std::size_t n) { return is_balanced(w, n); });
  add_two("dyck:k:m", {{1, 1}, {1, 2}, {3, 1}, {1, 3}, {2, 1}, {2, 2}},
          [](const Text& w, std::size_t, std::size_t m) { return is_balanced(w, m); });
  add("cycle:n", {2, 3, 5}, [](const Text& w, std::size_t n) {
    return (count(w, 'a') - count(w, 'b')) % static_cast<int>(n) == 0;
  });
  add("modular-sum:n", {2, 3, 5}, [](const Text& w, std::size_t n) {
    std::size_t sum = 0;
    for (const char c : w) sum += static_cast<std::size_t>(c - '0');
    return sum % n == 0;
  });
  add("gridworld:n", {1, 2, 3}, [](const Text& w, std::size_t n) {
    std::size_t place = 0;
    for (const char c : w) {
      if (c == 'a' && place < n) ++place;
      if (c == 'b' && place > 0) --place;
    }
    return place == 0;
  });
  add("symmetric:n", {3, 4, 5}, [](const Text& w, std::size_t n) {
    std::size_t place = 1;
    for (const char c : w) {
      if (c == 'a') {
        place = place == 1 ? 2 : place == 2 ? 1 : place;
      } else {
        place = place == n ? 1 : place + 1;
      }
    }
    return place == 1;
  });
  add("nth-from-end:n", {1, 2, 3, 5},
      [](const Text& w, std::size_t n) { return w.size() >= n && w[w.size() - n] == 'a'; });
  add("nth-letter:n", {1, 2, 4},
      [](const Text& w, std::size_t n) { return w.size() >= n && w[n - 1] == 'a'; });
  add("window:k", {1, 2, 3, 5}, [](const Text& w, std::size_t k) { return has(tail(w, k), 'a'); });
  add_two("at-least:j:k", {{1, 1}, {1, 3}, {3, 3}, {2, 3}, {2, 4}},
          [](const Text& w, std::size_t j, std::size_t k) {
            return count(tail(w, k), 'a') >= static_cast<int>(j);
          });
  add("chain:n", {2, 3, 4},
      [](const Text& w, std::size_t n) { return has_subsequence(w, Text("abcdef").substr(0, n)); });
  add("threshold:n", {1, 2, 4},
      [](const Text& w, std::size_t n) { return count(w, 'a') >= static_cast<int>(n); });
  add("run:n", {1, 2, 4}, [](const Text& w, std::size_t n) { return occurrences(w, Text(n, 'a')) >= 1; });
  add("stair:n", {1, 2, 3}, [](const Text& w, std::size_t n) {
    Text kept;  // without the letters that do not matter
    for (const char c : w)
      if (c != 'c') kept += c;
    return occurrences(kept, Text(n, 'a')) >= 1;
  });
  add("mod:n", {2, 3, 6}, [](const Text& w, std::size_t n) { return w.size() % n == 0; });
  add("count-mod:n", {2, 3, 5},
      [](const Text& w, std::size_t n) { return count(w, 'a') % static_cast<int>(n) == 0; });
  return list;
}

void check_definition(const std::string& name, const Predicate& definition) {
  const auto language = find_language(name);
  REQUIRE(language);
  constexpr std::size_t lengths[] = {0, 12, 12, 8, 7, 6, 5};  // by the number of letters
  for (const auto& word : tests::words_up_to(language->alphabet.size(), lengths[language->alphabet.size()])) {
    const Text text = text_of(language->alphabet, word);
    if (language->dfa.accepts(word) == definition(text)) continue;
    CAPTURE(name, text);
    FAIL("the catalogue and the definition differ");
  }
}

// ---- The classes, by their definitions on the syntactic semigroup and monoid (Pin 1986, Varieties of Formal
// Languages; Beauquier & Pin 1991; Tesson & Thérien 2002; Knast 1983).

class Algebra {
 public:
  using Element = std::uint32_t;

  explicit Algebra(const Dfa& dfa) : dfa_(dfa), semigroup_(dfa, 5000) {
    size_ = static_cast<Element>(semigroup_.size());
    for (Element x = 0; x < size_; ++x)
      for (Element y = 0; y < size_; ++y) product_.push_back(semigroup_.multiply(x, y));
    for (Element x = 0; x < size_; ++x) {
      all_.push_back(x);
      if (times(x, x) == x) idempotents_.push_back(x);
    }
  }

  std::set<std::string_view> classes() const {
    std::set<std::string_view> result;
    for (const Membership& answer : ladder(dfa_)) {
      REQUIRE(answer.member);
      if (*answer.member) result.insert(name(answer.logic));
    }
    const auto add = [&](std::string_view class_name, bool member) {
      if (member) result.insert(class_name);
    };
    const bool aperiodic = result.contains("LTL[S]");
    add("reverse-definite", for_each_local([&](Element e) {  // es = e
          return std::all_of(all_.begin(), all_.end(), [&](Element s) { return times(e, s) == e; });
        }));
    add("generalized-definite",
        for_each_local([&](Element e) { return local_monoid(e).size() == 1; }));  // ese = e
    add("finite", is_finite(true));
    add("cofinite", is_finite(false));
    add("locally-testable", for_each_local([&](Element e) {
          const auto local = local_monoid(e);
          for (const Element s : local) {
            if (times(s, s) != s) return false;
            for (const Element t : local)
              if (times(s, t) != times(t, s)) return false;
          }
          return true;
        }));
    add("locally-threshold-testable", aperiodic && is_threshold_testable());
    add("piecewise-testable", is_j_trivial(all_));
    add("L-trivial", is_l_trivial(all_));
    add("DA", is_da(all_));
    add("locally-DA", for_each_local([&](Element e) { return is_da(local_monoid(e)); }));
    add("locally-J-trivial", for_each_local([&](Element e) { return is_j_trivial(local_monoid(e)); }));
    add("dot-depth-one", is_dot_depth_one());
    add("group", is_group());
    return result;
  }

 private:
  using Set = std::vector<Element>;

  Element times(Element x, Element y) const { return product_[std::size_t{x} * size_ + y]; }

  Element omega(Element x) const {
    Element power = x;
    while (times(power, power) != power) power = times(power, x);
    return power;
  }

  template <class Property>
  bool for_each_local(Property property) const {
    return std::all_of(idempotents_.begin(), idempotents_.end(), property);
  }

  /// eSf.
  Set between(Element e, Element f) const {
    std::set<Element> result;
    for (const Element s : all_) result.insert(times(times(e, s), f));
    return {result.begin(), result.end()};
  }
  Set local_monoid(Element e) const { return between(e, e); }

  // For a subsemigroup T these are the properties of T with an identity added, or that of T itself where it
  // has one: an identity alone in its class changes nothing.

  bool is_r_trivial(const Set& part) const {  // sxy = s implies sx = s
    for (const Element s : part)
      for (const Element x : part)
        for (const Element y : part)
          if (times(times(s, x), y) == s && times(s, x) != s) return false;
    return true;
  }
  bool is_l_trivial(const Set& part) const {
    for (const Element s : part)
      for (const Element x : part)
        for (const Element y : part)
          if (times(y, times(x, s)) == s && times(x, s) != s) return false;
    return true;
  }
  bool is_j_trivial(const Set& part) const { return is_r_trivial(part) && is_l_trivial(part); }

  /// (xyz)^ω y (xyz)^ω = (xyz)^ω, where x and z may be empty.
  bool is_da(const Set& part) const {
    const auto holds = [&](Element product, Element y) {
      const Element e = omega(product);
      return times(times(e, y), e) == e;
    };
    for (const Element y : part) {
      if (!holds(y, y)) return false;
      for (const Element x : part) {
        if (!holds(times(x, y), y) || !holds(times(y, x), y)) return false;
        for (const Element z : part)
          if (!holds(times(times(x, y), z), y)) return false;
      }
    }
    return true;
  }

  /// esf t esf.. : for x, z in eSf and y in fSe, xyz = zyx.
  bool is_threshold_testable() const {
    for (const Element e : idempotents_) {
      for (const Element f : idempotents_) {
        const Set forth = between(e, f);
        const Set back = between(f, e);
        for (const Element x : forth)
          for (const Element y : back)
            for (const Element z : forth)
              if (times(times(x, y), z) != times(times(z, y), x)) return false;
      }
    }
    return true;
  }

  /// For p, r in eSf and q, s in fSe: (pq)^ω ps (rs)^ω = (pq)^ω (rs)^ω.
  bool is_dot_depth_one() const {
    for (const Element e : idempotents_) {
      for (const Element f : idempotents_) {
        const Set forth = between(e, f);
        const Set back = between(f, e);
        for (const Element p : forth)
          for (const Element q : back)
            for (const Element r : forth)
              for (const Element s : back) {
                const Element left = omega(times(p, q));
                const Element right = omega(times(r, s));
                if (times(times(left, times(p, s)), right) != times(left, right)) return false;
              }
      }
    }
    return true;
  }

  /// Whether no word (of the language, or outside) has a length from n to 2n - 1 for n states.
  bool is_finite(bool inside) const {
    std::set<State> reached{dfa_.start()};
    for (State length = 0; length < 2 * dfa_.states(); ++length) {
      if (length >= dfa_.states())
        for (const State q : reached)
          if (dfa_.is_accepting(q) == inside) return false;
      std::set<State> next;
      for (const State q : reached)
        for (Letter a = 0; a < dfa_.letters(); ++a) next.insert(dfa_.next(q, a));
      reached = std::move(next);
    }
    return true;
  }

  /// Whether every letter permutes the states of the minimal automaton.
  bool is_group() const {
    for (Letter a = 0; a < dfa_.letters(); ++a) {
      std::set<State> image;
      for (State q = 0; q < dfa_.states(); ++q) image.insert(dfa_.next(q, a));
      if (image.size() < dfa_.states()) return false;
    }
    return true;
  }

  Dfa dfa_;
  Semigroup semigroup_;
  Element size_ = 0;
  std::vector<Element> product_;
  Set all_;
  Set idempotents_;
};

constexpr std::string_view class_names[] = {"LTL[Y]",
                                            "LTL[P]",
                                            "LTL[P,Y]",
                                            "LTL[S]",
                                            "LTL[Y,MOD]",
                                            "LTL[P,MOD]",
                                            "LTL[P,Y,MOD]",
                                            "LTL[S,MOD]",
                                            "reverse-definite",
                                            "generalized-definite",
                                            "finite",
                                            "cofinite",
                                            "locally-testable",
                                            "locally-threshold-testable",
                                            "piecewise-testable",
                                            "L-trivial",
                                            "DA",
                                            "locally-DA",
                                            "locally-J-trivial",
                                            "dot-depth-one",
                                            "group"};

std::set<std::string_view> claimed(const CatalogueEntry& entry) {
  std::set<std::string_view> result;
  for (const auto class_name : class_names)
    if (belongs(entry, class_name)) result.insert(class_name);
  return result;
}

std::string_view first_of_ladder(const std::set<std::string_view>& classes) {
  for (const Logic logic : all_logics)
    if (classes.contains(name(logic))) return name(logic);
  return "";
}

}  // namespace

TEST_CASE("catalogue: names and descriptions", "[automata][catalogue]") {
  std::set<std::string_view> names;
  std::size_t families = 0;
  for (const auto& entry : catalogue()) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK_FALSE(entry.meaning.empty());
    CHECK_FALSE(entry.source.empty());
    CHECK(entry.is_family() == (entry.name.find(':') != std::string_view::npos));
    CHECK(entry.regex.empty() == entry.is_family());
    CHECK(find_entry(entry.name) == &entry);
    families += entry.is_family() ? 1 : 0;
  }
  CHECK(catalogue().size() - families >= 40);
  // Names that are used elsewhere never change.
  for (const char* name : {"ends-a", "ends-ab", "starts-a", "a-before-b", "alternating", "contains-ab",
                           "rdp-1", "dyck-2", "dyck:n", "dyck:k:m", "parity", "flip-flop"})
    CHECK(names.contains(name));
}

TEST_CASE("regular expression and formula agree on every entry", "[automata][catalogue]") {
  for (const auto& entry : catalogue()) {
    if (entry.is_family()) continue;
    CAPTURE(entry.name);
    const auto alphabet = logic::parse_alphabet(entry.alphabet);
    const auto language = find_language(entry.name);
    REQUIRE(language);
    CHECK(language->alphabet == alphabet);
    CHECK(language->dfa == from_regex(entry.regex, alphabet));
    if (entry.formula.empty()) continue;
    logic::Arena arena;
    CHECK(from_formula(logic::parse(arena, entry.formula, alphabet), alphabet.size()) == language->dfa);
  }
}

TEST_CASE("every entry is what its definition says", "[automata][catalogue]") {
  for (const auto& entry : catalogue()) {
    if (entry.is_family()) continue;
    CAPTURE(entry.name);
    const auto definition = definitions().find(std::string(entry.name));
    REQUIRE(definition != definitions().end());
    check_definition(definition->first, definition->second);
  }
}

TEST_CASE("every entry is in the classes that it claims, and in no others", "[automata][catalogue]") {
  for (const auto& entry : catalogue()) {
    if (entry.is_family()) continue;
    CAPTURE(entry.name);
    const auto language = find_language(entry.name);
    const auto actual = Algebra(language->dfa).classes();
    CHECK(claimed(entry) == actual);
    for (const auto& answer : decide_classes(language->dfa)) {  // a third route
      CAPTURE(name(answer.language_class));
      CHECK(answer.member == actual.contains(name(answer.language_class)));
    }
    CHECK(entry.smallest == first_of_ladder(actual));
  }
}

TEST_CASE("families are what their definitions say, in the classes that they claim",
          "[automata][catalogue]") {
  std::map<std::string, std::set<std::string_view>> common;  // the classes of all members tried
  for (const Member& member : members()) {
    CAPTURE(member.name);
    const CatalogueEntry* const entry = find_entry(member.name);
    REQUIRE(entry != nullptr);
    CHECK(entry->name == member.family);
    check_definition(member.name, member.definition);
    const auto actual = Algebra(find_language(member.name)->dfa).classes();
    const auto [place, is_new] = common.emplace(member.family, actual);
    if (is_new) continue;
    std::set<std::string_view> both;
    for (const auto class_name : actual)
      if (place->second.contains(class_name)) both.insert(class_name);
    place->second = both;
  }
  std::size_t families = 0;
  for (const auto& entry : catalogue()) {
    if (!entry.is_family()) continue;
    CAPTURE(entry.name);
    ++families;
    CHECK(claimed(entry) == common.at(std::string(entry.name)));
    CHECK(entry.smallest == first_of_ladder(common.at(std::string(entry.name))));
  }
  CHECK(families == common.size());
}

TEST_CASE("members of different families that are the same language", "[automata][catalogue]") {
  const auto dfa = [](const char* name) { return find_language(name)->dfa; };
  CHECK(dfa("dyck:1") == dfa("alternating"));
  CHECK(dfa("dyck:2") == dfa("dyck-2"));
  CHECK(dfa("dyck:3") == from_regex("(a(a(ab)*b)*b)*", logic::Alphabet({"a", "b"})));
  CHECK(dfa("dyck:1:5") == dfa("dyck:5"));
  CHECK(dfa("dyck:2:2") == from_regex("(a(ab|cd)*b|c(ab|cd)*d)*", logic::Alphabet({"a", "b", "c", "d"})));
  CHECK(dfa("count-mod:2") == dfa("parity"));
  CHECK(dfa("modular-sum:2") == minimize(Dfa(2, 0, {0, 1, 1, 0}, {true, false})));
  CHECK(dfa("window:4") == dfa("at-least:1:4"));
  CHECK(dfa("nth-from-end:1") == dfa("ends-a"));
  CHECK(dfa("nth-letter:1") == dfa("starts-a"));
  CHECK(dfa("chain:2") == dfa("a-before-b"));
  CHECK(dfa("threshold:1") == dfa("run:1"));
}

TEST_CASE("the automata of Li and Cotterell 2025, figure 3, have that many states", "[automata][catalogue]") {
  // The figure leaves out the rejecting sink.
  CHECK(find_language("rdp-1")->dfa.states() == 3 + 1);
  CHECK(find_language("ldp-1")->dfa.states() == 2 + 1);
  CHECK(find_language("ldp-2")->dfa.states() == 3 + 1);
}

TEST_CASE("the largest members can be built", "[automata][catalogue]") {
  const auto states = [](const char* name) { return find_language(name)->dfa.states(); };
  CHECK(states("dyck:100000") == 100'002);
  CHECK(states("dyck:2:17") == (State{1} << 18));
  CHECK(states("dyck:1:1000") == 1'002);
  CHECK(states("nth-from-end:16") == (State{1} << 16));
  CHECK(states("at-least:8:16") == 24'310);  // binomial(17, 8)
  CHECK(states("chain:26") == 27);
  CHECK(states("modular-sum:10") == 10);
  CHECK(states("window:100000") == 100'001);
}

TEST_CASE("catalogue: names and parameters that there are not", "[automata][catalogue]") {
  for (const char* name :
       {"no-such-language", "", ":", "dyck", "dyck:1:2:3", "ends-a:", "ends-a:1", "mod:2:3"}) {
    CAPTURE(name);
    CHECK_FALSE(find_language(name));
    CHECK(find_entry(name) == nullptr);
  }
  CHECK_THROWS_WITH(find_language("dyck:0"),
                    "find_language: dyck:n needs a number n from 1 to 100000, not '0'");
  CHECK_THROWS_WITH(find_language("dyck:2:1001"),
                    "find_language: dyck:k:m needs a number m from 1 to 1000, not '1001'");
  CHECK_THROWS_WITH(find_language("at-least:3:2"),
                    "find_language: at-least:j:k needs j <= k, not j = 3 and k = 2");
  CHECK_THROWS_WITH(find_language("dyck:13:6"), "find_language: dyck:13:6 has more than 1000000 states");
  CHECK_THROWS_AS(find_language("dyck:2:19"), std::length_error);
  for (const char* name : {"dyck:",       "dyck:x",           "dyck:100001",     "dyck:-1",
                           "dyck:2x",     "dyck:99999999999", "dyck:14:1",       "dyck::1",
                           "dyck:1:",     "cycle:1",          "modular-sum:11",  "modular-sum:1",
                           "gridworld:0", "symmetric:2",      "nth-from-end:17", "nth-letter:0",
                           "window:0",    "at-least:0:3",     "at-least:1:17",   "chain:1",
                           "chain:27",    "threshold:0",      "run:0",           "stair:0",
                           "mod:1",       "count-mod:1",      "mod:n2"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(find_language(name), std::invalid_argument);
    CHECK_THROWS_AS(find_entry(name), std::invalid_argument);
  }
}

TEST_CASE("belongs knows the classes of the contract", "[automata][catalogue]") {
  const CatalogueEntry& ends_a = *find_entry("ends-a");
  CHECK(belongs(ends_a, "LTL[Y]"));
  CHECK(belongs(ends_a, "LTL[P,Y,MOD]"));
  CHECK_FALSE(belongs(ends_a, "LTL[P]"));
  CHECK_FALSE(belongs(ends_a, "group"));
  CHECK_THROWS_WITH(belongs(ends_a, "LTL[Q]"), "belongs: no class is named 'LTL[Q]'");
  CHECK_THROWS_AS(belongs(ends_a, ""), std::invalid_argument);
}
