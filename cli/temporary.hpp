// A directory for files that end with the command.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace cli {

/// A new directory under the system's place for temporary files; removed with the object.
class TemporaryDirectory {
 public:
  /// Throws std::system_error when it cannot be made.
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "hindsight-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cli
