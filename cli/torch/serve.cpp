// One request a line, {"model": PATH, "words": [[0, 1], ...]}, and one line in answer, {"accepted": "01..."},
// a character for each word in order, or {"error": "..."}, with "kind": "limit" where a limit was reached;
// then the next.  A request may have "dtype" (fp32, fp64, bf16), "device" (cpu, cuda), "max_scores" and
// "max_bytes" (TorchLimits), and "prefixes": true, which is answered by {"prefixes": ["0101", ...]}, a string
// for each word with a character for each of its prefixes, the empty one first.
#include "cli/torch/commands.hpp"
#include "transformer/safetensors.hpp"
#include "transformer/torch_model.hpp"
#include "transformer/torchscript.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <torch/cuda.h>

namespace cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using transformer::Letter;
using transformer::TorchModel;

torch::ScalarType dtype_named(const std::string& name) {
  if (name == "fp32") return torch::kFloat32;
  if (name == "fp64") return torch::kFloat64;
  if (name == "bf16") return torch::kBFloat16;
  throw std::invalid_argument("serve: dtype " + name + ", not fp32, fp64 or bf16");
}

torch::Device device_named(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name != "cuda") throw std::invalid_argument("serve: device " + name + ", not cpu or cuda");
  if (!torch::cuda::is_available()) throw std::invalid_argument("this LibTorch has no CUDA device");
  return torch::kCUDA;
}

/// The model asked for last, loaded again when its file has changed.
class Cache {
 public:
  TorchModel& get(const fs::path& path, torch::ScalarType dtype, torch::Device device) {
    const Key key{path, fs::last_write_time(path), fs::file_size(path), dtype, device};
    if (!model_ || !(key == key_)) {
      model_.reset();
      model_ = TorchModel(path.extension() == ".pt" ? transformer::load_torchscript(path)
                                                    : transformer::load_safetensors(path),
                          dtype);
      (*model_)->to(device);
      key_ = key;
    }
    return *model_;
  }

 private:
  struct Key {
    fs::path path;
    fs::file_time_type written;
    std::uintmax_t size = 0;
    torch::ScalarType dtype = torch::kFloat32;
    torch::Device device = torch::kCPU;
    bool operator==(const Key&) const = default;
  };
  Key key_;
  std::optional<TorchModel> model_;
};

std::vector<std::vector<Letter>> words_of(const json& request) {
  std::vector<std::vector<Letter>> words;
  for (const auto& given : request.at("words")) {
    auto& word = words.emplace_back();
    if (!given.is_array()) throw std::invalid_argument("serve: a word that is no list: " + given.dump());
    word.reserve(given.size());
    for (const auto& letter : given) {
      if (!letter.is_number_unsigned() || letter.get<std::uint64_t>() > std::numeric_limits<Letter>::max()) {
        throw std::invalid_argument("serve: a letter that is no number of a letter: " + letter.dump());
      }
      word.push_back(letter.get<Letter>());
    }
  }
  return words;
}

std::string text_of(const std::vector<bool>& accepted) {
  std::string text;
  for (const bool yes : accepted) text += yes ? '1' : '0';
  return text;
}

/// The answer to a request that failed: Torch's messages go on with a trace of our own functions.
json failure(const std::string& message, bool limit) {
  json reply{{"error", message.substr(0, message.find('\n'))}};
  if (limit) reply["kind"] = "limit";
  return reply;
}

json answer(const std::string& line, Cache& cache) {
  try {
    const auto request = json::parse(line);
    if (!request.is_object()) throw std::invalid_argument("serve: a request that is no object");
    const auto dtype = dtype_named(request.value("dtype", "fp32"));
    const auto device = device_named(request.value("device", "cpu"));
    transformer::TorchLimits limits;
    limits.scores = request.value("max_scores", limits.scores);
    limits.bytes = request.value("max_bytes", limits.bytes);
    const auto words = words_of(request);
    auto& model = cache.get(request.at("model").get<std::string>(), dtype, device);
    if (!request.value("prefixes", false))
      return {{"accepted", text_of(transformer::accepts(model, words, limits))}};
    json prefixes = json::array();
    for (const auto& of_word : transformer::accepts_prefixes(model, words, limits))
      prefixes.push_back(text_of(of_word));
    return {{"prefixes", prefixes}};
  } catch (const std::length_error& error) {
    return failure(error.what(), true);
  } catch (const std::bad_alloc&) {
    return failure("out of memory", true);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    const bool memory = message.find("DefaultCPUAllocator") != std::string::npos ||  // no type of its own
                        message.find("out of memory") != std::string::npos;
    return failure(message, memory);
  }
}

void serve() {
  Cache cache;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << answer(line, cache).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace

void add_serve(CLI::App& app) {
  auto* command = app.add_subcommand("serve", "Answer questions about models, one JSON line for each");
  command->footer(
      R"(A request {"model": "m.safetensors", "dtype": "fp32", "words": [[0, 1], []]} on standard input
is answered by {"accepted": "10"} or {"error": "..."} on standard output, with "kind": "limit" beside the
error where a limit was reached.  It may have "device": "cuda", "max_scores" and "max_bytes" for a word, and
"prefixes": true, answered by {"prefixes": ["001", "1"]}: each prefix of each word, the empty one first.)");
  command->callback(serve);
}

}  // namespace cli
