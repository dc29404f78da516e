#include "cli/words.hpp"

#include "cli/files.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "logic/parse_error.hpp"

namespace cli {
namespace {

logic::Word parse(const logic::Alphabet& alphabet, const std::string& text, const std::string& place) {
  try {
    return logic::parse_word(alphabet, text);
  } catch (const logic::ParseError& error) {
    throw InputError(place + ", character " + std::to_string(error.column()) + ": " + error.message());
  }
}

std::string shortened(const std::string& text) {
  return text.size() <= 40 ? "'" + text + "'" : "of " + std::to_string(text.size()) + " bytes";
}

}  // namespace

void WordOptions::add_to(Options& options) {
  options.group("Options");
  options.text("--words", "FILE", file, "Words from a file, one a line; - for standard input");
}

void for_each_word(const logic::Alphabet& alphabet, const std::vector<std::string>& given,
                   const WordOptions& options,
                   const std::function<void(const logic::Word&, const std::string&)>& f) {
  if (given.empty() && !options.file) throw UsageError("no word: give words or --words FILE");
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string place = "word " + std::to_string(i + 1) + ' ' + shortened(given[i]);
    f(parse(alphabet, given[i], place), place);
  }
  if (!options.file) return;
  const File file = open_file(*options.file);
  std::string line;
  for (std::size_t number = 1; read_line(file.get(), *options.file, line); ++number) {
    const std::string place =
        (*options.file == "-" ? "standard input" : *options.file) + ", line " + std::to_string(number);
    f(parse(alphabet, line, place), place);
  }
}

std::string readable(const logic::Alphabet& alphabet, std::span<const logic::Letter> word) {
  if (!word.empty()) return logic::to_string(alphabet, word);
  return alphabet.find("ε") ? "''" : "ε";
}

std::string abridged(const logic::Alphabet& alphabet, std::span<const logic::Letter> word,
                     std::size_t width) {
  if (word.size() <= width) {
    std::string text = readable(alphabet, word);
    if (display_width(text) <= width) return text;
  }
  const std::size_t end = std::min<std::size_t>(alphabet.has_single_characters() ? 6 : 2, word.size());
  return logic::to_string(alphabet, word.first(end)) + "…" + logic::to_string(alphabet, word.last(end)) +
         " (" + std::to_string(word.size()) + " letters)";
}

void print_answer(const logic::Alphabet& alphabet, const logic::Word& word, bool accepted, bool json) {
  if (json) {
    print("{\"word\":" + json_string(logic::to_string(alphabet, word)) +
          ",\"accepted\":" + (accepted ? "true" : "false") + "}\n");
  } else {
    print((accepted ? "accept " : "reject ") + readable(alphabet, word) + '\n');
  }
}

void print_answer(const logic::Alphabet& alphabet, const logic::Word& word, const std::vector<bool>& prefixes,
                  bool json) {
  const bool accepted = prefixes.back();
  std::string list;
  for (const bool yes : prefixes) {
    if (json && !list.empty()) list += ',';
    list += json ? (yes ? "true" : "false") : (yes ? "1" : "0");
  }
  if (json) {
    print("{\"word\":" + json_string(logic::to_string(alphabet, word)) +
          ",\"accepted\":" + (accepted ? "true" : "false") + ",\"prefixes\":[" + list + "]}\n");
  } else {
    print((accepted ? "accept " : "reject ") + list + ' ' + readable(alphabet, word) + '\n');
  }
}

std::vector<std::string> with_rest(std::vector<std::string> positional, const Arguments& arguments) {
  if (arguments.after) positional.insert(positional.end(), arguments.after->begin(), arguments.after->end());
  return positional;
}

}  // namespace cli
