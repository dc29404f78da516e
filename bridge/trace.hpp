// What a model does with one word, number by number, next to what its coordinates stand for.
//
// The names of coordinates that bridge::compile gives are read back as formulas, and their truth comes from
// the definition (logic/semantics.hpp), not from the network.
#pragma once

#include "transformer/model.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bridge {

/// A residual coordinate after some half layer; entry n-1 is position n, the last one the end marker.
struct TracedCoordinate {
  std::size_t index;
  std::string name;  // empty where the model gives none
  std::vector<double> values;
  /// What the name says that the value should be, where it says so.
  std::optional<std::vector<bool>> truth;
  /// Where the value does not say that: it is not 0 or 1 accordingly, or, of a raw output, not positive
  /// accordingly; after attention, where norms may stretch, not on that side of 1/2.
  std::vector<std::size_t> wrong;  // positions, from 1
};

struct TracedHead {
  transformer::Mask mask;
  /// Row n-1: the weights that position n gives to the positions 1, ..., n-1, 0 where the mask hides them.
  std::vector<std::vector<double>> weights;
};

enum class Half { input, attention, feed_forward };

struct TraceStage {
  std::size_t layer;  // 0 for the input
  Half half;
  std::vector<TracedHead> heads;  // of an attention
  std::vector<TracedCoordinate> coordinates;
};

struct Trace {
  std::vector<TraceStage> stages;  // the input, then attention and feed-forward of each layer
  double logit = 0;
  bool accepted = false;
  std::optional<bool> holds;      // whether the model's source formula does, where it has one
  std::size_t disagreements = 0;  // all `wrong` entries, and 1 where `accepted` is not `holds`
};

struct TraceLimits {
  std::size_t max_numbers = 20'000'000;  // values and weights, all together
};

/// Runs the model on `word` in its declared arithmetic and keeps everything.
///
/// A source that does not parse is none.  Throws std::invalid_argument when the model is not valid or its
/// arithmetic has no engine that shows its parts, or the word has a letter out of range; std::length_error
/// past the limits or the table of learned positions.  O(layers · (heads · N^2 + parameters per layer · N))
/// time.
Trace trace(const transformer::Model& model, std::span<const transformer::Letter> word,
            const TraceLimits& limits = {});

}  // namespace bridge
