// Automata in files: AT&T/OpenFst text is read and written, DOT and JSON are written.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads AT&T/OpenFst text: a line `src dst in [out]` is a move, a line with one state makes it final, the
/// first source (or the first state named) is initial.  States are numbers; `<eps>` and `@0@` are ε.
/// Partial and non-deterministic automata are completed and determinised; the result is minimal.
///
/// Without `alphabet` the letters are those that occur, sorted.  Throws logic::ParseError that names the
/// line: on malformed lines, transducers (`in` and `out` differ), weights, letters outside `alphabet`, no
/// letters at all; std::length_error past `max_states`.
Language read_att(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                  std::size_t max_states = default_max_states);

/// The inverse of read_att, state by state in order.  Throws std::invalid_argument when a letter's name has
/// white space in it or means ε in this format: it could not be read back.
std::string to_att(const Language& language);

/// Graphviz: one node for each state, edges of equal ends joined into one label.
std::string to_dot(const Language& language);

/// The JSON of the command-line contract: alphabet, states, initial, accepting, transitions.
std::string to_json(const Language& language);

}  // namespace automata
