// A layer is given the last `in` positions of the sequence and hands on the last `out` of them: one after the
// last layer, and further down as many more as the widest window of the layer reaches back (all, for a global
// head). So position n is computed only where the logit depends on it.
//
// Words of different length stand in one batch with end markers behind their ends: what stands behind an end
// is seen by nothing that the read-out of the word depends on.
//
// The end marker is never a key.  So the prefixes of a word share all but their end markers: with one stream
// of vectors for the letters and one for an end marker at each position, both look at the letters alone.
#include "transformer/torch_model.hpp"

#include "transformer/safetensors.hpp"
#include "transformer/torch_attention.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <torch/types.h>

namespace transformer {

namespace {

using torch::Tensor;

/// (batch, length, heads · d) to (batch, heads, length, d).
Tensor split_heads(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor rows_of(const Tensor& matrix, const Tensor& rows) {
  return rows.defined() ? matrix.index_select(0, rows.to(matrix.device())) : matrix;
}

/// Registers `tensor` under a dotted name, as parameter of submodules named by the parts.
void register_at(torch::nn::Module& root, const std::string& name, const Tensor& tensor) {
  torch::nn::Module* module = &root;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1) {
    const std::string part = name.substr(begin, dot - begin);
    const auto children = module->named_children();
    const auto* child = children.find(part);
    module = child != nullptr
                 ? child->get()
                 : module->register_module(part, std::make_shared<torch::nn::Module>(part)).get();
  }
  module->register_parameter(name.substr(begin), tensor);
}

std::int64_t signed_size(std::size_t n) {
  return static_cast<std::int64_t>(n);
}

}  // namespace

TorchModelImpl::TorchModelImpl(const Model& model, torch::ScalarType dtype)
    : torch::nn::Module("Model"),
      letters_(signed_size(model.letters())),
      position_kind_(model.position_kind),
      norm_placement_(model.norm_placement) {
  validate(model);
  if (dtype != torch::kFloat32 && dtype != torch::kFloat64 && dtype != torch::kBFloat16) {
    throw std::invalid_argument(std::string("TorchModel: numbers of type ") + c10::toString(dtype) +
                                ", not of fp32, fp64 or bf16");
  }
  metadata_ = metadata_json(model);
  for (const auto& [name, shape, entries] : named_tensors(model)) {
    auto tensor = torch::empty(std::vector<std::int64_t>(shape.begin(), shape.end()), torch::kFloat32);
    std::copy(entries.begin(), entries.end(), tensor.data_ptr<float>());
    register_at(*this, name, tensor.to(dtype));
  }

  const auto parameters = named_parameters();
  const auto parameter = [&](const std::string& name) { return parameters[name]; };
  const auto norm = [&](const std::optional<LayerNorm>& given,
                        const std::string& name) -> std::optional<Norm> {
    if (!given) return std::nullopt;
    return Norm{parameter(name + ".weight"), parameter(name + ".bias"), given->epsilon};
  };
  embedding_ = parameter("embedding");
  if (position_kind_ != PositionKind::none) positions_ = parameter("positions");
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const Layer& layer = model.layers[i];
    const std::string prefix = "layers." + std::to_string(i) + ".";
    Block block;
    block.head_width = signed_size(layer.head_width());
    if (block.head_width > 0) {
      block.query = parameter(prefix + "query.weight");
      block.query_bias = parameter(prefix + "query.bias");
      block.key = parameter(prefix + "key.weight");
      block.key_bias = parameter(prefix + "key.bias");
      block.value = parameter(prefix + "value.weight");
      block.value_bias = parameter(prefix + "value.bias");
      block.output = parameter(prefix + "output.weight");
    }
    block.output_bias = parameter(prefix + "output.bias");
    if (layer.hidden() > 0) {
      block.expand = parameter(prefix + "expand.weight");
      block.expand_bias = parameter(prefix + "expand.bias");
      block.contract = parameter(prefix + "contract.weight");
    }
    block.contract_bias = parameter(prefix + "contract.bias");
    block.attention_norm = norm(layer.attention_norm, prefix + "attention_norm");
    block.feed_forward_norm = norm(layer.feed_forward_norm, prefix + "feed_forward_norm");

    std::map<std::uint32_t, std::vector<std::int64_t>> heads_of;  // by window, the global ones (0) first
    for (std::size_t h = 0; h < layer.heads(); ++h) {
      heads_of[layer.masks[h].window()].push_back(signed_size(h));
    }
    std::vector<std::int64_t> columns;
    for (const auto& [window, heads] : heads_of) {
      std::vector<std::int64_t> rows;
      for (const auto h : heads) {
        for (std::int64_t c = 0; c < block.head_width; ++c) rows.push_back(h * block.head_width + c);
      }
      columns.insert(columns.end(), rows.begin(), rows.end());
      const Mask mask = window == 0 ? Mask::global() : Mask::local(window);
      block.groups.push_back(
          {mask, signed_size(heads.size()), heads_of.size() == 1 ? Tensor() : torch::tensor(rows)});
    }
    if (!std::is_sorted(columns.begin(), columns.end())) block.columns = torch::tensor(columns);
    blocks_.push_back(std::move(block));
  }
  final_norm_ = norm(model.final_norm, "final_norm");
  readout_ = parameter("readout.weight");
  readout_bias_ = parameter("readout.bias");
}

