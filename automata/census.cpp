#include "automata/census.hpp"

#include "automata/minimize.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

/// Calls `visit` with every table of `states` states, all reachable, numbered breadth-first in letter order.
///
/// Such a table is filled from left to right; an entry is at most one more than the largest before it, and
/// row q may begin only when state q has occurred.
template <class Visit>
void for_each_table(State states, Letter letters, Visit visit) {
  std::vector<State> table(std::size_t{states} * letters);
  std::vector<State> largest(table.size() + 1, 0);  // among the first i entries
  const auto fill = [&](const auto& self, std::size_t i) -> void {
    if (i == table.size()) {
      if (largest[i] == states - 1) visit(table);
      return;
    }
    if (largest[i] < i / letters) return;
    for (State q = 0; q <= std::min<State>(largest[i] + 1, states - 1); ++q) {
      table[i] = q;
      largest[i + 1] = std::max(largest[i], q);
      self(self, i + 1);
    }
  };
  fill(fill, 0);
}

void check_size(const char* function, State states, Letter letters) {
  if (states < 1 || states > 16 || letters < 1 || letters > 6) {
    throw std::invalid_argument(std::string(function) + ": " + std::to_string(states) + " states and " +
                                std::to_string(letters) + " letters, not in 1..16 and 1..6");
  }
}

Dfa rename_letters(const Dfa& dfa, const std::vector<Letter>& new_name) {
  std::vector<State> next(dfa.table().size());
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter a = 0; a < dfa.letters(); ++a)
      next[std::size_t{q} * dfa.letters() + new_name[a]] = dfa.next(q, a);
  return Dfa(dfa.letters(), dfa.start(), std::move(next), dfa.accepting());
}

bool comes_first(const Dfa& dfa) {
  std::vector<Letter> new_name(dfa.letters());
  std::iota(new_name.begin(), new_name.end(), 0);
  while (std::next_permutation(new_name.begin(), new_name.end())) {
    const Dfa other = minimize(rename_letters(dfa, new_name));
    if (std::pair(other.table(), other.accepting()) < std::pair(dfa.table(), dfa.accepting())) return false;
  }
  return true;
}

}  // namespace

void for_each_language(State states, Letter letters, const std::function<void(const Dfa&)>& visit) {
  check_size("for_each_language", states, letters);
  for_each_table(states, letters, [&](const std::vector<State>& table) {
    for (std::uint32_t set = 0; set < std::uint32_t{1} << states; ++set) {
      std::vector<bool> accepting(states);
      for (State q = 0; q < states; ++q) accepting[q] = (set >> q & 1) != 0;
      const Dfa dfa(letters, 0, table, std::move(accepting));
      if (minimize(dfa).states() == states && comes_first(dfa)) visit(dfa);
    }
  });
}

std::string_view census_class_name(std::size_t i) {
  return i < all_logics.size() ? name(all_logics.at(i))
                               : name(all_language_classes.at(i - all_logics.size()));
}

Profile profile(const Dfa& dfa) {
  Profile result;
  auto entry = result.begin();
  for (const Membership& answer : ladder(dfa)) *entry++ = answer.member;
  for (const ClassMembership& answer : decide_classes(dfa)) *entry++ = answer.member;
  return result;
}

Census census(State states, Letter letters, const std::function<void(std::uint64_t)>& progress) {
  check_size("census", states, letters);
  Census result;
  result.difference.assign(census_classes, std::vector<std::optional<Dfa>>(census_classes));
  std::uint64_t seen = 0;
  for (State n = 1; n <= states; ++n) {
    Census::Row& row = result.rows.emplace_back();
    for_each_language(n, letters, [&](const Dfa& dfa) {
      const Profile classes = profile(dfa);
      ++row.languages;
      for (std::size_t i = 0; i < census_classes; ++i) {
        row.members[i] += classes[i] == true;
        row.unknown[i] += !classes[i];
        for (std::size_t j = 0; j < census_classes; ++j) {
          auto& first = result.difference[i][j];
          if (!first && classes[i] == true && classes[j] == false) first = dfa;
        }
      }
      if (progress && ++seen % 256 == 0) progress(seen);
    });
  }
  return result;
}

}  // namespace automata
