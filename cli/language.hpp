// The languages a user can name on the command line: by expression, formula, automaton,
// catalogue entry or model.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"
#include "cli/options.hpp"
#include "logic/formula.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The options that name a language.
struct LanguageOptions {
  std::optional<std::string> regex;
  std::optional<std::string> formula;
  std::optional<std::string> regex_file;
  std::optional<std::string> formula_file;
  std::optional<std::string> dfa;
  std::optional<std::string> format;
  std::optional<std::string> name;
  std::optional<std::string> model;
  std::optional<std::string> alphabet;
  std::uint64_t max_states = automata::default_max_states;

  void add_to(Options& options);

  /// The first option that names the language, as it was given, if there is one.
  std::optional<std::string> title() const;

  /// Whether the language is read from standard input.
  bool reads_standard_input() const;
};

/// What LANG stands for in the usage of a command.
inline constexpr std::string_view language_notes =
    "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.\n"
    "Without --alphabet the letters are those that occur, sorted.  With a larger alphabet than that of\n"
    "--dfa, --language or --model, words that hold one of the additional letters are rejected.";

/// A language as it was given, read as far as its letters.
class Source {
 public:
  /// Throws UsageError unless exactly one of the options that name a language is set, InputError or
  /// std::system_error where it cannot be read.
  explicit Source(const LanguageOptions& options);

  /// The letters that occur in it, in their order.
  const std::vector<std::string>& letters() const { return letters_; }

  /// The alphabet of --alphabet, if there is one.
  const std::optional<logic::Alphabet>& given_alphabet() const { return given_alphabet_; }

  /// The alphabet of --alphabet, otherwise the letters that occur.  Throws InputError when there is none.
  logic::Alphabet alphabet() const;

  bool is_formula() const { return options_.formula.has_value(); }

  /// Throws InputError where the text is no formula over `alphabet`.
  logic::Formula formula(logic::Arena& arena, const logic::Alphabet& alphabet) const;

  /// Throws InputError where the text is none over `alphabet`, std::length_error past --max-states.
  automata::Language language(const logic::Alphabet& alphabet) const;

  /// The language over the letters of a model.  Throws InputError, too, when it has others or --alphabet
  /// does.
  automata::Language language_of_model(const logic::Alphabet& alphabet) const;

 private:
  LanguageOptions options_;  // with the text of a file in place of its name
  std::string text_name_;    // of the option that gave the text
  std::optional<logic::Alphabet> given_alphabet_;
  std::optional<automata::Language> automaton_;  // of --dfa, --language and --model
  std::vector<std::string> letters_;
};

/// The language over the alphabet of its options.
automata::Language read_language(const LanguageOptions& options);

}  // namespace cli
