// windows: in which window logics is the language, and at what depth?
#include "bridge/compile.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/language.hpp"
#include "cli/network.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/window_answer.hpp"
#include "cli/window_plot.hpp"
#include "logic/print.hpp"

#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// One row: the answer, and the network of its formula.
struct Row {
  automata::WindowMembership answer;
  std::optional<transformer::Model> network;
  std::string no_network;  // why there is none
};

std::string depth_of(const automata::WindowMembership& answer) {
  if (answer.member == false) return "-";
  if (!answer.formula) return (answer.exact ? "" : "≥ ") + std::to_string(answer.depth);
  return (answer.exact ? "" : "≤ ") + std::to_string((*answer.formula)->depth);
}

/// `LTL[P,#Y<=k]`: the name for all k.
std::string series_name(const logic::WindowLogic& logic) {
  return std::string("LTL[") + (logic.previously ? "P," : "") + (logic.counting ? "#" : "") + "Y<=k]";
}

void write_plot(const std::string& path, const std::string& title, const std::vector<Row>& rows) {
  std::vector<PlotSeries> series;
  for (const Row& row : rows) {
    const auto& logic = row.answer.logic;
    PlotPoint point{logic.window, row.answer.member, std::nullopt, row.answer.exact, ""};
    if (row.answer.formula) point.depth = (*row.answer.formula)->depth;
    if (row.network) point.label = std::to_string(row.network->layers.size()) + "L";
    const std::string name = series_name(logic);
    auto place = std::find_if(series.begin(), series.end(), [&](const auto& s) { return s.name == name; });
    if (place == series.end()) place = series.insert(series.end(), PlotSeries{name, {}});
    place->points.push_back(point);
  }
  std::ofstream file(path, std::ios::binary);
  file << window_plot(title, series);
  file.flush();
  if (!file) throw std::system_error(errno, std::generic_category(), "--plot " + path);
}

Status run_windows(const Arguments& arguments) {
  LanguageOptions language_options;
  automata::WindowLimits limits;
  std::uint64_t max_window = 4;
  std::uint64_t max_depth = 8;
  std::uint64_t max_types = limits.max_states;
  std::uint64_t search = limits.search_formulas;
  std::optional<std::string> plot;
  Options options(arguments.command);
  language_options.add_to(options);
  options.number("--max-window", "K", max_window, "Windows of 1, ..., K positions (4)", 1, 64);
  options.number("--max-depth", "R", max_depth, "Formulas of depth at most R (8)", 0, 1'000);
  options.number("--max-types", "N", max_types, "Largest automaton of types (30,000)");
  options.number("--search", "N", search, "Formulas that the search for a short one may try (200,000)", 0);
  options.text("--plot", "FILE.svg", plot, "Draw depth against window");
  expect_no_words(options.parse(arguments.before), arguments);
  limits.max_depth = static_cast<std::uint32_t>(max_depth);
  limits.max_states = max_types;
  limits.search_formulas = search;
  limits.max_formula_states = language_options.max_states;

  const automata::Language language = read_language(language_options);
  logic::Arena arena;
  std::vector<Row> rows;
  for (std::uint32_t k = 1; k <= max_window; ++k) {
    for (const bool previously : {false, true}) {
      for (const bool counting : {false, true}) {
        if (counting && k <= 2) continue;  // the same logic
        Row row;
        row.answer = decide(arena, language.dfa, {previously, k, counting, 1}, limits);
        if (row.answer.formula) {
          try {
            row.network = bridge::compile(*row.answer.formula, language.alphabet);
          } catch (const std::invalid_argument& error) {
            row.no_network = error.what();
          } catch (const std::length_error& error) {
            row.no_network = error.what();
          }
        }
        rows.push_back(std::move(row));
      }
    }
  }
  if (plot) write_plot(*plot, language_options.title().value_or(""), rows);

  if (options.json) {
    nlohmann::ordered_json json{{"alphabet", language.alphabet.names()}, {"states", language.dfa.states()}};
    auto& list = json["windows"] = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
      nlohmann::ordered_json entry = to_json(language, row.answer);
      entry["window"] = row.answer.logic.window;
      entry["previously"] = row.answer.logic.previously;
      entry["counting"] = row.answer.logic.counting;
      entry["network"] = nullptr;
      if (row.network) entry["network"] = to_json(*row.network);
      list.push_back(std::move(entry));
    }
    print(json.dump(2) + '\n');
    return Status::done;
  }
  std::vector<std::vector<std::string>> cells{
      {"logic", "in", "depth", "size", "layers", "heads", "width", "formula, or why not (in | not in)"}};
  for (const Row& row : rows) {
    const auto& answer = row.answer;
    std::vector<std::string> line{name(answer.logic),
                                  !answer.member   ? "?"
                                  : *answer.member ? "yes"
                                                   : "no",
                                  depth_of(answer),
                                  answer.formula ? std::to_string((*answer.formula)->size) : "-"};
    if (row.network) {
      line.push_back(std::to_string(row.network->layers.size()));
      line.push_back(std::to_string(head_count(*row.network)));
      line.push_back(std::to_string(row.network->width()));
    } else {
      line.insert(line.end(), 3, "-");
    }
    line.push_back(answer.formula ? logic::to_string(*answer.formula, language.alphabet)
                                  : short_reason(language, answer));
    if (!row.no_network.empty()) line.back() += " (no network: " + row.no_network + ")";
    cells.push_back(std::move(line));
  }
  print(table(cells, SIZE_MAX));
  return Status::done;
}

}  // namespace

const Command windows{
    .name = "windows",
    .summary = "In which window logics is the language, and at what depth?",
    .usage = "LANG [--max-window K] [--max-depth R] [--plot FILE.svg]",
    .notes =
        "For k = 1, ..., K the logics LTL[Y<=k] and LTL[P,Y<=k], from k = 3 on also with windows that "
        "count.\n"
        "yes: a formula, of the least depth unless ≤ stands before it, and the network compiled from it;\n"
        "no: a larger logic that does not hold the language, or words on both sides that no depth tells\n"
        "apart; ?: no formula of less depth than the one given, and more is not known (docs/windows.md).\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.",
    .examples =
        "hindsight windows --regex '.*a.{0,2}' --alphabet ab\n"
        "hindsight windows --language contains-ab --max-window 3 --plot windows.svg",
    .run = run_windows,
};

}  // namespace cli
