// demo: the whole path for the eight languages of the paper, or for one that is given.
#include "automata/catalogue.hpp"
#include "bridge/compile.hpp"
#include "cli/commands.hpp"
#include "cli/find_formula.hpp"
#include "cli/language.hpp"
#include "cli/limits.hpp"
#include "cli/network.hpp"
#include "cli/output.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"
#include "cli/temporary.hpp"
#include "cli/words.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// The languages of the experiments of Li & Cotterell (arXiv 2605.00768).
constexpr std::array<const char*, 8> languages_of_the_paper{
    "ends-a", "ends-ab", "starts-a", "a-before-b", "alternating", "contains-ab", "rdp-1", "dyck-2"};

struct Story {
  std::string name;
  automata::Language language;
  std::array<automata::Membership, 8> ladder;
  std::optional<automata::Logic> logic;  // of the formula
  std::string formula;                   // empty when there is none
  std::optional<transformer::Model> model;
  std::optional<EngineAgreement> agreement;
  std::string note;  // why there is no network
};

const automata::Membership& answer_for(const Story& story, automata::Logic logic) {
  return *std::find_if(story.ladder.begin(), story.ladder.end(),
                       [&](const automata::Membership& m) { return m.logic == logic; });
}

Story tell(const std::string& name, automata::Language language, std::size_t check_words,
           Companion* companion, const TemporaryDirectory& directory) {
  auto ladder = automata::ladder(language.dfa, LimitOptions{}.limits(language.dfa.states()));
  Story story{name, std::move(language), std::move(ladder), {}, {}, {}, {}, {}};
  logic::Arena arena;
  const auto search = find_formula(arena, story.language.dfa, compile_order());
  if (search.found) {
    story.logic = search.found->logic;
    story.formula = logic::to_string(search.found->formula, story.language.alphabet);
    story.model = bridge::compile(search.found->formula, story.language.alphabet);
    story.agreement =
        check_agreement(*story.model, story.language.dfa, check_words, companion, directory.path());
    return story;
  }
  const automata::Membership& last = search.tried.back();
  story.note = "no network: " + std::string(automata::name(last.logic)) +
               (last.member ? " does not hold it: " + explain(story.language, last.witness.value())
                            : " is " + last.note);
  if (const auto& in_s = answer_for(story, automata::Logic::s); in_s.member.value_or(false)) {
    try {
      if (const auto f = automata::express(arena, story.language.dfa, automata::Logic::s)) {
        story.logic = automata::Logic::s;
        story.formula = logic::to_string(*f, story.language.alphabet);
      }
    } catch (const std::length_error&) {  // no short formula: the table shows none
    }
  }
  return story;
}

std::string letters_of(const logic::Alphabet& alphabet) {
  std::string text;
  for (const auto& name : alphabet.names())
    text += (text.empty() || alphabet.has_single_characters() ? "" : ",") + name;
  return text;
}

std::string words_or_place(const Story& story, const bridge::Agreement& agreement, const Painter& painter) {
  if (agreement.counterexample)
    return painter.paint(Colour::no,
                         "differs: " + abridged(story.language.alphabet, *agreement.counterexample, 12));
  return painter.paint(Colour::yes, std::to_string(agreement.words) + " words agree");
}

std::string to_text(const std::vector<Story>& stories, const Painter& painter) {
  const auto heading = [&](std::vector<std::string> row) {
    for (auto& cell : row) cell = painter.paint(Colour::heading, cell);
    return row;
  };
  std::vector<std::string> titles{"language", "letters"};
  for (const auto logic : automata::all_logics) {
    const std::string name(automata::name(logic));  // LTL[Y] is headed Y
    titles.push_back(name.substr(4, name.size() - 5));
  }
  std::vector<std::vector<std::string>> classes{heading(titles)};
  std::vector<std::vector<std::string>> formulas{heading({"language", "logic", "formula"})};
  std::vector<std::vector<std::string>> networks{
      heading({"language", "layers", "heads", "width", "arithmetic", "exact engine", "LibTorch"})};
  std::string notes;
  for (const Story& story : stories) {
    auto& row = classes.emplace_back();
    row = {story.name, letters_of(story.language.alphabet)};
    for (const auto& answer : story.ladder)
      row.push_back(!answer.member   ? painter.paint(Colour::unknown, "unknown")
                    : *answer.member ? painter.paint(Colour::yes, "yes")
                                     : painter.paint(Colour::no, "no"));
    const std::string logic = story.logic ? std::string(automata::name(*story.logic)) : "-";
    constexpr std::size_t longest_shown = 300;
    formulas.push_back(
        {story.name, logic,
         !story.logic ? "none found"
         : story.formula.size() <= longest_shown
             ? story.formula
             : "of " + std::to_string(story.formula.size()) + " characters; see hindsight express"});
    if (!story.model) {
      networks.push_back({story.name, "-", "-", "-", "-", "-", "-"});
      for (const auto& line : wrap(story.name + ": " + story.note, 100)) notes += line + '\n';
      continue;
    }
    const auto& model = *story.model;
    networks.push_back({story.name, std::to_string(model.layers.size()), std::to_string(head_count(model)),
                        std::to_string(model.width()),
                        std::to_string(model.arithmetic.fixed_point().fraction_bits()) + " fraction bits",
                        words_or_place(story, story.agreement->exact, painter),
                        story.agreement->torch ? words_or_place(story, *story.agreement->torch, painter)
                                               : "not in this build"});
  }
  std::string text = "In which logics LTL[...] the languages are:\n" + table(classes) +
                     "\nThe formulas found:\n" + table(formulas) +
                     "\nThe networks compiled from them, for words of every length:\n" + table(networks);
  if (!notes.empty()) text += '\n' + notes;
  return text;
}

