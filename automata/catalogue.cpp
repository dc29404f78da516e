// A new language is a block of data in `entries`; tests/automata/catalogue.cpp then checks that its regular
// expression, its formula and its place on the ladder agree.  A family has also a builder in `families`.
#include "automata/catalogue.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace automata {
namespace {

constexpr std::string_view paper = "Li & Cotterell 2026, arXiv 2605.00768";

constexpr CatalogueEntry entries[] = {
    {
        .name = "ends-a",
        .alphabet = "ab",
        .regex = ".*a",
        .formula = "Y a",
        .smallest = "LTL[Y]",
        .meaning = "the last letter is a",
        .source = paper,
    },
    {
        .name = "ends-ab",
        .alphabet = "ab",
        .regex = ".*ab",
        .formula = "Y(b & Y a)",
        .smallest = "LTL[Y]",
        .meaning = "the last two letters are ab",
        .source = paper,
    },
    {
        .name = "starts-a",
        .alphabet = "ab",
        .regex = "a.*",
        .formula = "P(a & first)",
        .smallest = "LTL[P]",
        .meaning = "the first letter is a",
        .source = paper,
    },
    {
        .name = "a-before-b",
        .alphabet = "ab",
        .regex = ".*a.*b.*",
        .formula = "P(b & P a)",
        .smallest = "LTL[P]",
        .meaning = "some a comes before some b",
        .source = paper,
    },
    {
        .name = "alternating",
        .alphabet = "ab",
        .regex = "(ab)*",
        .formula = "H((a -> first | Y b) & (b -> Y a)) & !Y a",
        .smallest = "LTL[P,Y]",
        .meaning = "a and b take turns, from a to b",
        .source = paper,
    },
    {
        .name = "contains-ab",
        .alphabet = "abc",
        .regex = ".*ab.*",
        .formula = "P(b & Y a)",
        .smallest = "LTL[P,Y]",
        .meaning = "some b comes just after an a (over two letters this would be in LTL[P])",
        .source = paper,
    },
    {
        .name = "rdp-1",
        .alphabet = "abcd",
        .regex = "[^b]*a[^ac]*",
        .formula = "(!a & !c) S (a & H !b)",
        .smallest = "LTL[S]",
        .meaning = "no b before the last a and no c after it: a right-deterministic polynomial",
        .source = paper,
    },
    {
        // The last double letter and the last letter tell the depth: 1 or 2 after aa, 0 or 1 after bb or
        // none.
        .name = "dyck-2",
        .alphabet = "ab",
        .regex = "(a(ab)*b)*",
        .formula = "H((a -> !(!(b & Y b) S (a & Y a) & Y a)) & (b -> !(b & Y b) S (a & Y a) | Y a))"
                   " & !(!(b & Y b) S (a & Y a) | Y a)",
        .smallest = "LTL[S]",
        .meaning = "balanced brackets a, b of depth at most 2",
        .source = paper,
    },
    {
        .name = "dyck:n",
        .alphabet = "ab",
        .regex = "",
        .formula = "",
        .smallest = "LTL[S]",
        .meaning = "balanced brackets a, b of depth at most n, 1 <= n <= 100000 (LTL[P,Y] for n = 1)",
        .source = "Bhattamishra, Ahuja & Goyal 2020, arXiv 2009.11264: D_n = (a D_(n-1) b)*",
    },
};

/// States 0, ..., n are the depths, n + 1 is for words that went out of them.
Dfa dyck(std::uint32_t n) {
  const State sink = n + 1;
  std::vector<State> next;
  for (State depth = 0; depth <= n; ++depth) {
    next.push_back(depth + 1);  // beyond n that is the sink
    next.push_back(depth == 0 ? sink : depth - 1);
  }
  next.insert(next.end(), {sink, sink});
  std::vector<bool> accepting(n + 2, false);
  accepting[0] = true;
  return Dfa(2, 0, std::move(next), std::move(accepting));
}

struct Family {
  std::string_view name;  // of its entry; the members' names have a number in place of the n at its end
  std::uint32_t least;
  std::uint32_t greatest;
  Dfa (*build)(std::uint32_t);
};

constexpr Family families[] = {{"dyck:n", 1, 100'000, dyck}};

const CatalogueEntry* find_entry(std::string_view name) {
  for (const auto& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

std::uint32_t parse_parameter(const Family& family, std::string_view text) {
  std::uint32_t n = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), n);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || n < family.least ||
      n > family.greatest)
    throw std::invalid_argument("find_language: " + std::string(family.name) + " needs a number n from " +
                                std::to_string(family.least) + " to " + std::to_string(family.greatest) +
                                ", not '" + std::string(text) + "'");
  return n;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return entries;
}

std::optional<Language> find_language(std::string_view name) {
  for (const Family& family : families) {
    const std::string_view prefix = family.name.substr(0, family.name.size() - 1);
    if (name.substr(0, prefix.size()) != prefix) continue;
    const std::uint32_t n = parse_parameter(family, name.substr(prefix.size()));
    return Language{logic::parse_alphabet(find_entry(family.name)->alphabet), minimize(family.build(n))};
  }
  const CatalogueEntry* const entry = find_entry(name);
  if (entry == nullptr) return std::nullopt;
  auto alphabet = logic::parse_alphabet(entry->alphabet);
  Dfa dfa = from_regex(entry->regex, alphabet);
  return Language{std::move(alphabet), std::move(dfa)};
}

}  // namespace automata
