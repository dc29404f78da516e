// The entries are data, in automata/catalogue_entries.cpp; here are the members of families, the inclusions
// between classes, and finding things.
#include "automata/catalogue.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace automata {
namespace {

using Numbers = std::span<const std::uint32_t>;

constexpr std::size_t max_states = 1'000'000;

/// The letters a, b, c, ...
logic::Alphabet first_letters(std::uint32_t count) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  return logic::Alphabet(std::move(names));
}

/// The automaton on the states 0, ..., states-1, with start 0, that next(q, a) and accepting(q) describe.
template <class Next, class Accepting>
Language build(logic::Alphabet alphabet, State states, Next next, Accepting accepting) {
  const Letter letters = alphabet.size();
  std::vector<State> table;
  table.reserve(std::size_t{states} * letters);
  std::vector<bool> final_states;
  for (State q = 0; q < states; ++q) {
    for (Letter a = 0; a < letters; ++a) table.push_back(next(q, a));
    final_states.push_back(accepting(q));
  }
  return {std::move(alphabet), minimize(Dfa(letters, 0, std::move(table), std::move(final_states)))};
}

/// States 0, ..., n are the depths, n + 1 is for words that went out of them.
Language dyck(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 2,
      [n](State depth, Letter a) -> State {
        if (depth == n + 1) return depth;
        if (a == 0) return depth + 1;  // beyond n that is the sink
        return depth == 0 ? n + 1 : depth - 1;
      },
      [](State depth) { return depth == 0; });
}

/// States are the stacks of open brackets, shorter ones first; the last state is for words that broke one.
Language dyck_with_kinds(Numbers numbers) {
  const std::uint32_t kinds = numbers[0];
  const std::uint32_t depth = numbers[1];
  std::size_t stacks = 1;
  std::size_t longest = 1;  // how many stacks have the greatest depth so far
  for (std::uint32_t d = 0; d < depth; ++d) {
    longest *= kinds;
    stacks += longest;
    if (stacks >= max_states)
      throw std::length_error("find_language: dyck:" + std::to_string(kinds) + ':' + std::to_string(depth) +
                              " has more than " + std::to_string(max_states) + " states");
  }
  // Stack s with a bracket of kind i on it is s * kinds + i + 1: breadth-first numbering of the tree.
  const auto sink = static_cast<State>(stacks);
  const auto inner = static_cast<State>(stacks - longest);
  return build(
      first_letters(2 * kinds), sink + 1,
      [=](State s, Letter a) -> State {
        if (s == sink) return sink;
        if (a % 2 == 0) return s < inner ? s * kinds + a / 2 + 1 : sink;
        return s != 0 && (s - 1) % kinds == a / 2 ? (s - 1) / kinds : sink;
      },
      [](State s) { return s == 0; });
}

Language cycle(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(3), n,
      [n](State q, Letter a) {
        return (q + (a == 0 ? 1 : a == 1 ? n - 1 : 0)) % n;
      },
      [](State q) { return q == 0; });
}

Language modular_sum(Numbers numbers) {
  const State n = numbers[0];
  std::vector<std::string> digits;
  for (State i = 0; i < n; ++i) digits.push_back(std::to_string(i));
  return build(
      logic::Alphabet(std::move(digits)), n, [n](State q, Letter a) { return (q + a) % n; },
      [](State q) { return q == 0; });
}

Language gridworld(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1,
      [n](State q, Letter a) { return a == 0 ? std::min(q + 1, n) : q - std::min<State>(q, 1); },
      [](State q) { return q == 0; });
}

/// The state is where 1 has been brought; place i is state i - 1.
Language symmetric(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n,
      [n](State q, Letter a) -> State { return a == 1  ? (q + 1) % n
                                               : q < 2 ? 1 - q
                                                       : q; },
      [](State q) { return q == 0; });
}

/// The state holds the last `width` letters, the latest as the lowest bit, 1 for a.
template <class Accepting>
Language last_letters(std::uint32_t width, Accepting accepting) {
  const State states = State{1} << width;
  return build(
      first_letters(2), states, [=](State q, Letter a) { return (2 * q + (a == 0 ? 1 : 0)) % states; },
      accepting);
}

