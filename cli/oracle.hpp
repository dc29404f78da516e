// Words that a program of the user answers for: one word a line in, `accept` or `reject` a line out.
#pragma once

#include "logic/alphabet.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cli {

struct OracleOptions {
  std::string command;         // for /bin/sh
  bool each = false;           // start it for each batch of words, and close its input behind the last
  std::uint64_t seconds = 60;  // the longest time without a sign of life while answers are due
};

/// The running program; ends with the object.
///
/// A word is written as logic::to_string writes it, so the empty word is an empty line.  An answer is a line
/// `accept` or `reject`, which may repeat the word behind a space, as `hindsight check` and `run` do.
class OracleProgram {
 public:
  OracleProgram(logic::Alphabet alphabet, OracleOptions options);
  ~OracleProgram();
  OracleProgram(const OracleProgram&) = delete;
  OracleProgram& operator=(const OracleProgram&) = delete;

  /// One answer for each word.  Reads while it writes, so that neither side waits for a full pipe.
  ///
  /// Throws InputError, naming the word and the line, when an answer is none, there are too few or too many,
  /// or the program ends badly (an exit status of 1 with all answers is well); std::length_error when it
  /// takes too long.
  std::vector<bool> operator()(std::span<const logic::Word> words);

 private:
  void start();
  /// The exit status, as waitpid gives it, of the program when its input and output are closed; none when it
  /// has not ended after so long, and was killed.
  std::optional<int> finish(std::uint64_t seconds);
  void end();  // at once
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_at_end(std::size_t answers, std::size_t words);
  bool parse(const std::string& line, std::size_t number, const logic::Word& word);

  logic::Alphabet alphabet_;
  OracleOptions options_;
  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string unread_;  // behind the last answer
};

}  // namespace cli
