// extract: the automaton of what a model or a program accepts, exactly or learned from its answers.
#include "automata/learn.hpp"
#include "bridge/reach.hpp"
#include "cli/commands.hpp"
#include "cli/decompiled.hpp"
#include "cli/engine.hpp"
#include "cli/formats.hpp"
#include "cli/json.hpp"
#include "cli/model_file.hpp"
#include "cli/oracle.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "logic/parse_error.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Extracted {
  automata::Language language;
  std::optional<std::size_t> explored_states;  // it is exact
  std::optional<automata::Learned> learned;    // otherwise
};

Extracted learned_language(const logic::Alphabet& alphabet, const automata::Oracle& oracle,
                           automata::LearnOptions options, const std::optional<std::uint64_t>& max_seconds,
                           bool quiet) {
  Progress progress(quiet);
  const auto begin = Clock::now();
  options.go_on = [&](std::size_t queries, automata::State states) {
    progress.show(fmt::format("{} words asked: {} states", queries, states));
    return !max_seconds || Clock::now() - begin < std::chrono::seconds(*max_seconds);
  };
  auto learned = automata::learn(alphabet.size(), oracle, options);
  return {{alphabet, learned.dfa}, std::nullopt, std::move(learned)};
}

/// bridge::decompile applies to the model.
bool has_exact_automaton(const transformer::Model& model) {
  return model.arithmetic.is_reference() || bridge::reach(model);
}

nlohmann::ordered_json json_of(const Extracted& extracted, std::uint64_t seed) {
  auto json = nlohmann::ordered_json::parse(write_automaton(extracted.language, "json"));
  json["exact"] = extracted.explored_states.has_value();
  json["explored_states"] = nullptr;
  if (extracted.explored_states) json["explored_states"] = *extracted.explored_states;
  json["learned"] = nullptr;
  if (!extracted.learned) return json;
  const automata::Learned& learned = *extracted.learned;
  nlohmann::ordered_json& how = json["learned"];
  how["complete"] = learned.complete;
  how["queries"] = learned.queries;
  how["test_queries"] = learned.test_queries;
  how["longest_query"] = learned.longest_query;
  how["counterexamples"] = learned.counterexamples;
  how["exhaustive_length"] = nullptr;
  if (learned.exhaustive_length) how["exhaustive_length"] = *learned.exhaustive_length;
  how["exact_up_to_states"] = nullptr;
  if (learned.exact_up_to_states) how["exact_up_to_states"] = *learned.exact_up_to_states;
  how["random_words"] = learned.random_words;
  how["seed"] = seed;
  how["refuted_by"] = nullptr;
  if (learned.refuted_by)
    how["refuted_by"] = logic::to_string(extracted.language.alphabet, *learned.refuted_by);
  return json;
}

std::string description(const Extracted& extracted) {
  if (extracted.explored_states)
    return fmt::format("exact, for words of every length ({} states explored)\n", *extracted.explored_states);
  const automata::Learned& learned = *extracted.learned;
  std::string text =
      fmt::format("learned from the answers for {} words, {} of them tests, the longest of {} letters\n",
                  learned.queries, learned.test_queries, learned.longest_query);
  if (learned.exhaustive_length)
    text += fmt::format("right for all words of up to {} letters\n", *learned.exhaustive_length);
  if (learned.random_words > 0) text += fmt::format("right for {} random words\n", learned.random_words);
  if (learned.exact_up_to_states) {
    text += fmt::format("right for every word if some automaton of the language has at most {} states\n",
                        *learned.exact_up_to_states);
  }
  if (learned.refuted_by)
    text += "wrong for " + abridged(extracted.language.alphabet, *learned.refuted_by, 80) + '\n';
  return text;
}

