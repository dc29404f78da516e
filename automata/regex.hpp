// Regular expressions with intersection and complement.  The syntax is in docs/regex.md.
#pragma once

#include "automata/dfa.hpp"
#include "automata/nfa.hpp"
#include "logic/parse_error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace automata {

/// The minimal Dfa of the language that `text` writes, over `alphabet`.
///
/// Throws logic::ParseError where the text is no expression, names a letter outside `alphabet` or repeats a
/// number range wrongly (m > n), std::length_error past `max_states` states of an automaton on the way or
/// past max(max_states, 100'000) states of the expression written out.  Nesting costs heap, not stack.
Dfa from_regex(std::string_view text, const logic::Alphabet& alphabet,
               std::size_t max_states = default_max_states);

/// The names of the letters that occur in `text`, sorted, each once.  Throws logic::ParseError.
std::vector<std::string> letters_of_regex(std::string_view text);

}  // namespace automata
