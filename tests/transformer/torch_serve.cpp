// The companion program as a process: what it is asked and what it answers.
#include "tests/catch.hpp"
#include "tests/transformer/random_models.hpp"
#include "tests/words.hpp"
#include "transformer/safetensors.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

using namespace transformer;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Outcome {
  int status;
  std::string out;
};

/// `hindsight-torch` run in a folder of its own with `in` as its standard input.
class Companion {
 public:
  Companion() : folder_(fs::temp_directory_path() / ("hindsight-serve-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Companion() { fs::remove_all(folder_); }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome run(const std::string& arguments, const std::string& in = "") const {
    std::ofstream(path("in"), std::ios::binary) << in;
    const auto command =
        "cd " + folder_.string() + " && " HINDSIGHT_TORCH_PROGRAM " " + arguments + " <in >out 2>err";
    const int status = std::system(command.c_str());
    std::ostringstream out;
    out << std::ifstream(path("out"), std::ios::binary).rdbuf();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.str()};
  }

  std::vector<json> serve(const std::string& requests) const {
    const auto outcome = run("serve", requests);
    CHECK(outcome.status == 0);
    std::vector<json> answers;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) answers.push_back(json::parse(line));
    return answers;
  }

 private:
  fs::path folder_;
};

/// Accepts exactly the words whose last letter is b.
Model ends_in_b() {
  Model model;
  model.alphabet = {"a", "b"};
  model.embedding = Matrix(3, 2);
  model.embedding(1, 0) = 1;
  Layer layer;
  layer.masks = {Mask::local(1)};
  layer.query = layer.key = layer.value = Matrix(1, 2);
  layer.value(0, 0) = 1;
  layer.query_bias = layer.key_bias = layer.value_bias = {0};
  layer.output = Matrix(2, 1);
  layer.output(1, 0) = 1;
  layer.output_bias = layer.contract_bias = {0, 0};
  layer.expand = Matrix(0, 2);
  layer.contract = Matrix(2, 0);
  model.layers = {layer};
  model.readout = {0, 1};
  model.readout_bias = -0.5f;
  return model;
}

}  // namespace

TEST_CASE("serve answers each line, and goes on after an error", "[serve]") {
  const Companion companion;
  save_safetensors(ends_in_b(), companion.path("b.safetensors"));
  Model opposite = ends_in_b();
  opposite.readout = {0, -1};
  opposite.readout_bias = 0.5f;
  save_safetensors(opposite, companion.path("not b.safetensors"));
  std::ofstream(companion.path("broken.safetensors")) << "no model";

  const auto answers = companion.serve(R"({"model": "b.safetensors", "words": [[], [0], [1], [1, 0], [0, 1]]}
{"model": "b.safetensors", "dtype": "bf16", "words": [[1], [0], [1, 1, 1]]}
{"model": "not b.safetensors", "dtype": "fp64", "words": [[1], []]}
{"model": "b.safetensors", "words": []}
not json
{"model": "absent.safetensors", "words": [[0]]}
{"model": "broken.safetensors", "words": [[0]]}
{"model": "b.safetensors", "words": [[2]]}
{"model": "b.safetensors", "words": [[-1]]}
{"model": "b.safetensors", "words": [[4294967296]]}
{"model": "b.safetensors", "words": [[0.5]]}
{"model": "b.safetensors", "words": [0]}
{"model": "b.safetensors", "dtype": "fp8", "words": [[0]]}
{"model": "b.safetensors"}
[]
{"model": "b.safetensors", "device": "tpu", "words": [[0]]}

{"model": "b.safetensors", "words": [[0, 0, 1], [0, 0, 0]]}
{"model": "b.safetensors", "prefixes": true, "words": [[0, 1, 1, 0], []]}
{"model": "b.safetensors", "max_bytes": 1, "words": [[0]]})");
  Model short_words = ends_in_b();
  short_words.position_kind = PositionKind::learned;
  short_words.positions = Matrix(3, short_words.width());
  save_safetensors(short_words, companion.path("short.safetensors"));
  const auto limited = companion.serve(R"({"model": "short.safetensors", "words": [[0, 0, 1]]})");
  REQUIRE(limited.size() == 1);
  CHECK(limited[0]["kind"] == "limit");
  CHECK(limited[0]["error"].is_string());
  REQUIRE(answers.size() == 20);
  CHECK(answers[0] == json{{"accepted", "00101"}});
  CHECK(answers[1] == json{{"accepted", "101"}});
  CHECK(answers[2] == json{{"accepted", "01"}});
  CHECK(answers[3] == json{{"accepted", ""}});
  for (std::size_t i = 4; i < 17; ++i) {
    CAPTURE(i, answers[i]);
    CHECK((answers[i].size() == 1 && answers[i].contains("error") && answers[i]["error"].is_string()));
  }
  CHECK(answers[17] == json{{"accepted", "10"}});
  CHECK(answers[18] == json{{"prefixes", {"00110", "0"}}});
  CHECK(answers[19]["kind"] == "limit");
}

TEST_CASE("export and import carry a model to .pt and back, byte for byte", "[serve]") {
  const Companion companion;
  std::mt19937 random(5);
  const Model model = tests::random_model(random);
  save_safetensors(model, companion.path("m.safetensors"));
  CHECK(companion.run("export m.safetensors m.pt").status == 0);
  CHECK(companion.run("import m.pt back.safetensors").status == 0);
  CHECK(load_safetensors(companion.path("back.safetensors")) == model);

  // Both files answer alike.
  json words = json::array();
  for (const auto& word : tests::words_up_to(2, 4)) words.push_back(word);
  const auto answers = companion.serve(json{{"model", "m.safetensors"}, {"words", words}}.dump() + "\n" +
                                       json{{"model", "m.pt"}, {"words", words}}.dump() + "\n");
  REQUIRE(answers.size() == 2);
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0].contains("accepted"));
}

TEST_CASE("bad use of the companion ends with status 2, and questions about it with 0", "[serve]") {
  const Companion companion;
  for (const char* arguments : {"", "nonsense", "export", "export absent.safetensors m.pt",
                                "import absent.pt m.safetensors", "--threads 0 serve", "serve --threads x"}) {
    CAPTURE(arguments);
    CHECK(companion.run(arguments).status == 2);
  }
  CHECK(companion.run("serve --threads 2").status == 0);
  CHECK(companion.run("--version").status == 0);
  CHECK(companion.run("--help").status == 0);
  CHECK(companion.run("serve --help").status == 0);
}
