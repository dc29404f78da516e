// run: does the model accept each word?
#include "cli/commands.hpp"
#include "cli/companion.hpp"
#include "cli/engine.hpp"
#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "transformer/engine.hpp"

namespace cli {
namespace {

Status run_run(const Arguments& arguments) {
  WordOptions word_options;
  EngineOptions engine;
  bool prefixes = false;
  Options options(arguments.command);
  word_options.add_to(options);
  options.flag("--prefixes", prefixes, "Also answer for every prefix of each word, the empty one first");
  engine.add_to(options);
  auto words = with_rest(options.parse(arguments.before), arguments);
  if (words.empty()) throw UsageError("no model file");
  engine.check();

  const ModelFile file(words.front());
  words.erase(words.begin());
  const transformer::Model& model = file.model();
  const logic::Alphabet alphabet(model.alphabet);
  bool all = true;
  bool warned = options.quiet;
  // `answers` is a truth value, or one for each prefix.
  const auto answer = [&](const logic::Word& word, bool accepted, const auto& answers) {
    all = all && accepted;
    print_answer(alphabet, word, answers, options.json);
  };
  const auto warn_if_long = [&](const logic::Word& word, const std::string& place) {
    if (warned || !model.max_length || word.size() <= *model.max_length) return;
    warned = true;
    complain("run", "warning: " + place + " has " + std::to_string(word.size()) +
                        " letters, and the model is meant for at most " + std::to_string(*model.max_length));
  };

  if (!engine.is_torch()) {
    const transformer::Engine reference(model);
    for_each_word(alphabet, words, word_options, [&](const logic::Word& word, const std::string& place) {
      warn_if_long(word, place);
      if (!prefixes) {
        const bool accepted = reference.accepts(word);
        answer(word, accepted, accepted);
        return;
      }
      auto reading = reference.start();
      std::vector<bool> answers{reading.accepts()};
      for (const auto a : word) {
        reading.read(a);
        answers.push_back(reading.accepts());
      }
      answer(word, answers.back(), answers);
    });
    return all ? Status::done : Status::no;
  }

  Companion companion;
  std::vector<logic::Word> batch;
  std::size_t letters = 0;
  const auto answer_batch = [&] {
    if (prefixes) {
      const auto answers = companion.prefixes(file.path(), engine.torch(), batch);
      for (std::size_t i = 0; i < batch.size(); ++i) answer(batch[i], answers[i].back(), answers[i]);
    } else {
      const auto accepted = companion.accepts(file.path(), engine.torch(), batch);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const bool yes = accepted[i];
        answer(batch[i], yes, yes);
      }
    }
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
    .notes =
        "MODEL is a .safetensors or .pt file as hindsight compile writes it.  With --prefixes a line is\n"
        "  accept 10101 abab\n"
        "and says, from left to right, which of ε, a, ab, aba, abab are accepted.",
    .examples =
        "hindsight run ab.safetensors ab abab aab\n"
        "hindsight run ab.safetensors --prefixes ababb\n"
        "hindsight run ab.safetensors --engine torch --dtype bf16 --words words.txt",
    .run = run_run,
};

}  // namespace cli
