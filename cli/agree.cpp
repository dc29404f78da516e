// agree: a model against a language, exactly where that is possible, on all short words and on samples of
// long ones.
#include "bridge/accuracy.hpp"
#include "bridge/reach.hpp"
#include "bridge/verify.hpp"
#include "cli/commands.hpp"
#include "cli/decompiled.hpp"
#include "cli/engine.hpp"
#include "cli/json.hpp"
#include "cli/language.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

constexpr std::uint64_t exhaustive_words = 100'000;  // at most, unless --max-length says otherwise
constexpr std::uint64_t default_longest = 100;

/// The greatest length, up to `longest`, of which there are at most so many words.
std::uint64_t default_exhaustive_length(logic::Letter letters, std::uint64_t longest) {
  std::uint64_t length = 0;
  for (std::uint64_t words = letters; length < longest && words <= exhaustive_words; words *= letters)
    ++length;
  return length;
}

struct Outcome {
  logic::Alphabet alphabet;
  std::optional<bridge::Verification> exact;
  bridge::Accuracy accuracy;
  std::uint64_t exhaustive_length;
  std::optional<std::uint64_t> longest_word;  // that the model is meant for or has positions for
  std::optional<logic::Word> counterexample;
  bool model_accepts = false;  // the counterexample
};

nlohmann::ordered_json json_of(const Outcome& outcome, std::uint64_t seed) {
  nlohmann::ordered_json json;
  json["agrees"] = !outcome.counterexample;
  json["exact"] = outcome.exact.has_value();
  json["counterexample"] = nullptr;
  json["accepted_by"] = nullptr;
  if (outcome.counterexample) {
    json["counterexample"] = logic::to_string(outcome.alphabet, *outcome.counterexample);
    json["accepted_by"] = outcome.model_accepts ? "model" : "language";
  }
  json["perfect_length"] = nullptr;
  if (outcome.accuracy.perfect_length) json["perfect_length"] = *outcome.accuracy.perfect_length;
  json["exhaustive_length"] = outcome.exhaustive_length;
  json["longest_word"] = nullptr;
  if (outcome.longest_word) json["longest_word"] = *outcome.longest_word;
  json["states"] = nullptr;
  if (outcome.exact) json["states"] = outcome.exact->explored_states;
  json["seed"] = seed;
  auto& lengths = json["accuracy"] = nlohmann::ordered_json::array();
  for (const auto& [length, exhaustive, words, right] : outcome.accuracy.lengths) {
    nlohmann::ordered_json row;
    row["length"] = length;
    row["words"] = words;
    row["right"] = right;
    row["accuracy"] = words == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(words);
    row["exhaustive"] = exhaustive;
    row["interval"] = nullptr;
    if (!exhaustive) {
      const auto [low, high] = bridge::wilson_interval(right, words);
      row["interval"] = {low, high};
    }
    lengths.push_back(std::move(row));
  }
  return json;
}

/// One row for each run of lengths that are all tried, or all sampled, and all perfect; and one for each that
/// is not perfect.
std::string accuracy_table(const bridge::Accuracy& accuracy) {
  std::vector<std::vector<std::string>> rows{{"length", "words", "right", "accuracy", "95 % interval"}};
  const auto& lengths = accuracy.lengths;
  for (std::size_t i = 0; i < lengths.size();) {
    bridge::LengthAccuracy sum = lengths[i];
    std::size_t end = i + 1;
    while (sum.right == sum.words && end < lengths.size() && lengths[end].exhaustive == sum.exhaustive &&
           lengths[end].right == lengths[end].words) {
      sum.words += lengths[end].words;
      sum.right += lengths[end].right;
      ++end;
    }
    const auto [low, high] = bridge::wilson_interval(sum.right, sum.words);
    const double percent = 100 * static_cast<double>(sum.right) / static_cast<double>(sum.words);
    rows.push_back({end == i + 1 ? std::to_string(sum.length)
                                 : fmt::format("{}-{}", sum.length, lengths[end - 1].length),
                    std::to_string(sum.words), std::to_string(sum.right),
                    sum.right == sum.words ? "100 %" : fmt::format("{:.2f} %", std::min(percent, 99.99)),
                    sum.exhaustive ? "all words" : fmt::format("{:.2f}-{:.2f} %", 100 * low, 100 * high)});
    i = end;
  }
  return table(rows);
}

std::string text_of(const Outcome& outcome) {
  std::string text;
  const auto& word = outcome.counterexample;
  const std::string up_to = outcome.longest_word
                                ? "words of up to " + std::to_string(*outcome.longest_word) + " letters"
                                : "every length";
  if (word) {
    text = fmt::format(
        "different: {}, of {} letters, is accepted by the {} alone{}\n",
        abridged(outcome.alphabet, *word, 80), word->size(), outcome.model_accepts ? "model" : "language",
        outcome.exact || word->size() <= outcome.exhaustive_length ? "; no shorter word is" : "");
  } else if (outcome.exact) {
    text = fmt::format("proved equal for {} ({} states)\n", up_to, outcome.exact->explored_states);
  } else {
    text = fmt::format("no difference found: all words of up to {} letters, and samples beyond\n",
                       outcome.exhaustive_length);
  }
  if (outcome.accuracy.perfect_length)
    text += fmt::format("perfect up to length {}\n", *outcome.accuracy.perfect_length);
  return text + '\n' + accuracy_table(outcome.accuracy);
}

