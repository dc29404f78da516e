// Global heads on LibTorch: in blocks against the whole matrix of scores, by kinds of keys for a compiled
// network, words of different length in batches against each length alone, and every prefix in one pass.
//
//     build/release/bench/bench_torch_global [longest]
//
// Each family grows the length.  Memory is the growth of the resident set during one call, at its highest
// (Linux: /proc/self).
#include "tests/alternating_model.hpp"
#include "transformer/torch_attention.hpp"
#include "transformer/torch_model.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/types.h>

using namespace transformer;

namespace {

/// `key` of /proc/self/status in MiB.
double resident(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key, 0) == 0) return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
  }
  return 0;
}

struct Cost {
  double seconds;
  double mebibytes;
};

/// The least processor time of three calls, of fewer that take seconds.
template <class Function>
Cost cost_of(Function f) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the high-water mark starts anew
  const double before = resident("VmRSS:");
  Cost cost{std::numeric_limits<double>::infinity(), 0};
  double total = 0;
  for (int i = 0; i < 3 && total < 5; ++i) {
    const auto start = std::clock();
    f();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (i == 0) cost.mebibytes = std::max(0.0, resident("VmHWM:") - before);
    cost.seconds = std::min(cost.seconds, seconds);
    total += seconds;
  }
  return cost;
}

/// 4 heads of width 16 at every position, under one strict mask.
torch::Tensor whole_matrix(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
  const auto length = q.size(2);
  auto scores = at::matmul(q, k.transpose(2, 3));
  scores.masked_fill_(at::ones({length, length}, at::kBool).triu(1),
                      -std::numeric_limits<double>::infinity());
  return at::matmul(scores.softmax(-1), v);
}

void blocks(std::int64_t longest) {
  fmt::print(
      "blocks: 4 heads of width 16 at N positions, random keys\n{:>9} {:>10} {:>8} {:>10} {:>8} {:>7}\n", "N",
      "blocks s", "MiB", "whole s", "MiB", "ratio");
  for (std::int64_t length = 1024; length <= longest; length *= 4) {
    const auto q = at::randn({1, 4, length, 16});
    const auto k = at::randn({1, 4, length, 16});
    const auto v = at::randn({1, 4, length, 16});
    torch::Tensor o;
    const auto cost =
        cost_of([&] { o = attend(q, k, v, Mask::global(), std::numeric_limits<double>::infinity()); });
    fmt::print("{:9} {:10.4f} {:8.1f}", length, cost.seconds, cost.mebibytes);
    if (length <= 16384) {
      torch::Tensor other;
      const auto whole = cost_of([&] { other = whole_matrix(q, k, v); });
      fmt::print(" {:10.4f} {:8.1f} {:7.1f}{}", whole.seconds, whole.mebibytes, whole.seconds / cost.seconds,
                 o.allclose(other, 1e-4, 1e-5) ? "" : "  (the two differ!)");
    }
    fmt::print("\n");
  }
}

void compiled(std::int64_t longest) {
  fmt::print("compiled (ab)*: 3 layers of one head, fp32\n{:>9} {:>10} {:>20} {:>8}\n", "N", "seconds",
             "letters per second", "MiB");
  TorchModel model(tests::alternating_model());
  for (std::int64_t length = 1000; length <= longest; length *= 10) {
    const auto words = at::arange(length, torch::kLong).remainder(2).unsqueeze(0);
    bool accepted = false;
    const auto cost = cost_of([&] { accepted = model->forward(words).item<double>() > 0; });
    fmt::print("{:9} {:10.4f} {:20.0f} {:8.1f}{}\n", length, cost.seconds,
               static_cast<double>(length) / cost.seconds, cost.mebibytes, accepted ? "" : "  (rejected!)");
  }
}

void lengths(std::size_t longest) {
  fmt::print("a word of each length up to N, compiled (ab)*\n{:>9} {:>10} {:>12} {:>7}\n", "N", "batches s",
             "one by one s", "ratio");
  TorchModel model(tests::alternating_model());
  for (std::size_t most = 64; most <= longest; most *= 4) {
    std::vector<std::vector<Letter>> words;
    for (std::size_t length = 0; length < most; ++length) {
      words.emplace_back();
      for (std::size_t n = 0; n < length; ++n) words.back().push_back(n % 2);
    }
    const auto batches = cost_of([&] { accepts(model, words); });
    const auto single = cost_of([&] {
      for (const auto& word : words) accepts(model, {&word, 1});
    });
    fmt::print("{:9} {:10.4f} {:12.4f} {:7.1f}\n", most, batches.seconds, single.seconds,
               single.seconds / batches.seconds);
  }
}

void prefixes(std::size_t longest) {
  fmt::print("every prefix of a word of N letters, compiled (ab)*\n{:>9} {:>10} {:>12} {:>7}\n", "N",
             "one pass s", "batches s", "ratio");
  TorchModel model(tests::alternating_model());
  for (std::size_t length = 64; length <= longest; length *= 4) {
    std::vector<std::vector<Letter>> words(length + 1);
    for (std::size_t n = 0; n <= length; ++n)
      for (std::size_t i = 0; i < n; ++i) words[n].push_back(i % 2);
    std::vector<bool> alone, together;
    const auto one = cost_of([&] { together = accepts_prefixes(model, {&words.back(), 1}).front(); });
    const auto batches = cost_of([&] { alone = accepts(model, words); });
    fmt::print("{:9} {:10.4f} {:12.4f} {:7.1f}{}\n", length, one.seconds, batches.seconds,
               batches.seconds / one.seconds, alone == together ? "" : "  (the two differ!)");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t longest = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  at::set_num_threads(1);
  const torch::NoGradGuard no_gradients;
  blocks(std::min<std::int64_t>(longest, 16384));
  compiled(longest);
  lengths(1024);
  prefixes(1024);
}
