// Formula to Transformer: hand-set weights that accept a word exactly when the formula does.
//
// The construction is that of Li & Cotterell (arXiv 2605.00768), made to hold in the reference arithmetic for
// words of every length; docs/compile.md proves it step by step.
#pragma once

#include "logic/formula.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace bridge {

struct CompileOptions {
  transformer::FixedPoint arithmetic{4, 8};
  /// With a bound on the length, at most the arithmetic's vanishing_count, P takes one layer instead of two.
  std::optional<std::uint64_t> max_length;
  /// `post`: each coordinate is stored with its mirror, so that layer norm is the identity on clean values.
  transformer::NormPlacement norm = transformer::NormPlacement::none;
  /// Numbers in the weights.
  std::size_t max_parameters = 10'000'000;
};

/// A Transformer that accepts a word over `alphabet` exactly when `f` holds at its end.
///
/// The masks are those of the formula: global heads for P, H and O, k-local heads for windows of width k.
/// `first` takes a head of a kind that the formula has anyway (1-local when it has none).
///
/// Throws std::invalid_argument, with the reason, when
/// - f uses S: no such heads compute it; automata::express may find an equivalent formula without it;
/// - a window is wider than the arithmetic's vanishing_count: its weights would round to zero;
/// - a letter of f is outside `alphabet`;
/// - `norm` is pre, or is post with fewer than 2 or more than 12 fraction bits or with a counting window;
/// - the integer range is below 2^6, or too small for a counting window's comparisons.
/// Throws std::length_error when the network would pass `max_parameters`, or the moduli of f have a least
/// common multiple above 65,536.
transformer::Model compile(logic::Formula f, const logic::Alphabet& alphabet,
                           const CompileOptions& options = {});

}  // namespace bridge
