// express: a formula for the language, in the first logic that holds it.
#include "automata/express.hpp"

#include "cli/commands.hpp"
#include "cli/find_formula.hpp"
#include "cli/language.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"
#include "cli/window_answer.hpp"
#include "logic/print.hpp"

#include <nlohmann/json.hpp>

namespace cli {
namespace {

logic::Notation notation_of(const std::optional<std::string>& name) {
  if (name == "unicode") return logic::Notation::unicode;
  if (name == "latex") return logic::Notation::latex;
  return logic::Notation::ascii;
}

std::string names_of(std::span<const automata::Membership> answers) {
  std::string list;
  for (const auto& answer : answers) list += (list.empty() ? "" : ", ") + std::string(name(answer.logic));
  return list;
}

Status run_express(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> logic_name;
  std::optional<std::string> notation;
  LimitOptions limit_options;
  automata::ExpressOptions express_options;
  Options options(arguments.command);
  language_options.add_to(options);
  options.text("--logic", "NAME", logic_name,
               "A formula of this logic: LTL[Y], LTL[P,Y,MOD], LTL[P,Y<=3], LTL[#Y<=3], ...");
  options.choice("--notation", {"ascii", "unicode", "latex"}, notation, "How to write it (ascii)");
  options.number("--max-size", "N", express_options.max_size, "Stop at a formula of more nodes (1,000,000)");
  limit_options.add_to(options);
  expect_no_words(options.parse(arguments.before), arguments);
  std::optional<automata::Logic> asked;
  std::optional<logic::WindowLogic> window;
  if (logic_name) {
    asked = automata::logic_of_name(*logic_name);
    if (!asked) window = logic::window_logic_of_name(*logic_name);
    if (!asked && !window)
      throw InputError("--logic: no logic '" + *logic_name + "'; see hindsight classify --help");
  }

  const automata::Language language = read_language(language_options);
  express_options.max_states = language_options.max_states;
  if (window)
    return express_in_window(
        language, *window, notation_of(notation),
        {.max_size = express_options.max_size, .max_formula_states = express_options.max_states},
        options.json);
  logic::Arena arena;
  const auto logics = asked ? std::span<const automata::Logic>(&*asked, 1) : express_order();
  const Search search =
      find_formula(arena, language.dfa, logics, limit_options.limits(language.dfa.states()), express_options);

  if (search.found) {
    const logic::Formula f = search.found->formula;
    const std::string text =
        logic::to_string(f, language.alphabet, notation_of(notation), express_options.max_size);
    if (options.json) {
      print(nlohmann::ordered_json{{"logic", automata::name(search.found->logic)},
                                   {"formula", text},
                                   {"depth", f->depth},
                                   {"size", f->size}}
                .dump(2) +
            '\n');
    } else {
      print(table({{"logic", std::string(automata::name(search.found->logic))},
                   {"formula", text},
                   {"depth", std::to_string(f->depth)},
                   {"size", std::to_string(f->size)}},
                  SIZE_MAX));
    }
    return Status::done;
  }

  const automata::Membership& last = search.tried.back();
  if (options.json) {
    nlohmann::ordered_json json{
        {"logic", nullptr}, {"formula", nullptr}, {"depth", nullptr}, {"size", nullptr}};
    auto& classes = json["classes"] = nlohmann::ordered_json::array();
    for (const auto& answer : search.tried) classes.push_back(to_json(language, answer));
    print(json.dump(2) + '\n');
  }
  if (!last.member) {
    complain("express", std::string(automata::name(last.logic)) + " is " + last.note);
    return Status::limit;
  }
  if (!options.json) {
    print("not in " + names_of(search.tried) + '\n');
    const std::string reason = last.witness ? explain(language, *last.witness) : last.note;
    for (const auto& line : wrap(std::string(automata::name(last.logic)) + ": " + reason, 100))
      print(line + '\n');
  }
  return Status::no;
}

}  // namespace

const Command express{
    .name = "express",
    .summary = "A formula for the language, in the first logic that holds it",
    .usage = "LANG [--logic NAME]",
    .notes =
        "The logics are tried in the order LTL[Y], LTL[P], LTL[P,Y], LTL[Y,MOD], LTL[P,MOD],\n"
        "LTL[P,Y,MOD], LTL[S].  The formula is checked to be equivalent before it is printed.  In the\n"
        "window logics LTL[Y<=k], LTL[P,Y<=k], LTL[#Y<=k], LTL[P,#Y<=k] the answer may be unknown: exit\n"
        "status 3 (docs/windows.md).",
    .examples =
        "hindsight express --regex '(ab)*'\n"
        "hindsight express --regex '(a(ab)*b)*' --logic 'LTL[P,Y,MOD]' --notation unicode",
    .run = run_express,
};

}  // namespace cli
