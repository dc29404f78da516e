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

/// How the network knows n mod m.
enum class PositionTable {
  table,   // a coordinate for each MOD predicate, 0 or 1
  angles,  // two for each modulus: the cosine and the sine of 2πn/m, on the grid
};

enum class Minimize {
  depth,  // as few layers as the construction has; Boolean functions go into layers that are there anyway
  width,  // the narrowest of several arrangements, with heads one after the other where that saves
          // coordinates
};

struct CompileOptions {
  /// What the network is proven to be right in, for all words or up to the max_length that the model then
  /// has: see docs/compile.md.
  transformer::Arithmetic arithmetic = transformer::FixedPoint(4, 8);
  /// With a bound on the length, at most the `lasting` of uniform_attention (N_max in fixed point), P takes
  /// one layer instead of two, and windows may be wider than that.  A larger bound changes nothing.
  std::optional<std::uint64_t> max_length;
  /// With a norm each coordinate is stored with its mirror, and there are so many pairs, some of them idle,
  /// that the norm does no harm.  Of the two ways to do this under post-norm the narrower one is taken.
  transformer::NormPlacement norm = transformer::NormPlacement::none;
  PositionTable positions = PositionTable::table;
  Minimize minimize = Minimize::depth;
  /// Whether a coordinate that is not read any more is cleared and used again.
  bool reuse_coordinates = true;
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
/// - a window is wider than the `lasting` of uniform_attention and the length has no bound below that: its
///   weights would round to zero;
/// - a letter of f is outside `alphabet`;
/// - there is a norm, and the arithmetic is not the reference or has no fraction bit;
/// - there is a counting window, and the arithmetic is fixed point with another rule, or floating point with
///   too few mantissa bits for its width;
/// - MOD is by angles and the arithmetic is floating point;
/// - uniform_attention finds the arithmetic too coarse;
/// - the rounded angles do not tell a residue of a modulus of f from the others;
/// - the integer range is below 2^6, or too small for a counting window's comparisons.
/// Throws std::length_error when the network would pass `max_parameters`, or the moduli of f have a least
/// common multiple above 65,536.
transformer::Model compile(logic::Formula f, const logic::Alphabet& alphabet,
                           const CompileOptions& options = {});

}  // namespace bridge
