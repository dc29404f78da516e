// All regular languages with small automata, and the classes they are in.
#pragma once

#include "automata/classes.hpp"
#include "automata/dfa.hpp"
#include "automata/ladder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace automata {

/// Calls `visit` with the minimal Dfa of every language over `letters` letters that needs exactly `states`
/// states, once for all languages that differ by the names of the letters only: of these the one whose table,
/// then accepting states, come first.  In the order of the tables.
///
/// The tables are those whose numbering is breadth-first already; there are 12, 216, 5,248, 160,675 of them
/// for two letters and 2, 3, 4, 5 states, each with 2^states sets of accepting states.  Throws
/// std::invalid_argument unless 1 <= states <= 16 and 1 <= letters <= 6.
void for_each_language(State states, Letter letters, const std::function<void(const Dfa&)>& visit);

/// The classes of the command-line contract: the eight logics, then the others.
inline constexpr std::size_t census_classes = all_logics.size() + all_language_classes.size();
std::string_view census_class_name(std::size_t i);

/// Whether a language is in each of them; none where a limit was reached.
using Profile = std::array<std::optional<bool>, census_classes>;
Profile profile(const Dfa& dfa);

struct Census {
  /// For each number of states 1, 2, ...: how many languages there are, in each class, and undecided for
  /// each.
  struct Row {
    std::uint64_t languages = 0;
    std::array<std::uint64_t, census_classes> members{};
    std::array<std::uint64_t, census_classes> unknown{};
  };
  std::vector<Row> rows;
  /// Entry [i][j]: the first language in class i that is not in class j; none where all that are in i are in
  /// j.
  std::vector<std::vector<std::optional<Dfa>>> difference;
};

/// All languages over `letters` letters with at most `states` states, up to the names of the letters.
///
/// `progress` is called now and then with the number of languages so far.  Throws as for_each_language.
Census census(State states, Letter letters, const std::function<void(std::uint64_t)>& progress = {});

}  // namespace automata
