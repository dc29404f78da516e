#include "transformer/quantise.hpp"

#include "transformer/safetensors.hpp"

#include <algorithm>
#include <cmath>

namespace transformer {

namespace {

double rounded(double x, const Arithmetic& arithmetic) {
  if (arithmetic.is_fixed_point()) {
    const FixedPoint format = arithmetic.fixed_point();
    return format.to_double(round_to(x, format));
  }
  const FloatFormat format = arithmetic.floating_point();
  return std::clamp(format.round(x), -format.largest(), format.largest());
}

double largest_number(const Arithmetic& arithmetic) {
  if (arithmetic.is_floating_point()) return arithmetic.floating_point().largest();
  return arithmetic.fixed_point().to_double(arithmetic.fixed_point().largest());
}

}  // namespace

Quantised quantise(const Model& model, const Arithmetic& arithmetic) {
  Model declared = model;
  declared.arithmetic = arithmetic;
  std::vector<NamedTensor> tensors = named_tensors(declared);
  const double most = largest_number(arithmetic);
  Quantised result;
  for (NamedTensor& tensor : tensors) {
    TensorChange& change = result.tensors.emplace_back();
    change.name = tensor.name;
    change.entries = tensor.entries.size();
    double sum = 0;
    for (float& entry : tensor.entries) {
      const auto before = static_cast<double>(entry);
      const double after = rounded(before, arithmetic);
      entry = static_cast<float>(after);
      if (after == before) continue;
      ++change.changed;
      if (std::abs(before) > most) ++change.clamped;
      if (after == 0) ++change.flushed;
      const double distance = std::abs(after - before);
      change.largest = std::max(change.largest, distance);
      sum += distance;
    }
    if (change.entries != 0) change.mean = sum / static_cast<double>(change.entries);
  }
  result.model = model_of(metadata_json(declared), tensors);
  return result;
}

TensorChange total(const std::vector<TensorChange>& tensors) {
  TensorChange all;
  all.name = "total";
  double sum = 0;
  for (const TensorChange& change : tensors) {
    all.entries += change.entries;
    all.changed += change.changed;
    all.clamped += change.clamped;
    all.flushed += change.flushed;
    all.largest = std::max(all.largest, change.largest);
    sum += change.mean * static_cast<double>(change.entries);
  }
  if (all.entries != 0) all.mean = sum / static_cast<double>(all.entries);
  return all;
}

}  // namespace transformer
