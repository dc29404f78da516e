// A model put on the numbers of an arithmetic, with a report of what changed.
#pragma once

#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace transformer {

/// What rounding did to the numbers of one tensor.
struct TensorChange {
  std::string name;         // as in the model file
  std::size_t entries = 0;  // numbers it holds
  std::size_t changed = 0;  // became another number
  std::size_t clamped = 0;  // were beyond the largest number
  std::size_t flushed = 0;  // became 0 and were not
  double largest = 0;       // the largest change
  double mean = 0;          // the mean change over all entries
};

struct Quantised {
  Model model;
  std::vector<TensorChange> tensors;  // in the order of the file
};

/// `model` declared to run in `arithmetic`, with every weight the nearest number of it.
///
/// An engine rounds the weights it is given in the same way, so `model` with only its arithmetic declared
/// anew computes the same: here the rounding is done once and reported.  (A fixed point of more than 24
/// digits has largest numbers that no 32-bit float holds; a clamped weight is then the next power of two,
/// which every engine clamps.)  The epsilon of layer norms stays.  Throws std::invalid_argument unless
/// `model` is valid.
Quantised quantise(const Model& model, const Arithmetic& arithmetic);

/// The sum over tensors: counts added, the largest of the largest changes, the mean over all entries.
TensorChange total(const std::vector<TensorChange>& tensors);

}  // namespace transformer
