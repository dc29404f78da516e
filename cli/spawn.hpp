// Programs that are started: the companion, and programs of the user.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace cli {

/// Starts the program at `path` with these as its standard input, output and error (-1: those of this
/// process); arguments[0] is what it is called.  With `group` it gets a process group of its own, which can
/// be ended as a whole.
///
/// Throws InputError when it cannot be started.
pid_t start_process(const std::string& path, const std::vector<std::string>& arguments, int in, int out,
                    int err, bool group = false);

/// Waits for the end of the process, and returns its status as waitpid gives it, or -1.
int wait_for(pid_t process);

/// What is wrong with such a status, for a message; empty when the process ended well.
std::string how_it_ended(int status);

}  // namespace cli
