// The file formats of automata as users name them: by option or by the extension of a file.
#pragma once

#include "automata/language.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The names of the formats that can be read, and of those that can be written: these and svg.
std::vector<std::string_view> readable_formats();
std::vector<std::string_view> writable_formats();

/// `format`, if it is given, otherwise what the extension of `path` says, otherwise (standard input or
/// output) `standard`.
///
/// Throws InputError, with `what` in front, where the result is none of `formats`.
std::string format_of(const std::string& what, const std::string& path,
                      const std::optional<std::string>& format, const std::string& standard,
                      const std::vector<std::string_view>& formats);

/// The automaton in the file `path`, `-` for standard input, over `alphabet`, if there is one.
///
/// Throws InputError where the text is wrong, std::system_error where it cannot be read, std::length_error
/// past `max_states`.
automata::Language read_automaton(const std::string& what, const std::string& path, std::string_view format,
                                  const std::optional<logic::Alphabet>& alphabet, std::uint64_t max_states);

/// The text of `language` in that format, with a line end at its end.
///
/// Throws InputError where the format has no place for a letter's name, or there is no Graphviz for svg;
/// std::length_error where the automaton is too large to be drawn.
std::string write_automaton(const automata::Language& language, std::string_view format);

/// The automaton as a table: a row for each state, a column for each letter.
std::string automaton_table(const automata::Language& language);

}  // namespace cli
