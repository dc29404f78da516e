// The equation of Beauquier and Pin for locally threshold testable languages.
#pragma once

#include "automata/semigroup.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace automata {

/// exfyezf and ezfyexf differ, for idempotents e and f.
struct BrokenThreshold {
  Semigroup::Element e, f, x, y, z;
};

struct ThresholdAnswer {
  std::optional<BrokenThreshold> broken;
  std::size_t idempotents;  // of different J-classes; these suffice
};

/// Whether exfyezf = ezfyexf for all idempotents e, f and all x, y, z of an aperiodic semigroup.
///
/// Commutation of the elements of eSe, and the equation, are tried on generators (docs/classes.md).
/// Throws std::length_error after `max_steps` products.
ThresholdAnswer threshold_equation(const Semigroup& semigroup, std::uint64_t max_steps);

}  // namespace automata
