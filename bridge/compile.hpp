// Formula to Transformer: hand-set weights that accept a word exactly when the formula does.
//
// The construction is that of Li & Cotterell (arXiv 2605.00768), made to hold in the reference arithmetic for
// words of every length; docs/compile.md proves it step by step.
#pragma once

#include "logic/formula.hpp"
#include "transformer/model.hpp"

#include <cstdint>
#include <optional>

namespace bridge {

struct CompileOptions {
  transformer::FixedPoint arithmetic{4, 8};
  /// With a bound on the length at most the arithmetic's vanishing_count, P takes one layer instead of two.
  std::optional<std::uint64_t> max_length;
  /// Store each coordinate with its mirror, so that layer norm is the identity on clean values.
  transformer::NormPlacement norm = transformer::NormPlacement::none;
};

/// A Transformer that accepts a word over `alphabet` exactly when `f` holds at its end.
///
/// Throws std::invalid_argument, with the reason, when f uses S (no attention pattern with these masks
/// computes it: look for an equivalent formula with automata::express), a window wider than the arithmetic's
/// vanishing_count, or a letter outside `alphabet`; std::length_error when a fused Boolean table or the
/// network would pass its limit.
transformer::Model compile(logic::Formula f, const logic::Alphabet& alphabet,
                           const CompileOptions& options = {});

}  // namespace bridge
