// separate: a formula that tells two words apart, or that there is none of that depth.
#include "logic/separate.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "logic/parse_error.hpp"
#include "logic/print.hpp"
#include "logic/semantics.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// The letters that occur in the words, sorted: names between spaces if there is a space, characters
/// otherwise.
logic::Alphabet letters_of(const std::vector<std::string>& words) {
  const bool names = std::any_of(words.begin(), words.end(),
                                 [](const auto& word) { return word.find(' ') != std::string::npos; });
  std::set<std::string> letters;
  for (const std::string& word : words) {
    if (word == "''" || word == "ε") continue;
    if (names) {
      std::istringstream parts(word);
      for (std::string part; parts >> part;) letters.insert(part);
      continue;
    }
    logic::require_utf8(word);
    for (std::size_t i = 0; i < word.size();) {
      const std::size_t bytes = logic::code_point(word, i)->bytes;
      letters.insert(word.substr(i, bytes));
      i += bytes;
    }
  }
  if (letters.empty()) throw InputError("no letter occurs in the words: give --alphabet");
  return logic::Alphabet(std::vector<std::string>(letters.begin(), letters.end()));
}

logic::WindowLogic logic_of(const std::string& name) {
  const auto logic = logic::window_logic_of_name(name);
  if (!logic)
    throw InputError(
        "--logic: no logic '" + name +
        "'; P, a window (Y, Y<=k or #Y<=k) or both, and MOD(m): LTL[P,Y<=3], LTL[#Y<=4], LTL[P,MOD(2)]");
  return *logic;
}

/// The types of all positions, a row for each depth, numbered within the row by their first coming in u, then
/// v.
std::string type_tables(const logic::Alphabet& alphabet, const logic::Word& u, const logic::Word& v,
                        const logic::WindowLogic& logic, std::uint32_t depth) {
  logic::Types types(logic, depth);
  std::vector<std::map<logic::Types::Type, std::size_t>> numbers(depth + 1);
  std::string text;
  for (const logic::Word& word : {u, v}) {
    std::vector<std::vector<std::string>> rows{{"type"}};
    for (std::uint32_t r = 0; r <= depth; ++r) rows.push_back({"depth " + std::to_string(r)});
    logic::Types::Past past = types.start();
    for (std::size_t n = 0; n <= word.size(); ++n) {
      const auto letter = n < word.size() ? std::optional(word[n]) : std::nullopt;
      rows[0].push_back(letter ? alphabet.name(*letter) : "end");
      const auto found = types.at(past, letter);
      for (std::uint32_t r = 0; r <= depth; ++r)
        rows[r + 1].push_back(std::to_string(numbers[r].emplace(found[r], numbers[r].size()).first->second));
      types.append(past, found);
    }
    text += '\n' + table(rows, SIZE_MAX);
  }
  return text;
}

Status run_separate(const Arguments& arguments) {
  std::optional<std::string> logic_name;
  std::optional<std::string> alphabet_text;
  std::optional<std::uint64_t> depth;
  std::uint64_t max_depth = 64;
  std::uint64_t search = 200'000;
  bool show_types = false;
  Options options(arguments.command);
  options.text("--logic", "NAME", logic_name,
               "LTL[P], LTL[Y], LTL[P,Y<=3], LTL[#Y<=3], LTL[P,Y,MOD(2)], ...");
  options.number("--depth", "R", depth, "Formulas of depth at most R; without it, the least depth", 0,
                 1'000'000);
  options.number("--max-depth", "R", max_depth, "Without --depth: stop at this depth (64)", 0, 1'000'000);
  options.number("--search", "N", search, "Formulas that the search for a short one may try (200,000)", 0);
  options.flag("--types", show_types, "Also print the types of all positions");
  options.text("--alphabet", "LETTERS", alphabet_text, "abc, or names with commas: open,close");
  const std::vector<std::string> given = with_rest(options.parse(arguments.before), arguments);
  if (!logic_name) throw UsageError("which logic? give --logic NAME");
  if (given.size() != 2) throw UsageError("expected two words, found " + std::to_string(given.size()));
  const logic::WindowLogic logic = logic_of(*logic_name);

  std::optional<logic::Alphabet> alphabet;
  std::vector<logic::Word> words;
  try {
    alphabet = alphabet_text ? logic::parse_alphabet(*alphabet_text) : letters_of(given);
  } catch (const logic::ParseError& error) {
    throw InputError(std::string(alphabet_text ? "--alphabet: " : "the words: ") + error.what());
  }
  for_each_word(*alphabet, given, {},
                [&](const logic::Word& word, const std::string&) { words.push_back(word); });
  const auto word = [&](std::size_t i) { return abridged(*alphabet, words[i]); };

  logic::Arena arena;
  const auto bound = static_cast<std::uint32_t>(depth ? *depth : max_depth);
  const auto [formula, least] = logic::separate(arena, words[0], words[1], logic, bound, search);
  if (formula && (!logic::holds(*formula, words[0]) || logic::holds(*formula, words[1])))
    throw std::logic_error("separate: the formula does not tell the words apart");
  const bool equal = words[0] == words[1];
  const std::string types =
      show_types ? type_tables(*alphabet, words[0], words[1], logic, formula ? least : bound) : "";
  if (options.json) {
    nlohmann::ordered_json json{{"separated", formula.has_value()}, {"logic", name(logic)}};
    json["formula"] = formula ? nlohmann::ordered_json(logic::to_string(*formula, *alphabet)) : nullptr;
    json["depth"] = formula ? nlohmann::ordered_json(least) : nullptr;
    json["size"] = formula ? nlohmann::ordered_json((*formula)->size) : nullptr;
    json["depth_tried"] = formula ? least : bound;
    print(json.dump(2) + '\n');
  } else if (formula) {
    print(table({{"formula", logic::to_string(*formula, *alphabet)},
                 {"depth", std::to_string((*formula)->depth) + " (the least)"},
                 {"size", std::to_string((*formula)->size)},
                 {"holds after", word(0)},
                 {"fails after", word(1)}},
                SIZE_MAX) +
          types);
  } else if (equal) {
    print("the words are equal\n" + types);
  } else {
    print("no formula of " + name(logic) + " with depth at most " + std::to_string(bound) + " tells " +
          word(0) + " and " + word(1) + " apart: their ends have the same type\n" + types);
  }
  if (formula) return Status::done;
  if (depth || equal) return Status::no;
  complain("separate", "a limit was reached: depth " + std::to_string(bound) + " (--max-depth)");
  return Status::limit;
}

}  // namespace

const Command separate{
    .name = "separate",
    .summary = "A formula that tells two words apart, of the least depth",
    .usage = "--logic NAME [--depth R] WORD WORD",
    .notes =
        "The formula holds at the end of the first word and not of the second.  Exit status 1: no formula\n"
        "of depth R does, because the ends have the same type (docs/games.md).",
    .examples =
        "hindsight separate --logic 'LTL[P,Y<=2]' abababa ababab\n"
        "hindsight separate --logic 'LTL[P,Y<=2]' --depth 3 --types abababa ababab",
    .run = run_separate,
};

}  // namespace cli
