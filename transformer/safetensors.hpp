// Models in safetensors files: the tensors by name, and one JSON document under __metadata__.hindsight with
// everything else.  The schema is in docs/model-files.md.
#pragma once

#include "transformer/model.hpp"

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace transformer {

/// A file that is no model; what() names the tensor, key or offset at fault.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of the file.  Throws std::invalid_argument unless `model` is valid.
std::string to_safetensors(const Model& model);

/// The inverse; every offset, size, name and number is checked before use.  Throws FileError.
Model from_safetensors(std::span<const char> bytes);

/// Writes to a temporary file beside `path` and renames it, so that `path` is whole or untouched.
/// Throws std::system_error when the file cannot be written.
void save_safetensors(const Model& model, const std::filesystem::path& path);

/// Throws std::system_error when the file cannot be read, FileError when it is no model.
Model load_safetensors(const std::filesystem::path& path);

/// The JSON document alone, and the tensors it describes by name: what other containers (.pt) store too.
struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> entries;
};
std::string metadata_json(const Model& model);
/// What the document says under `arithmetic`.
std::string arithmetic_json(const Arithmetic& arithmetic);
std::vector<NamedTensor> named_tensors(const Model& model);
/// Throws FileError; naming the container is left to the caller.
Model model_of(const std::string& metadata, const std::vector<NamedTensor>& tensors);

}  // namespace transformer
