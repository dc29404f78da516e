#include "cli/process.hpp"

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
#include <vector>

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

pid_t start(const Program& program, const Pipe& input, const Pipe& output) {
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
  std::vector<std::string> words{program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, program.name.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw InputError(program.purpose + ", but there is no program " + program.name +
                     " in PATH (Debian: " + program.package + ")");
  if (error != 0) throw InputError(program.name + " cannot be started: " + std::strerror(error));
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
        throw_errno("pipe");
    }
    if (ends[0].revents != 0) {
      const ssize_t got = read(from.get(), buffer.data(), buffer.size());
      if (got == 0) return answer;
      if (got > 0)
        answer.append(buffer.data(), static_cast<std::size_t>(got));
      else if (errno != EINTR)
        throw_errno("pipe");
    }
  }
}

}  // namespace

std::string pipe_through(const Program& program, std::string_view text) {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  const pid_t process = start(program, input, output);
  input.read.close();
  output.write.close();
  std::string answer;
  std::string fault;
  try {
    answer = exchange(std::move(input.write), std::move(output.read), text);
  } catch (const std::system_error& error) {
    fault = error.what();
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw_errno(program.name.c_str());
  if (!fault.empty()) throw InputError(program.name + ": " + fault);
  if (WIFSIGNALED(status))
    throw InputError(program.name + " was ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    throw InputError(program.name + " ended with exit status " + std::to_string(WEXITSTATUS(status)));
  return answer;
}

}  // namespace cli
