// What the compiler makes of a formula before there are weights: layers of heads and hidden units that read
// and write values, as a machine without a bound on its registers would.
//
// `assemble` gives each value a residual coordinate for as long as it is needed and writes the weights down.
// docs/compile.md has the invariants and the proofs.
#pragma once

#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bridge {

/// constant + Σ weight · value.
struct Form {
  std::vector<std::pair<std::size_t, float>> terms;
  float constant = 0;

  /// 1 - this.
  Form negated() const {
    Form result{terms, 1 - constant};
    for (auto& term : result.terms) term.second = -term.second;
    return result;
  }
};

/// A number that the residual stream holds at each position, from the half layer that writes it on.
struct Value {
  std::string name;
  /// Whether it is 0 or 1 everywhere.  If not, it lies between `least` and `most`.
  bool clean = true;
  float least = 0;
  float most = 1;
};

struct Head {
  transformer::Mask mask;
  bool uniform;  // attends to every position it sees, instead of those where the argument holds
  Form argument;
  float scale;   // the value is scale · argument
  float offset;  // and what is written is the head's output plus this
  std::size_t target;
};

/// relu(input), and what it adds to which values.
struct Unit {
  Form input;
  std::vector<std::pair<std::size_t, float>> outputs;
};

/// target = [raw > 0] for the raw output of a head of the same layer.
struct Cleaning {
  std::size_t raw;
  std::size_t target;
};

/// One layer: heads, then the feed-forward block, which reads what was there before it.
struct Block {
  std::vector<Head> heads;
  std::vector<Cleaning> cleanings;
  std::vector<Unit> units;
  std::vector<std::pair<std::size_t, float>> constants;  // what the block adds to values

  bool empty() const { return heads.empty() && cleanings.empty() && units.empty() && constants.empty(); }
};

struct Program {
  std::vector<Value> values;
  std::vector<std::size_t> letters;                                   // the value of each letter
  std::vector<std::pair<std::size_t, std::vector<float>>> positions;  // values by n mod their common size
  std::vector<Block> blocks;
  Form answer;
};

/// How layer norm is made harmless.
enum class Mirrors {
  none,      // there is no norm
  identity,  // so many mirrored pairs that the norm changes nothing: it rounds back to what was there
  relaxed,   // fewer pairs: zeros stay at most 0 and ones at least 1, and the layer restores all of them
};

struct AssembleOptions {
  int fraction_bits = 0;  // of the reference arithmetic, where there are mirrors
  transformer::NormPlacement norm = transformer::NormPlacement::none;
  Mirrors mirrors = Mirrors::none;
  float slope = 2;         // raw outputs of heads that are not 0 are at least 1/slope
  float suppress = 32;     // scores of -suppress have no weight
  bool exact_sums = true;  // whether a coordinate may be cleared of any number and written to in one sum
  bool reuse = true;       // whether coordinates are used again
  std::size_t max_parameters = 0;
};

/// The weights, masks and names of coordinates; alphabet, arithmetic, length and source are left to the
/// caller.
///
/// What does not lead to the answer is left out.  Throws std::length_error past max_parameters.
transformer::Model assemble(Program program, const AssembleOptions& options);

/// The fewest mirrored pairs with which layer norm with gain and bias 1/2 and this epsilon is the identity on
/// the grid when these of the values are not clean.
std::size_t pairs_for_identity(const std::vector<Value>& values, const std::vector<std::size_t>& unclean,
                               int fraction_bits, float epsilon);

}  // namespace bridge
