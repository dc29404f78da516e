// quantise: a model put on the numbers of an arithmetic.
#include "transformer/quantise.hpp"

#include "bridge/agreement.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/model_file.hpp"
#include "cli/network.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// Letters squared, summed over the words that are longer than the exhaustive ones: engines of floating point
/// take time in proportion.
constexpr std::uint64_t most_squares = 20'000'000;

/// How the answers changed on a sample of words.
struct AnswerChange {
  std::size_t words = 0;
  std::size_t exhaustive_length = 0;
  std::size_t longest = 0;
  std::size_t changed = 0;
  std::size_t now_accepted = 0;
  std::optional<logic::Word> first;  // in short-lex order
};

AnswerChange compare(const transformer::Model& before, const transformer::Model& after, std::size_t budget) {
  const auto sample = bridge::within_squares(bridge::agreement_words(after, budget), most_squares);
  const std::vector<bool> old_answers = bridge::answers(before, sample);
  const std::vector<bool> new_answers = bridge::answers(after, sample);
  AnswerChange change;
  change.words = sample.words.size();
  change.exhaustive_length = sample.exhaustive_length;
  for (std::size_t i = 0; i < sample.words.size(); ++i) {
    change.longest = std::max(change.longest, sample.words[i].size());
    if (old_answers[i] == new_answers[i]) continue;
    ++change.changed;
    if (new_answers[i]) ++change.now_accepted;
    if (!change.first) change.first = sample.words[i];
  }
  return change;
}

nlohmann::ordered_json to_json(const transformer::TensorChange& change) {
  return {{"name", change.name},       {"entries", change.entries}, {"changed", change.changed},
          {"clamped", change.clamped}, {"flushed", change.flushed}, {"largest", change.largest},
          {"mean", change.mean}};
}

std::string number(double x) {
  return fmt::format("{:.3g}", x);
}

Status run_quantise(const Arguments& arguments) {
  std::optional<std::string> name;
  std::optional<std::string> output;
  std::optional<std::string> against;
  std::uint64_t check_words = 10'000;
  Options options(arguments.command);
  options.text("--arithmetic", "A", name, "The arithmetic: fixed(4,8), fp16, bf16, e4m3, ...");
  options.text("-o,--output", "FILE", output, "Where the model goes: FILE.safetensors or FILE.pt");
  options.text("--against", "A", against, "The arithmetic of the answers before (fp32)");
  options.number("--check-words", "N", check_words, "Words on which the answers are compared (10,000)", 1,
                 10'000'000);
  const auto words = with_rest(options.parse(arguments.before), arguments);
  if (words.size() != 1) throw UsageError("expected one model file, found " + std::to_string(words.size()));
  if (!name) throw UsageError("in which arithmetic? give --arithmetic A");
  if (!output) throw UsageError("where to? give -o FILE");
  const auto format = model_format(*output);
  if (!format) throw UsageError("-o " + *output + ": the name must end in .safetensors or .pt");
  const auto arithmetic = read_arithmetic("--arithmetic", *name);
  const auto before = read_arithmetic("--against", against.value_or("fp32"));

  const ModelFile file(words.front());
  transformer::Model original = file.model();
  original.arithmetic = before;
  const transformer::Quantised quantised = transformer::quantise(file.model(), arithmetic);
  const logic::Alphabet alphabet(original.alphabet);
  const AnswerChange answers = compare(original, quantised.model, check_words);
  write_model(quantised.model, *output, *format);

  const transformer::TensorChange all = transformer::total(quantised.tensors);
  if (options.json) {
    nlohmann::ordered_json json = cli::to_json(quantised.model);
    json["file"] = *output;
    auto& tensors = json["tensors"] = nlohmann::ordered_json::array();
    for (const auto& change : quantised.tensors) tensors.push_back(to_json(change));
    json["total"] = to_json(all);
    json["answers"] = {{"against", transformer::to_string(before)},
                       {"words", answers.words},
                       {"exhaustive_length", answers.exhaustive_length},
                       {"longest", answers.longest},
                       {"changed", answers.changed},
                       {"now_accepted", answers.now_accepted},
                       {"first", nullptr}};
    if (answers.first) json["answers"]["first"] = logic::to_string(alphabet, *answers.first);
    print_json(json, 2);
    return Status::done;
  }
  if (options.quiet) return Status::done;
  std::vector<std::vector<std::string>> rows{
      {"tensor", "numbers", "changed", "clamped", "to zero", "largest change", "mean change"}};
  const auto add = [&](const transformer::TensorChange& change) {
    rows.push_back({change.name, std::to_string(change.entries), std::to_string(change.changed),
                    std::to_string(change.clamped), std::to_string(change.flushed), number(change.largest),
                    number(change.mean)});
  };
  for (const auto& change : quantised.tensors)
    if (change.changed != 0) add(change);
  add(all);
  print(table(rows));
  print(fmt::format("{}: {}\n", *output, describe(quantised.model.arithmetic)));
  std::string verdict = "all answers are as in " + transformer::to_string(before);
  if (answers.first)
    verdict =
        fmt::format("{} answers are not as in {}, {} of them now accept; the first is {}", answers.changed,
                    transformer::to_string(before), answers.now_accepted, abridged(alphabet, *answers.first));
  print(fmt::format("{} words, all up to {} letters, the longest of {}: {}\n", answers.words,
                    answers.exhaustive_length, answers.longest, verdict));
  return Status::done;
}

}  // namespace

const Command quantise{
    .name = "quantise",
    .summary = "Put a model on the numbers of an arithmetic, and say what changed",
    .usage = "MODEL --arithmetic A -o FILE",
    .notes =
        "A is fixed(p,b) with p fraction and b integer bits, fp32, fp16, bf16, e5m2, e4m3 or float(e,m), "
        "and\n"
        "after a slash a rule of attention and an order of sums: fixed(4,8)/rounded-quotient, bf16/exact\n"
        "(docs/arithmetic.md).  Tensors that do not change are left out of the table.  The answers before "
        "are\n"
        "those of the weights in the file, run in --against.",
    .examples =
        "hindsight quantise trained.safetensors --arithmetic 'fixed(4,8)' -o small.safetensors\n"
        "hindsight quantise trained.safetensors --arithmetic e4m3 -o fp8.safetensors --json",
    .run = run_quantise,
};

}  // namespace cli
