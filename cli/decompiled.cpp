#include "cli/decompiled.hpp"

#include "cli/model_file.hpp"

#include <utility>

namespace cli {

bridge::DecompileOptions decompile_options(std::uint64_t max_states, Progress& progress) {
  bridge::DecompileOptions options;
  options.max_states = max_states;
  options.progress = [&progress](const std::string& step, std::size_t states) {
    progress.show(step + ": " + std::to_string(states) + " states");
  };
  return options;
}

DecompiledLanguage decompiled_language(const transformer::Model& model, std::uint64_t max_states,
                                       Progress& progress) {
  auto decompiled = bridge::decompile(model, decompile_options(max_states, progress));
  return {{logic::Alphabet(model.alphabet), std::move(decompiled.dfa)},
          decompiled.explored_states,
          decompiled.longest_word};
}

DecompiledLanguage decompiled_language(const std::string& path, std::uint64_t max_states, bool quiet) {
  const ModelFile file(path);
  Progress progress(quiet);
  return decompiled_language(file.model(), max_states, progress);
}

}  // namespace cli
