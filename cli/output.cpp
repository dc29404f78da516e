#include "cli/output.hpp"

#include "cli/json.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

[[noreturn]] void throw_output_error() {
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "standard output");
}

}  // namespace

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw_output_error();
}

void flush() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw_output_error();
}

void complain(std::string_view command, std::string_view text) {
  std::string line = "hindsight";
  if (!command.empty()) line += ' ' + std::string(command);
  line += ": " + std::string(text) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_json(const nlohmann::ordered_json& document, int indent) {
  print(document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Progress::Progress(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + std::chrono::milliseconds(500)) {}

void Progress::show(const std::string& text) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  std::fputs(("\r\033[K" + text).c_str(), stderr);
}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

Painter::Painter(bool quiet) {
  const char* terminal = std::getenv("TERM");
  enabled_ = !quiet && isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr &&
             terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string Painter::paint(Colour colour, const std::string& text) const {
  if (!enabled_) return text;
  const auto with = [&](const char* code) { return "\033[" + std::string(code) + 'm' + text + "\033[0m"; };
  switch (colour) {
    case Colour::yes: return with("32");
    case Colour::no: return with("31");
    case Colour::unknown: return with("33");
    case Colour::heading: return with("1");
  }
  return text;
}

}  // namespace cli
