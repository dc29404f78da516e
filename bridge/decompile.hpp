// Transformer to automaton: the exact language of a model in its declared arithmetic, for words of every
// length.
//
// Each number in the network is, at each position, the output of a finite machine that reads the word: so is
// a head, because a numerator that has rounded to zero, or a denominator so large that every weight has, says
// nothing more.  The machines are built layer by layer, each as small as it can be; docs/verify.md has the
// proof and the cost.
#pragma once

#include "automata/dfa.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace bridge {

struct DecompileOptions {
  /// How many states may be explored, in all machines together.
  std::size_t max_states = 1'000'000;
  /// Called at each step and now and then within one: what is being explored, and the states so far.
  std::function<void(const std::string& step, std::size_t states)> progress;
};

/// Thrown past `max_states`: what was being explored, and the states so far.
class StateLimit : public std::length_error {
 public:
  StateLimit(const std::string& message, std::size_t explored_states)
      : std::length_error(message), explored_states_(explored_states) {}
  /// As in Decompiled.
  std::size_t explored_states() const { return explored_states_; }

 private:
  std::size_t explored_states_;
};

struct Decompiled {
  automata::Dfa dfa;            // minimal
  std::size_t explored_states;  // in all machines together
  /// With learned positions, the longest word that has one for its end marker; `dfa` rejects longer ones.
  std::optional<std::uint64_t> longest_word;
};

/// The automaton that accepts the words that `model` accepts in its arithmetic, whatever its max_length says.
///
/// It is compared with the exact engine on a sample of words before it is returned.  Where numbers are
/// floating or every partial sum is rounded, the states are the words within the model's reach.
///
/// Throws std::invalid_argument unless `model` is valid and has either local heads alone or the reference
/// arithmetic, StateLimit past `max_states`.
Decompiled decompile(const transformer::Model& model, const DecompileOptions& options = {});

}  // namespace bridge
