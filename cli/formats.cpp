#include "cli/formats.hpp"

#include "automata/files.hpp"
#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/graphviz.hpp"
#include "cli/table.hpp"
#include "logic/parse_error.hpp"

#include <algorithm>

namespace cli {
namespace {

constexpr automata::State most_drawn = 1000;

}  // namespace

std::vector<std::string_view> readable_formats() {
  std::vector<std::string_view> names;
  for (const auto& format : automata::file_formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string_view> writable_formats() {
  auto names = readable_formats();
  names.push_back("svg");
  return names;
}

std::string format_of(const std::string& what, const std::string& path,
                      const std::optional<std::string>& format, const std::string& standard,
                      const std::vector<std::string_view>& formats) {
  std::string name = format ? *format : path == "-" ? standard : std::string(automata::extension_of(path));
  if (!format)
    if (const auto* known = automata::find_extension(name)) name = known->name;
  if (std::find(formats.begin(), formats.end(), name) != formats.end()) return name;
  std::string list;
  for (const auto known : formats) list += (list.empty() ? "" : ", ") + std::string(known);
  throw InputError(what +
                   (name.empty() ? ": the format is not given" : ": the format " + name + " is not known") +
                   "; there are " + list);
}

automata::Language read_automaton(const std::string& what, const std::string& path, std::string_view format,
                                  const std::optional<logic::Alphabet>& alphabet, std::uint64_t max_states) {
  const std::string text = read_file(path);
  try {
    return automata::find_format(format)->read(text, alphabet, max_states);
  } catch (const logic::ParseError& error) {
    throw InputError(what + ": " + error.what());
  }
}

std::string write_automaton(const automata::Language& language, std::string_view format) {
  if (format == "svg") {
    if (language.dfa.states() > most_drawn)
      throw std::length_error(std::to_string(language.dfa.states()) + " states are too many to draw, " +
                              std::to_string(most_drawn) + " is the most");
    return draw_svg(automata::to_picture(language));
  }
  std::string text;
  try {
    text = automata::find_format(format)->write(language);
  } catch (const std::invalid_argument& error) {
    throw InputError(std::string(error.what()) + "; use another format");
  }
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::string automaton_table(const automata::Language& language) {
  const automata::Dfa& dfa = language.dfa;
  std::vector<std::vector<std::string>> rows{{"state"}};
  for (const auto& letter : language.alphabet.names()) rows.front().push_back(letter);
  rows.front().emplace_back();
  for (automata::State q = 0; q < dfa.states(); ++q) {
    auto& row = rows.emplace_back();
    row.push_back(std::to_string(q));
    for (logic::Letter a = 0; a < dfa.letters(); ++a) row.push_back(std::to_string(dfa.next(q, a)));
    row.push_back(std::string(q == dfa.start() ? "initial " : "") + (dfa.is_accepting(q) ? "accepting" : ""));
  }
  return table(rows);
}

}  // namespace cli
