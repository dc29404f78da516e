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

/// Graphviz: one node for each state, moves with the same ends joined to one edge.  The label lists the
/// letters, those with a comma, space or quote in their names between quotes.
std::string to_dot(const Language& language);

/// The JSON of the command-line contract, on one line: alphabet, states (how many), initial, accepting (a
/// list), transitions (a row for each state, a column for each letter).
std::string to_json(const Language& language);

}  // namespace automata