Language nth_from_end(Numbers numbers) {
  const std::uint32_t n = numbers[0];
  return last_letters(n, [n](State q) { return (q >> (n - 1) & 1) != 0; });
}

Language at_least(Numbers numbers) {
  const std::uint32_t j = numbers[0];
  const std::uint32_t k = numbers[1];
  if (j > k)
    throw std::invalid_argument("find_language: at-least:j:k needs j <= k, not j = " + std::to_string(j) +
                                " and k = " + std::to_string(k));
  return last_letters(k, [j](State q) {
    std::uint32_t count = 0;
    for (; q != 0; q >>= 1) count += q & 1;
    return count >= j;
  });
}

/// States 0, ..., n-1 count the letters, n is after an a at the n-th place, n + 1 after a b there.
Language nth_letter(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 2, [n](State q, Letter a) { return q >= n      ? q
                                                               : q + 1 < n ? q + 1
                                                                           : n + a; },
      [n](State q) { return q == n; });
}

/// The state is how many letters ago the last a was, at most k.
Language window(Numbers numbers) {
  const State k = numbers[0];
  return build(
      first_letters(2), k + 1,
      [k](State q, Letter a) {
        const State age = k - q;  // state 0, the start, is that of no a
        return a == 0 ? k : k - std::min(age + 1, k);
      },
      [](State q) { return q != 0; });
}

Language chain(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(n), n + 1, [n](State q, Letter a) { return q < n && a == q ? q + 1 : q; },
      [n](State q) { return q == n; });
}

Language threshold(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1, [n](State q, Letter a) { return a == 0 ? std::min(q + 1, n) : q; },
      [n](State q) { return q == n; });
}

Language run(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1, [n](State q, Letter a) -> State { return q == n   ? n
                                                                        : a == 0 ? q + 1
                                                                                 : 0; },
      [n](State q) { return q == n; });
}

Language stair(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(3), n + 1,
      [n](State q, Letter a) -> State { return q == n || a == 2 ? q
                                               : a == 0         ? q + 1
                                                                : 0; },
      [n](State q) { return q == n; });
}

Language length_modulo(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n, [n](State q, Letter) { return (q + 1) % n; }, [](State q) { return q == 0; });
}

Language count_modulo(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n, [n](State q, Letter a) { return (q + (a == 0 ? 1 : 0)) % n; },
      [](State q) { return q == 0; });
}

struct Family {
  struct Number {
    std::uint32_t least;
    std::uint32_t greatest;
  };
  std::string_view name;  // of its entry; the members' names have numbers in place of the letters
  std::vector<Number> numbers;
  Language (*build)(Numbers);
};