/// How many trailing positions of a sequence each layer reads, and one more for the read-out: entry i is what
/// layer i is given.
std::vector<std::int64_t> TorchModelImpl::positions_needed(std::int64_t length) const {
  std::vector<std::int64_t> needed(blocks_.size() + 1, 1);
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    std::int64_t reach = 0;
    for (const auto& group : blocks_[i].groups) {
      reach = std::max(reach, group.mask.is_global() ? length : std::int64_t{group.mask.window()});
    }
    needed[i] = std::min(length, needed[i + 1] + reach);
  }
  return needed;
}

/// How many numbers a word takes that has so many positions before each layer.
std::int64_t TorchModelImpl::numbers_of(const std::vector<std::int64_t>& positions) const {
  std::int64_t most = positions.front() * embedding_.size(1);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& block = blocks_[i];
    const auto in = positions[i];
    const auto out = positions[i + 1];
    std::int64_t numbers = in * 4 * embedding_.size(1);
    if (block.expand.defined()) numbers += out * 2 * block.expand.size(0);
    for (const auto& group : block.groups) {
      const auto k = std::int64_t{group.mask.window()};
      const auto seen = group.mask.is_global() ? in : std::min(in, 2 * std::max<std::int64_t>(k, 16));
      auto scores = group.heads * out * seen;
      if (group.mask.is_global()) scores = std::min(numbers_at_once, scores);
      numbers += 4 * group.heads * block.head_width * in + (k == 1 ? 0 : 3 * scores);
    }
    most = std::max(most, numbers);
  }
  return most;
}

std::int64_t TorchModelImpl::numbers_per_word(std::int64_t length, std::int64_t more) const {
  auto needed = positions_needed(length + 1);
  for (auto& count : needed) count += more;
  return numbers_of(needed);
}

std::int64_t TorchModelImpl::numbers_for_prefixes(std::int64_t length) const {
  const std::vector<std::int64_t> all(blocks_.size() + 1, length + 1);
  return numbers_of(all) + 2 * (length + 1) * embedding_.size(1);
}

/// The vectors of `tokens` (batch, count), which stand at the positions first + 1, ..., first + count:
/// (batch, count, width).
Tensor TorchModelImpl::embed(const Tensor& tokens, std::int64_t first) const {
  const auto count = tokens.size(1);
  if (position_kind_ == PositionKind::learned && first + count > positions_.size(0)) {
    throw std::length_error("TorchModel: a word of " + std::to_string(first + count - 1) +
                            " letters with learned positions for " + std::to_string(positions_.size(0) - 1));
  }
  auto x = embedding_.index_select(0, tokens.flatten()).view({tokens.size(0), count, embedding_.size(1)});
  switch (position_kind_) {
    case PositionKind::none: break;
    case PositionKind::periodic: {
      const auto n = at::arange(first + 1, first + count + 1, tokens.options());
      x = x + positions_.index_select(0, n.remainder(positions_.size(0)));
      break;
    }
    case PositionKind::learned: x = x + positions_.narrow(0, first, count); break;
  }
  return x;
}

