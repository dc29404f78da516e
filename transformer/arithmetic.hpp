// The arithmetic that a model is meant to be run in: a number format, and how attention is computed in it.
//
// Which languages a Transformer computes depends on both.  docs/arithmetic.md says what is rounded where, and
// docs/arithmetic-effects.md what follows.
#pragma once

#include "transformer/fixed_point.hpp"
#include "transformer/float_format.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace transformer {

/// What becomes of the numerators e_m = rnd(exp(s_m - max s)) and the values v_m of a head.
enum class AttentionRule {
  rounded_weights,   ///< rnd(sum of rnd(e_m / Z) v_m), Z = sum of e_m exact, or infinite where it overflows
  rounded_quotient,  ///< rnd(sum of e_m v_m / sum of e_m)
  clamped_denominator,  ///< as rounded_weights, but with Z at most the largest number
  partial_sums,         ///< as rounded_weights, but every partial sum, those of Z too, is rounded
};

/// How floating point adds up.
enum class SumOrder {
  exact,          ///< the exact sum, rounded once
  left_to_right,  ///< ((t_1 + t_2) + t_3) + ..., each addition of an exact product rounded
  pairwise,       ///< the two halves, each summed in this way, added; terms are rounded first
};

/// A value: fixed point or floating point, with a rule for attention and an order of sums.
///
/// Fixed point adds exactly but for the rule partial_sums, which goes from left to right.  In floating point
/// the order is that of all sums, except for Z, which the rule decides.
class Arithmetic {
 public:
  /// The reference arithmetic, unless there is another rule.
  Arithmetic(FixedPoint format = FixedPoint(), AttentionRule rule = AttentionRule::rounded_weights);
  /// Throws std::invalid_argument for partial sums in exact order, which are those of rounded_weights.
  Arithmetic(FloatFormat format, AttentionRule rule = AttentionRule::rounded_weights,
             SumOrder order = SumOrder::left_to_right);

  bool is_fixed_point() const { return std::holds_alternative<FixedPoint>(format_); }
  bool is_floating_point() const { return std::holds_alternative<FloatFormat>(format_); }
  /// Whether it is fixed point with the rule rounded_weights, for which the theorems of docs/compile.md hold.
  bool is_reference() const;

  AttentionRule rule() const { return rule_; }
  SumOrder order() const { return order_; }

  /// The format, whatever the rule.  Throws std::invalid_argument when it is floating point.
  FixedPoint fixed_point() const;
  /// Throws std::invalid_argument when it is fixed point.
  FloatFormat floating_point() const;
  /// The format of the reference arithmetic.  Throws std::invalid_argument when this is another; `who` needs
  /// it.
  FixedPoint reference(std::string_view who) const;

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;

 private:
  std::variant<FixedPoint, FloatFormat> format_;
  AttentionRule rule_;
  SumOrder order_;
};

/// `rounded-weights`, `rounded-quotient`, `clamped-denominator`, `partial-sums`.
std::string_view name(AttentionRule rule);
/// `exact`, `left-to-right`, `pairwise`.
std::string_view name(SumOrder order);

/// `fixed(4,8)`, `bf16`, `fp16/exact`, `float(4,3,no-subnormals)/rounded-quotient/pairwise`, ...: the format,
/// then the rule unless it is rounded-weights, then the order unless it is left-to-right.
///
/// fixed(p,b) has p fraction and b integer bits, float(e,m) e exponent and m mantissa bits.  Names of formats
/// are fp32, fp16, bf16, e5m2 and e4m3.
std::string to_string(const Arithmetic& arithmetic);

/// The inverse, with the parts after the format in any order.  Throws std::invalid_argument saying what is
/// wrong.
Arithmetic arithmetic_of(std::string_view text);

/// A list of them, with commas between.  Throws as arithmetic_of does.
std::vector<Arithmetic> arithmetics_of(std::string_view text);

/// The largest number c such that c positions of equal score, and no others, each get a weight that is not 0;
/// none when there is no such bound below 2^53, or when the rule rounds no weights.
std::optional<std::uint64_t> vanishing_count(const Arithmetic& arithmetic);

}  // namespace transformer
