#include "cli/model_file.hpp"

#include "cli/companion.hpp"
#include "transformer/files.hpp"
#include "transformer/safetensors.hpp"

#include <unistd.h>

namespace cli {

std::optional<ModelFormat> model_format(const std::filesystem::path& path) {
  if (path.extension() == ".safetensors") return ModelFormat::safetensors;
  if (path.extension() == ".pt") return ModelFormat::torchscript;
  return std::nullopt;
}

ModelFile::ModelFile(const std::string& path) : path_(path) {
  if (model_format(path_) == ModelFormat::torchscript) {
    directory_.emplace();
    path_ = directory_->path() / "model.safetensors";
    convert_with_companion("import", path, path_);
  }
  try {
    model_ = transformer::from_safetensors(transformer::read_file(path_));
  } catch (const transformer::FileError& error) {
    throw InputError(path + ": " + error.what());
  }
}

void write_model(const transformer::Model& model, const std::filesystem::path& path, ModelFormat format) {
  if (format == ModelFormat::safetensors) {
    transformer::save_safetensors(model, path);
    return;
  }
  const TemporaryDirectory directory;
  const auto weights = directory.path() / "model.safetensors";
  transformer::save_safetensors(model, weights);
  auto partial = path;  // beside the result, so that renaming it is one step
  partial.replace_filename("." + path.stem().string() + '-' + std::to_string(getpid()) + ".pt");
  try {
    convert_with_companion("export", weights, partial);
    std::filesystem::rename(partial, path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
}

}  // namespace cli