Status run_agree(const Arguments& arguments) {
  LanguageOptions language_options;
  EngineOptions engine;
  bool no_exact = false;
  std::optional<std::uint64_t> max_length, longest;
  std::uint64_t samples = 100, step = 1, seed = 1;
  Options options(arguments.command);
  language_options.add_to(options);
  options.flag("--no-exact", no_exact, "Only compare answers, even where a proof is possible");
  engine.add_to(options);
  options.group("Words");
  options.number("--max-length", "N", max_length,
                 "Compare all words of up to N letters (as far as there are 100,000 of a length)", 0, 1000);
  options.number("--longest", "N", longest, "Compare samples of longer words, up to N letters (100)", 0,
                 1'000'000);
  options.number("--step", "N", step, "Of each N-th length only (1)");
  options.number("--samples", "N", samples, "Words to draw of a length (100)", 0, 1'000'000'000);
  options.number("--seed", "N", seed, "Of the words drawn (1)", 0);
  auto files = options.parse(arguments.before);
  engine.check();
  if (files.empty()) throw UsageError("no model file");
  const ModelFile file(files.front());
  files.erase(files.begin());
  expect_no_words(files, arguments);
  const transformer::Model& model = file.model();

  const Source source(language_options);
  const logic::Alphabet alphabet(model.alphabet);
  const automata::Dfa language = source.language_of_model(alphabet).dfa;

  ModelAnswers answers(file, engine);
  bridge::AccuracyOptions words;
  words.samples = samples;
  words.step = step;
  words.seed = seed;
  Outcome outcome{alphabet, std::nullopt, {}, 0, model.max_length, std::nullopt};
  if (const auto& bound = answers.longest_word())
    outcome.longest_word = std::min(*bound, outcome.longest_word.value_or(*bound));
  std::uint64_t most = longest.value_or(std::max(default_longest, max_length.value_or(0)));
  if (outcome.longest_word) most = std::min(most, *outcome.longest_word);
  outcome.exhaustive_length =
      std::min(most, max_length.value_or(default_exhaustive_length(alphabet.size(), most)));
  words.exhaustive_length = outcome.exhaustive_length;
  words.longest = most;

  Progress progress(options.quiet);
  if (!no_exact && !engine.is_torch() && (model.arithmetic.is_reference() || bridge::reach(model))) {
    try {
      outcome.exact =
          bridge::verify(model, language, decompile_options(language_options.max_states, progress));
    } catch (const std::length_error& error) {
      if (!options.quiet) complain("agree", std::string(error.what()) + "; only answers are compared");
    }
  }
  words.progress = [&](std::size_t length) {
    progress.show(fmt::format("words of {} letters, of {}", length, words.longest));
  };
  outcome.accuracy = bridge::accuracy(std::ref(answers), language, words);
  outcome.counterexample = outcome.exact ? outcome.exact->counterexample : outcome.accuracy.counterexample;
  if (outcome.exact && !outcome.counterexample && outcome.accuracy.counterexample) {
    throw std::logic_error("agree: a word of " + std::to_string(outcome.accuracy.counterexample->size()) +
                           " letters refutes a proof; this is a fault of hindsight, please report it");
  }
  if (outcome.counterexample) outcome.model_accepts = !language.accepts(*outcome.counterexample);

  if (options.json)
    print_json(json_of(outcome, seed));
  else
    print(text_of(outcome));
  return outcome.counterexample ? Status::no : Status::done;
}

}  // namespace

const Command agree{
    .name = "agree",
    .summary = "How far does a model agree with a language? A proof where there is one, accuracy per length",
    .usage = "MODEL LANG [--max-length N] [--longest N]",
    .notes =
        "MODEL is a .safetensors or .pt file.  In its declared arithmetic, where that is the reference or "
        "all\n"
        "heads are local, the answer holds for words of every length, unless --max-states is passed.\n"
        "Otherwise, with --no-exact and on LibTorch, it is that of all words up to --max-length and of "
        "samples\n"
        "beyond: uniform words, near misses, periodic words and words with one occurrence of a factor, half "
        "of\n"
        "them in the language.  The model's max_length and its learned positions bound the words.\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model,\n"
        "over the model's letters.",
    .examples =
        "hindsight agree ab.safetensors --regex '(ab)*'\n"
        "hindsight agree trained.pt --language ends-a --engine torch --max-length 16 --longest 500 --step 10",
    .run = run_agree,
};

}  // namespace cli
