// The code in the file is TorchScript, written out layer by layer; the weights sit in submodules, one for
// each part of a tensor's dotted name, so that Python sees the same names.  A part that is no identifier
// ("0") is reached through getattr, as in the code that PyTorch itself generates.
#include "transformer/torchscript.hpp"

#include "transformer/files.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/empty.h>
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import_read.h>

namespace transformer {

namespace {

namespace jit = torch::jit;

constexpr auto extra_file = "hindsight";

/// What every generated module can do.  In both functions q, k, v are (batch, heads, length, head width), a
/// position sees only earlier ones, and position 1, which sees nothing, gets zeros.
constexpr auto helpers = R"(
def attend_all(self, q: Tensor, k: Tensor, v: Tensor, last: bool) -> Tensor:
    n = k.size(2) - 1
    first = torch.zeros_like(v[:, :, :1])
    if n == 0:
        return first
    if last:
        scores = torch.matmul(q[:, :, -1:], k[:, :, :n].transpose(2, 3))
        return torch.matmul(torch.softmax(scores, -1), v[:, :, :n])
    scores = torch.matmul(q[:, :, 1:], k[:, :, :n].transpose(2, 3))
    position = torch.arange(n, device=q.device)
    hidden = position.unsqueeze(0) > position.unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -float("inf")), -1)
    return torch.cat([first, torch.matmul(weights, v[:, :, :n])], 2)

def attend_window(self, q: Tensor, k: Tensor, v: Tensor, window: int, last: bool) -> Tensor:
    n = k.size(2) - 1
    if last or window >= n:
        begin = max(0, n - window) if last else 0
        return self.attend_all(q[:, :, begin:], k[:, :, begin:], v[:, :, begin:], last)
    if window == 1:
        return torch.cat([torch.zeros_like(v[:, :, :1]), v[:, :, :n]], 2)
    size = min(max(window, 16), n)
    blocks = (n + size - 1) // size
    span = size + window - 1
    rest = blocks * size - n
    queries = torch.constant_pad_nd(q[:, :, 1:], [0, 0, 0, rest]).reshape([q.size(0), q.size(1), blocks, size, q.size(3)])
    keys = torch.constant_pad_nd(k[:, :, :n], [0, 0, window - 1, rest]).unfold(2, span, size)
    values = torch.constant_pad_nd(v[:, :, :n], [0, 0, window - 1, rest]).unfold(2, span, size)
    row = torch.arange(size, device=q.device).unsqueeze(1)
    column = torch.arange(span, device=q.device).unsqueeze(0)
    block = torch.arange(blocks, device=q.device).reshape([blocks, 1, 1])
    hidden = (column < row) | (column >= row + window) | (block * size + column < window - 1)
    weights = torch.softmax(torch.matmul(queries, keys).masked_fill(hidden, -float("inf")), -1)
    mixed = torch.matmul(weights, values.transpose(3, 4)).flatten(2, 3)
    return torch.cat([torch.zeros_like(v[:, :, :1]), mixed[:, :, :n]], 2)
)";

/// `layers.0.query` as an expression of the generated code.
std::string attribute(const std::string& name) {
  std::string expression = "self";
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '.');) {
    expression = part.find_first_not_of("0123456789") == std::string::npos
                     ? fmt::format("getattr({}, \"{}\")", expression, part)
                     : expression + "." + part;
  }
  return expression;
}

/// The method forward of `model`, line by line.
class Forward {
 public:
  explicit Forward(const Model& model) : model_(model) {
    code_ = "def forward(self, words: Tensor) -> Tensor:\n";
    embed();
    for (std::size_t i = 0; i < model.layers.size(); ++i) layer(i);
    if (model.layers.empty()) line("x = x[:, -1:]");
    if (model.final_norm) normalise("x", "x", "final_norm", *model.final_norm);
    line("return torch.matmul(x[:, 0], {}.reshape([-1])) + {}.reshape([])", attribute("readout.weight"),
         attribute("readout.bias"));
  }

  const std::string& code() const { return code_; }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    code_ += "    " + fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  void normalise(const char* to, const char* from, const std::string& name, const LayerNorm& norm) {
    line("{} = torch.layer_norm({}, [{}], {}, {}, {:.17g})", to, from, model_.width(),
         attribute(name + ".weight"), attribute(name + ".bias"), static_cast<double>(norm.epsilon));
  }

