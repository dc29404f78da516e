// Words from the command line and from files, and what is printed for each.
#pragma once

#include "cli/options.hpp"
#include "logic/alphabet.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The words that a call names: those given as arguments, then the lines of --words.
struct WordOptions {
  std::optional<std::string> file;

  void add_to(Options& options);
};

/// f(word, place) for each word in order, one at a time; `place` says where it stands, for messages.
///
/// Throws UsageError when no word is given and no file; InputError, naming the word and the place in it, at
/// a letter outside the alphabet; std::system_error where the file cannot be read.
void for_each_word(const logic::Alphabet& alphabet, const std::vector<std::string>& given,
                   const WordOptions& options,
                   const std::function<void(const logic::Word&, const std::string& place)>& f);

/// `word` for people: ε for the empty word.
std::string readable(const logic::Alphabet& alphabet, std::span<const logic::Letter> word);

/// As readable, but only the two ends and the length of a word that takes more than `width` columns.
std::string abridged(const logic::Alphabet& alphabet, std::span<const logic::Letter> word,
                     std::size_t width = 32);

/// Prints the line of the contract for one word: `accept WORD`, or JSON.
void print_answer(const logic::Alphabet& alphabet, const logic::Word& word, bool accepted, bool json);

/// The same with what holds of each prefix, the empty one first: `accept 101 ab`, or JSON.
void print_answer(const logic::Alphabet& alphabet, const logic::Word& word, const std::vector<bool>& prefixes,
                  bool json);

/// What stands before and after `--`, together.
std::vector<std::string> with_rest(std::vector<std::string> positional, const Arguments& arguments);

}  // namespace cli
