#include "logic/alphabet.hpp"

#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace logic {
namespace {

/// How many characters `name` has; throws std::invalid_argument unless it can be a letter's name.
std::size_t characters(const std::string& name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < name.size(); ++count) {
    const auto c = code_point(name, i);
    if (!c) throw std::invalid_argument("Alphabet: a name is not valid UTF-8 at byte " + std::to_string(i));
    if (is_control(c->value))
      throw std::invalid_argument("Alphabet: a name has a control character at byte " + std::to_string(i));
    i += c->bytes;
  }
  return count;
}

std::size_t skip_spaces(std::string_view text, std::size_t i) {
  while (i < text.size() && is_space(text[i])) ++i;
  return i;
}

/// A name in a list: quoted, or bare up to a space, a comma where those separate, or the end.
QuotedName read_name(std::string_view text, std::size_t offset, bool commas) {
  if (text[offset] == '\'') return read_quoted(text, offset);
  std::size_t end = offset;
  while (end < text.size() && !is_space(text[end]) && !(commas && text[end] == ',')) {
    const auto c = code_point(text, end);
    if (text[end] == '\'')
      throw ParseError(text, end, "a name with a quote in it is quoted, as in 'don\\'t'");
    if (!c || is_control(c->value))
      throw ParseError(text, end, "expected a character of a name, found " + found(text, end));
    end += c->bytes;
  }
  return {std::string(text.substr(offset, end - offset)), end};
}

/// The form with commas.
std::vector<QuotedName> read_list(std::string_view text) {
  std::vector<QuotedName> names;
  std::size_t i = skip_spaces(text, 0);
  while (i < text.size() || names.empty()) {
    if (i == text.size() || text[i] == ',')
      throw ParseError(text, i, "expected a name, found " + found(text, i));
    auto [name, end] = read_name(text, i, true);
    names.push_back({std::move(name), i});
    i = skip_spaces(text, end);
    if (i < text.size() && text[i] != ',')
      throw ParseError(
          text, i, "expected a comma, found " + found(text, i) + " (a name with a space in it is quoted)");
    if (i < text.size()) i = skip_spaces(text, i + 1);
  }
  return names;
}

/// The form without: each character a letter.
std::vector<QuotedName> read_characters(std::string_view text) {
  std::vector<QuotedName> names;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = code_point(text, i);
    if (!c || is_control(c->value) || c->value == ' ')
      throw ParseError(text, i,
                       "expected a letter, found " + found(text, i) +
                           " (names are separated by commas, and a space as a letter is quoted)");
    names.push_back({std::string(text.substr(i, c->bytes)), i});
    i += c->bytes;
  }
  if (names.empty()) throw ParseError(text, 0, "expected a letter, found the end");
  return names;
}

[[noreturn]] void throw_no_letter(std::string_view text, std::size_t offset, const std::string& name) {
  throw ParseError(text, offset, quote(name) + " is no letter of the alphabet");
}

bool needs_quotes(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return is_space(c) || c == '\''; });
}

}  // namespace

Alphabet::Alphabet(std::vector<std::string> names)
    : names_(std::move(names)), by_name_(names_.size()), single_characters_(true) {
  if (names_.empty()) throw std::invalid_argument("Alphabet: no letters");
  for (const auto& name : names_) {
    if (name.empty()) throw std::invalid_argument("Alphabet: an empty name");
    if (characters(name) > 1) single_characters_ = false;
  }
  std::iota(by_name_.begin(), by_name_.end(), Letter{0});
  std::sort(by_name_.begin(), by_name_.end(), [&](Letter a, Letter b) { return names_[a] < names_[b]; });
  const auto same = std::adjacent_find(by_name_.begin(), by_name_.end(),
                                       [&](Letter a, Letter b) { return names_[a] == names_[b]; });
  if (same != by_name_.end())
    throw std::invalid_argument("Alphabet: the name " + quote(names_[*same]) + " occurs twice");
}

std::optional<Letter> Alphabet::find(std::string_view name) const {
  const auto place = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](Letter a, std::string_view x) { return names_[a] < x; });
  if (place == by_name_.end() || names_[*place] != name) return std::nullopt;
  return *place;
}

Alphabet parse_alphabet(std::string_view text) {
  const auto places =
      text.find_first_of(",'") != std::string_view::npos ? read_list(text) : read_characters(text);
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const auto& [name, offset] : places) {
    if (!seen.insert(name).second)
      throw ParseError(text, offset, "the letter " + quote(name) + " occurs twice");
    names.push_back(name);
  }
  return Alphabet(std::move(names));
}

Alphabet unite(const Alphabet& x, const Alphabet& y) {
  std::set<std::string> names(x.names().begin(), x.names().end());
  names.insert(y.names().begin(), y.names().end());
  return Alphabet({names.begin(), names.end()});
}

Word parse_word(const Alphabet& alphabet, std::string_view text) {
  // A space that is itself a letter cannot be skipped.
  const bool space_is_letter = alphabet.has_single_characters() && alphabet.find(" ").has_value();
  const auto is_skipped = [&](char c) { return is_space(c) && !(space_is_letter && c == ' '); };
  const auto skip = [&](std::size_t i) {
    while (i < text.size() && is_skipped(text[i])) ++i;
    return i;
  };

  std::size_t i = skip(0);
  std::size_t end = text.size();
  while (end > i && is_skipped(text[end - 1])) --end;
  const std::string_view trimmed = text.substr(i, end - i);
  const bool quote_is_letter = alphabet.has_single_characters() && alphabet.find("'").has_value();
  if (trimmed == "''" && !quote_is_letter) return {};
  if (trimmed == "ε" && !alphabet.find("ε")) return {};

  Word word;
  while (i < text.size()) {
    QuotedName next;
    if (alphabet.has_single_characters()) {
      const auto c = code_point(text, i);
      if (!c || is_control(c->value)) throw ParseError(text, i, "expected a letter, found " + found(text, i));
      next = {std::string(text.substr(i, c->bytes)), i + c->bytes};
    } else {
      next = read_name(text, i, false);
      if (next.end < text.size() && !is_space(text[next.end]))
        throw ParseError(text, next.end,
                         "expected a space between two names, found " + found(text, next.end));
    }
    const auto letter = alphabet.find(next.name);
    if (!letter) throw_no_letter(text, i, next.name);
    word.push_back(*letter);
    i = skip(next.end);
  }
  return word;
}

std::string to_string(const Alphabet& alphabet, std::span<const Letter> word) {
  std::string text;
  for (const Letter a : word) {
    const std::string& name = alphabet.name(a);
    if (alphabet.has_single_characters()) {
      text += name;
      continue;
    }
    if (!text.empty()) text += ' ';
    text += needs_quotes(name) ? quote(name) : name;
  }
  return text;
}

}  // namespace logic