Status run_extract(const Arguments& arguments) {
  automata::LearnOptions learn;
  std::optional<std::string> to, command, alphabet_text;
  std::optional<std::uint64_t> max_seconds;
  std::uint64_t max_states = bridge::DecompileOptions{}.max_states;
  std::uint64_t max_queries = learn.max_queries, exhaustive_words = learn.exhaustive_words,
                extra_states = learn.extra_states, random_words = learn.random_words,
                random_length = learn.random_length;
  OracleOptions oracle_options;
  bool no_exact = false;
  EngineOptions engine;
  Options options(arguments.command);
  options.choice("--to", writable_formats(), to, "Print it in this format instead of a table");
  options.flag("--no-exact", no_exact, "Learn from answers even where the automaton can be computed");
  options.number("--max-states", "N", max_states, "States that may be explored or learned (1,000,000)");
  engine.add_to(options);
  options.group("A program instead of a model");
  options.text("--oracle", "CMD", command, "Shell command: one word a line in, accept or reject a line out");
  options.text("--alphabet", "LETTERS", alphabet_text, "Its letters: abc, or names with commas: open,close");
  options.flag("--each", oracle_options.each, "Start it for each batch of words, and end its input");
  options.number("--oracle-seconds", "N", oracle_options.seconds, "Longest time without an answer (60)", 1,
                 1'000'000);
  options.group("Learning");
  options.number("--max-queries", "N", max_queries, "Most different words to ask (1,000,000)");
  options.number("--max-seconds", "N", max_seconds, "Stop after so long", 1, 1'000'000'000);
  options.number("--exhaustive-words", "N", exhaustive_words,
                 "Test all words up to a length, at most so many (10,000)", 0);
  options.number("--extra-states", "N", extra_states,
                 "Test for so many states more than were found, as far as --max-queries goes (2)", 0, 1000);
  options.number("--random-words", "N", random_words, "Test so many random words (2000)", 0);
  options.number("--random-length", "N", random_length, "Letters of a random word, at most (100)", 1,
                 1'000'000);
  options.number("--seed", "N", learn.seed, "Of the random words (1)", 0);
  auto files = options.parse(arguments.before);
  engine.check();
  learn.max_queries = max_queries;
  learn.exhaustive_words = exhaustive_words;
  learn.extra_states = static_cast<automata::State>(extra_states);
  learn.random_words = random_words;
  learn.random_length = random_length;
  learn.max_states = static_cast<automata::State>(
      std::min<std::uint64_t>(max_states, std::numeric_limits<automata::State>::max()));
  if (options.json && to && *to != "json") throw UsageError("--json and --to " + *to);
  if (options.json) to = "json";
  if (command) {
    if (!files.empty()) throw UsageError("a model and --oracle");
    if (!alphabet_text) throw UsageError("--oracle needs --alphabet");
    if (engine.is_torch()) throw UsageError("--engine goes with a model");
  } else {
    if (files.empty()) throw UsageError("no model file and no --oracle");
    if (alphabet_text || oracle_options.each) throw UsageError("--alphabet and --each go with --oracle");
  }

  std::optional<Extracted> extracted;
  if (command) {
    const logic::Alphabet alphabet = [&] {
      try {
        return logic::parse_alphabet(*alphabet_text);
      } catch (const logic::ParseError& error) {
        throw InputError(std::string("--alphabet: ") + error.what());
      }
    }();
    oracle_options.command = *command;
    OracleProgram program(alphabet, oracle_options);
    extracted = learned_language(alphabet, std::ref(program), learn, max_seconds, options.quiet);
  } else {
    const ModelFile file(files.front());
    files.erase(files.begin());
    expect_no_words(files, arguments);
    const logic::Alphabet alphabet(file.model().alphabet);
    if (!engine.is_torch() && !no_exact && has_exact_automaton(file.model())) {
      try {
        Progress progress(options.quiet);
        auto decompiled = decompiled_language(file.model(), max_states, progress);
        extracted = {std::move(decompiled.language), decompiled.explored_states, std::nullopt};
      } catch (const std::length_error& error) {
        if (!options.quiet)
          complain("extract", std::string(error.what()) + "; it is learned from answers instead");
      }
    }
    ModelAnswers answers(file, engine);
    if (answers.longest_word() && !options.quiet) {
      complain("extract", fmt::format("note: the model has no positions for words of more than {} letters; "
                                      "they are rejected",
                                      *answers.longest_word()));
    }
    if (!extracted)
      extracted = learned_language(alphabet, std::ref(answers), learn, max_seconds, options.quiet);
  }

  if (to == "json") {
    print_json(json_of(*extracted, learn.seed));
  } else {
    print(to ? write_automaton(extracted->language, *to) : automaton_table(extracted->language));
    const std::string text = description(*extracted);
    if (!to)
      print('\n' + text);
    else if (!options.quiet)
      complain("extract", text.substr(0, text.size() - 1));
  }
  if (!extracted->learned || extracted->learned->complete) return Status::done;
  flush();
  complain("extract",
           fmt::format("a limit was reached: {} words asked, {} states; the automaton is unfinished",
                       extracted->learned->queries, extracted->language.dfa.states()));
  return Status::limit;
}

}  // namespace

const Command extract{
    .name = "extract",
    .summary = "The automaton of what a model or any program accepts: exact, or learned from its answers",
    .usage = "MODEL | --oracle CMD --alphabet LETTERS",
    .notes =
        "MODEL is a .safetensors or .pt file.  Its automaton is exact where the arithmetic is the reference "
        "or\n"
        "all heads are local, unless --max-states is passed; otherwise, on LibTorch, and with --no-exact it "
        "is\n"
        "learned by asking for words.  What was learned is no proof: below the table stands what was tested\n"
        "and what follows (\"exact\" and \"learned\" in JSON).  A limit ends with status 3 and what there "
        "is.\n"
        "With --oracle, CMD must flush each answer, or be started anew for each batch with --each.",
    .examples =
        "hindsight extract ab.safetensors\n"
        "hindsight extract trained.safetensors --engine torch --json | hindsight classify --dfa - --format "
        "json\n"
        "hindsight extract --oracle './my-model --answer' --alphabet ab --to dot\n"
        "hindsight extract --oracle \"hindsight check --regex '(ab)*' --words -\" --alphabet ab --each",
    .run = run_extract,
};

}  // namespace cli
