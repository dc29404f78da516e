#include "cli/files.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace cli {
namespace {

[[noreturn]] void throw_error(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path == "-" ? "standard input" : path);
}

}  // namespace

File open_file(const std::string& path) {
  if (path == "-") return File(stdin, [](std::FILE*) { return 0; });
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw_error(path);
  return file;
}

std::string read_file(const std::string& path) {
  const File file = open_file(path);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) text.append(buffer, n);
  if (std::ferror(file.get()) != 0) throw_error(path);
  return text;
}

void write_file(const std::string& path, std::string_view text) {
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) throw_error(path);
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) throw_error(path);
  if (std::fclose(file.release()) != 0) throw_error(path);
}

bool read_line(std::FILE* file, const std::string& path, std::string& line) {
  line.clear();
  bool found = false;
  for (int c; (c = getc_unlocked(file)) != EOF;) {
    found = true;
    if (c == '\n') break;
    line.push_back(static_cast<char>(c));
  }
  if (std::ferror(file) != 0) throw_error(path);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return found;
}

}  // namespace cli
