#include "transformer/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace transformer {

namespace {

constexpr std::array rules{AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                           AttentionRule::clamped_denominator, AttentionRule::partial_sums};
constexpr std::array orders{SumOrder::exact, SumOrder::left_to_right, SumOrder::pairwise};

const std::array<std::pair<std::string_view, FloatFormat>, 5>& named_formats() {
  static const std::array<std::pair<std::string_view, FloatFormat>, 5> formats{{
      {"fp32", FloatFormat::fp32()},
      {"fp16", FloatFormat::fp16()},
      {"bf16", FloatFormat::bf16()},
      {"e5m2", FloatFormat::e5m2()},
      {"e4m3", FloatFormat::e4m3()},
  }};
  return formats;
}

constexpr std::string_view known_formats = "fixed(p,b), fp32, fp16, bf16, e5m2, e4m3 or float(e,m)";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// `text` cut at each `separator` that stands in no parentheses, without spaces around the pieces.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      pieces.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return pieces;
}

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw std::invalid_argument("arithmetic '" + std::string(text) + "': " + what);
}

/// What stands between the parentheses of `name(...)`, if `text` is that.
std::optional<std::vector<std::string_view>> arguments(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  text = trimmed(text.substr(name.size()));
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  return split(text.substr(1, text.size() - 2), ',');
}

int number(std::string_view text, std::string_view whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    refuse(whole, "'" + std::string(text) + "' is no number of bits");
  return value;
}

std::variant<FixedPoint, FloatFormat> format_of(std::string_view text, std::string_view whole) {
  for (const auto& [known, format] : named_formats())
    if (text == known) return format;
  try {
    if (const auto parts = arguments(text, "fixed")) {
      if (parts->size() != 2) refuse(whole, "fixed(p,b) has two numbers: fraction bits and integer bits");
      return FixedPoint(number((*parts)[0], whole), number((*parts)[1], whole));
    }
    if (const auto parts = arguments(text, "float")) {
      if (parts->size() < 2) refuse(whole, "float(e,m) has two numbers: exponent bits and mantissa bits");
      bool subnormals = true;
      bool infinities = true;
      for (std::size_t i = 2; i < parts->size(); ++i) {
        const std::string_view part = (*parts)[i];
        if (part == "no-subnormals" && subnormals) {
          subnormals = false;
        } else if (part == "no-infinities" && infinities) {
          infinities = false;
        } else {
          refuse(whole, "'" + std::string(part) + "' is neither no-subnormals nor no-infinities, once each");
        }
      }
      return FloatFormat(number((*parts)[0], whole), number((*parts)[1], whole), subnormals, infinities);
    }
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    if (what.starts_with("arithmetic '")) throw;
    refuse(whole, what);
  }
  refuse(whole, "'" + std::string(text) + "' is no number format: " + std::string(known_formats));
}

std::string format_text(const std::variant<FixedPoint, FloatFormat>& format) {
  if (const auto* fixed = std::get_if<FixedPoint>(&format))
    return "fixed(" + std::to_string(fixed->fraction_bits()) + "," + std::to_string(fixed->integer_bits()) +
           ")";
  const auto& floating = std::get<FloatFormat>(format);
  for (const auto& [known, named] : named_formats())
    if (floating == named) return std::string(known);
  return "float(" + std::to_string(floating.exponent_bits()) + "," +
         std::to_string(floating.mantissa_bits()) + (floating.has_subnormals() ? "" : ",no-subnormals") +
         (floating.has_infinities() ? "" : ",no-infinities") + ")";
}

/// The denominator of c numerators 1, in floating point; infinite where it overflows.
double denominator_of_ones(std::uint64_t c, FloatFormat format, AttentionRule rule, SumOrder order) {
  const auto exact = static_cast<double>(c);  // c <= 2^53
  switch (rule) {
    case AttentionRule::rounded_weights:
    case AttentionRule::rounded_quotient:
      return std::isinf(format.round(exact)) ? format.round(exact) : exact;
    case AttentionRule::clamped_denominator: return std::min(exact, format.largest());
    case AttentionRule::partial_sums: break;
  }
  if (order == SumOrder::left_to_right)  // adding 1 changes nothing from 2^(m+1) on
    return format.round(std::min(exact, std::ldexp(2.0, format.mantissa_bits())));
  // Halves of halves: each level has at most two sizes, `less` and `less` + 1, so they are summed together.
  int levels = 0;
  while (c >> levels > 1) ++levels;
  double less = format.round(static_cast<double>(c >> levels));
  double more = format.round(static_cast<double>((c >> levels) + 1));
  for (int level = levels; level-- > 0;) {
    const std::uint64_t size = c >> level;  // its halves have size / 2 and size - size / 2
    const bool odd = size % 2 != 0;
    const double even_sum = format.round(less + less);
    const double odd_sum = format.round(less + more);
    const double next_sum = format.round(more + more);
    less = odd ? odd_sum : even_sum;
    more = odd ? next_sum : odd_sum;
  }
  return less;
}

}  // namespace

Arithmetic::Arithmetic(FixedPoint format, AttentionRule rule)
    : format_(format),
      rule_(rule),
      order_(rule == AttentionRule::partial_sums ? SumOrder::left_to_right : SumOrder::exact) {}

