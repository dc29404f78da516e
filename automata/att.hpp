// AT&T/OpenFst text: a line for each move and each final state.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads AT&T/OpenFst text: a line `src dst in [out]` is a move, a line with one state makes it final, the
/// first source (without moves: the first state) is initial.  States are numbers; `<eps>`, `@0@` and
/// `@_EPSILON_SYMBOL_@` are ε.  Partial and non-deterministic automata are completed and determinised; the
/// result is minimal.
///
/// Without `alphabet` the letters are those that occur, sorted.  Throws logic::ParseError that names the
/// line: on malformed lines, transducers (`in` and `out` differ), weights other than 0, the symbols that
/// stand for any letter, letters outside `alphabet`, no letters at all; std::length_error past `max_states`.
Language read_att(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                  std::size_t max_states = default_max_states);

/// The inverse of read_att, state by state in order, with `out` for readers that want it.
///
/// Throws std::invalid_argument when a letter's name has a space in it or means something else in this
/// format: it could not be read back.
std::string to_att(const Language& language);

}  // namespace automata
