// What a command is: a name, its help, and a function from arguments to an exit status.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The exit statuses of the command-line contract.
enum class Status : int {
  done = 0,       // done, or the answer is yes
  no = 1,         // the answer is no
  bad_input = 2,  // bad input or usage
  limit = 3,      // a stated limit was reached, or the answer is undecided within it
};

struct Command;

/// What stands after the name of the command, cut at the first `--`.
struct Arguments {
  const Command& command;
  std::vector<std::string> before;
  std::optional<std::vector<std::string>> after;  // none when there is no `--`
};

struct Command {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view usage;     // what stands after `hindsight NAME`
  std::string_view notes;     // what the options alone do not say; may be empty
  std::string_view examples;  // command lines, one a line
  Status (*run)(const Arguments& arguments);
};

/// Input that the user must change: exit status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call that does not fit the usage: exit status 2, with a pointer to --help.
class UsageError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace cli
