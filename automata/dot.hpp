// Graphviz: reading, writing, and a picture for people.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

/// Reads a digraph as to_dot and AALpy write it.
///
/// States are nodes; those with shape=doublecircle or peripheries=2 accept.  Initial are the states to which
/// an edge leads from a node of shape none, point or plaintext, or whose name begins with `__start`.  The
/// label of any other edge is a list of letters with commas or line breaks between them; a letter with one of
/// those or a quote in its name, and the letter `ε`, stand between quotes, and a bare `ε` is an ε-move.
/// Partial and non-deterministic automata are completed and determinised; the result is minimal.
///
/// Without `alphabet` the letters are those that occur, sorted.  Throws logic::ParseError where the text is
/// no such graph, and for letters outside `alphabet`; std::length_error past `max_states` and where the edges
/// between subgraphs would be too many.
Language read_dot(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt,
                  std::size_t max_states = default_max_states);

/// Graphviz: one node for each state, moves with the same ends joined to one edge.  The label lists the
/// letters, those with a comma, space or quote in their names between quotes.
std::string to_dot(const Language& language);

/// As to_dot, but for the eye: the states of a strongly connected component with a cycle share a colour, and
/// a state from which nothing is accepted any more is dimmed, with its edges.
std::string to_picture(const Language& language);

}  // namespace automata
