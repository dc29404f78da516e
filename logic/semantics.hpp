// The meaning of formulas, as the definition says it: the oracle that everything faster is tested against.
#pragma once

#include "logic/formula.hpp"

#include <span>
#include <vector>

namespace logic {

/// The truth of every subformula at every position: row i is subformulas(f)[i], column n-1 is position n.
///
/// Positions 1..N carry the letters; position N+1 is the end and carries none.  Computed by scanning, as in
/// the definition (Li & Cotterell, section 2; strict past): O(|f| N^2) time, O(|f| N) memory.
std::vector<std::vector<bool>> truth_table(Formula f, std::span<const Letter> word);

/// Whether `word` is accepted: f holds at position N+1.
bool holds(Formula f, std::span<const Letter> word);

}  // namespace logic
