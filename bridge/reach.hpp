// How far back a model looks that has local heads alone, and the automaton that follows from it in every
// arithmetic.
#pragma once

#include "automata/dfa.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace bridge {

/// The number of last letters that, with the length of the word where there are positions, decide what the
/// model answers: the widest window of each layer, summed up.  None where a head is global.
std::optional<std::uint64_t> reach(const transformer::Model& model);

/// The minimal automaton of what `model` accepts in its declared arithmetic, from runs on one word for each
/// sequence of so many last letters (and each position that the end marker can have beyond them).  Words that
/// have no positions are rejected.
///
/// The arithmetic may be any, since equal windows in equal order give equal numbers.  `visited` is called now
/// and then with the number of words so far.  Throws std::invalid_argument unless `model` is valid and has
/// local heads alone, std::length_error when there would be more than `max_states` words.
struct ReachAutomaton {
  automata::Dfa dfa;
  std::size_t words;
};
ReachAutomaton automaton_within_reach(const transformer::Model& model, std::size_t max_states,
                                      const std::function<void(std::size_t words)>& visited = {});

}  // namespace bridge
