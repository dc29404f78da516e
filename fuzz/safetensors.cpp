// Files of models.  An input is a file, or, if it begins with 'e', edits of a valid file: five bytes for
// each, three of them the place and two what to do there.  Whatever is accepted must be valid, run, and
// survive being written.
#include "transformer/safetensors.hpp"

#include "tests/alternating_model.hpp"
#include "tests/random_model.hpp"
#include "transformer/exact_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::vector<std::string> valid_files() {
  std::vector<std::string> files{transformer::to_safetensors(tests::alternating_model())};
  for (unsigned seed = 0; seed < 9; ++seed) {
    std::mt19937 random(seed);
    tests::RandomModelOptions options;
    options.norm = static_cast<transformer::NormPlacement>(seed % 3);
    options.positions = static_cast<transformer::PositionKind>(seed / 3 % 3);
    options.layers = 1;
    files.push_back(transformer::to_safetensors(tests::random_model(random, options)));
  }
  return files;
}

std::string edited(const std::uint8_t* edits, std::size_t size) {
  static const std::vector<std::string> files = valid_files();
  if (size == 0) return files[0];
  std::string file = files[edits[0] % files.size()];
  for (std::size_t i = 1; i + 5 <= size && !file.empty(); i += 5) {
    const std::size_t place = (edits[i] + 256u * edits[i + 1] + 65536u * edits[i + 2]) % file.size();
    const auto byte = static_cast<char>(edits[i + 4]);
    switch (edits[i + 3] % 4) {
      case 0: file[place] = byte; break;
      case 1: file.insert(place, 1, byte); break;
      case 2: file.erase(place, 1 + edits[i + 4] % 16); break;
      case 3: file.insert(place, file.substr(place, edits[i + 4])); break;
    }
  }
  // The length of the header again, padding included, so that most edits get past the first check.
  const std::size_t brace = file.rfind('}');
  if (edits[0] < 128 && brace != std::string::npos && brace > 8) {
    const std::size_t end = std::min(file.find_first_not_of(' ', brace + 1), file.size());
    for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<char>((end - 8) >> (8 * i) & 0xff);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = size > 0 && data[0] == 'e'
                               ? edited(data + 1, size - 1)
                               : std::string(reinterpret_cast<const char*>(data), size);
  transformer::Model model;
  try {
    model = transformer::from_safetensors(file);
  } catch (const transformer::FileError&) {
    return 0;
  }
  transformer::validate(model);
  const std::string written = transformer::to_safetensors(model);
  if (transformer::from_safetensors(written) != model) std::abort();
  const transformer::ExactEngine engine(model);
  auto run = engine.start();
  run.logit();
  for (transformer::Letter n = 0; n < 8 && n < engine.model().longest_word(); ++n) {
    run.read(n % static_cast<transformer::Letter>(model.letters()));
    run.logit();
  }
  return 0;
}