/// output · (o_1, ..., o_H) + output_bias for queries from the vectors y (batch, T, width), keys and values
/// from `context` (batch, S, width), as in attend(), or in attend_before() where there are `ends`.
Tensor TorchModelImpl::attention(const Block& block, const Tensor& y, const Tensor& context,
                                 const Tensor& ends, double max_scores) {
  if (block.head_width == 0) return block.output_bias;
  std::vector<Tensor> outputs;
  for (const auto& group : block.groups) {
    const auto project = [&](const Tensor& x, const Tensor& matrix, const Tensor& bias) {
      return split_heads(at::linear(x, rows_of(matrix, group.rows), rows_of(bias, group.rows)), group.heads);
    };
    auto seen = context.size(1);
    if (!group.mask.is_global() && !ends.defined())
      seen = std::min(seen, y.size(1) + std::int64_t{group.mask.window()} - 1);
    const auto x = context.narrow(1, context.size(1) - seen, seen);
    const auto v = project(x, block.value, block.value_bias);  // (batch, heads, seen, d)
    Tensor o;                                                  // (batch, heads, T, d)
    if (group.mask.window() == 1 && !ends.defined()) {
      o = shift(v, y.size(1));
    } else {
      const auto q = project(y, block.query, block.query_bias);
      const auto k = project(x, block.key, block.key_bias);
      o = ends.defined() ? attend_before(q, k, v, group.mask, ends) : attend(q, k, v, group.mask, max_scores);
    }
    outputs.push_back(o.transpose(1, 2).flatten(2));  // (batch, T, heads · d)
  }
  const auto heads = outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
  const auto output =
      block.columns.defined() ? block.output.index_select(1, block.columns.to(y.device())) : block.output;
  return at::linear(heads, output, block.output_bias);
}

Tensor TorchModelImpl::normed(const Tensor& x, const std::optional<Norm>& norm, NormPlacement where) const {
  if (norm_placement_ != where || !norm) return x;
  return at::layer_norm(x, {x.size(-1)}, norm->gain, norm->bias, norm->epsilon);
}

/// The rest of a layer: x with the output of its heads.
Tensor TorchModelImpl::finish(const Block& block, const Tensor& before, const Tensor& heads) const {
  const auto x = normed(before + heads, block.attention_norm, NormPlacement::post);
  auto z = block.contract_bias;
  if (block.expand.defined()) {
    const auto y = normed(x, block.feed_forward_norm, NormPlacement::pre);
    z = at::linear(at::linear(y, block.expand, block.expand_bias).relu(), block.contract,
                   block.contract_bias);
  }
  return normed(x + z, block.feed_forward_norm, NormPlacement::post);
}

/// (batch, T, width) to the logits (batch, T).
Tensor TorchModelImpl::read_out(const Tensor& x) const {
  return normed(x, final_norm_, NormPlacement::pre).matmul(readout_.reshape({-1})) +
         readout_bias_.reshape({});
}

void TorchModelImpl::check_words(const Tensor& words) const {
  if (words.dim() != 2 || words.scalar_type() != torch::kLong) {
    throw std::invalid_argument(std::string("TorchModel: words of type ") +
                                c10::toString(words.scalar_type()) + " in " + std::to_string(words.dim()) +
                                " dimensions, not of int64 in (batch, length)");
  }
  if (words.numel() == 0) return;
  for (const auto a : {words.min().item<std::int64_t>(), words.max().item<std::int64_t>()}) {
    if (a < 0 || a >= letters_) {
      throw std::invalid_argument("TorchModel: letter " + std::to_string(a) + " of " +
                                  std::to_string(letters_));
    }
  }
}

Tensor TorchModelImpl::forward(const Tensor& words) {
  return forward(words, Tensor());
}