const std::vector<Family>& families() {
  static const std::vector<Family> list{
      {"dyck:n", {{1, 100'000}}, dyck},
      {"dyck:k:m", {{1, 13}, {1, 1000}}, dyck_with_kinds},
      {"cycle:n", {{2, 100'000}}, cycle},
      {"modular-sum:n", {{2, 10}}, modular_sum},
      {"gridworld:n", {{1, 100'000}}, gridworld},
      {"symmetric:n", {{3, 100'000}}, symmetric},
      {"nth-from-end:n", {{1, 16}}, nth_from_end},
      {"nth-letter:n", {{1, 100'000}}, nth_letter},
      {"window:k", {{1, 100'000}}, window},
      {"at-least:j:k", {{1, 16}, {1, 16}}, at_least},
      {"chain:n", {{2, 26}}, chain},
      {"threshold:n", {{1, 100'000}}, threshold},
      {"run:n", {{1, 100'000}}, run},
      {"stair:n", {{1, 100'000}}, stair},
      {"mod:n", {{2, 100'000}}, length_modulo},
      {"count-mod:n", {{2, 100'000}}, count_modulo},
  };
  return list;
}

/// The pieces between the colons.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

/// The family with a member of that name, once its numbers are read; null when there is none.
const Family* find_family(const std::vector<std::string_view>& pieces) {
  for (const Family& family : families())
    if (split(family.name).front() == pieces.front() && family.numbers.size() + 1 == pieces.size())
      return &family;
  return nullptr;
}

std::uint32_t parse_number(const Family& family, std::size_t i, std::string_view text) {
  const auto [least, greatest] = family.numbers[i];
  std::uint32_t n = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), n);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || n < least || n > greatest)
    throw std::invalid_argument("find_language: " + std::string(family.name) + " needs a number " +
                                std::string(split(family.name)[i + 1]) + " from " + std::to_string(least) +
                                " to " + std::to_string(greatest) + ", not '" + std::string(text) + "'");
  return n;
}

const CatalogueEntry* find_exactly(std::string_view name) {
  for (const auto& entry : catalogue())
    if (entry.name == name) return &entry;
  return nullptr;
}

/// What each class is included in, directly; docs/catalogue.md has the reasons.
struct Inclusion {
  std::string_view smaller;
  std::string_view larger;
};

constexpr Inclusion inclusions[] = {
    {"finite", "LTL[Y]"},
    {"finite", "reverse-definite"},
    {"finite", "piecewise-testable"},
    {"cofinite", "LTL[Y]"},
    {"cofinite", "reverse-definite"},
    {"cofinite", "piecewise-testable"},
    {"LTL[Y]", "generalized-definite"},
    {"LTL[Y]", "L-trivial"},
    {"LTL[Y]", "LTL[Y,MOD]"},
    {"reverse-definite", "generalized-definite"},
    {"reverse-definite", "LTL[P]"},
    {"generalized-definite", "locally-testable"},
    {"generalized-definite", "DA"},
    {"locally-testable", "locally-threshold-testable"},
    {"locally-threshold-testable", "dot-depth-one"},
    {"piecewise-testable", "LTL[P]"},
    {"piecewise-testable", "L-trivial"},
    {"piecewise-testable", "dot-depth-one"},
    {"dot-depth-one", "locally-J-trivial"},
    {"locally-J-trivial", "LTL[P,Y]"},
    {"LTL[P]", "DA"},
    {"LTL[P]", "LTL[P,Y]"},
    {"LTL[P]", "LTL[P,MOD]"},
    {"L-trivial", "DA"},
    {"DA", "locally-DA"},
    {"LTL[P,Y]", "locally-DA"},
    {"LTL[P,Y]", "LTL[P,Y,MOD]"},
    {"locally-DA", "LTL[S]"},
    {"LTL[S]", "LTL[S,MOD]"},
    {"LTL[Y,MOD]", "LTL[P,Y,MOD]"},
    {"LTL[P,MOD]", "LTL[P,Y,MOD]"},
    {"LTL[P,Y,MOD]", "LTL[S,MOD]"},
    {"group", ""},
};

bool is_included(std::string_view smaller, std::string_view larger) {
  if (smaller == larger) return true;
  for (const auto& inclusion : inclusions)  // they have no cycle
    if (inclusion.smaller == smaller && is_included(inclusion.larger, larger)) return true;
  return false;
}

}  // namespace

const CatalogueEntry* find_entry(std::string_view name) {
  if (const CatalogueEntry* const entry = find_exactly(name)) return entry;
  const auto pieces = split(name);
  const Family* const family = find_family(pieces);
  if (family == nullptr) return nullptr;
  for (std::size_t i = 1; i < pieces.size(); ++i) parse_number(*family, i - 1, pieces[i]);
  return find_exactly(family->name);
}

bool belongs(const CatalogueEntry& entry, std::string_view class_name) {
  if (class_name.empty() ||
      std::none_of(std::begin(inclusions), std::end(inclusions), [&](const auto& inclusion) {
        return inclusion.smaller == class_name || inclusion.larger == class_name;
      }))
    throw std::invalid_argument("belongs: no class is named '" + std::string(class_name) + "'");
  for (std::string_view rest = entry.classes; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (is_included(rest.substr(0, end), class_name)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::optional<Language> find_language(std::string_view name) {
  const auto pieces = split(name);
  if (const Family* const family = find_family(pieces)) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 1; i < pieces.size(); ++i)
      numbers.push_back(parse_number(*family, i - 1, pieces[i]));
    return family->build(numbers);
  }
  const CatalogueEntry* const entry = find_exactly(name);
  if (entry == nullptr) return std::nullopt;
  auto alphabet = logic::parse_alphabet(entry->alphabet);
  Dfa dfa = from_regex(entry->regex, alphabet);
  return Language{std::move(alphabet), std::move(dfa)};
}

}  // namespace automata
