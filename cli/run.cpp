// run: does the model accept each word?
#include "cli/commands.hpp"
#include "cli/companion.hpp"
#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "transformer/engine.hpp"

namespace cli {
namespace {

Status run_run(const Arguments& arguments) {
  WordOptions word_options;
  std::optional<std::string> engine;
  std::optional<std::string> dtype;
  Options options(arguments.command);
  word_options.add_to(options);
  options.choice("--engine", {"reference", "torch"}, engine,
                 "The declared arithmetic, or LibTorch (reference)");
  options.choice("--dtype", {"fp32", "fp64", "bf16"}, dtype, "Number format of LibTorch (fp32)");
  auto words = with_rest(options.parse(arguments.before), arguments);
  if (words.empty()) throw UsageError("no model file");
  const bool torch = engine == "torch";
  if (dtype && !torch) throw UsageError("--dtype goes with --engine torch");

  const ModelFile file(words.front());
  words.erase(words.begin());
  const transformer::Model& model = file.model();
  const logic::Alphabet alphabet(model.alphabet);
  bool all = true;
  bool warned = options.quiet;
  const auto answer = [&](const logic::Word& word, bool accepted) {
    all = all && accepted;
    print_answer(alphabet, word, accepted, options.json);
  };
  const auto warn_if_long = [&](const logic::Word& word, const std::string& place) {
    if (warned || !model.max_length || word.size() <= *model.max_length) return;
    warned = true;
    complain("run", "warning: " + place + " has " + std::to_string(word.size()) +
                        " letters, and the model is meant for at most " + std::to_string(*model.max_length));
  };

  if (!torch) {
    const transformer::Engine reference(model);
    for_each_word(alphabet, words, word_options, [&](const logic::Word& word, const std::string& place) {
      warn_if_long(word, place);
      answer(word, reference.accepts(word));
    });
    return all ? Status::done : Status::no;
  }

  Companion companion;
  std::vector<logic::Word> batch;
  std::size_t letters = 0;
  const auto answer_batch = [&] {
    const auto accepted = companion.accepts(file.path(), dtype.value_or("fp32"), batch);
    for (std::size_t i = 0; i < batch.size(); ++i) answer(batch[i], accepted[i]);
    batch.clear();
    letters = 0;
  };
  try {
    for_each_word(alphabet, words, word_options, [&](const logic::Word& word, const std::string& place) {
      warn_if_long(word, place);
      batch.push_back(word);
      letters += word.size();
      if (batch.size() >= Companion::words_at_once || letters >= Companion::letters_at_once) answer_batch();
    });
  } catch (const InputError&) {
    answer_batch();  // the words before the bad one have their answers
    throw;
  }
  answer_batch();
  return all ? Status::done : Status::no;
}

}  // namespace

const Command run{
    .name = "run",
    .summary = "Does the model in the file accept each word?",
    .usage = "MODEL [WORD...] [--words FILE] [-- WORD...]",
    .notes = "MODEL is a .safetensors or .pt file as hindsight compile writes it.",
    .examples =
        "hindsight run ab.safetensors ab abab aab\n"
        "hindsight run ab.safetensors --engine torch --dtype bf16 --words words.txt",
    .run = run_run,
};

}  // namespace cli
