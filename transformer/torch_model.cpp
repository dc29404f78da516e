// A layer is given the last `in` positions of the sequence and hands on the last `out` of them: one after the
// last layer, and further down as many more as the widest window of the layer reaches back (all, for a global
// head). So position n is computed only where the logit depends on it.
//
// No row of scores is ever empty: position 1, the only one with nothing to look at, is cut off before the
// scores are made and comes back as a row of zeros.  A mask of minus infinities alone would make it NaN,
// forward and backward.
//
// A window of k positions is computed in blocks of about k queries, as a product of each block with the
// block's 2k keys and a band as mask (Beltagy, Peters, Cohan 2020, "Longformer", section 3.1).  With k = 1
// there is nothing to weigh, and the head is a shift of its values.
#include "transformer/torch_model.hpp"

#include "transformer/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <torch/types.h>

namespace transformer {

namespace {

using torch::Tensor;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// No more scores than this are held at once, and a batch of accepts() is cut accordingly.
constexpr std::int64_t numbers_at_once = std::int64_t{1} << 24;

Tensor apply_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double epsilon) {
  return at::layer_norm(x, {x.size(-1)}, gain, bias, epsilon);
}

// In the functions below q is (batch, heads, T, d), k and v are (batch, heads, S, d), S > T, and query t
// stands at position S - T + t of the keys (both from 0), which it does not see.

/// Every earlier position.
Tensor attend_all(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto queries = q.size(2);
  const auto before = k.size(2) - queries;  // positions before the first query
  const auto scores_per_query = std::max<std::int64_t>(1, q.size(0) * q.size(1) * k.size(2));
  const auto slice = std::clamp<std::int64_t>(numbers_at_once / scores_per_query, 1, queries);
  std::vector<Tensor> outputs;
  for (std::int64_t begin = 0; begin < queries; begin += slice) {
    const auto count = std::min(slice, queries - begin);
    const auto seen = before + begin + count - 1;  // what the last query of the slice sees
    auto scores = at::matmul(q.narrow(2, begin, count), k.narrow(2, 0, seen).transpose(2, 3));
    if (count > 1) {
      const auto hidden = at::ones({count, seen}, q.options().dtype(at::kBool)).triu(before + begin);
      scores = scores.masked_fill(hidden, minus_infinity);
    }
    outputs.push_back(at::matmul(scores.softmax(-1), v.narrow(2, 0, seen)));  // (batch, heads, count, d)
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
}

/// The `window` positions before, as many as there are; S - T <= window.
Tensor attend_window(const Tensor& q, const Tensor& k, const Tensor& v, std::int64_t window) {
  const auto queries = q.size(2);
  const auto before = k.size(2) - queries;
  const auto size = std::min(std::max<std::int64_t>(window, 16), queries);  // queries of a block
  const auto blocks = (queries + size - 1) / size;
  const auto span = size + window - 1;  // keys of a block

  // The keys from `window` positions before the first query on, with zeros where the word has not begun.
  const auto missing = window - before;
  const auto in_blocks = [&](const Tensor& x) {
    return at::constant_pad_nd(x.narrow(2, 0, x.size(2) - 1), {0, 0, missing, blocks * size - queries})
        .unfold(2, span, size);  // (batch, heads, blocks, d, span)
  };
  const auto padded = at::constant_pad_nd(q, {0, 0, 0, blocks * size - queries});
  const auto block_queries =
      padded.view({q.size(0), q.size(1), blocks, size, q.size(3)});  // (batch, heads, blocks, size, d)

  // Query r of a block sees its keys r, ..., r + window - 1, the missing ones excepted.  The keys appended at
  // the end stay visible to the queries appended at the end, so that those see something too.
  const auto bits = q.options().dtype(at::kBool);
  const auto integers = q.options().dtype(at::kLong);
  auto hidden = at::ones({size, span}, bits).triu(window).logical_or(at::ones({size, span}, bits).tril(-1));
  if (missing > 0) {
    const auto index =
        (at::arange(blocks, integers) * size).view({blocks, 1, 1}) + at::arange(span, integers);
    hidden = hidden.logical_or(index < missing);  // (blocks, size, span)
  }
  const auto scores = at::matmul(block_queries, in_blocks(k)).masked_fill(hidden, minus_infinity);
  const auto mixed =
      at::matmul(scores.softmax(-1), in_blocks(v).transpose(3, 4));  // (batch, heads, blocks, size, d)
  return mixed.flatten(2, 3).narrow(2, 0, queries);
}

/// The position before alone: no scores are needed.
Tensor shift(const Tensor& v, std::int64_t queries) {
  return v.narrow(2, v.size(2) - 1 - queries, queries);
}

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

std::int64_t TorchModelImpl::numbers_per_word(std::int64_t length) const {
  const auto needed = positions_needed(length + 1);
  std::int64_t most = needed.front() * embedding_.size(1);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& block = blocks_[i];
    std::int64_t numbers = needed[i] * 4 * embedding_.size(1);
    if (block.expand.defined()) numbers += needed[i + 1] * 2 * block.expand.size(0);
    for (const auto& group : block.groups) {
      const auto k = std::int64_t{group.mask.window()};
      const auto seen =
          group.mask.is_global() || k >= needed[i] - 1 ? needed[i] : 2 * std::max<std::int64_t>(k, 16);
      const auto scores = std::min(numbers_at_once, group.heads * needed[i + 1] * seen);
      numbers += 4 * group.heads * block.head_width * needed[i] + (k == 1 ? 0 : 3 * scores);
    }
    most = std::max(most, numbers);
  }
  return most;
}

/// The embeddings of the last `count` positions of the words with their end markers: (batch, count, width).
Tensor TorchModelImpl::embed(const Tensor& words, std::int64_t count) const {
  const auto length = words.size(1) + 1;
  if (position_kind_ == PositionKind::learned && length > positions_.size(0)) {
    throw std::length_error("TorchModel: a word of " + std::to_string(length - 1) +
                            " letters with learned positions for " + std::to_string(positions_.size(0) - 1));
  }
  const auto marker = at::full({words.size(0), 1}, letters_, words.options());
  const auto tokens = at::cat({words, marker}, 1).narrow(1, length - count, count);
  auto x = embedding_.index_select(0, tokens.flatten()).view({words.size(0), count, embedding_.size(1)});
  switch (position_kind_) {
    case PositionKind::none: break;
    case PositionKind::periodic: {
      const auto n = at::arange(length - count + 1, length + 1, words.options());
      x = x + positions_.index_select(0, n.remainder(positions_.size(0)));
      break;
    }
    case PositionKind::learned: x = x + positions_.narrow(0, length - count, count); break;
  }
  return x;
}

/// output · (o_1, ..., o_H) + output_bias at the last `queries` positions: (batch, queries, width).
Tensor TorchModelImpl::attention(const Block& block, const Tensor& x, std::int64_t queries) {
  if (block.head_width == 0) return block.output_bias;
  const auto length = x.size(1);
  // The first position of the word, when it is among the queries, sees nothing.
  const auto seeing = std::min(queries, length - 1);
  std::vector<Tensor> outputs;
  for (const auto& group : block.groups) {
    const auto project = [&](const Tensor& y, const Tensor& matrix, const Tensor& bias) {
      return split_heads(at::linear(y, rows_of(matrix, group.rows), rows_of(bias, group.rows)), group.heads);
    };
    const auto window = group.mask.is_global() ? length : std::int64_t{group.mask.window()};
    const auto seen = std::min(length, seeing + window);
    const auto context = x.narrow(1, length - seen, seen);
    const auto v = project(context, block.value, block.value_bias);  // (batch, heads, seen, d)
    Tensor o;                                                        // (batch, heads, seeing, d)
    if (seeing == 0) {
      o = v.narrow(2, 0, 0);
    } else if (window == 1) {
      o = shift(v, seeing);
    } else {
      const auto q = project(x.narrow(1, length - seeing, seeing), block.query, block.query_bias);
      const auto k = project(context, block.key, block.key_bias);
      o = window >= seen - 1 ? attend_all(q, k, v) : attend_window(q, k, v, window);
    }
    if (seeing < queries) o = at::cat({at::zeros_like(v.narrow(2, 0, 1)), o}, 2);
    outputs.push_back(o.transpose(1, 2).flatten(2));  // (batch, queries, heads · d)
  }
  const auto heads = outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
  const auto output =
      block.columns.defined() ? block.output.index_select(1, block.columns.to(x.device())) : block.output;
  return at::linear(heads, output, block.output_bias);
}

Tensor TorchModelImpl::forward(const Tensor& words) {
  if (words.dim() != 2 || words.scalar_type() != torch::kLong) {
    throw std::invalid_argument(std::string("TorchModel: words of type ") +
                                c10::toString(words.scalar_type()) + " in " + std::to_string(words.dim()) +
                                " dimensions, not of int64 in (batch, length)");
  }
  if (words.numel() > 0) {
    for (const auto a : {words.min().item<std::int64_t>(), words.max().item<std::int64_t>()}) {
      if (a < 0 || a >= letters_) {
        throw std::invalid_argument("TorchModel: letter " + std::to_string(a) + " of " +
                                    std::to_string(letters_));
      }
    }
  }
  const auto norm = [](const Tensor& x, const std::optional<Norm>& n) {
    return n ? apply_norm(x, n->gain, n->bias, n->epsilon) : x;
  };
  const bool pre = norm_placement_ == NormPlacement::pre;
  const bool post = norm_placement_ == NormPlacement::post;

  const auto needed = positions_needed(words.size(1) + 1);
  auto x = embed(words, needed.front());  // (batch, needed, width)
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& block = blocks_[i];
    const auto in = needed[i];
    const auto out = needed[i + 1];
    const auto y = attention(block, pre ? norm(x, block.attention_norm) : x, out);
    x = x.narrow(1, in - out, out) + y;
    if (post) x = norm(x, block.attention_norm);
    auto z = pre ? norm(x, block.feed_forward_norm) : x;
    if (block.expand.defined()) {
      z = at::linear(at::linear(z, block.expand, block.expand_bias).relu(), block.contract,
                     block.contract_bias);
    } else {
      z = block.contract_bias;
    }
    x = x + z;
    if (post) x = norm(x, block.feed_forward_norm);
  }
  x = norm(x, final_norm_).select(1, 0);                                // (batch, width)
  return x.matmul(readout_.reshape({-1})) + readout_bias_.reshape({});  // (batch)
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

std::vector<bool> accepts(TorchModel& model, std::span<const std::vector<Letter>> words) {
  const torch::NoGradGuard no_gradients;
  std::map<std::size_t, std::vector<std::size_t>> words_of;  // by length
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const auto a : words[i]) {
      if (a >= model->letters()) {
        throw std::invalid_argument("accepts: letter " + std::to_string(a) + " of " +
                                    std::to_string(model->letters()) + " in word " + std::to_string(i));
      }
    }
    words_of[words[i].size()].push_back(i);
  }
  std::vector<bool> accepted(words.size());
  for (const auto& [length, indices] : words_of) {
    const auto columns = signed_size(length);
    const auto largest = static_cast<std::size_t>(
        std::clamp<std::int64_t>(numbers_at_once / model->numbers_per_word(columns), 1, 1 << 16));
    for (std::size_t begin = 0; begin < indices.size(); begin += largest) {
      const auto count = std::min(largest, indices.size() - begin);
      auto batch = torch::empty({signed_size(count), columns}, torch::kLong);
      auto* to = batch.data_ptr<std::int64_t>();
      for (std::size_t i = begin; i < begin + count; ++i) {
        to = std::copy(words[indices[i]].begin(), words[indices[i]].end(), to);
      }
      const auto device = model->parameters().front().device();
      const auto logits = model->forward(batch.to(device)).to(torch::kCPU, torch::kFloat64).contiguous();
      const auto* logit = logits.data_ptr<double>();
      for (std::size_t i = 0; i < count; ++i) {
        const auto word = indices[begin + i];
        if (std::isnan(logit[i])) {
          throw std::overflow_error("accepts: the logit of word " + std::to_string(word) +
                                    " is not a number");
        }
        accepted[word] = logit[i] > 0;
      }
    }
  }
  return accepted;
}

}  // namespace transformer
