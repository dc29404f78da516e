#include "cli/graphviz.hpp"

#include "cli/command.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace cli {
namespace {

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A file descriptor that is closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};
Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

pid_t start(const Pipe& input, const Pipe& output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDOUT_FILENO);
  posix_spawnattr_t attributes;  // this process ignores the signal of a closed pipe, the child shall not
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string name = "dot";
  std::string format = "-Tsvg";
  char* const arguments[] = {name.data(), format.data(), nullptr};
  pid_t process = -1;
  const int error = posix_spawnp(&process, name.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw InputError("svg is drawn by Graphviz, but there is no program dot in PATH (Debian: graphviz)");
  if (error != 0) throw InputError(std::string("dot cannot be started: ") + std::strerror(error));
  return process;
}

/// Writes `text` and reads the answer at the same time, so that neither side waits for ever.
std::string exchange(Descriptor to, Descriptor from, std::string_view text) {
  if (fcntl(to.get(), F_SETFL, O_NONBLOCK) != 0) throw_errno("fcntl");
  std::string answer;
  std::array<char, 1 << 16> buffer;
  while (true) {
    if (text.empty()) to.close();
    pollfd ends[] = {{from.get(), POLLIN, 0}, {to.get(), POLLOUT, 0}};  // a negative one is skipped
    if (poll(ends, 2, -1) < 0) {
      if (errno == EINTR) continue;
      throw_errno("poll");
    }
    if (ends[1].revents != 0) {
      const ssize_t written = write(to.get(), text.data(), text.size());
      if (written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (errno == EPIPE)
        text = {};  // it reads no more; its exit status says why
      else if (errno != EAGAIN && errno != EINTR)
        throw_errno("dot");
    }
    if (ends[0].revents != 0) {
      const ssize_t got = read(from.get(), buffer.data(), buffer.size());
      if (got == 0) return answer;
      if (got > 0)
        answer.append(buffer.data(), static_cast<std::size_t>(got));
      else if (errno != EINTR)
        throw_errno("dot");
    }
  }
}

}  // namespace

std::string draw_svg(std::string_view graph) {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  const pid_t process = start(input, output);
  input.read.close();
  output.write.close();
  std::string svg;
  std::string fault;
  try {
    svg = exchange(std::move(input.write), std::move(output.read), graph);
  } catch (const std::system_error& error) {
    fault = error.what();
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw_errno("dot");
  if (!fault.empty()) throw InputError(fault);
  if (WIFSIGNALED(status)) throw InputError("dot was ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    throw InputError("dot ended with exit status " + std::to_string(WEXITSTATUS(status)));
  return svg;
}

}  // namespace cli
