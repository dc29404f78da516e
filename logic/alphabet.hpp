// Alphabets and words: letters are the numbers 0, ..., |alphabet|-1, names are for people.
//
// A word is written without separators when every letter's name is one character (`abba`), otherwise with
// spaces between the names (`open close`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logic {

using Letter = std::uint32_t;
using Word = std::vector<Letter>;

/// The names of the letters, in the order of their numbers.
class Alphabet {
 public:
  /// Throws std::invalid_argument unless `names` is non-empty and its entries are distinct, non-empty, valid
  /// UTF-8 and free of control characters.
  explicit Alphabet(std::vector<std::string> names);

  Letter size() const { return static_cast<Letter>(names_.size()); }
  const std::string& name(Letter a) const { return names_[a]; }
  const std::vector<std::string>& names() const { return names_; }

  /// The letter of that name, if there is one.  O(log |alphabet|).
  std::optional<Letter> find(std::string_view name) const;

  /// Whether every name is a single character, so that words are written without separators.
  bool has_single_characters() const { return single_characters_; }

  friend bool operator==(const Alphabet& x, const Alphabet& y) { return x.names_ == y.names_; }

 private:
  std::vector<std::string> names_;
  std::vector<Letter> by_name_;  // the letters, sorted by name
  bool single_characters_;
};

/// `ab` is the alphabet of the letters a and b; with a comma, names: `open,close`, and `open,` is one name.
///
/// Spaces around the names of a list are ignored; a name with a space, comma or quote in it is quoted, as in
/// `'big step',x`, with \' and \\ for a quote and a backslash inside.  A quote, too, makes the text a list.
/// Throws ParseError.
Alphabet parse_alphabet(std::string_view text);

/// The letters of both, sorted by name.
Alphabet unite(const Alphabet& x, const Alphabet& y);

/// Reads a word; empty text, `''` (unless a quote is a letter of a single-character alphabet) and `ε` (unless
/// it is a letter) are the empty word.
///
/// Where every name is one character, spaces are ignored unless the space is a letter; otherwise they
/// separate the names, and a name with a space or quote in it is quoted.  Throws ParseError at the first
/// thing that is no letter of `alphabet`.
Word parse_word(const Alphabet& alphabet, std::string_view text);

/// The inverse of parse_word; the empty word is the empty string.
std::string to_string(const Alphabet& alphabet, std::span<const Letter> word);

}  // namespace logic
