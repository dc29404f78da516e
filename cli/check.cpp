// check: is each word in the language?
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "logic/print.hpp"
#include "logic/scan.hpp"
#include "logic/semantics.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// The truth of every subformula at every position, the end last.
void print_trace(const logic::Alphabet& alphabet, logic::Formula f, const logic::Word& word, bool json) {
  const auto rows = logic::subformulas(f);
  const auto truth = logic::truth_table(f, word);
  const bool accepted = truth.back().back();
  if (json) {
    nlohmann::ordered_json line{{"word", logic::to_string(alphabet, word)}, {"accepted", accepted}};
    auto& trace = line["trace"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < rows.size(); ++i)
      trace.push_back({{"formula", logic::to_string(rows[i], alphabet)}, {"truth", truth[i]}});
    print(line.dump() + '\n');
    return;
  }
  print_answer(alphabet, word, accepted, false);
  std::size_t widest = 0;
  std::vector<std::string> names;
  for (const auto g : rows) {
    names.push_back(logic::to_string(g, alphabet));
    widest = std::max(widest, display_width(names.back()));
  }
  std::vector<std::string> letters;
  for (const auto a : word) letters.push_back(alphabet.name(a));
  letters.emplace_back("end");
  std::string text = std::string(widest + 2, ' ');
  for (const auto& letter : letters) text += ' ' + letter;
  text += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += "  " + names[i] + std::string(widest - display_width(names[i]), ' ');
    for (std::size_t n = 0; n < letters.size(); ++n)
      text += ' ' + std::string(truth[i][n] ? "1" : ".") +
              std::string(n + 1 < letters.size() ? display_width(letters[n]) - 1 : 0, ' ');
    text += '\n';
  }
  print(text);
}

Status run_check(const Arguments& arguments) {
  LanguageOptions language_options;
  WordOptions word_options;
  bool trace = false;
  Options options(arguments.command);
  language_options.add_to(options);
  word_options.add_to(options);
  options.flag("--trace", trace, "With --formula: the truth of every subformula at every position");
  const auto words = with_rest(options.parse(arguments.before), arguments);

  const Source source(language_options);
  if (trace && !source.is_formula()) throw UsageError("--trace needs --formula");
  const logic::Alphabet alphabet = source.alphabet();
  bool all = true;
  if (source.is_formula()) {
    logic::Arena arena;
    const logic::Formula f = source.formula(arena, alphabet);
    logic::Scan scan(f, alphabet.size());  // unlike the automaton, never large
    for_each_word(alphabet, words, word_options, [&](const logic::Word& word, const std::string&) {
      scan.restart();
      scan.read(word);
      const bool accepted = scan.accepts();
      all = all && accepted;
      if (trace) {
        print_trace(alphabet, f, word, options.json);
      } else {
        print_answer(alphabet, word, accepted, options.json);
      }
    });
  } else {
    const automata::Dfa dfa = source.language(alphabet).dfa;
    for_each_word(alphabet, words, word_options, [&](const logic::Word& word, const std::string&) {
      const bool accepted = dfa.accepts(word);
      all = all && accepted;
      print_answer(alphabet, word, accepted, options.json);
    });
  }
  return all ? Status::done : Status::no;
}

}  // namespace

const Command check{
    .name = "check",
    .summary = "Is each word in the language?",
    .usage = "LANG [WORD...] [--words FILE] [-- WORD...]",
    .notes = language_notes,
    .examples =
        "hindsight check --regex '(ab)*' abab aba ''\n"
        "hindsight check --formula 'Y(b & Y a)' --trace aab\n"
        "hindsight check --regex '.*a' --alphabet a- -- -a",
    .run = run_check,
};

}  // namespace cli
