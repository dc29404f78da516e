#include "transformer/safetensors.hpp"

#include "tests/alternating_model.hpp"
#include "tests/catch.hpp"
#include "tests/random_model.hpp"
#include "tests/scale.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <system_error>
#include <unistd.h>

namespace transformer {
namespace {

namespace fs = std::filesystem;

/// A file with that header and data, whatever they are.
std::string file_of(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

/// The smallest model there is; its data are the embedding (2 x 1), readout.weight (1) and readout.bias (1).
Model smallest() {
  Model model;
  model.alphabet = {"a"};
  model.embedding = Matrix(2, 1);
  model.readout = {1};
  return model;
}

std::string header_of(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  return bytes.substr(8, length);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  INFO("replacing " << from << " in " << text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string message_of(const std::string& bytes) {
  try {
    from_safetensors(bytes);
  } catch (const FileError& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST_CASE("models survive the file", "[safetensors][law]") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.arithmetic = FixedPoint(static_cast<int>(seed % 17), 1 + static_cast<int>(seed % 16));
    constexpr AttentionRule rules[] = {AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                                       AttentionRule::clamped_denominator, AttentionRule::partial_sums};
    options.norm = static_cast<NormPlacement>(seed % 3);
    options.positions = static_cast<PositionKind>(seed / 3 % 3);
    options.on_grid = false;
    options.layers = seed % 5;
    Model model = random_model(random, options);
    if (seed % 3 == 1) model.arithmetic = Arithmetic(options.arithmetic, rules[seed % 4]);
    if (seed % 3 == 2)
      model.arithmetic =
          Arithmetic(FloatFormat(2 + static_cast<int>(seed % 7), 1 + static_cast<int>(seed % 23),
                                 seed % 4 < 2, seed % 8 < 4),
                     rules[seed % 4], seed % 5 < 2 ? SumOrder::pairwise : SumOrder::left_to_right);
    if (seed % 2 == 0) model.max_length = std::numeric_limits<std::uint64_t>::max() - seed;
    if (seed % 3 == 0) model.source = "P(\"a\" & ¬Y \\b)\n\x01";
    if (seed % 5 == 0) model.coordinates.assign(model.width(), "π_a ∧ \"ψ\"");
    if (seed % 10 == 0 && !model.layers.empty()) {  // names of its own, after the last layer
      model.layers.back().attention_coordinates.assign(model.width(), "ψ");
      model.layers.back().coordinates.assign(model.width(), "");
    }
    if (seed % 7 == 0) model.alphabet[0] = "größer";
    if (seed % 4 == 0) model.embedding.entries[0] = std::numeric_limits<float>::denorm_min();
    if (seed % 4 == 1) model.embedding.entries[0] = -std::numeric_limits<float>::max();
    const std::string bytes = to_safetensors(model);
    REQUIRE(from_safetensors(bytes) == model);
    REQUIRE(to_safetensors(from_safetensors(bytes)) == bytes);
    REQUIRE(model_of(metadata_json(model), named_tensors(model)) == model);
    REQUIRE((bytes.size() - header_of(bytes).size()) % 4 == 0);
    REQUIRE(header_of(bytes).size() % 8 == 0);
  }
  const Model model = tests::alternating_model();
  CHECK(from_safetensors(to_safetensors(model)) == model);
}

TEST_CASE("the layout of a file is as documented", "[safetensors]") {
  Model model = smallest();
  model.embedding.entries = {1.0f, -2.0f};
  model.readout_bias = 0.5f;
  const std::string bytes = to_safetensors(model);
  const std::string header =
      R"({"__metadata__":{"hindsight":"{\"format\":1,\"alphabet\":[\"a\"],\"position\":\"none\",)"
      R"(\"norm\":\"none\",\"final_norm_epsilon\":null,\"layers\":[],)"
      R"(\"arithmetic\":{\"kind\":\"fixed-point\",\"fraction_bits\":4,\"integer_bits\":8},)"
      R"(\"max_length\":null,\"coordinates\":[],\"source\":\"\"}"},)"
      R"("embedding":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("readout.weight":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
      R"("readout.bias":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})";
  CHECK(header_of(bytes).substr(0, header.size()) == header);
  CHECK(bytes.substr(bytes.size() - 16) ==
        std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x80\x3f\x00\x00\x00\x3f", 16));
}

TEST_CASE("what is wrong with a file is named", "[safetensors]") {
  const std::string good = to_safetensors(smallest());
  const std::string header = header_of(good);
  const std::string data(16, '\0');
  REQUIRE(message_of(file_of(header, data)) == "nothing thrown");

  CHECK(message_of("") == "safetensors: a file of 0 bytes has no header");
  CHECK(message_of(std::string(7, 'x')) == "safetensors: a file of 7 bytes has no header");
  CHECK(message_of(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)) ==
        "safetensors: a header of 18446744073709551615 bytes in a file of 10");
  CHECK(message_of(std::string("\x03\0\0\0\0\0\0\0{}", 10)) ==
        "safetensors: a header of 3 bytes in a file of 10");
  CHECK(message_of(file_of("", "")) == "safetensors: the header does not begin with {");
  CHECK(message_of(file_of(" {}", "")) == "safetensors: the header does not begin with {");
  CHECK(message_of(file_of("{}", "")) == "safetensors: there is no metadata \"hindsight\"");

  struct Row {
    const char* from;
    const char* to;
    const char* message;
  };
  const std::vector<Row> rows{
      // the header itself
      {"{", "{{", "the header is not JSON"},
      {"{", "{\"x\":1e999,", "the header is not JSON"},
      {"\"embedding\"", "\"readout.bias\"", "the header has the key \"readout.bias\" twice"},
      {"\"dtype\":\"F32\"", "\"dtype\":\"F32\",\"dtype\":\"F32\"", "the header has the key \"dtype\" twice"},
      {"[2,1]", "[[[[[[[[[[[[[[[[[[", "the header is nested deeper than 16 levels"},
      {"hindsight", "hindsighs", "there is no metadata \"hindsight\""},
      {"{\"__metadata__\":", "{\"__metadata__\":3,\"x\":", "__metadata__ is 3, not an object"},
      {"{\"hindsight\"", "{\"format\":1,\"hindsight\"", "__metadata__.format is 1, not a string"},
      // tensors
      {"\"F32\"", "\"F16\"", "tensor \"embedding\".dtype is \"F16\", not \"F32\""},
      {"\"F32\"", "32", "tensor \"embedding\".dtype is 32, not a string"},
      {"\"dtype\"", "\"type\"", "tensor \"embedding\" has no key \"dtype\""},
      {"\"dtype\"", "\"x\":0,\"dtype\"", "tensor \"embedding\" has the unknown key \"x\""},
      {"[2,1]", "[-2,1]", "tensor \"embedding\".shape[0] is -2, not a natural number"},
      {"[2,1]", "[2.0,1]", "tensor \"embedding\".shape[0] is 2.0, not a natural number"},
      {"[2,1]", "2", "tensor \"embedding\".shape is 2, not an array"},
      {"[2,1]", "[4294967296,4294967296]",
       "tensor \"embedding\".shape is [4294967296,4294967296], not a size"},
      {"[2,1]", "[4611686018427387904,1]",
       "tensor \"embedding\".shape is [4611686018427387904,1], not a size"},
      {"[2,1]", "[3,1]", "tensor \"embedding\".data_offsets is [0,8], not 12 bytes apart"},
      {"[2,1]", "[2]", "tensor \"embedding\" has 1 dimensions, not 2"},
      {"[2,1]", "[1,2]", "validate: embedding is 1 x 2, not 2 x 2"},
      {"[0,8]", "[0,8,8]", "tensor \"embedding\".data_offsets is [0,8,8], not two offsets"},
      {"[0,8]", "[8,0]", "tensor \"embedding\".data_offsets is [8,0], not in order"},
      {"[0,8]", "[16,24]", "tensor \"embedding\".data_offsets is [16,24], not within the 16 bytes of data"},
      {"[0,8]", "[18446744073709551608,18446744073709551615]", "tensor \"embedding\".data_offsets is"},
      {"[0,8]", "[0,18446744073709551624]", "tensor \"embedding\".data_offsets[1] is"},
      {"[0,8]", "[4,12]", "tensor \"embedding\" begins at offset 4, behind a hole that begins at 0"},
      {"[8,12]", "[4,8]",
       "tensor \"readout.weight\" begins at offset 4, inside the one before, which ends at 8"},
      {"[12,16]", "[8,12]",
       "tensor \"readout.weight\" begins at offset 8, inside the one before, which ends at 12"},
      {"\"shape\":[1],\"data_offsets\":[12,16]", "\"shape\":[0],\"data_offsets\":[12,12]",
       "the tensors end at offset 12 of 16 bytes of data"},
      {"\"embedding\"", "\"embeddings\"", "tensor \"embedding\" is missing"},
      {"\"embedding\"", "\"x\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},\"embedding\"",
       "tensor \"x\" is no part of the model"},
      // metadata
      {"\\\"format\\\":1", "\\\"format\\\":3", "metadata \"hindsight\".format is 3, not one of the versions"},
      {"\\\"format\\\":1", "\\\"format\\\":0", "metadata \"hindsight\".format is 0, not one of the versions"},
      {"\\\"format\\\":1", "\\\"format\\\":1,\\\"x\\\":2",
       "metadata \"hindsight\" has the unknown key \"x\""},
      {"\\\"format\\\":1,", "", "metadata \"hindsight\" has no key \"format\""},
      {"\\\"source\\\"", "\\\"norm\\\"", "metadata \"hindsight\" has the key \"norm\" twice"},
      {"\\\"layers\\\":[]", "\\\"layers\\\":[", "metadata \"hindsight\" is not JSON"},
      {"\\\"layers\\\":[]",
       "\\\"layers\\\":[{\\\"masks\\\":[],\\\"head_width\\\":0,\\\"attention_norm_epsilon\\\":null,"
       "\\\"feed_forward_norm_epsilon\\\":null,\\\"coordinates\\\":[]}]",
       "metadata \"hindsight\".layers[0] has the unknown key \"coordinates\""},
      {"\\\"layers\\\":[]", "\\\"layers\\\":[3]", "metadata \"hindsight\".layers[0] is 3, not an object"},
      {"[\\\"a\\\"]", "[]", "validate: alphabet is empty"},
      {"[\\\"a\\\"]", "[\\\"a\\\",\\\"b\\\"]", "validate: embedding is 2 x 1, not 3 x 1"},
      {"[\\\"a\\\"]", "[1]", "metadata \"hindsight\".alphabet[0] is 1, not a string"},
      {"\\\"none\\\"", "\\\"rope\\\"",
       "metadata \"hindsight\".position is \"rope\", not one of \"none\", \"periodic\", \"learned\""},
      {"\\\"none\\\"", "\\\"learned\\\"", "tensor \"positions\" is missing"},
      {"\\\"norm\\\":\\\"none\\\"", "\\\"norm\\\":\\\"pre\\\"",
       "metadata \"hindsight\".final_norm_epsilon is null, not a number"},
      {"epsilon\\\":null", "epsilon\\\":1", "metadata \"hindsight\".final_norm_epsilon is 1, not null"},
      {"fixed-point", "floating",
       "metadata \"hindsight\".arithmetic.kind is \"floating\", not one of \"fixed-point\", "
       "\"floating-point\""},
      {"\\\"fixed-point\\\"", "\\\"floating-point\\\"",
       "metadata \"hindsight\".arithmetic has no key \"exponent_bits\""},
      {"bits\\\":8}", "bits\\\":8,\\\"attention\\\":\\\"exact\\\"}",
       "metadata \"hindsight\".arithmetic.attention is \"exact\", not one of \"rounded-weights\""},
      {"bits\\\":8}", "bits\\\":8,\\\"order\\\":\\\"exact\\\"}",
       "metadata \"hindsight\".arithmetic has the unknown key \"order\""},
      {"\\\"fixed-point\\\",\\\"fraction_bits\\\":4,\\\"integer_bits\\\":8}",
       R"(\"floating-point\",\"exponent_bits\":5,\"mantissa_bits\":2,\"subnormals\":true,)"
       R"(\"infinities\":true,\"attention\":\"partial-sums\",\"order\":\"exact\"})",
       "metadata \"hindsight\".arithmetic is {\"attention\":\"partial-sums\",\"exponent..., "
       "not a format that exists (Arithmetic: partial sums in exact order"},
      {"bits\\\":4", "bits\\\":17", "metadata \"hindsight\".arithmetic is"},
      {"bits\\\":4", "bits\\\":-1", "metadata \"hindsight\".arithmetic.fraction_bits is -1, not one of"},
      {"bits\\\":8", "bits\\\":4294967304", "metadata \"hindsight\".arithmetic.integer_bits is 4294967304"},
      {"length\\\":null", "length\\\":-1", "metadata \"hindsight\".max_length is -1, not a natural number"},
      {"\\\"coordinates\\\":[]", "\\\"coordinates\\\":[\\\"\\\",\\\"\\\"]",
       "validate: coordinates has 2 names, not 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.from, row.to);
    CHECK_THAT(message_of(file_of(replaced(header, row.from, row.to), data)),
               Catch::Matchers::StartsWith(std::string("safetensors: ") + row.message));
  }
  CHECK(message_of(file_of(header, data + '\0')) ==
        "safetensors: the tensors end at offset 16 of 17 bytes of data");
  CHECK(message_of(file_of(header, data.substr(0, 12) + std::string("\0\0\xc0\x7f", 4))) ==
        "safetensors: validate: readout_bias has nan at entry 0");
  CHECK(message_of(file_of(std::string(1 << 20, '['), "")) ==
        "safetensors: the header does not begin with {");
  std::string deep = "{\"x\":";
  CHECK(message_of(file_of(deep + std::string(1 << 20, '['), "")) ==
        "safetensors: the header is nested deeper than 16 levels");
}

TEST_CASE("what is wrong with a layer is named", "[safetensors]") {
  std::mt19937 random(1);
  tests::RandomModelOptions options;
  options.norm = NormPlacement::post;
  options.layers = 1;
  Model model = random_model(random, options);
  while (model.layers[0].heads() != 2) model = random_model(random, options);
  model.layers[0].masks = {Mask::global(), Mask::local(12)};
  model.layers[0].attention_norm->epsilon = 0.25f;
  const auto tensors = named_tensors(model);
  const std::string metadata = metadata_json(model);
  REQUIRE(model_of(metadata, tensors) == model);
  const std::vector<std::array<const char*, 3>> rows{
      {"\"local-12\"", "\"local-0\"", ".layers[0].masks[1] is \"local-0\", not a mask"},
      {"\"local-12\"", "\"local-012\"", ".layers[0].masks[1] is \"local-012\", not a mask"},
      {"\"local-12\"", "\"local-4294967296\"", ".layers[0].masks[1] is \"local-4294967296\", not a mask"},
      {"\"local-12\"", "\"local-\"", ".layers[0].masks[1] is \"local-\", not a mask"},
      {"\"local-12\"", "\"local-1x\"", ".layers[0].masks[1] is \"local-1x\", not a mask"},
      {"\"local-12\"", "12", ".layers[0].masks[1] is 12, not a string"},
      {"\"head_width\":", "\"head_width\":1", ".layers[0].head_width is 1"},
      {"\"attention_norm_epsilon\":0.25", "\"attention_norm_epsilon\":null",
       ".layers[0].attention_norm_epsilon is null, not a number"},
      {"\"attention_norm_epsilon\":0.25", "\"attention_norm_epsilon\":1e39",
       ".layers[0].attention_norm_epsilon is 1e+39, not a 32-bit float"},
      {"\"attention_norm_epsilon\":0.25", "\"attention_norm_epsilon\":\"x\"",
       ".layers[0].attention_norm_epsilon is \"x\", not a 32-bit float"},
  };
  for (const auto& [from, to, message] : rows) {
    CAPTURE(from, to);
    std::string thrown = "nothing thrown";
    try {
      model_of(replaced(metadata, from, to), tensors);
    } catch (const FileError& error) {
      thrown = error.what();
    }
    CHECK_THAT(thrown, Catch::Matchers::StartsWith("metadata \"hindsight\"" + std::string(message)));
  }
  const std::string zero =
      replaced(metadata, "\"attention_norm_epsilon\":0.25", "\"attention_norm_epsilon\":1e-60");
  CHECK_THROWS_AS(model_of(zero, tensors), FileError);  // 0 as a float
  auto doubled = tensors;
  doubled.push_back(tensors[3]);
  CHECK_THROWS_WITH(model_of(metadata, doubled), "tensor \"" + tensors[3].name + "\" is there twice");
  auto wrong = tensors;
  wrong[0].entries.pop_back();
  CHECK_THROWS_AS(model_of(metadata, wrong), FileError);
}

TEST_CASE("other keys beside ours in the metadata are no trouble", "[safetensors]") {
  const std::string good = to_safetensors(smallest());
  const std::string header = replaced(header_of(good), "{\"hindsight\"", "{\"format\":\"pt\",\"hindsight\"");
  CHECK(from_safetensors(file_of(header, good.substr(good.size() - 16))) == smallest());
}

TEST_CASE("every truncation and every changed byte is refused or leaves a valid model",
          "[safetensors][law]") {
  std::mt19937 random(11);
  tests::RandomModelOptions options;
  options.norm = NormPlacement::pre;
  options.positions = PositionKind::periodic;
  options.layers = 1;
  const std::string good = to_safetensors(random_model(random, options));
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    REQUIRE_THROWS_AS(from_safetensors({good.data(), length}), FileError);
  }
  std::size_t loaded = 0, refused = 0;
  for (std::size_t i = 0; i < good.size(); i += tests::scaled(1, 3)) {
    for (const int change : {0x01, 0x02, 0x10, 0x80, 0xff, 1 + static_cast<int>(random() % 255)}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      CAPTURE(i, change);
      try {
        const Model model = from_safetensors(bytes);
        REQUIRE_NOTHROW(validate(model));
        ++loaded;
      } catch (const FileError&) {
        ++refused;
      }
    }
  }
  CHECK(loaded > 100);  // changed weights
  CHECK(refused > 100);
}

TEST_CASE("files are written whole or not at all", "[safetensors]") {
  const fs::path folder = fs::temp_directory_path() / ("hindsight-safetensors-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const fs::path path = folder / "m.safetensors";
  const Model model = tests::alternating_model();
  save_safetensors(model, path);
  CHECK(load_safetensors(path) == model);

  // Another model into the same file; nothing is left beside it.
  save_safetensors(smallest(), path);
  CHECK(load_safetensors(path) == smallest());
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);

  // An invalid model leaves it alone.
  Model broken = smallest();
  broken.readout.clear();
  CHECK_THROWS_AS(save_safetensors(broken, path), std::invalid_argument);
  CHECK(load_safetensors(path) == smallest());

  // Through a link, the file behind it changes and the link stays.
  const fs::path link = folder / "link.safetensors";
  fs::create_symlink("m.safetensors", link);
  save_safetensors(model, link);
  CHECK(fs::is_symlink(link));
  CHECK(load_safetensors(path) == model);

  CHECK_THROWS_AS(save_safetensors(model, folder / "none" / "m.safetensors"), std::system_error);
  CHECK_THROWS_AS(save_safetensors(model, folder), std::system_error);
  CHECK_THROWS_AS(load_safetensors(folder / "none"), std::system_error);
  CHECK_THROWS_AS(load_safetensors(folder), std::system_error);
  CHECK_NOTHROW(save_safetensors(model, "/dev/null"));
  CHECK(fs::is_character_file("/dev/null"));

  std::ofstream(path, std::ios::binary) << "nonsense";
  CHECK_THROWS_WITH(load_safetensors(path), Catch::Matchers::StartsWith(path.string() + ": safetensors: "));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace transformer
