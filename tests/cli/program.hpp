// Runs the built program and keeps what it wrote.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tests {

struct Outcome {
  int status = -1;  // exit status; 128 + signal where it was killed
  std::string out;
  std::string err;
};

/// A directory that goes with the object.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "hindsight-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
    path_ = name;
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline std::string quoted(const std::string& argument) {
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// `command` in the shell, where $H is the program, with `input` as standard input.
inline Outcome shell(const std::string& command, const std::string& input = "",
                     const std::string& program = HINDSIGHT_PROGRAM) {
  const Scratch scratch;
  const std::string in = scratch.write("in", input);
  const std::string line = "H=" + quoted(program) + "; ( " + command + "\n) <" + quoted(in) + " >" +
                           quoted(scratch / "out") + " 2>" + quoted(scratch / "err");
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(scratch / "out"),
          contents(scratch / "err")};
}

/// The program with these arguments.
inline Outcome hindsight(const std::vector<std::string>& arguments, const std::string& input = "") {
  std::string command = "\"$H\"";
  for (const auto& argument : arguments) command += ' ' + quoted(argument);
  return shell(command, input);
}

}  // namespace tests
