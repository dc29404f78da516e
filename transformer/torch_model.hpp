// The same Model as a LibTorch module.
#pragma once

#include "transformer/mask.hpp"
#include "transformer/model.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace transformer {

/// Computes what model.hpp says, in floating point.
///
/// A local head costs O(length · k) time and memory, a global one O(length^2) time at most and O(length)
/// memory (torch_attention.hpp).  Only positions that the end marker depends on are computed: the last layer
/// has one query, and a model of local heads alone reads no more than the end of a long word.
///
/// The parameters have the names of the tensors in a file (see named_tensors).
class TorchModelImpl : public torch::nn::Module {
 public:
  /// The weights of `model` as parameters of type `dtype` (fp32, fp64 or bf16).
  /// Throws std::invalid_argument unless `model` is valid and `dtype` one of these.
  explicit TorchModelImpl(const Model& model, torch::ScalarType dtype = torch::kFloat32);

  /// The logits (batch) of a batch of words of equal length, given as letters (batch, length), int64.
  /// The end marker is appended here.
  ///
  /// Throws std::invalid_argument when `words` has another shape or type or a letter out of range,
  /// std::length_error past the table of learned positions.
  torch::Tensor forward(const torch::Tensor& words);

  /// The same for words of the given lengths (batch), int64; what stands behind them in `words` must be
  /// letters, and changes nothing.  Where `lengths` is undefined, every word fills its row.
  ///
  /// Throws std::length_error when a global head needs more than `max_scores` scores for one word.
  torch::Tensor forward(const torch::Tensor& words, const torch::Tensor& lengths,
                        double max_scores = std::numeric_limits<double>::infinity());

  /// The logits of every prefix: entry (b, n) of (batch, length + 1) is that of the first n letters of word
  /// b, at the cost of about two words.  Throws as forward() does.
  torch::Tensor prefixes(const torch::Tensor& words,
                         double max_scores = std::numeric_limits<double>::infinity());

  /// The Model with the present weights, rounded to fp32.  Throws std::invalid_argument when one is not
  /// finite.
  Model to_model() const;

  /// How many letters there are; the end marker is not counted.
  std::int64_t letters() const { return letters_; }

  /// How many numbers forward() holds at once for one word of `length` letters, roughly, in a batch whose
  /// longest word has `more` letters more; and prefixes().
  std::int64_t numbers_per_word(std::int64_t length, std::int64_t more = 0) const;
  std::int64_t numbers_for_prefixes(std::int64_t length) const;

 private:
  struct Norm {
    torch::Tensor gain, bias;
    double epsilon;
  };
  struct Group {  // heads of equal mask
    Mask mask;
    std::int64_t heads;
    torch::Tensor rows;  // their rows in query, key and value; undefined when they are all rows
  };
  struct Block {
    std::int64_t head_width;
    std::vector<Group> groups;
    torch::Tensor
        columns;  // the columns of `output` in the order of the groups; undefined when that is theirs
    torch::Tensor query, query_bias, key, key_bias, value, value_bias, output, output_bias;
    torch::Tensor expand, expand_bias, contract, contract_bias;
    std::optional<Norm> attention_norm, feed_forward_norm;
  };

  std::vector<std::int64_t> positions_needed(std::int64_t length) const;
  std::int64_t numbers_of(const std::vector<std::int64_t>& positions) const;
  void check_words(const torch::Tensor& words) const;
  torch::Tensor embed(const torch::Tensor& tokens, std::int64_t first) const;
  static torch::Tensor attention(const Block& block, const torch::Tensor& y, const torch::Tensor& context,
                                 const torch::Tensor& ends, double max_scores);
  torch::Tensor normed(const torch::Tensor& x, const std::optional<Norm>& norm, NormPlacement where) const;
  torch::Tensor finish(const Block& block, const torch::Tensor& before, const torch::Tensor& heads) const;
  torch::Tensor read_out(const torch::Tensor& x) const;

  std::string metadata_;
  std::int64_t letters_;
  PositionKind position_kind_;
  NormPlacement norm_placement_;
  torch::Tensor embedding_, positions_, readout_, readout_bias_;
  std::vector<Block> blocks_;
  std::optional<Norm> final_norm_;
};
TORCH_MODULE(TorchModel);

/// How much one word may cost.
struct TorchLimits {
  double scores = 1e11;  // of one global head at all positions: minutes
  double bytes = 4e9;    // held at once
};

/// Whether the model accepts each of `words`, without gradients, in batches of nearly equal length.
///
/// Throws as forward() does, std::length_error past `limits`, and std::overflow_error when a logit is not a
/// number.
std::vector<bool> accepts(TorchModel& model, std::span<const std::vector<Letter>> words,
                          const TorchLimits& limits = {});

/// For each of `words` whether the model accepts its prefixes of 0, 1, ... letters.  Throws as accepts()
/// does.
std::vector<std::vector<bool>> accepts_prefixes(TorchModel& model, std::span<const std::vector<Letter>> words,
                                                const TorchLimits& limits = {});

}  // namespace transformer
