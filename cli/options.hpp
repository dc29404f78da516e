// The options of a command.  CLI11 splits the arguments and prints the help; it stays in options.cpp.
#pragma once

#include "cli/command.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Thrown by Options::parse for --help.
struct HelpRequested {
  std::string text;
};

/// Options are declared with the variable that receives them; what is not given keeps its default.
class Options {
 public:
  /// Every command has --json, --quiet and --help.
  explicit Options(const Command& command);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// The options that follow are listed in --help under this title.
  void group(const std::string& title);
  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, const std::string& placeholder, std::optional<std::string>& target,
            const std::string& help);
  void number(const std::string& names, const std::string& placeholder, std::uint64_t& target,
              const std::string& help, std::uint64_t least = 1,
              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  void number(const std::string& names, const std::string& placeholder, std::optional<std::uint64_t>& target,
              const std::string& help, std::uint64_t least = 1,
              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// One of `values`.
  void choice(const std::string& names, const std::vector<std::string_view>& values,
              std::optional<std::string>& target, const std::string& help);

  /// Sets the variables and returns the arguments that are no options, as they were given.
  ///
  /// An argument that begins with `-` and has more characters is always an option or the value of one.
  /// Throws UsageError, HelpRequested.
  std::vector<std::string> parse(const std::vector<std::string>& arguments);

  bool json = false;
  bool quiet = false;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Throws UsageError where `positional` or what stands after `--` is not empty.
void expect_no_words(const std::vector<std::string>& positional, const Arguments& arguments);

}  // namespace cli
