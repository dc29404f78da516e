// census: all languages with small automata, counted by class.
#include "automata/census.hpp"

#include "automata/files.hpp"
#include "cli/commands.hpp"
#include "cli/find_formula.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "logic/print.hpp"

#include <cstdio>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using automata::census_class_name;
using automata::census_classes;
using automata::Dfa;

/// The letters are a, b, ...
logic::Alphabet alphabet_of(automata::Letter letters) {
  std::vector<std::string> names;
  for (automata::Letter a = 0; a < letters; ++a) names.emplace_back(1, static_cast<char>('a' + a));
  return logic::Alphabet(names);
}

/// A formula for the language where a short search finds one.
std::optional<std::string> short_formula(const Dfa& dfa) {
  logic::Arena arena;
  automata::ExpressOptions options;
  options.search_formulas = 20'000;
  options.max_size = 60;
  try {
    const Search search = find_formula(arena, dfa, express_order(), {}, options);
    if (search.found) return logic::to_string(search.found->formula, alphabet_of(dfa.letters()));
  } catch (const std::length_error&) {
    // No short formula: the table says what the language is.
  }
  return std::nullopt;
}

/// The rows of the table, final states with a star: `0: 1 0; 1*: 1 1`.
std::string table_text(const Dfa& dfa) {
  std::string text;
  for (automata::State q = 0; q < dfa.states(); ++q) {
    text += (q == 0 ? "" : "; ") + std::to_string(q) + (dfa.is_accepting(q) ? "*:" : ":");
    for (automata::Letter a = 0; a < dfa.letters(); ++a) text += ' ' + std::to_string(dfa.next(q, a));
  }
  return text;
}

std::string counts_table(const automata::Census& census, const Painter& painter) {
  std::vector<std::vector<std::string>> rows{{painter.paint(Colour::heading, "states")}};
  for (std::size_t n = 1; n <= census.rows.size(); ++n) rows[0].push_back(std::to_string(n));
  rows.push_back({"languages"});
  for (const auto& row : census.rows) rows.back().push_back(std::to_string(row.languages));
  for (std::size_t i = 0; i < census_classes; ++i) {
    rows.push_back({std::string(census_class_name(i))});
    for (const auto& row : census.rows) {
      const std::string unknown =
          row.unknown[i] == 0 ? "" : " (" + std::to_string(row.unknown[i]) + " undecided)";
      rows.back().push_back(std::to_string(row.members[i]) + unknown);
    }
  }
  return table(rows);
}

std::string class_list(const std::vector<std::size_t>& classes) {
  std::string list;
  for (const std::size_t i : classes) list += (list.empty() ? "" : ", ") + std::string(census_class_name(i));
  return list;
}

/// For each language that separates classes: which.  In the order in which the languages came.
std::string differences_text(const automata::Census& census) {
  using Key = std::tuple<automata::State, std::vector<automata::State>, std::vector<bool>>;
  std::map<Key, std::map<std::size_t, std::vector<std::size_t>>> by_language;
  std::map<Key, Dfa> language;
  for (std::size_t i = 0; i < census_classes; ++i) {
    for (std::size_t j = 0; j < census_classes; ++j) {
      const auto& first = census.difference[i][j];
      if (!first) continue;
      const Key key{first->states(), first->table(), first->accepting()};
      by_language[key][i].push_back(j);
      language.emplace(key, *first);
    }
  }
  std::string text;
  for (const auto& [key, separated] : by_language) {
    const Dfa& dfa = language.at(key);
    const auto formula = short_formula(dfa);
    text += (formula ? *formula : "no short formula") + "   [" + table_text(dfa) + "]\n";
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> holding;  // by the classes outside
    for (const auto& [i, outside] : separated) holding[outside].push_back(i);
    for (const auto& [outside, inside] : holding)
      for (const std::string& line : wrap("in " + class_list(inside) + "; not in " + class_list(outside), 96))
        text += "    " + line + '\n';
  }
  return text;
}

nlohmann::ordered_json to_json(const automata::Census& census, automata::Letter letters) {
  nlohmann::ordered_json json;
  json["letters"] = letters;
  auto& rows = json["states"] = nlohmann::ordered_json::array();
  for (std::size_t n = 1; n <= census.rows.size(); ++n) {
    const auto& row = census.rows[n - 1];
    nlohmann::ordered_json entry{{"states", n}, {"languages", row.languages}};
    for (std::size_t i = 0; i < census_classes; ++i) {
      entry["members"][std::string(census_class_name(i))] = row.members[i];
      if (row.unknown[i] != 0) entry["undecided"][std::string(census_class_name(i))] = row.unknown[i];
    }
    rows.push_back(std::move(entry));
  }
  auto& list = json["differences"] = nlohmann::ordered_json::array();
  const logic::Alphabet alphabet = alphabet_of(letters);
  for (std::size_t i = 0; i < census_classes; ++i) {
    for (std::size_t j = 0; j < census_classes; ++j) {
      const auto& first = census.difference[i][j];
      if (!first) continue;
      list.push_back({{"in", census_class_name(i)},
                      {"not_in", census_class_name(j)},
                      {"automaton", nlohmann::ordered_json::parse(automata::to_json({alphabet, *first}))}});
    }
  }
  return json;
}

Status run_census(const Arguments& arguments) {
  std::uint64_t states = 3;
  std::uint64_t letters = 2;
  Options options(arguments.command);
  options.number("--states", "N", states, "Automata of at most N states (3)", 1, 16);
  options.number("--letters", "K", letters, "Letters a, b, ... (2)", 1, 6);
  expect_no_words(options.parse(arguments.before), arguments);
  const bool progress = !options.quiet && isatty(STDERR_FILENO) != 0;
  const automata::Census census = automata::census(
      static_cast<automata::State>(states), static_cast<automata::Letter>(letters), [&](std::uint64_t seen) {
        if (progress) std::fprintf(stderr, "\r%llu languages", static_cast<unsigned long long>(seen));
      });
  if (progress) std::fputs("\r\033[K", stderr);
  if (options.json) {
    print(to_json(census, static_cast<automata::Letter>(letters)).dump(2) + '\n');
    return Status::done;
  }
  const Painter painter(options.quiet);
  print("Languages over " + std::to_string(letters) +
        (letters == 1 ? " letter" : " letters, up to their names") +
        ", by the states of the minimal automaton, and how many of them\nare in each class:\n\n" +
        counts_table(census, painter) +
        "\nThe first language in each difference of classes: a formula and the automaton (from each state, "
        "where the\n"
        "letters lead; * accepts).  What is not listed is empty in this census.\n\n" +
        differences_text(census));
  return Status::done;
}

}  // namespace

const Command census{
    .name = "census",
    .summary = "All languages with small automata, counted by class",
    .usage = "[--states N] [--letters K]",
    .notes =
        "Languages that differ by the names of the letters alone are counted once.  With two letters\n"
        "4 states take seconds and 5 states minutes.",
    .examples = "hindsight census --states 3 --letters 2",
    .run = run_census,
};

}  // namespace cli
