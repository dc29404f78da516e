// Standard output and the terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace cli {

/// Appends to standard output, buffered.  Throws std::system_error when it cannot be written.
void print(std::string_view text);

/// Writes what is buffered.  Throws std::system_error when it cannot be written.
void flush();

/// A message to standard error, in one piece: `hindsight COMMAND: TEXT`.
void complain(std::string_view command, std::string_view text);

/// `text` as a JSON string with its quotes.
std::string json_string(std::string_view text);

/// A line on the terminal of standard error that is written over and over, and wiped out in the end.
///
/// Nothing is written where standard error is no terminal, nor when `quiet`, nor in the first half second.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// What colour says: only on a terminal, never with --quiet, and not where NO_COLOR is set.
enum class Colour { yes, no, unknown, heading };
class Painter {
 public:
  explicit Painter(bool quiet);
  std::string paint(Colour colour, const std::string& text) const;

 private:
  bool enabled_;
};

}  // namespace cli