  void embed() {
    const auto letters = model_.letters();
    line("assert words.dim() == 2 and words.dtype == {}, \"words are int64 of shape (batch, length)\"",
         static_cast<int>(at::kLong));
    line("if words.numel() > 0:");
    line("    assert int(words.min()) >= 0 and int(words.max()) < {}, \"letters are 0, ..., {}\"", letters,
         letters - 1);
    line("n = words.size(1) + 1");
    line("marker = words.new_full([words.size(0), 1], {})", letters);
    line("x = torch.embedding({}, torch.cat([words, marker], 1))", attribute("embedding"));
    switch (model_.position_kind) {
      case PositionKind::none: break;
      case PositionKind::periodic:
        line("row = torch.remainder(torch.arange(1, n + 1, device=words.device), {})", model_.positions.rows);
        line("x = x + torch.embedding({}, row)", attribute("positions"));
        break;
      case PositionKind::learned:
        line("assert n <= {}, \"words have at most {} letters\"", model_.positions.rows,
             model_.positions.rows - 1);
        line("x = x + {}[:n]", attribute("positions"));
        break;
    }
  }

  void layer(std::size_t i) {
    const Layer& layer = model_.layers[i];
    const std::string name = fmt::format("layers.{}.", i);
    const auto part = [&](const std::string& tensor) { return attribute(name + tensor); };
    const bool last = i + 1 == model_.layers.size();  // only the read-out position goes on
    const bool pre = model_.norm_placement == NormPlacement::pre;
    const bool post = model_.norm_placement == NormPlacement::post;

    if (layer.head_width() > 0) {
      line("y = x");
      if (pre) normalise("y", "x", name + "attention_norm", *layer.attention_norm);
      for (const std::string which : {"query", "key", "value"}) {
        line("{0} = torch.linear(y, {1}, {2}).reshape([y.size(0), n, {3}, {4}]).transpose(1, 2)", which,
             part(which + ".weight"), part(which + ".bias"), layer.heads(), layer.head_width());
      }
      line("heads: List[Tensor] = []");
      for (std::size_t h = 0; h < layer.heads();) {
        std::size_t end = h + 1;  // neighbours of equal mask go together
        while (end < layer.heads() && layer.masks[end] == layer.masks[h]) ++end;
        const auto arguments = fmt::format("query[:, {0}:{1}], key[:, {0}:{1}], value[:, {0}:{1}]", h, end);
        const std::string last_argument = last ? "True" : "False";
        if (layer.masks[h].is_global()) {
          line("heads.append(self.attend_all({}, {}))", arguments, last_argument);
        } else {
          line("heads.append(self.attend_window({}, {}, {}))", arguments, layer.masks[h].window(),
               last_argument);
        }
        h = end;
      }
      line("o = torch.cat(heads, 1).transpose(1, 2).flatten(2)");
      line("o = torch.linear(o, {}, {})", part("output.weight"), part("output.bias"));
    } else {
      line("o = {}", part("output.bias"));
    }
    line("x = {} + o", last ? "x[:, -1:]" : "x");
    if (post) normalise("x", "x", name + "attention_norm", *layer.attention_norm);
    if (layer.hidden() > 0) {
      line("y = x");
      if (pre) normalise("y", "x", name + "feed_forward_norm", *layer.feed_forward_norm);
      line("y = torch.relu(torch.linear(y, {}, {}))", part("expand.weight"), part("expand.bias"));
      line("x = x + torch.linear(y, {}, {})", part("contract.weight"), part("contract.bias"));
    } else {
      line("x = x + {}", part("contract.bias"));
    }
    if (post) normalise("x", "x", name + "feed_forward_norm", *layer.feed_forward_norm);
  }

  const Model& model_;
  std::string code_;
};

/// Modules by path.  A module must hold all its attributes before its parent takes it, since it is copied by
/// its type; hence a tree first.
struct Tree {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  std::vector<std::pair<std::string, Tree>> children;

  void insert(const std::string& name, at::Tensor tensor) {
    const auto dot = name.find('.');
    if (dot == std::string::npos) {
      tensors.emplace_back(name, std::move(tensor));
      return;
    }
    const auto first = name.substr(0, dot);
    for (auto& [child, tree] : children) {
      if (child == first) return tree.insert(name.substr(dot + 1), std::move(tensor));
    }
    children.emplace_back(first, Tree{});
    children.back().second.insert(name.substr(dot + 1), std::move(tensor));
  }

