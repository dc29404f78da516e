// Words that a logic cannot tell apart: for a language outside of a logic of the ladder, pairs of words, one
// in the language and one not, for every depth (docs/ladder.md).
#pragma once

#include "automata/ladder.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace automata {

struct InseparablePair {
  Word in;
  Word out;
  /// Whether the types of depth r at the two ends were computed, and are equal; none where that would have
  /// taken too many steps.  The theorem of docs/ladder.md says that they are equal.
  std::optional<bool> checked;
};

/// Two words, one in the language, that no formula of witness.logic with depth at most `depth` separates,
/// where the moduli of MOD divide `modulus` (not used without MOD).
///
/// `witness` must replay on `dfa`, depth and modulus must not be 0 (std::invalid_argument).  Throws
/// std::length_error when a word would have more than `max_letters`.
InseparablePair inseparable_pair(const Dfa& dfa, const Witness& witness, std::uint32_t depth,
                                 std::uint32_t modulus = 1, std::size_t max_letters = 1'000'000);

/// Whether no formula of `logic` with depth at most `depth`, and moduli dividing `modulus`, separates the two
/// words: whether their ends have the same type.  None when that takes more than about `max_steps` steps.
std::optional<bool> inseparable(std::span<const Letter> x, std::span<const Letter> y, Logic logic,
                                std::uint32_t depth, std::uint32_t modulus = 1,
                                std::size_t max_steps = 20'000'000);

}  // namespace automata
