// The .mata format of the automata library Mata, explicit alphabets only.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads a file with one section `@NFA-explicit`: lines `source letter target`, keys %Initial, %Final,
/// %Alphabet-auto or -enum, %States-auto or -enum; docs/formats.md says what else.  Partial and
/// non-deterministic automata are completed and determinised; the result is minimal.
///
/// Without `alphabet` the letters are those of %Alphabet-enum in that order, otherwise those that occur,
/// sorted.  Throws logic::ParseError on all other sections, keys and lines and on letters outside `alphabet`,
/// std::length_error past `max_states`.
Language read_mata(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                   std::size_t max_states = default_max_states);

/// The inverse of read_mata.  Every name can be written: those with special characters between quotes.
std::string to_mata(const Language& language);

}  // namespace automata
