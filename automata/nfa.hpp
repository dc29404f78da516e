// Non-deterministic automata with ε-moves, as files and regular expressions produce them, and the subset
// construction.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace automata {

/// A plain list of moves; partial automata are the case with at most one move.
struct Nfa {
  struct Move {
    State from;
    std::optional<Letter> letter;  // none: an ε-move
    State to;
  };

  Letter letters = 0;
  State states = 0;
  std::vector<State> initial;
  std::vector<State> accepting;
  std::vector<Move> moves;
};

/// The default for how many states a construction may make.
inline constexpr std::size_t default_max_states = 1'000'000;

/// A complete Dfa for the same language (subset construction); not minimised, reachable states only.
///
/// Throws std::invalid_argument when a state or letter is out of range, std::length_error past `max_states`.
Dfa determinize(const Nfa& nfa, std::size_t max_states = default_max_states);

/// `dfa` as an Nfa.
Nfa to_nfa(const Dfa& dfa);

}  // namespace automata
