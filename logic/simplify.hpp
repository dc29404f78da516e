// Rewriting a formula into a shorter one with the same meaning.
#pragma once

#include "logic/formula.hpp"

namespace logic {

/// A formula that holds where `f` holds, at every position of every word (the end included), and whose size
/// is at most that of `f`.
///
/// One pass from the arguments upwards: constants, double negation, contradictions (two letters, residues
/// that exclude each other, `first` with something before), absorption, common factors, distribution of P, H,
/// O and Y over what they commute with, and the operators ->, ^, <-> and H where they are shorter.  It is no
/// decision procedure: a tautology need not become `true`.  Uses no operator that leaves the fragment of `f`;
/// H and P count as the same.  Nesting costs heap, not stack.
Formula simplify(Arena& arena, Formula f);

}  // namespace logic
