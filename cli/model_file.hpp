// Files of models as users name them: .safetensors, and .pt through the companion.
#pragma once

#include "cli/temporary.hpp"
#include "transformer/model.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace cli {

enum class ModelFormat { safetensors, torchscript };

/// What the extension says; none where it is that of no model file.
std::optional<ModelFormat> model_format(const std::filesystem::path& path);

/// A model that was read, and a .safetensors file of it: its own, or a temporary one made from a .pt file.
class ModelFile {
 public:
  /// A file without a known extension is read as safetensors.  Throws InputError where it is no model or is a
  /// .pt and there is no companion, std::system_error where it cannot be read.
  explicit ModelFile(const std::string& path);

  const std::filesystem::path& path() const { return path_; }
  const transformer::Model& model() const { return model_; }

 private:
  std::optional<TemporaryDirectory> directory_;
  std::filesystem::path path_;
  transformer::Model model_;
};

/// Writes `path` as a whole or not at all.  Throws InputError where a .pt is asked for and there is no
/// companion, std::system_error where it cannot be written.
void write_model(const transformer::Model& model, const std::filesystem::path& path, ModelFormat format);

}  // namespace cli
