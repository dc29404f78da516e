// languages: the catalogue.
#include "automata/catalogue.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

nlohmann::ordered_json to_json(const automata::CatalogueEntry& entry) {
  const auto text = [](std::string_view value) {
    return value.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
  };
  return {{"name", entry.name},
          {"alphabet", entry.alphabet},
          {"regex", text(entry.regex)},
          {"formula", text(entry.formula)},
          {"smallest", text(entry.smallest)},
          {"meaning", entry.meaning},
          {"source", entry.source}};
}

std::string to_text(const automata::CatalogueEntry& entry) {
  std::vector<std::vector<std::string>> rows{{"name", std::string(entry.name)},
                                             {"meaning", std::string(entry.meaning)},
                                             {"alphabet", std::string(entry.alphabet)}};
  const auto add = [&](const char* title, std::string_view value) {
    if (!value.empty()) rows.push_back({title, std::string(value)});
  };
  add("regex", entry.regex);
  add("formula", entry.formula);
  add("smallest", entry.smallest);
  add("source", entry.source);
  return table(rows);
}

Status run_languages(const Arguments& arguments) {
  Options options(arguments.command);
  const auto names = options.parse(arguments.before);
  if (names.size() > 1) throw UsageError("unexpected argument '" + names[1] + "'");
  if (arguments.after) throw UsageError("unexpected argument '--'");
  const auto entries = automata::catalogue();
  if (!names.empty()) {
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const automata::CatalogueEntry& e) {
      return e.name == names.front();
    });
    if (entry == entries.end()) throw InputError("no entry '" + names.front() + "' in the catalogue");
    print(options.json ? to_json(*entry).dump(2) + '\n' : to_text(*entry));
    return Status::done;
  }
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& entry : entries) list.push_back(to_json(entry));
    print(list.dump(2) + '\n');
    return Status::done;
  }
  const Painter painter(options.quiet);
  const auto heading = [&](const char* text) { return painter.paint(Colour::heading, text); };
  std::vector<std::vector<std::string>> rows{
      {heading("name"), heading("alphabet"), heading("smallest"), heading("meaning")}};
  for (const auto& entry : entries)
    rows.push_back({std::string(entry.name), std::string(entry.alphabet), std::string(entry.smallest),
                    std::string(entry.meaning)});
  print(table(rows));
  return Status::done;
}

}  // namespace

const Command languages{
    .name = "languages",
    .summary = "The catalogue of named languages",
    .usage = "[NAME]",
    .notes = "smallest is the smallest logic of the ladder that holds the language.",
    .examples =
        "hindsight languages\n"
        "hindsight languages dyck-2",
    .run = run_languages,
};

}  // namespace cli