nlohmann::ordered_json story_json(const Story& story) {
  nlohmann::ordered_json json;
  json["language"] = story.name;
  json["alphabet"] = story.language.alphabet.names();
  json["states"] = story.language.dfa.states();
  auto& classes = json["classes"] = nlohmann::ordered_json::array();
  for (const auto& answer : story.ladder) classes.push_back(to_json(story.language, answer));
  json["logic"] = nullptr;
  json["formula"] = nullptr;
  if (story.logic) {
    json["logic"] = automata::name(*story.logic);
    json["formula"] = story.formula;
  }
  json["network"] = nullptr;
  if (story.model) json["network"] = to_json(*story.model);
  json["exact"] = nullptr;
  json["torch"] = nullptr;
  if (story.agreement) {
    json["exact"] = to_json(story.language.alphabet, story.agreement->exact);
    json["torch"] = to_json(story.language.alphabet, story.agreement->torch);
  }
  json["note"] = story.note;
  return json;
}

Status run_demo(const Arguments& arguments) {
  LanguageOptions language_options;
  std::uint64_t check_words = 100'000;
  Options options(arguments.command);
  language_options.add_to(options);
  options.number("--check-words", "N", check_words, "Words on which agreement is checked (100,000)", 1,
                 10'000'000);
  const auto names = options.parse(arguments.before);
  if (names.size() > 1) throw UsageError("unexpected argument '" + names[1] + "'");
  if (arguments.after) throw UsageError("unexpected argument '--'");
  const bool has_language = language_options.title() || language_options.alphabet || language_options.format;
  if (has_language && !names.empty()) throw UsageError("unexpected argument '" + names[0] + "'");

  std::vector<std::pair<std::string, automata::Language>> chosen;
  if (has_language) {
    chosen.emplace_back(language_options.title().value_or(""), read_language(language_options));
  } else {
    std::vector<std::string> wanted(languages_of_the_paper.begin(), languages_of_the_paper.end());
    if (!names.empty()) wanted = names;
    for (const auto& name : wanted) {
      LanguageOptions entry;
      entry.name = name;
      chosen.emplace_back(name, read_language(entry));
    }
  }

  std::unique_ptr<Companion> companion;
  if (has_companion()) companion = std::make_unique<Companion>();
  const TemporaryDirectory directory;
  std::vector<Story> stories;
  for (auto& [name, language] : chosen)
    stories.push_back(tell(name, std::move(language), check_words, companion.get(), directory));

  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& story : stories) list.push_back(story_json(story));
    print(list.dump(2) + '\n');
  } else {
    print(to_text(stories, Painter(options.quiet)));
  }
  const bool all = std::all_of(stories.begin(), stories.end(), [](const Story& story) {
    return !story.agreement || story.agreement->agrees();
  });
  return all ? Status::done : Status::no;
}

}  // namespace

const Command demo{
    .name = "demo",
    .summary = "The whole path for the eight languages of the paper, or for one",
    .usage = "[NAME | LANG]",
    .notes =
        "For each language: the logics that hold it, the formula found, the network compiled from it, and\n"
        "on how many words network and language were found to agree.  Exit status 1 where they do not.\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.",
    .examples =
        "hindsight demo\n"
        "hindsight demo dyck-2\n"
        "hindsight demo --regex '(ab)*c'",
    .run = run_demo,
};

}  // namespace cli
