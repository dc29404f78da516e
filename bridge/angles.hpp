// MOD predicates from the cosine and sine of 2πn/m: which residues does a threshold tell apart on the grid?
//
// Rounded, the m points no longer lie on a circle, and with too few fraction bits a point falls within the
// triangle or polygon of others.  Nothing is estimated here: the products are exact, and a separation is
// returned only when it holds for all residues.  docs/compile.md has the bound from which on it always does.
#pragma once

#include "transformer/fixed_point.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace bridge {

/// scale · relu(cosine · c + sine · s + bias) is 1 at one residue and 0 at all others.
struct AngleUnit {
  float cosine;
  float sine;
  float bias;
  float scale;
};

/// The points (cos 2πn/m, sin 2πn/m), or ((1 + cos)/2, (1 + sin)/2) where halved, on the grid.
class AngleTable {
 public:
  AngleTable(std::uint32_t modulus, transformer::FixedPoint format, bool halved);

  /// The cosine or sine at residue n.
  float entry(std::uint32_t n, bool sine) const;

  /// The unit for residue r with the least scale, and among these the least weights, in the direction of the
  /// angle 2πr/m; none where no unit of this kind separates r.  O(m) for each of the weights in range.
  std::optional<AngleUnit> separate(std::uint32_t r) const;

 private:
  std::uint32_t modulus_;
  transformer::FixedPoint format_;
  std::vector<std::int64_t> cosine_;  // raw
  std::vector<std::int64_t> sine_;
};

/// A modulus M such that every residue of every modulus up to M is separated, by the bound of docs/compile.md
/// (often larger ones are); 1 when there is none.
std::uint32_t proven_angle_modulus(transformer::FixedPoint format, bool halved);

}  // namespace bridge