  void register_in(jit::Module& module, const std::string& type) const {
    for (const auto& [name, tensor] : tensors) module.register_parameter(name, tensor, false);
    for (const auto& [name, tree] : children) {
      const auto child_type = type + "_" + name;
      jit::Module child(child_type, module._ivalue()->compilation_unit());
      tree.register_in(child, child_type);
      module.register_module(name, child);
    }
  }
};

/// The first line: Torch's messages go on with a trace of our own functions.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The tensors below `object` under dotted names, in the order of the file.
void collect(const c10::ivalue::Object& object, const std::string& prefix,
             std::vector<NamedTensor>& tensors) {
  const auto state = object.getSlot(0);
  if (!state.isGenericDict()) throw FileError((prefix.empty() ? "the root" : prefix) + " is no module");
  for (const auto& entry : state.toGenericDict()) {
    if (!entry.key().isString()) throw FileError("a part of " + prefix + " without a name");
    const auto name = prefix + entry.key().toStringRef();
    if (entry.value().isObject()) {
      if (std::count(name.begin(), name.end(), '.') > 8) throw FileError(name + " is too deep");
      collect(*entry.value().toObject(), name + ".", tensors);
    } else if (entry.value().isTensor()) {
      const auto& tensor = entry.value().toTensor();
      if (!tensor.defined() || tensor.scalar_type() != at::kFloat || tensor.layout() != at::kStrided) {
        throw FileError("tensor " + name + " is not fp32");
      }
      const auto dense = tensor.contiguous();
      const auto* data = dense.data_ptr<float>();
      tensors.push_back({name, std::vector<std::size_t>(dense.sizes().begin(), dense.sizes().end()),
                         std::vector<float>(data, data + dense.numel())});
    }  // else a flag, such as `training`
  }
}

/// Metadata and tensors of the file, without compiling or running its code.
Model read(std::istream& in) {
  caffe2::serialize::PyTorchStreamReader reader(&in);
  const std::string record = std::string("extra/") + extra_file;
  if (!reader.hasRecord(record)) throw FileError("no extra file `hindsight`");
  const auto [bytes, size] = reader.getRecord(record);
  const std::string metadata(static_cast<const char*>(bytes.get()), size);

  // A class is only a name here, and an object of it the dictionary of its parts.
  const auto classes = std::make_shared<jit::CompilationUnit>();
  const auto class_of = [&](const c10::QualifiedName& name) {
    auto type = classes->get_class(name);
    if (!type) {
      type = c10::ClassType::create(name, classes, /*is_module=*/true);
      classes->register_type(type);
    }
    return c10::StrongTypePtr(classes, type);
  };
  const auto object_of = [](const c10::StrongTypePtr& type, c10::IValue state) {
    auto object = c10::ivalue::Object::create(type, 1);
    object->setSlot(0, std::move(state));
    return object;
  };
  const auto root =
      jit::readArchiveAndTensors("data", "", "", class_of, object_of, c10::Device(c10::kCPU), reader);
  if (!root.isObject()) throw FileError("the file holds no module");
  std::vector<NamedTensor> tensors;
  collect(*root.toObject(), "", tensors);
  return model_of(metadata, tensors);
}

}  // namespace

void save_torchscript(const Model& model, const std::filesystem::path& path) {
  validate(model);
  Tree tree;
  for (const auto& [name, shape, entries] : named_tensors(model)) {
    auto tensor = at::empty(std::vector<std::int64_t>(shape.begin(), shape.end()), at::kFloat);
    std::copy(entries.begin(), entries.end(), tensor.data_ptr<float>());
    tree.insert(name, std::move(tensor));
  }
  jit::Module module("__torch__.hindsight.Model");
  tree.register_in(module, "__torch__.hindsight.Model");
  module.define(helpers + Forward(model).code());
  module.eval();
  std::ostringstream out;
  module.save(out, {{extra_file, metadata_json(model)}});
  write_file(path, out.str());
}

Model load_torchscript(const std::filesystem::path& path) {
  std::istringstream in(read_file(path));
  try {
    return read(in);
  } catch (const std::exception& error) {  // Torch has many kinds
    throw FileError(path.string() + ": torchscript: " + first_line(error.what()));
  }
}

}  // namespace transformer
