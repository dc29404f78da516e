// Boolean operations on languages, and the comparison of two of them.
#pragma once

#include "automata/dfa.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>

namespace automata {

enum class BooleanOperation { intersection, union_, difference, symmetric_difference };

/// The words that are not in the language.
Dfa complement(const Dfa& dfa);

/// The reachable part of the product, not minimised.
///
/// Throws std::invalid_argument when the numbers of letters differ, std::length_error past `max_states`.
Dfa combine(const Dfa& x, const Dfa& y, BooleanOperation operation,
            std::size_t max_states = default_max_states);

/// The short-lex least word that exactly one of the two accepts; none when the languages are equal.
///
/// Throws std::invalid_argument when the numbers of letters differ.  Pairs that follow from earlier ones are
/// left out (docs/automata.md), so O(k (n + m) log(n + m)) for n and m states and k letters.
std::optional<Word> difference(const Dfa& x, const Dfa& y);

/// The short-lex least word that is accepted from exactly one of two states; none when they are equivalent.
///
/// O(k n log n) for n states and k letters.
std::optional<Word> difference(const Dfa& dfa, State p, State q);

/// The short-lex least accepted word; none when the language is empty.
std::optional<Word> shortest_accepted(const Dfa& dfa);

}  // namespace automata
