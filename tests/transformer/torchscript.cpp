#include "transformer/torchscript.hpp"

#include "tests/transformer/random_models.hpp"
#include "tests/transformer/torch_catch.hpp"
#include "tests/words.hpp"
#include "transformer/torch_model.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

using namespace transformer;
namespace fs = std::filesystem;

namespace {

/// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("hindsight-torchscript-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string bytes_of(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

torch::Tensor tensor_of(const std::vector<Letter>& word) {
  return torch::tensor(std::vector<std::int64_t>(word.begin(), word.end()), torch::kLong).unsqueeze(0);
}

Model random_model(std::uint32_t seed) {
  std::mt19937 random(seed);
  return tests::random_model(random);
}

}  // namespace

TEST_CASE("a .pt file gives the model back", "[torchscript]") {
  const Folder folder;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Model model = random_model(seed);
    CAPTURE(seed, tests::describe(model));
    const auto path = folder / "model.pt";
    save_torchscript(model, path);
    CHECK(load_torchscript(path) == model);
    const auto bytes = bytes_of(path);
    save_torchscript(model, path);
    CHECK((bytes_of(path) == bytes));  // no dump of the bytes
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("the code in a .pt file computes what TorchModel computes", "[torchscript]") {
  const Folder folder;
  const auto path = folder / "model.pt";
  const torch::NoGradGuard no_gradients;
  for (std::uint32_t seed = 100; seed < 160; ++seed) {
    const Model model = random_model(seed);
    save_torchscript(model, path);
    auto script = torch::jit::load(path.string());
    TorchModel torch_model(model);
    std::mt19937 random(seed);
    for (const std::size_t length : {0u, 1u, 2u, 3u, 7u, 16u, 17u, 18u, 40u, 65u}) {
      if (length > tests::longest_word(model)) continue;
      const auto word = tests::random_word(random, 2, length);
      CAPTURE(seed, word, tests::describe(model));
      const auto words =
          torch::stack({tensor_of(word)[0], torch::zeros({static_cast<std::int64_t>(length)}, torch::kLong)});
      const auto from_file = script.forward({words}).toTensor();
      const auto here = torch_model->forward(words);
      REQUIRE(from_file.sizes() == torch::IntArrayRef({2}));
      CHECK(torch::allclose(from_file, here, 1e-4, 1e-4));
    }
    if (model.position_kind == PositionKind::learned) {
      CHECK_THROWS(
          script.forward({torch::zeros({1, static_cast<std::int64_t>(model.positions.rows)}, torch::kLong)}));
    }
    CHECK_THROWS(script.forward({torch::full({1, 1}, 2, torch::kLong)}));  // 2 is the end marker's row
    CHECK_THROWS(script.forward({torch::full({1, 1}, -1, torch::kLong)}));
    CHECK_THROWS(script.forward({torch::zeros({1, 1}, torch::kInt)}));
  }
}

TEST_CASE("state_dict() has the names of the safetensors tensors", "[torchscript]") {
  const Folder folder;
  const auto path = folder / "model.pt";
  const Model model = random_model(3);
  save_torchscript(model, path);
  const auto script = torch::jit::load(path.string());
  std::vector<std::string> names;
  for (const auto& parameter : script.named_parameters()) names.push_back(parameter.name);
  std::vector<std::string> expected;
  for (const auto& tensor : named_tensors(model)) expected.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  std::sort(expected.begin(), expected.end());
  CHECK(names == expected);
}

TEST_CASE("what is no model is refused, and nothing is left behind", "[torchscript][errors]") {
  const Folder folder;
  const auto path = folder / "model.pt";
  CHECK_THROWS_AS(load_torchscript(folder / "absent.pt"), std::system_error);
  CHECK_THROWS_AS(load_torchscript(folder / "."), std::system_error);
  CHECK_THROWS_AS(save_torchscript(random_model(1), folder / "absent/model.pt"), std::system_error);
  CHECK(folder.files() == 0);

  Model broken = random_model(1);
  broken.readout.pop_back();
  CHECK_THROWS_AS(save_torchscript(broken, path), std::invalid_argument);
  CHECK(folder.files() == 0);

  for (const std::string text : {"", "PK", "not a zip", "PK\3\4 and then nothing"}) {
    CAPTURE(text);
    write(path, text);
    CHECK_THROWS_AS(load_torchscript(path), FileError);
  }

  const auto scripted = [&](const Model& model) {
    save_torchscript(model, path);
    return torch::jit::load(path.string());
  };
  const Model model = random_model(3);
  const auto metadata = metadata_json(model);
  SECTION("no extra file") {
    scripted(model).save(path.string());
    CHECK_THROWS_AS(load_torchscript(path), FileError);
  }
  SECTION("metadata that is none") {
    scripted(model).save(path.string(), {{"hindsight", "{"}});
    CHECK_THROWS_AS(load_torchscript(path), FileError);
  }
  SECTION("metadata of another model") {
    scripted(random_model(4)).save(path.string(), {{"hindsight", metadata}});
    CHECK_THROWS_AS(load_torchscript(path), FileError);
  }
  SECTION("a tensor of another shape, type or with a number that is none") {
    auto script = scripted(model);
    for (const auto& wrong : {torch::zeros({1, 1}), torch::zeros({3, 5}, torch::kDouble),
                              torch::full({3, static_cast<std::int64_t>(model.width())}, NAN)}) {
      script.setattr("embedding", wrong);
      script.save(path.string(), {{"hindsight", metadata}});
      CHECK_THROWS_AS(load_torchscript(path), FileError);
    }
  }
  SECTION("a module without weights") {
    torch::jit::Module script("Empty");
    script.save(path.string(), {{"hindsight", metadata}});
    CHECK_THROWS_AS(load_torchscript(path), FileError);
  }
  SECTION("truncated") {
    save_torchscript(model, path);
    const auto bytes = bytes_of(path);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 100) {
      CAPTURE(size, bytes.size());
      write(path, bytes.substr(0, size));
      CHECK_THROWS_AS(load_torchscript(path), FileError);
    }
  }
}

TEST_CASE("a file stays whole when writing fails", "[torchscript][errors]") {
  const Folder folder;
  fs::create_directory(folder / "model.pt");
  write(folder / "model.pt/occupied", "");
  CHECK_THROWS_AS(save_torchscript(random_model(1), folder / "model.pt"), std::system_error);
  CHECK(folder.files() == 1);
}
