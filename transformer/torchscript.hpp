// Models in TorchScript files (.pt): code, weights and metadata in one file that Python runs without this
// project,
//
//     torch.jit.load("model.pt")(words)        # words: int64 (batch, length); logits (batch)
//
// The end marker is appended inside.  state_dict() has the names of the safetensors tensors, and the extra
// file `hindsight` holds the JSON document of a safetensors file (docs/model-files.md).
#pragma once

#include "transformer/model.hpp"
#include "transformer/safetensors.hpp"

#include <filesystem>

namespace transformer {

/// Writes to a temporary file beside `path` and renames it, so that `path` is whole or untouched.  Equal
/// models give equal bytes.
///
/// Throws std::invalid_argument unless `model` is valid, std::system_error when the file cannot be written.
void save_torchscript(const Model& model, const std::filesystem::path& path);

/// The model that such a file holds.  The code in the file is not run.
///
/// Throws std::system_error when the file cannot be read, FileError when it is no model.
Model load_torchscript(const std::filesystem::path& path);

}  // namespace transformer
