// Local heads in O(length · k) against the same heads under a dense mask, in one run.
//
//     build/release/bench/bench_torch_local [longest]
//
// A layer of 4 heads of width 16, one word, every position computed; the family grows the length for each k.
// Memory is the growth of the resident set during one call, at its highest (Linux: /proc/self).
#include "transformer/torch_model.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <random>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/types.h>

using namespace transformer;

namespace {

constexpr std::size_t width = 64;
constexpr std::size_t heads = 4;

/// A local layer, and a global one on top that makes every position of it count.
Model model_with(Mask mask) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.2f);
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    Matrix m(rows, columns);
    for (auto& x : m.entries) x = normal(random);
    return m;
  };
  Model model;
  model.alphabet = {"a", "b"};
  model.embedding = matrix(3, width);
  for (const auto& masks : {std::vector<Mask>(heads, mask), std::vector<Mask>(1, Mask::global())}) {
    Layer layer;
    layer.masks = masks;
    layer.query = layer.key = layer.value = matrix(width, width);
    layer.query_bias = layer.key_bias = layer.value_bias = std::vector<float>(width, 0.0f);
    layer.output = matrix(width, width);
    layer.output_bias = layer.contract_bias = std::vector<float>(width, 0.0f);
    layer.expand = Matrix(0, width);
    layer.contract = Matrix(width, 0);
    model.layers.push_back(layer);
  }
  model.readout = std::vector<float>(width, 1.0f);
  return model;
}

/// The same network with the first layer under a length x length mask.
torch::Tensor dense(const TorchModel& model, const torch::Tensor& words, Mask mask) {
  const auto p = model->named_parameters();
  const auto length = words.size(1) + 1;
  const auto tokens = at::cat({words, at::full({1, 1}, 2, words.options())}, 1);
  auto x = p["embedding"].index_select(0, tokens.flatten()).unsqueeze(0);
  const auto split = [&](const torch::Tensor& y, std::int64_t n) {
    return y.view({1, length, n, -1}).transpose(1, 2);
  };
  // Head by head, so that the longest words fit in memory.
  const auto project = [&](const char* which) {
    const std::string name = std::string("layers.0.") + which;
    return split(at::linear(x, p[name + ".weight"], p[name + ".bias"]), heads);
  };
  const auto query = project("query");
  const auto key = project("key");
  const auto value = project("value");
  const auto visible = at::ones({length, length}, at::kBool).tril(-1).triu(-std::int64_t{mask.window()});
  const auto hidden = visible.logical_not();
  std::vector<torch::Tensor> mixed;
  for (std::int64_t h = 0; h < std::int64_t{heads}; ++h) {
    auto scores = at::matmul(query[0][h], key[0][h].transpose(0, 1)).masked_fill_(hidden, -1e30);
    scores = scores.softmax(-1);
    mixed.push_back(at::matmul(scores.mul_(visible), value[0][h]));
  }
  x = x + at::linear(at::cat(mixed, 1).unsqueeze(0), p["layers.0.output.weight"], p["layers.0.output.bias"]) +
      p["layers.0.contract.bias"];
  const auto last = p["layers.1.query.weight"];
  const auto q = at::linear(x.narrow(1, length - 1, 1), last, p["layers.1.query.bias"]);
  const auto k = at::linear(x, p["layers.1.key.weight"], p["layers.1.key.bias"]).narrow(1, 0, length - 1);
  const auto v = at::linear(x, p["layers.1.value.weight"], p["layers.1.value.bias"]).narrow(1, 0, length - 1);
  const auto o = at::matmul(at::matmul(q, k.transpose(1, 2)).softmax(-1), v);
  x = x.narrow(1, length - 1, 1) + at::linear(o, p["layers.1.output.weight"], p["layers.1.output.bias"]);
  return (x + p["layers.1.contract.bias"]).sum().unsqueeze(0) + p["readout.bias"];
}

/// `key` of /proc/self/status in MiB.
double resident(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key, 0) == 0) return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
  }
  return 0;
}

struct Cost {
  double milliseconds;
  double mebibytes;
};

/// The least processor time of several calls, of one that takes seconds.
template <class Function>
Cost cost_of(Function f) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the high-water mark starts anew
  const double before = resident("VmRSS:");
  double mebibytes = 0;
  double least = 0;  // other work on the machine only adds
  double total = 0;
  for (int i = 0; i < 3 || (total < 300 && i < 50); ++i) {
    const auto start = std::clock();
    f();
    const double time = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (i == 0) mebibytes = resident("VmHWM:") - before;
    least = i == 0 ? time : std::min(least, time);
    total += time;
    if (total > 5000) break;
  }
  return {least, std::max(0.0, mebibytes)};
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t longest = argc > 1 ? std::atoll(argv[1]) : 65536;
  constexpr std::int64_t longest_dense = 16384;
  at::set_num_threads(1);
  const torch::NoGradGuard no_gradients;
  fmt::print("{:>4} {:>8} {:>11} {:>11} {:>9} {:>9} {:>9} {:>11}\n", "k", "length", "local ms", "us/position",
             "MiB", "dense ms", "ratio", "dense MiB");
  for (const std::uint32_t k : {1u, 4u, 16u}) {
    TorchModel model(model_with(Mask::local(k)));
    for (std::int64_t length = 64; length <= longest; length *= 4) {
      const auto words = at::arange(length, torch::kLong).remainder(2).unsqueeze(0);
      const auto local = cost_of([&] { model->forward(words); });
      fmt::print("{:4} {:8} {:11.3f} {:11.3f} {:9.1f}", k, length, local.milliseconds,
                 1000 * local.milliseconds / static_cast<double>(length), local.mebibytes);
      if (length <= longest_dense) {
        torch::Tensor logits;
        const auto masked = cost_of([&] { logits = dense(model, words, Mask::local(k)); });
        const double error = (model->forward(words) - logits).abs().max().item<double>();
        fmt::print(" {:9.3f} {:9.1f} {:11.1f}{}", masked.milliseconds,
                   masked.milliseconds / local.milliseconds, masked.mebibytes,
                   error < 1e-2 ? "" : "  (the two differ!)");
      }
      fmt::print("\n");
    }
  }
}
