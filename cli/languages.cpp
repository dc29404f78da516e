// languages: the catalogue.
#include "automata/catalogue.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

nlohmann::ordered_json to_json(const automata::CatalogueEntry& entry) {
  const auto text = [](std::string_view value) {
    return value.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
  };
  return {{"name", entry.name},
          {"range", text(entry.range)},
          {"alphabet", entry.alphabet},
          {"regex", text(entry.regex)},
          {"formula", text(entry.formula)},
          {"smallest", text(entry.smallest)},
          {"classes", words_of(entry.classes)},
          {"meaning", entry.meaning},
          {"source", entry.source}};
}

/// What is said of one entry, or of the member of a family that `name` names.
std::string to_text(const automata::CatalogueEntry& entry, const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* title, std::string_view value) {
    if (!value.empty()) rows.push_back({title, std::string(value)});
  };
  add("name", name);
  if (name != entry.name) add("family", entry.name);
  add("range", entry.range);
  add("meaning", entry.meaning);
  if (entry.is_family() && name != entry.name) {
    const auto language = automata::find_language(name);
    std::string letters;
    for (const auto& letter : language->alphabet.names()) letters += (letters.empty() ? "" : " ") + letter;
    add("letters", letters);
    add("states", std::to_string(language->dfa.states()));
  } else {
    add("alphabet", entry.alphabet);
  }
  add("regex", entry.regex);
  add("formula", entry.formula);
  add("smallest", entry.smallest);
  add("classes", entry.classes);
  add("source", entry.source);
  return table(rows);
}

/// A cell of a Markdown table; code between backquotes.
std::string cell(std::string_view text, bool code) {
  if (text.empty()) return " |";
  std::string result = code ? " `" : " ";
  for (const char c : text) {
    if (c == '|' || (c == '*' && !code)) result += '\\';
    result += c;
  }
  return result + (code ? "` |" : " |");
}

std::string to_markdown(const std::vector<const automata::CatalogueEntry*>& entries) {
  std::string text =
      "| name | alphabet | regex, or range of a family | formula | smallest logic | least classes | meaning |"
      " source |\n|---|---|---|---|---|---|---|---|\n";
  for (const auto* entry : entries) {
    std::string classes;
    for (const auto word : words_of(entry->classes))
      classes += (classes.empty() ? "" : ", ") + std::string(word);
    text += '|' + cell(entry->name, true) + cell(entry->alphabet, true) +
            (entry->is_family() ? cell(entry->range, false) : cell(entry->regex, true)) +
            cell(entry->formula, true) + cell(entry->smallest, false) + cell(classes, false) +
            cell(entry->meaning, false) + cell(entry->source, false) + '\n';
  }
  return text;
}

const automata::CatalogueEntry& find(const std::string& name) {
  const automata::CatalogueEntry* entry = nullptr;
  try {
    entry = automata::find_entry(name);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  if (entry == nullptr) throw InputError("no entry '" + name + "' in the catalogue");
  return *entry;
}

Status run_languages(const Arguments& arguments) {
  std::optional<std::string> class_name;
  bool markdown = false;
  Options options(arguments.command);
  options.text("--in", "CLASS", class_name, "Only what belongs to this class, LTL[Y] to group");
  options.flag("--markdown", markdown, "A table with everything, for docs/catalogue.md");
  const auto names = options.parse(arguments.before);
  if (names.size() > 1) throw UsageError("unexpected argument '" + names[1] + "'");
  if (arguments.after) throw UsageError("unexpected argument '--'");
  if (markdown && options.json) throw UsageError("--markdown and --json exclude each other");
  if (!names.empty() && class_name) throw UsageError("--in goes with the whole list, not with a name");

  std::vector<const automata::CatalogueEntry*> entries;
  if (names.empty()) {
    for (const auto& entry : automata::catalogue()) {
      try {
        if (!class_name || automata::belongs(entry, *class_name)) entries.push_back(&entry);
      } catch (const std::invalid_argument&) {
        throw UsageError("no class is named '" + *class_name + "'");
      }
    }
  } else {
    entries.push_back(&find(names.front()));
  }

  if (markdown) {
    print(to_markdown(entries));
  } else if (!names.empty()) {
    print(options.json ? to_json(*entries.front()).dump(2) + '\n' : to_text(*entries.front(), names.front()));
  } else if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto* entry : entries) list.push_back(to_json(*entry));
    print(list.dump(2) + '\n');
  } else {
    const Painter painter(options.quiet);
    const auto heading = [&](const char* text) { return painter.paint(Colour::heading, text); };
    std::vector<std::vector<std::string>> rows{
        {heading("name"), heading("alphabet"), heading("smallest"), heading("meaning")}};
    for (const auto* entry : entries)
      rows.push_back({std::string(entry->name), std::string(entry->alphabet), std::string(entry->smallest),
                      std::string(entry->meaning)});
    print(table(rows));
  }
  return Status::done;
}

}  // namespace

const Command languages{
    .name = "languages",
    .summary = "The catalogue of named languages",
    .usage = "[NAME]",
    .notes =
        "A name with letters after colons is a family: put numbers there, as in dyck:3.\n"
        "smallest is the first of LTL[Y], LTL[P], LTL[P,Y], LTL[S], then of these with MOD, that holds the\n"
        "language; express tries those with MOD before LTL[S], and may name another.  classes are the least\n"
        "classes that hold it.  What is said of a family holds of every member.",
    .examples =
        "hindsight languages\n"
        "hindsight languages dyck-2\n"
        "hindsight languages dyck:2:3\n"
        "hindsight languages --in piecewise-testable",
    .run = run_languages,
};

}  // namespace cli
