// Automata as JSON: the table of the command-line contract.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads what to_json writes: `alphabet` (a list of names), `states` (how many), `initial`, `accepting` (a
/// list), `transitions` (a row for each state, an entry for each letter); other keys are ignored.
///
/// An entry of `transitions` may also be null (no move) or a list of states, and `initial` a list; the
/// automaton is completed and determinised, the result is minimal.  Over `alphabet`, if it is given,
/// otherwise over the letters of the file in their order.  Throws logic::ParseError where the text is no such
/// document or has a letter outside `alphabet`, std::length_error past `max_states`.
Language read_json(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                   std::size_t max_states = default_max_states);

/// The JSON of the command-line contract, on one line: alphabet, states (how many), initial, accepting (a
/// list), transitions (a row for each state, a column for each letter).
std::string to_json(const Language& language);

}  // namespace automata
