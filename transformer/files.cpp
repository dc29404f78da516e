#include "transformer/files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace transformer {

namespace {

/// write(2) until all is written; throws std::system_error naming `path`.
void write_all(int file, const std::string& bytes, const std::filesystem::path& path) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), path.string());
    done += static_cast<std::size_t>(count);
  }
}

/// A file descriptor that is closed in the end.
class File {
 public:
  File(const std::filesystem::path& path, int flags)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes now, to learn whether that works.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const File file(path, O_RDONLY);
  if (!file.is_open()) fail(path);
  std::string bytes;
  while (true) {
    constexpr std::size_t step = std::size_t{1} << 20;
    const std::size_t size = bytes.size();
    bytes.resize(size + step);
    const ssize_t count = ::read(file.number(), bytes.data() + size, step);
    const int error = errno;
    bytes.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0) break;
    if (count < 0 && error != EINTR) throw std::system_error(error, std::generic_category(), path.string());
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    // A pipe or a device: written to, never replaced.
    File file(path, O_WRONLY);
    if (!file.is_open()) fail(path);
    write_all(file.number(), bytes, path);
    if (!file.close()) fail(path);
    return;
  }
  // A symbolic link stays and the file it leads to is replaced.
  const auto target = std::filesystem::exists(status) ? std::filesystem::canonical(path) : path;
  static std::atomic<unsigned> counter = 0;
  while (true) {
    auto temporary = target;
    temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.is_open()) {
      if (errno == EEXIST) continue;
      fail(path);
    }
    try {
      // What goes wrong is told of the file that was asked for: the temporary one is nobody's business.
      write_all(file.number(), bytes, path);
      if (::fsync(file.number()) != 0 || !file.close()) fail(path);
      if (::rename(temporary.c_str(), target.c_str()) != 0) fail(path);
    } catch (...) {
      std::filesystem::remove(temporary, ignored);
      throw;
    }
    return;
  }
}

}  // namespace transformer
