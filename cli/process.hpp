// Programs that are started to turn one text into another, as Graphviz and gnuplot are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// A program in PATH, and what to say where there is none: `PURPOSE, but there is no program NAME in PATH`.
struct Program {
  std::string name;
  std::vector<std::string> arguments;
  std::string purpose;  // "svg is drawn by Graphviz"
  std::string package;  // of Debian
};

/// What the program writes when it reads `text`, through pipes.
///
/// Throws InputError when there is no such program or it fails, std::system_error when it cannot be talked
/// to.
std::string pipe_through(const Program& program, std::string_view text);

}  // namespace cli
