#include "cli/spawn.hpp"

#include "cli/command.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cli {

pid_t start_process(const std::string& path, const std::vector<std::string>& arguments, int in, int out,
                    int err, bool group) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (in >= 0) posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (err >= 0) posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_t attributes;  // the child ends at a closed pipe, although this process ignores the signal
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGDEF | (group ? POSIX_SPAWN_SETPGROUP : 0)));
  pid_t process = -1;
  const int error = posix_spawn(&process, path.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw InputError(path + ": cannot be started: " + std::strerror(error));
  return process;
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

std::string how_it_ended(int status) {
  if (status == -1) return std::string("it is lost: ") + std::strerror(errno);
  if (WIFSIGNALED(status)) return std::string("it was ended by signal ") + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "it ended with exit status " + std::to_string(WEXITSTATUS(status));
  return {};
}

}  // namespace cli
