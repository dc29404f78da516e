#include "bridge/uniform.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace bridge {

using transformer::Arithmetic;
using transformer::AttentionRule;
using transformer::FixedPoint;
using transformer::FloatFormat;
using transformer::SumOrder;

namespace {

constexpr std::uint64_t most_positions = std::uint64_t{1} << 53;

UniformAttention in_fixed_point(const Arithmetic& arithmetic) {
  const FixedPoint format = arithmetic.fixed_point();
  if (format.integer_bits() < 6) {
    throw std::invalid_argument("compile: scores of -32 need an integer range of at least 2^6, not 2^" +
                                std::to_string(format.integer_bits()));
  }
  UniformAttention result;
  result.integers = (std::size_t{1} << format.integer_bits()) - 1;
  if (arithmetic.rule() == AttentionRule::rounded_quotient) return result;
  result.slope = format.fraction_bits() == 0 ? 1.0f : 2.0f;
  result.lasting = vanishing_count(arithmetic);
  return result;
}

UniformAttention in_floating_point(const Arithmetic& arithmetic) {
  const FloatFormat format = arithmetic.floating_point();
  const int m = format.mantissa_bits();
  const double most = format.largest();
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument("compile: no network in " + to_string(arithmetic) + ": " + reason);
  };
  if (m < 2)
    refuse("with 1 mantissa bit, sums of ones are not exact from 5 on, too few for Boolean functions");
  UniformAttention result;
  result.exact_sums = arithmetic.order() == SumOrder::exact;
  const double stagnation = std::ldexp(2.0, m);  // adding 1 changes nothing from 2^(m+1) on
  result.integers = static_cast<std::size_t>(std::min(stagnation, most));
  while (exponential(-result.suppress, format) > 0) result.suppress *= 2;
  if (result.suppress > most) {
    refuse("scores of -" + std::to_string(static_cast<int>(result.suppress)) +
           " are needed, and its largest number is " + std::to_string(most));
  }

  // Added in pairs, up to 2^k terms are rounded k times on their way, each time up at most by this factor.
  const bool pairwise = arithmetic.order() == SumOrder::pairwise;
  const double up = pairwise ? 1 + std::ldexp(1.0, -(m + 1)) : 1;
  double drift = std::pow(up, 53);
  const auto count = [](double x) {
    return static_cast<std::uint64_t>(std::min(x, static_cast<double>(most_positions)));
  };
  // So many terms of 1, in words of no more letters, sum up to at most x.
  const auto terms_within = [&](double x) {
    double best = 0;
    for (int k = 0; k <= 53; ++k) {
      const double terms = std::min(std::ldexp(1.0, k), std::floor(x / std::pow(up, k)));
      if (terms <= best) continue;
      best = terms;
      drift = std::pow(up, k);
    }
    return count(best);
  };
  double denominator = 1;  // at most, for up to `lasting` positions
  switch (arithmetic.rule()) {
    case AttentionRule::rounded_weights:
      result.lasting = vanishing_count(arithmetic);
      result.sharp = result.lasting.has_value();
      if (!result.lasting) result.lasting = most_positions;
      denominator = static_cast<double>(*result.lasting);
      break;
    case AttentionRule::rounded_quotient:  // the same sum twice: 1, if it is finite
      if (format.has_infinities() && !result.exact_sums && (pairwise || stagnation > most)) {
        result.lasting = terms_within(most);
        result.sharp = false;
      }
      break;
    case AttentionRule::clamped_denominator:  // from some point on the weights stay, and their sum grows
      result.lasting = vanishing_count(arithmetic).value_or(count(4 * most));
      result.sharp = false;
      denominator = std::min(static_cast<double>(*result.lasting), most);
      break;
    case AttentionRule::partial_sums:
      denominator = pairwise ? std::min(most, 1 / format.least_positive()) : std::min(stagnation, most);
      if (pairwise || (format.has_infinities() && stagnation > most) || format.round(1 / denominator) == 0) {
        result.lasting = terms_within(std::min(denominator, 1 / format.least_positive()));
        denominator = static_cast<double>(*result.lasting) * drift;
        result.sharp = false;
      }
      break;
  }
  // r is at least one weight, and below 8 · drift.  Both factors are at most the largest number.
  const double weight = format.round(1 / denominator);
  const int bits = -static_cast<int>(std::floor(std::log2(weight)));
  const int room = static_cast<int>(std::floor(std::log2(most / (8 * drift))));
  const int value_bits = std::min(bits / 2, room);
  if (room < 0 || std::ldexp(1.0, bits - value_bits) > most)
    refuse("weights go down to 2^-" + std::to_string(bits) + ", too small for its largest number, " +
           std::to_string(most));
  result.scale = std::ldexp(1.0f, value_bits);
  result.slope = std::ldexp(1.0f, bits - value_bits);
  return result;
}

}  // namespace

UniformAttention uniform_attention(const Arithmetic& arithmetic) {
  return arithmetic.is_fixed_point() ? in_fixed_point(arithmetic) : in_floating_point(arithmetic);
}

}  // namespace bridge
