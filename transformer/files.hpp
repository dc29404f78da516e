// Whole files, read and written.
#pragma once

#include <filesystem>
#include <string>

namespace transformer {

/// The bytes of the file.  Throws std::system_error naming `path` when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary file beside `path`, flushes and renames it, so that `path` is whole or untouched.
///
/// A symbolic link stays, and the file it leads to is replaced; a pipe or a device is written to.  Throws
/// std::system_error naming the path when it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace transformer
