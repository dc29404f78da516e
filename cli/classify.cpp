// classify: the classes that hold a language, each answer with its reason.
#include "automata/classes.hpp"
#include "automata/families.hpp"
#include "automata/ladder.hpp"
#include "automata/semigroup.hpp"
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

struct Sizes {
  std::optional<std::size_t> semigroup, monoid;
  std::optional<std::uint64_t> stability_index;
};

Sizes sizes(const automata::Dfa& dfa, std::size_t max_elements, std::uint64_t max_index) {
  try {
    const automata::Semigroup semigroup(dfa, max_elements);
    const auto stability = automata::stability(semigroup, max_index);
    return {semigroup.size(), semigroup.monoid_size(),
            stability ? std::optional(stability->index) : std::nullopt};
  } catch (const std::length_error&) {
    return {};
  }
}

std::string number_or(const std::optional<std::uint64_t>& number, const std::string& otherwise) {
  return number ? std::to_string(*number) : otherwise;
}

/// One class, whichever part of the library decided it.
struct Answer {
  std::string name;
  std::optional<bool> member;
  std::string reason;  // for people
  std::string note;
  nlohmann::ordered_json json;
};

/// The pair of words for --depth, where there is a witness.
struct Depth {
  std::optional<std::uint64_t> depth;
  std::uint64_t modulus = 1;
};

Answer answer_of(const automata::Language& language, const automata::Membership& membership,
                 const Depth& depth) {
  Answer answer{std::string(automata::name(membership.logic)), membership.member, membership.note,
                membership.note, to_json(language, membership)};
  if (!membership.witness) return answer;
  answer.reason = explain(language, *membership.witness);
  if (!depth.depth) return answer;
  const auto pair =
      automata::inseparable_pair(language.dfa, *membership.witness, static_cast<std::uint32_t>(*depth.depth),
                                 static_cast<std::uint32_t>(depth.modulus));
  answer.reason += ". " + explain(language, pair, *depth.depth);
  answer.json["witness"]["inseparable"] = to_json(language, pair, *depth.depth, depth.modulus);
  return answer;
}

Answer answer_of(const automata::Language& language, const automata::ClassMembership& membership) {
  return {std::string(automata::name(membership.language_class)), membership.member,
          membership.failure ? explain(language, membership) : membership.note, membership.note,
          to_json(language, membership)};
}

std::string to_text(const automata::Language& language, const Sizes& sizes, std::size_t max_elements,
                    std::span<const Answer> answers, const Painter& painter) {
  std::string letters;
  for (const auto& letter : language.alphabet.names()) letters += (letters.empty() ? "" : ", ") + letter;
  const std::string above = "more than " + std::to_string(max_elements);
  std::string text;
  for (const auto& line :
       wrap("letters " + letters + "; minimal automaton of " + std::to_string(language.dfa.states()) +
                " states; semigroup of " + number_or(sizes.semigroup, above) + " elements, monoid of " +
                number_or(sizes.monoid, above) + ", stability index " +
                number_or(sizes.stability_index, "unknown"),
            100))
    text += line + '\n';
  std::vector<std::vector<std::string>> rows;
  for (const auto& answer : answers) {
    const Colour colour = !answer.member ? Colour::unknown : *answer.member ? Colour::yes : Colour::no;
    const std::string member = !answer.member ? "unknown" : *answer.member ? "yes" : "no";
    rows.push_back({answer.name, painter.paint(colour, member), answer.reason});
  }
  return text + '\n' + table(rows);
}

