// verify: does a model accept exactly a language, for words of every length?
#include "bridge/verify.hpp"

#include "cli/commands.hpp"
#include "cli/decompiled.hpp"
#include "cli/json.hpp"
#include "cli/language.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"

#include <chrono>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

Status run_verify(const Arguments& arguments) {
  LanguageOptions language_options;
  Options options(arguments.command);
  language_options.add_to(options);
  auto files = options.parse(arguments.before);
  if (files.empty()) throw UsageError("no model file");
  const ModelFile file(files.front());
  files.erase(files.begin());
  expect_no_words(files, arguments);

  const Source source(language_options);
  const logic::Alphabet alphabet(file.model().alphabet);
  const automata::Dfa language = source.language_of_model(alphabet).dfa;

  Progress progress(options.quiet);
  const auto begin = std::chrono::steady_clock::now();
  const auto answer =
      bridge::verify(file.model(), language, decompile_options(language_options.max_states, progress));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

  // Not on standard output, where two runs print the same bytes.
  if (!options.quiet) complain("verify", fmt::format("{:.3f} s", seconds.count()));
  const auto& word = answer.counterexample;
  if (options.json) {
    nlohmann::ordered_json json;
    json["equivalent"] = !word.has_value();
    json["counterexample"] = nullptr;
    json["accepted_by"] = nullptr;
    if (word) {
      json["counterexample"] = logic::to_string(alphabet, *word);
      json["accepted_by"] = answer.model_accepts ? "model" : "language";
    }
    json["longest_word"] = nullptr;
    if (answer.longest_word) json["longest_word"] = *answer.longest_word;
    json["states"] = answer.explored_states;
    json["language_states"] = language.states();
    print_json(json);
  } else if (word) {
    print(fmt::format("different: {}, of {} letter{}, is accepted by the {} alone\n",
                      abridged(alphabet, *word, 80), word->size(), word->size() == 1 ? "" : "s",
                      answer.model_accepts ? "model" : "language"));
  } else {
    const std::string lengths =
        answer.longest_word ? "up to " + std::to_string(*answer.longest_word) + " letters" : "every length";
    print(fmt::format("verified for words of {} ({} states)\n", lengths, answer.explored_states));
  }
  return word ? Status::no : Status::done;
}

}  // namespace

const Command verify{
    .name = "verify",
    .summary = "Does a model accept exactly the language? A proof for words of every length",
    .usage = "MODEL LANG [--max-states N]",
    .notes =
        "MODEL is a .safetensors or .pt file, read in its declared arithmetic; its max_length\n"
        "and its learned positions bound the words that are asked about.  If the answer is no, it comes\n"
        "with the shortest counterexample, which the exact engine has run.  --max-states also bounds the\n"
        "states that are explored; past it the exit status is 3.  With a global head the arithmetic must be\n"
        "the reference, fixed point with rounded weights; local heads alone are decided in any.\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model,\n"
        "over the model's letters.",
    .examples =
        "hindsight verify ab.safetensors --regex '(ab)*'\n"
        "hindsight verify edited.safetensors --model ab.safetensors",
    .run = run_verify,
};

}  // namespace cli
