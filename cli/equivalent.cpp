// equivalent: do two descriptions mean the same language, and if not, which word tells them apart?
#include "automata/product.hpp"
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"

namespace cli {
namespace {

logic::Alphabet common_alphabet(const Source& left, const Source& right) {
  const auto& x = left.given_alphabet();
  const auto& y = right.given_alphabet();
  if (x && y && !(*x == *y)) throw UsageError("the two sides have different --alphabet");
  if (x) return *x;
  if (y) return *y;
  if (left.letters().empty()) return right.alphabet();
  if (right.letters().empty()) return left.alphabet();
  return logic::unite(left.alphabet(), right.alphabet());
}

Status run_equivalent(const Arguments& arguments) {
  LanguageOptions left_options;
  Options options(arguments.command);
  left_options.add_to(options);
  LanguageOptions right_options;
  Options more_options(arguments.command);
  right_options.add_to(more_options);
  const auto left_words = options.parse(arguments.before);
  if (!arguments.after) throw UsageError("two languages are needed, with -- between them");
  const auto right_words = more_options.parse(*arguments.after);
  for (const auto& words : {left_words, right_words})
    if (!words.empty()) throw UsageError("unexpected argument '" + words.front() + "'");
  if (left_options.reads_standard_input() && right_options.reads_standard_input())
    throw UsageError("standard input cannot be both languages");

  const Source left(left_options);
  const Source right(right_options);
  const logic::Alphabet alphabet = common_alphabet(left, right);
  const automata::Dfa x = left.language(alphabet).dfa;
  const automata::Dfa y = right.language(alphabet).dfa;
  const auto word = automata::difference(x, y);
  const std::string side = word && x.accepts(*word) ? "left" : "right";
  if (options.json || more_options.json) {
    if (word) {
      print("{\"equivalent\":false,\"counterexample\":" + json_string(logic::to_string(alphabet, *word)) +
            ",\"accepted_by\":\"" + side + "\"}\n");
    } else {
      print("{\"equivalent\":true,\"counterexample\":null,\"accepted_by\":null}\n");
    }
  } else if (word) {
    print("different: " + readable(alphabet, *word) + " is accepted by the " + side + " one alone\n");
  } else {
    print("equal\n");
  }
  return word ? Status::no : Status::done;
}

}  // namespace

const Command equivalent{
    .name = "equivalent",
    .summary = "Are two languages equal? If not, the shortest word that tells them apart",
    .usage = "LANG -- LANG",
    .notes =
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.\n"
        "Both sides are read over the "
        "union of their letters, or over --alphabet where one of them has it.",
    .examples = "hindsight equivalent --regex '.*ab' --alphabet ab -- --formula 'Y(b & Y a)'",
    .run = run_equivalent,
};

}  // namespace cli
