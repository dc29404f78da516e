// The language of a model, for the commands that take a model where others take a language.
#pragma once

#include "automata/language.hpp"
#include "bridge/decompile.hpp"
#include "cli/output.hpp"
#include "transformer/model.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace cli {

struct DecompiledLanguage {
  automata::Language language;
  std::size_t explored_states;
  std::optional<std::uint64_t> longest_word;  // as in bridge::Decompiled
};

/// bridge::decompile, whose steps `progress` shows.
DecompiledLanguage decompiled_language(const transformer::Model& model, std::uint64_t max_states,
                                       Progress& progress);

/// The same for the file of a model.  Throws as ModelFile does, and std::length_error past `max_states`.
DecompiledLanguage decompiled_language(const std::string& path, std::uint64_t max_states, bool quiet);

/// The options of bridge::decompile and bridge::verify.  `progress` must outlive them.
bridge::DecompileOptions decompile_options(std::uint64_t max_states, Progress& progress);

}  // namespace cli
