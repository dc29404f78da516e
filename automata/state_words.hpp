// Words that lead to the states of an automaton, and words that tell them apart: what conformance tests are
// made of.
#pragma once

#include "automata/dfa.hpp"

#include <vector>

namespace automata {

/// The short-lex least word that leads to each state.
///
/// Throws std::invalid_argument unless the states are numbered breadth-first from 0 in letter order, as
/// minimize() does, and can all be reached.  O(n k) and the letters of the result.
std::vector<Word> access_words(const Dfa& dfa);

/// A set of words such that any two states differ in which of them they accept: at most n, the empty one
/// first.
///
/// Throws std::invalid_argument when two states are equivalent.  O(k n^2 log n).
std::vector<Word> separating_words(const Dfa& dfa);

}  // namespace automata
