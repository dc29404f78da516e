// Reading and writing what the user names.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace cli {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// `path` for reading; `-` is standard input.  Throws std::system_error naming the path.
File open_file(const std::string& path);

/// All of the file; `-` is standard input.  Throws std::system_error naming the path.
std::string read_file(const std::string& path);

/// Makes `text` all of the file.  Throws std::system_error naming the path.
void write_file(const std::string& path, std::string_view text);

/// The next line without its end (`\n` or `\r\n`) into `line`; false at the end of the file.
/// Throws std::system_error naming `path`.
bool read_line(std::FILE* file, const std::string& path, std::string& line);

}  // namespace cli
