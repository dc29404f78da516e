// The same Model as a LibTorch module.
#pragma once

#include "transformer/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

namespace transformer {

/// Computes what model.hpp says, in floating point; local heads in O(length · k) time and memory.
class TorchModelImpl : public torch::nn::Module {
 public:
  /// The weights of `model` as parameters of type `dtype` (fp32, fp64 or bf16).
  /// Throws std::invalid_argument unless `model` is valid and `dtype` one of these.
  explicit TorchModelImpl(const Model& model, torch::ScalarType dtype = torch::kFloat32);

  /// The logits (batch) of a batch of words of equal length, given as letters (batch, length), int64.
  /// The end marker is appended here.
  torch::Tensor forward(const torch::Tensor& words);

  /// The Model with the present weights (rounded to fp32).
  Model to_model() const;

 private:
  // (filled in by the implementation)
};
TORCH_MODULE(TorchModel);

/// Whether the model accepts each of `words`, in batches of equal length, without gradients.
std::vector<bool> accepts(TorchModel& model, std::span<const std::vector<Letter>> words);

}  // namespace transformer