Status run_classify(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> in;
  LimitOptions limit_options;
  std::uint64_t max_index = 100'000;
  Options options(arguments.command);
  language_options.add_to(options);
  std::string names;
  for (const auto logic : automata::all_logics) names += ' ' + std::string(automata::name(logic));
  for (const auto c : automata::all_language_classes) names += ' ' + std::string(automata::name(c));
  Depth depth;
  options.text("--in", "CLASS", in, "Ask for one class alone: exit status 0 yes, 1 no, 3 undecided");
  limit_options.add_to(options);
  options.number("--max-index", "N", max_index, "Largest stability index to look for (100,000)");
  options.number("--depth", "R", depth.depth,
                 "With each no of the ladder, two words that no formula of this depth tells apart", 1,
                 1'000'000);
  options.number("--modulus", "M", depth.modulus, "With --depth: allow MOD(m,r) for the divisors m of M (1)",
                 1, 1'000'000);
  expect_no_words(options.parse(arguments.before), arguments);
  std::optional<automata::Logic> logic;
  std::optional<automata::LanguageClass> language_class;
  if (in) {
    logic = automata::logic_of_name(*in);
    language_class = automata::language_class_of_name(*in);
    if (!logic && !language_class) throw InputError("--in: no class '" + *in + "'; the classes are" + names);
  }

  const automata::Language language = read_language(language_options);
  const automata::LadderLimits limits = limit_options.limits(language.dfa.states());
  automata::ClassLimits class_limits;
  class_limits.max_elements = limits.max_elements;
  std::vector<Answer> answers;
  if (logic) {
    answers.push_back(answer_of(language, automata::decide(language.dfa, *logic, limits), depth));
  } else if (language_class) {
    answers.push_back(answer_of(language, automata::decide(language.dfa, *language_class, class_limits)));
  } else {
    for (const auto& membership : automata::ladder(language.dfa, limits))
      answers.push_back(answer_of(language, membership, depth));
    for (const auto& membership : automata::decide_classes(language.dfa, class_limits))
      answers.push_back(answer_of(language, membership));
  }
  // One class is asked for to be answered at once: its call builds no large semigroup for the sizes alone.
  const std::size_t size_limit =
      in ? std::min<std::size_t>(limits.max_elements, 10'000) : limits.max_elements;
  const Sizes size = sizes(language.dfa, size_limit, max_index);

  if (options.json) {
    nlohmann::ordered_json json;
    json["alphabet"] = language.alphabet.names();
    json["states"] = language.dfa.states();
    json["monoid"] = nullptr;
    json["semigroup"] = nullptr;
    json["stability_index"] = nullptr;
    if (size.monoid) json["monoid"] = *size.monoid;
    if (size.semigroup) json["semigroup"] = *size.semigroup;
    if (size.stability_index) json["stability_index"] = *size.stability_index;
    auto& classes = json["classes"] = nlohmann::ordered_json::array();
    for (auto& answer : answers) classes.push_back(std::move(answer.json));
    print(json.dump(2) + '\n');
  } else {
    print(to_text(language, size, size_limit, answers, Painter(options.quiet)));
  }

  const auto unknown =
      std::find_if(answers.begin(), answers.end(), [](const auto& answer) { return !answer.member; });
  if (unknown != answers.end()) {
    complain("classify", unknown->name + " is " + unknown->note);
    return Status::limit;
  }
  if (in) return *answers.front().member ? Status::done : Status::no;
  if (!size.semigroup) {
    complain("classify", "the transition semigroup has more than " + std::to_string(limits.max_elements) +
                             " elements (--max-elements)");
    return Status::limit;
  }
  if (!size.stability_index) {
    complain("classify", "the stability index is above " + std::to_string(max_index) + " (--max-index)");
    return Status::limit;
  }
  return Status::done;
}

}  // namespace

const Command classify{
    .name = "classify",
    .summary = "Which classes hold the language, each with the reason",
    .usage = "LANG [--in CLASS]",
    .notes =
        "Classes: LTL[Y] LTL[P] LTL[P,Y] LTL[S], and with MOD: LTL[Y,MOD] ... LTL[S,MOD];\n"
        "reverse-definite generalized-definite finite cofinite locally-testable locally-threshold-testable\n"
        "piecewise-testable L-trivial DA locally-DA locally-J-trivial dot-depth-one group.\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.",
    .examples =
        "hindsight classify --regex '(a(ab)*b)*'\n"
        "hindsight classify --formula 'Y(b & Y a)' --in 'LTL[Y]'",
    .run = run_classify,
};

}  // namespace cli
