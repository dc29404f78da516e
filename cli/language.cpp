#include "cli/language.hpp"

#include "automata/catalogue.hpp"
#include "automata/from_formula.hpp"
#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "cli/decompiled.hpp"
#include "cli/files.hpp"
#include "cli/formats.hpp"
#include "logic/parse.hpp"

#include <utility>

#include <fmt/format.h>

namespace cli {
namespace {

/// f(), with the option named in front of the place where its text is wrong.
template <class Function>
auto reading(const std::string& option, Function f) {
  try {
    return f();
  } catch (const logic::ParseError& error) {
    throw InputError(option + ": " + error.what());
  }
}

/// `language` over `alphabet`: words with one of the additional letters are rejected.
automata::Language over(const automata::Language& language, const logic::Alphabet& alphabet) {
  if (language.alphabet == alphabet) return language;
  const automata::Dfa& dfa = language.dfa;
  const logic::Letter letters = alphabet.size();
  const automata::State sink = dfa.states();
  std::vector<automata::State> next((std::size_t{sink} + 1) * letters, sink);
  for (logic::Letter a = 0; a < dfa.letters(); ++a) {
    const auto b = alphabet.find(language.alphabet.name(a));
    if (!b)
      throw InputError("--alphabet lacks '" + language.alphabet.name(a) + "', a letter of the language");
    for (automata::State q = 0; q < sink; ++q) next[std::size_t{q} * letters + *b] = dfa.next(q, a);
  }
  std::vector<bool> accepting = dfa.accepting();
  accepting.push_back(false);
  return {alphabet, automata::minimize({letters, dfa.start(), std::move(next), std::move(accepting)})};
}

}  // namespace

void LanguageOptions::add_to(Options& options) {
  options.group("Language");
  options.text("--regex", "R", regex, "A regular expression: (ab)*, a.*&!b, 'open' a{2,3}");
  options.text("--formula", "F", formula, "A formula, read at the end of the word: Y(b & Y a)");
  options.text("--regex-file", "FILE", regex_file, "A regular expression in a file, - for standard input");
  options.text("--formula-file", "FILE", formula_file, "A formula in a file, - for standard input");
  options.text("--dfa", "FILE", dfa, "An automaton in a file, - for standard input");
  options.choice("--format", readable_formats(), format, "Format of --dfa, instead of the file's extension");
  options.text("--language", "NAME", name, "A catalogue entry, see hindsight languages");
  options.text("--model", "FILE", model, "What a model accepts in its declared arithmetic");
  options.text("--alphabet", "LETTERS", alphabet, "abc, or names with commas: open,close");
  options.group("Options");
  options.number("--max-states", "N", max_states, "Stop at an automaton of more states (1,000,000)");
}

std::optional<std::string> LanguageOptions::title() const {
  for (const auto* given : {&regex, &formula, &regex_file, &formula_file, &dfa, &name, &model})
    if (*given) return *given;
  return std::nullopt;
}

bool LanguageOptions::reads_standard_input() const {
  return regex_file == "-" || formula_file == "-" || dfa == "-";
}

Source::Source(const LanguageOptions& options) : options_(options) {
  int given = 0;
  for (const auto* option : {&options.regex, &options.formula, &options.regex_file, &options.formula_file,
                             &options.dfa, &options.name, &options.model})
    given += option->has_value() ? 1 : 0;
  if (given != 1)
    throw UsageError(
        given == 0 ? "no language: give one of --regex, --formula, --dfa, --language, --model"
                   : "more than one language: give one of --regex, --formula, --dfa, --language, --model");
  if (options.regex_file) {
    text_name_ = "--regex-file " + *options.regex_file;
    options_.regex = read_file(*options.regex_file);
  } else if (options.formula_file) {
    text_name_ = "--formula-file " + *options.formula_file;
    options_.formula = read_file(*options.formula_file);
  } else {
    text_name_ = options.regex ? "--regex" : "--formula";
  }
  if (options.format && !options.dfa) throw UsageError("--format goes with --dfa");
  if (options.alphabet) {
    given_alphabet_ = reading("--alphabet", [&] { return logic::parse_alphabet(*options.alphabet); });
  }
  if (options_.regex) {
    letters_ = reading(text_name_, [&] { return automata::letters_of_regex(*options_.regex); });
  } else if (options_.formula) {
    letters_ = reading(text_name_, [&] { return logic::letters_of_formula(*options_.formula); });
  } else if (options.dfa) {
    const std::string what = "--dfa " + *options.dfa;
    const std::string file_format = format_of(what, *options.dfa, options.format, "att", readable_formats());
    automaton_ = read_automaton(what, *options.dfa, file_format, given_alphabet_, options.max_states);
  } else if (options.model) {
    automaton_ = decompiled_language(*options.model, options.max_states, true).language;
  } else {
    automaton_ = automata::find_language(*options.name);
    if (!automaton_)
      throw InputError("--language: no entry '" + *options.name + "'; hindsight languages lists them");
  }
  if (automaton_) letters_ = automaton_->alphabet.names();
}

logic::Alphabet Source::alphabet() const {
  if (given_alphabet_) return *given_alphabet_;
  if (letters_.empty()) throw InputError("no letter occurs in the language: give --alphabet");
  return logic::Alphabet(letters_);
}

logic::Formula Source::formula(logic::Arena& arena, const logic::Alphabet& alphabet) const {
  return reading(text_name_, [&] { return logic::parse(arena, options_.formula.value(), alphabet); });
}

automata::Language Source::language(const logic::Alphabet& alphabet) const {
  if (automaton_) return over(*automaton_, alphabet);
  if (is_formula()) {
    logic::Arena arena;
    return {alphabet, automata::from_formula(formula(arena, alphabet), alphabet.size(), options_.max_states)};
  }
  return {alphabet, reading(text_name_, [&] {
            return automata::from_regex(*options_.regex, alphabet, options_.max_states);
          })};
}

automata::Language Source::language_of_model(const logic::Alphabet& alphabet) const {
  if (given_alphabet_ && !(*given_alphabet_ == alphabet))
    throw InputError(fmt::format("--alphabet: the letters of the model are {}, in this order",
                                 fmt::join(alphabet.names(), ", ")));
  for (const auto& letter : letters_)
    if (!alphabet.find(letter))
      throw InputError("the model lacks '" + letter + "', a letter of the language");
  return language(alphabet);
}

automata::Language read_language(const LanguageOptions& options) {
  const Source source(options);
  return source.language(source.alphabet());
}

}  // namespace cli
