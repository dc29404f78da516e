// The commands of `hindsight-torch`, the companion program that holds what needs LibTorch: one source each.
#pragma once

#include <CLI/App.hpp>

namespace cli {

/// Adds `serve`: answers questions about models, one JSON line for each.
void add_serve(CLI::App& app);

/// Adds `export` and `import`: between .safetensors and .pt files.
void add_conversions(CLI::App& app);

}  // namespace cli