Arithmetic::Arithmetic(FloatFormat format, AttentionRule rule, SumOrder order)
    : format_(format), rule_(rule), order_(order) {
  if (rule == AttentionRule::partial_sums && order == SumOrder::exact)
    throw std::invalid_argument(
        "Arithmetic: partial sums in exact order are not rounded; that is rounded-weights");
}

bool Arithmetic::is_reference() const {
  return is_fixed_point() && rule_ == AttentionRule::rounded_weights;
}

FixedPoint Arithmetic::fixed_point() const {
  if (const auto* format = std::get_if<FixedPoint>(&format_)) return *format;
  throw std::invalid_argument("Arithmetic::fixed_point: " + to_string(*this) + " is floating point");
}

FloatFormat Arithmetic::floating_point() const {
  if (const auto* format = std::get_if<FloatFormat>(&format_)) return *format;
  throw std::invalid_argument("Arithmetic::floating_point: " + to_string(*this) + " is fixed point");
}

FixedPoint Arithmetic::reference(std::string_view who) const {
  if (is_reference()) return fixed_point();
  throw std::invalid_argument(std::string(who) + ": needs fixed point with rounded weights, not " +
                              to_string(*this));
}

std::string_view name(AttentionRule rule) {
  switch (rule) {
    case AttentionRule::rounded_weights: return "rounded-weights";
    case AttentionRule::rounded_quotient: return "rounded-quotient";
    case AttentionRule::clamped_denominator: return "clamped-denominator";
    case AttentionRule::partial_sums: return "partial-sums";
  }
  return "";
}

std::string_view name(SumOrder order) {
  switch (order) {
    case SumOrder::exact: return "exact";
    case SumOrder::left_to_right: return "left-to-right";
    case SumOrder::pairwise: return "pairwise";
  }
  return "";
}

std::string to_string(const Arithmetic& arithmetic) {
  std::string text = format_text(arithmetic.is_fixed_point()
                                     ? std::variant<FixedPoint, FloatFormat>(arithmetic.fixed_point())
                                     : arithmetic.floating_point());
  if (arithmetic.rule() != AttentionRule::rounded_weights) text += "/" + std::string(name(arithmetic.rule()));
  if (arithmetic.is_floating_point() && arithmetic.order() != SumOrder::left_to_right)
    text += "/" + std::string(name(arithmetic.order()));
  return text;
}

Arithmetic arithmetic_of(std::string_view text) {
  const auto parts = split(text, '/');
  const auto format = format_of(parts.front(), text);
  std::optional<AttentionRule> rule;
  std::optional<SumOrder> order;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    const auto* const named_rule =
        std::find_if(rules.begin(), rules.end(), [&](AttentionRule r) { return part == name(r); });
    const auto* const named_order =
        std::find_if(orders.begin(), orders.end(), [&](SumOrder o) { return part == name(o); });
    if (named_rule != rules.end()) {
      if (rule) refuse(text, "two rules for attention");
      rule = *named_rule;
    } else if (named_order != orders.end()) {
      if (order) refuse(text, "two orders of sums");
      order = *named_order;
    } else {
      refuse(text, "'" + std::string(part) +
                       "' is neither a rule (rounded-weights, rounded-quotient, clamped-denominator, "
                       "partial-sums) nor an order (exact, left-to-right, pairwise)");
    }
  }
  const auto the_rule = rule.value_or(AttentionRule::rounded_weights);
  if (const auto* fixed = std::get_if<FixedPoint>(&format)) {
    if (order) refuse(text, "fixed point adds exactly; only floating point has an order of sums");
    return Arithmetic(*fixed, the_rule);
  }
  try {
    return Arithmetic(std::get<FloatFormat>(format), the_rule, order.value_or(SumOrder::left_to_right));
  } catch (const std::invalid_argument& error) {
    refuse(text, error.what());
  }
}

std::vector<Arithmetic> arithmetics_of(std::string_view text) {
  std::vector<Arithmetic> list;
  for (const auto part : split(text, ',')) list.push_back(arithmetic_of(part));
  return list;
}

std::optional<std::uint64_t> vanishing_count(const Arithmetic& arithmetic) {
  if (arithmetic.rule() == AttentionRule::rounded_quotient) return std::nullopt;
  if (arithmetic.is_fixed_point()) {
    // 1/Z rounds to 0 iff Z >= 2^(p+1), and without the exact Z it is at most the largest number, 2^b - 2^-p.
    const FixedPoint format = arithmetic.fixed_point();
    if (arithmetic.rule() != AttentionRule::rounded_weights &&
        format.integer_bits() <= format.fraction_bits() + 1)
      return std::nullopt;
    return vanishing_count(format);
  }
  const FloatFormat format = arithmetic.floating_point();
  const auto has_weight = [&](std::uint64_t c) {  // monotone: every rounding is
    return format.round(1 / denominator_of_ones(c, format, arithmetic.rule(), arithmetic.order())) > 0;
  };
  std::uint64_t low = 1;
  std::uint64_t high = std::uint64_t{1} << 53;
  if (has_weight(high)) return std::nullopt;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (has_weight(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace transformer
