// automaton: the minimal complete automaton.
#include "automata/files.hpp"
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"

namespace cli {
namespace {

std::string to_text(const automata::Language& language) {
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

Status run_automaton(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> to;
  Options options(arguments.command);
  language_options.add_to(options);
  options.choice("--to", {"json", "dot", "att"}, to, "Print it in this format instead of a table");
  expect_no_words(options.parse(arguments.before), arguments);
  if (options.json && to && *to != "json") throw UsageError("--json and --to " + *to);

  const automata::Language language = read_language(language_options);
  std::string text;
  if (options.json || to == "json") {
    text = automata::to_json(language);
  } else if (to == "dot") {
    text = automata::to_dot(language);
  } else if (to == "att") {
    text = automata::to_att(language);
  } else {
    text = to_text(language);
  }
  if (!text.ends_with('\n')) text += '\n';
  print(text);
  return Status::done;
}

}  // namespace

const Command automaton{
    .name = "automaton",
    .summary = "The minimal complete automaton, as a table or in a file format",
    .usage = "LANG [--to FORMAT]",
    .notes = language_notes,
    .examples =
        "hindsight automaton --regex '(ab)*' --to dot\n"
        "hindsight automaton --formula 'P(a & !P true)' --alphabet ab --json",
    .run = run_automaton,
};

}  // namespace cli
