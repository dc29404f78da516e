// decompile: the minimal complete automaton of what a model accepts.
#include "cli/commands.hpp"
#include "cli/decompiled.hpp"
#include "cli/formats.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace cli {
namespace {

Status run_decompile(const Arguments& arguments) {
  std::optional<std::string> to;
  std::uint64_t max_states = bridge::DecompileOptions{}.max_states;
  Options options(arguments.command);
  options.choice("--to", writable_formats(), to, "Print it in this format instead of a table");
  options.number("--max-states", "N", max_states, "States that may be explored (1,000,000)");
  auto files = options.parse(arguments.before);
  if (files.empty()) throw UsageError("no model file");
  const std::string path = files.front();
  files.erase(files.begin());
  expect_no_words(files, arguments);
  if (options.json && to && *to != "json") throw UsageError("--json and --to " + *to);

  const auto decompiled = decompiled_language(path, max_states, options.quiet);
  if (decompiled.longest_word && !options.quiet) {
    complain("decompile", "note: the model has no positions for words of more than " +
                              std::to_string(*decompiled.longest_word) + " letters; they are rejected");
  }
  if (options.json) to = "json";
  print(to ? write_automaton(decompiled.language, *to) : automaton_table(decompiled.language));
  return Status::done;
}

}  // namespace

const Command decompile{
    .name = "decompile",
    .summary = "The minimal complete automaton of what a model accepts, words of every length",
    .usage = "MODEL [--to FORMAT]",
    .notes =
        "MODEL is a .safetensors or .pt file; it is read in its declared arithmetic, whatever\n"
        "its max_length says.  Commands that take a language take the model's as --model FILE:\n"
        "hindsight classify --model FILE, hindsight express --model FILE, ...",
    .examples =
        "hindsight decompile ab.safetensors\n"
        "hindsight decompile ab.safetensors --to dot\n"
        "hindsight express --model ab.safetensors",
    .run = run_decompile,
};

}  // namespace cli
