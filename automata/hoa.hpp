// The Hanoi omega-automata format, version 1, read as automata on finite words.
//
// HOA says what an automaton does with infinite words over valuations of atomic propositions.  Here a finite
// word is accepted when a run on it ends in a state whose acceptance marks satisfy the acceptance condition,
// as if the run stayed there for ever (where edges carry the marks: the last edge).  For Büchi acceptance
// that is a run that ends in a marked state, which is how tools for LTL on finite words use the format.
// docs/formats.md has the details.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads an automaton without universal branching.
///
/// With the header `hindsight-letters: one-hot` the letters are the propositions: a letter is the valuation
/// in which it alone is true.  Otherwise each valuation is a letter, named by a conjunction, `a&!b`.  Over
/// `alphabet`, if it is given, otherwise over all letters in their order.  Partial and non-deterministic
/// automata are completed and determinised; the result is minimal.
///
/// Throws logic::ParseError where the text is no HOA, has universal branching, several automata, a header
/// item of unknown meaning, or a letter outside `alphabet`; std::length_error past `max_states`, 4096 letters
/// (12 propositions whose valuations are letters) or 2^24 moves.
Language read_hoa(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                  std::size_t max_states = default_max_states);

/// The inverse of read_hoa: a proposition for each letter, Büchi acceptance on states.
///
/// Throws std::length_error for more than 4096 letters.
std::string to_hoa(const Language& language);

}  // namespace automata