Tensor TorchModelImpl::forward(const Tensor& words, const Tensor& lengths, double max_scores) {
  check_words(words);
  const auto longest = words.size(1);
  auto shortest = longest;
  if (lengths.defined()) {
    if (lengths.dim() != 1 || lengths.size(0) != words.size(0) || lengths.scalar_type() != torch::kLong)
      throw std::invalid_argument("TorchModel: lengths that are not int64, one for each word");
    if (lengths.numel() > 0) {
      shortest = lengths.min().item<std::int64_t>();
      const auto most = lengths.max().item<std::int64_t>();
      if (shortest < 0 || most > longest) {
        throw std::invalid_argument("TorchModel: lengths from " + std::to_string(shortest) + " to " +
                                    std::to_string(most) + " of words of " + std::to_string(longest) +
                                    " letters");
      }
    }
  }
  // Where all are of one length, the end markers are the last column.
  const bool ragged = shortest < longest;
  auto tokens = at::constant_pad_nd(words, {0, 1}, letters_);  // (batch, longest + 1)
  if (ragged) {
    const auto column = at::arange(longest + 1, words.options());
    tokens = tokens.masked_fill(column >= lengths.unsqueeze(1), letters_);
  }
  auto needed = positions_needed(shortest + 1);
  for (auto& count : needed) count += longest - shortest;

  auto x = embed(tokens.narrow(1, longest + 1 - needed.front(), needed.front()),
                 longest + 1 - needed.front());  // (batch, needed, width)
  // The columns of the end markers among those that the last layer reads.
  const auto last = blocks_.empty() ? needed.back() : needed[blocks_.size() - 1];
  const auto ends = ragged ? lengths + (last - longest - 1) : Tensor();  // (batch)
  const auto at_ends = [&](const Tensor& y) {
    return y.gather(1, ends.view({-1, 1, 1}).expand({-1, 1, y.size(2)}));
  };
  if (blocks_.empty() && ragged) x = at_ends(x);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& block = blocks_[i];
    const auto in = needed[i];
    const auto out = needed[i + 1];
    const auto y = normed(x, block.attention_norm, NormPlacement::pre);
    if (ragged && i + 1 == blocks_.size()) {
      x = finish(block, at_ends(x), attention(block, at_ends(y), y, ends, max_scores));
    } else {
      const auto heads = attention(block, y.narrow(1, in - out, out), y.narrow(1, 0, in - 1), {}, max_scores);
      x = finish(block, x.narrow(1, in - out, out), heads);
    }
  }
  return read_out(x).select(1, 0);
}

Tensor TorchModelImpl::prefixes(const Tensor& words, double max_scores) {
  check_words(words);
  const auto length = words.size(1);
  auto letters = embed(words, 0);  // (batch, length, width)
  auto markers = embed(at::full_like(at::constant_pad_nd(words, {0, 1}), letters_), 0);  // one column more
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& block = blocks_[i];
    const auto y = normed(letters, block.attention_norm, NormPlacement::pre);
    const auto z = normed(markers, block.attention_norm, NormPlacement::pre);
    markers = finish(block, markers, attention(block, z, y, {}, max_scores));
    if (i + 1 == blocks_.size() || length == 0) continue;
    letters = finish(block, letters, attention(block, y, y.narrow(1, 0, length - 1), {}, max_scores));
  }
  return read_out(markers);
}

Model TorchModelImpl::to_model() const {
  std::vector<NamedTensor> tensors;
  for (const auto& parameter : named_parameters()) {
    const auto values = parameter.value().detach().to(torch::kCPU, torch::kFloat32).contiguous();
    const auto* data = values.data_ptr<float>();
    tensors.push_back({parameter.key(),
                       std::vector<std::size_t>(values.sizes().begin(), values.sizes().end()),
                       std::vector<float>(data, data + values.numel())});
  }
  try {
    return model_of(metadata_, tensors);
  } catch (const FileError& error) {
    throw std::invalid_argument(std::string("TorchModel::to_model: ") + error.what());
  }
}

