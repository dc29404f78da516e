// automaton: the minimal complete automaton.
#include "cli/commands.hpp"
#include "cli/formats.hpp"
#include "cli/language.hpp"
#include "cli/output.hpp"

namespace cli {
namespace {

Status run_automaton(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> to;
  Options options(arguments.command);
  language_options.add_to(options);
  options.choice("--to", writable_formats(), to, "Print it in this format instead of a table");
  expect_no_words(options.parse(arguments.before), arguments);
  if (options.json && to && *to != "json") throw UsageError("--json and --to " + *to);

  const automata::Language language = read_language(language_options);
  if (options.json) to = "json";
  print(to ? write_automaton(language, *to) : automaton_table(language));
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
        "hindsight automaton --language dyck-2 --to svg >dyck-2.svg\n"
        "hindsight automaton --model ab.safetensors\n"
        "hindsight automaton --formula 'P(a & !P true)' --alphabet ab --json",
    .run = run_automaton,
};

}  // namespace cli