namespace {

/// Words of the same or nearly the same length, as columns of one tensor with letter 0 behind their ends.
struct Batch {
  std::vector<std::size_t> indices;  // into the words
  Tensor words;                      // (batch, longest), int64
  Tensor lengths;                    // (batch), int64
};

/// f(batch) for all words in batches, shortest words first.
///
/// Throws std::invalid_argument at a letter out of range, std::length_error when a word alone needs more
/// memory than `limits` allows.
template <class Function>
void for_each_batch(TorchModel& model, std::span<const std::vector<Letter>> words, const TorchLimits& limits,
                    bool prefixes, Function f) {
  std::vector<std::size_t> order(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    order[i] = i;
    for (const auto a : words[i]) {
      if (a >= model->letters()) {
        throw std::invalid_argument("accepts: letter " + std::to_string(a) + " of " +
                                    std::to_string(model->letters()) + " in word " + std::to_string(i));
      }
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return words[i].size() < words[j].size(); });
  const auto parameter = model->parameters().front();
  for (std::size_t begin = 0; begin < order.size();) {
    const auto shortest = words[order[begin]].size();
    const auto numbers_with = [&](std::size_t length) {
      return prefixes ? model->numbers_for_prefixes(signed_size(length))
                      : model->numbers_per_word(signed_size(shortest), signed_size(length - shortest));
    };
    const auto least = numbers_with(shortest);
    const auto bytes = static_cast<double>(least) * static_cast<double>(parameter.element_size());
    if (bytes > limits.bytes) {
      throw std::length_error("accepts: a word of " + std::to_string(shortest) + " letters needs about " +
                              std::to_string(std::llround(bytes / 1e6)) + " MB, more than " +
                              std::to_string(std::llround(limits.bytes / 1e6)));
    }
    const auto fitting = [](std::int64_t numbers) {
      return static_cast<std::size_t>(std::clamp<std::int64_t>(numbers_at_once / numbers, 1, 1 << 16));
    };
    auto most = fitting(least);
    std::size_t end = begin + 1;
    for (; end < order.size() && end - begin < most; ++end) {
      const auto length = words[order[end]].size();
      if (length == words[order[end - 1]].size()) continue;
      // A longer word makes all others as long.  While there are few, that costs less than a batch of its
      // own.
      const auto numbers = numbers_with(length);
      if (end - begin >= 256 || numbers > least + least / 4 + 4096 || end - begin >= fitting(numbers)) break;
      most = fitting(numbers);
    }
    const auto count = end - begin;
    const auto longest = words[order[end - 1]].size();
    Batch batch;
    batch.indices.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
    batch.words = torch::zeros({signed_size(count), signed_size(longest)}, torch::kLong);
    batch.lengths = torch::empty({signed_size(count)}, torch::kLong);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& word = words[batch.indices[i]];
      std::copy(word.begin(), word.end(), batch.words.data_ptr<std::int64_t>() + i * longest);
      batch.lengths.data_ptr<std::int64_t>()[i] = signed_size(word.size());
    }
    batch.words = batch.words.to(parameter.device());
    batch.lengths = batch.lengths.to(parameter.device());
    f(batch);
    begin = end;
  }
}

/// Whether `logit` is positive.  Throws std::overflow_error when it is not a number.
bool is_accepting(double logit, std::size_t word) {
  if (std::isnan(logit)) {
    throw std::overflow_error("accepts: the logit of word " + std::to_string(word) + " is not a number");
  }
  return logit > 0;
}

}  // namespace

std::vector<bool> accepts(TorchModel& model, std::span<const std::vector<Letter>> words,
                          const TorchLimits& limits) {
  const torch::NoGradGuard no_gradients;
  std::vector<bool> accepted(words.size());
  for_each_batch(model, words, limits, false, [&](const Batch& batch) {
    const auto logits = model->forward(batch.words, batch.lengths, limits.scores)
                            .to(torch::kCPU, torch::kFloat64)
                            .contiguous();
    const auto* logit = logits.template data_ptr<double>();
    for (std::size_t i = 0; i < batch.indices.size(); ++i)
      accepted[batch.indices[i]] = is_accepting(logit[i], batch.indices[i]);
  });
  return accepted;
}

std::vector<std::vector<bool>> accepts_prefixes(TorchModel& model, std::span<const std::vector<Letter>> words,
                                                const TorchLimits& limits) {
  const torch::NoGradGuard no_gradients;
  std::vector<std::vector<bool>> accepted(words.size());
  for_each_batch(model, words, limits, true, [&](const Batch& batch) {
    const auto logits =
        model->prefixes(batch.words, limits.scores).to(torch::kCPU, torch::kFloat64).contiguous();
    const auto* logit = logits.template data_ptr<double>();
    for (const auto word : batch.indices) {
      for (std::size_t n = 0; n <= words[word].size(); ++n)
        accepted[word].push_back(is_accepting(logit[n], word));
      logit += logits.size(1);
    }
  });
  return accepted;
}

}  // namespace transformer
