#include "cli/companion.hpp"

#include "cli/output.hpp"
#include "cli/spawn.hpp"
#include "cli/temporary.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

constexpr const char* program_name = "hindsight-torch";

/// Beside the running program, otherwise in PATH; empty when there is none.
std::filesystem::path find_companion() {
  const auto is_program = [](const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error && is_program(self.parent_path() / program_name)) return self.parent_path() / program_name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const auto candidate = std::filesystem::path(rest.substr(0, end)) / program_name;
    if (end > 0 && is_program(candidate)) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::string path_of_companion() {
  const auto path = find_companion();
  if (path.empty())
    throw InputError(std::string("this build has no LibTorch companion: there is no ") + program_name +
                     " beside hindsight or in PATH");
  return path.string();
}

}  // namespace

bool has_companion() {
  return !find_companion().empty();
}

Companion::Companion() {
  const std::string path = path_of_companion();
  int request[2];
  int reply[2];
  if (pipe2(request, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  if (pipe2(reply, O_CLOEXEC) != 0) {
    const int error = errno;
    close(request[0]);
    close(request[1]);
    throw std::system_error(error, std::generic_category(), "pipe");
  }
  try {
    process_ = start_process(path, {program_name, "serve"}, request[0], reply[1], -1);
  } catch (...) {
    for (const int end : {request[0], request[1], reply[0], reply[1]}) close(end);
    throw;
  }
  close(request[0]);
  close(reply[1]);
  to_ = fdopen(request[1], "wb");
  from_ = fdopen(reply[0], "rb");
}

Companion::~Companion() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  if (process_ > 0) wait_for(process_);
}

void Companion::fail() {
  std::fclose(to_);
  std::fclose(from_);
  to_ = nullptr;
  from_ = nullptr;
  const std::string how = how_it_ended(wait_for(process_));
  process_ = -1;
  throw InputError("the LibTorch companion did not answer: " + (how.empty() ? "it ended" : how));
}

std::string Companion::ask(const std::string& request) {
  if (process_ < 0) throw InputError("the LibTorch companion has ended");
  if (std::fwrite(request.data(), 1, request.size(), to_) != request.size() || std::fflush(to_) != 0) fail();
  std::string line;
  int c = EOF;
  while ((c = getc_unlocked(from_)) != EOF && c != '\n') line.push_back(static_cast<char>(c));
  if (c == EOF) fail();
  return line;
}

/// read(reply, first, count) for the words first, ..., first + count - 1; it returns whether that is an
/// answer.
template <class Read>
void Companion::ask_in_pieces(const std::filesystem::path& model, const TorchOptions& options, bool prefixes,
                              std::span<const logic::Word> words, Read read) {
  const std::string path = json_string(std::filesystem::absolute(model).string());
  if (nlohmann::json::parse(path).get<std::string>() != std::filesystem::absolute(model).string())
    throw InputError(model.string() + ": for LibTorch the name must be valid UTF-8");
  std::string head = "{\"model\":" + path;
  if (prefixes) head += ",\"prefixes\":true";
  if (options.device != "cpu") head += ",\"device\":" + json_string(options.device);
  if (options.max_scores) head += ",\"max_scores\":" + std::to_string(*options.max_scores);
  if (options.max_megabytes) head += ",\"max_bytes\":" + std::to_string(*options.max_megabytes) + "e6";
  head += ",\"dtype\":" + json_string(options.dtype) + ",\"words\":[";
  for (std::size_t first = 0; first < words.size();) {
    std::string request = head;
    std::size_t count = 0;
    std::size_t letters = 0;
    for (std::size_t i = first; i < words.size() && count < words_at_once; ++i, ++count) {
      if (count > 0 && letters + words[i].size() > letters_at_once) break;
      letters += words[i].size();
      request += count > 0 ? ",[" : "[";
      for (std::size_t n = 0; n < words[i].size(); ++n) {
        if (n > 0) request += ',';
        request += std::to_string(words[i][n]);
      }
      request += ']';
    }
    request += "]}\n";
    const auto reply = nlohmann::json::parse(ask(request), nullptr, false);
    if (reply.is_object() && reply.contains("error") && reply["error"].is_string()) {
      const std::string message = "LibTorch: " + reply["error"].get<std::string>();
      if (reply.contains("kind") && reply["kind"] == "limit") throw std::length_error(message);
      throw InputError(message);
    }
    const char* key = prefixes ? "prefixes" : "accepted";
    if (!reply.is_object() || !reply.contains(key) || !read(reply[key], first, count))
      throw InputError("the LibTorch companion answered nonsense");
    first += count;
  }
}

namespace {

/// The `count` characters 0 and 1 of `text`; none where it is something else.
std::optional<std::vector<bool>> bits_of(const nlohmann::json& text, std::size_t count) {
  if (!text.is_string()) return std::nullopt;
  const auto& characters = text.get_ref<const std::string&>();
  if (characters.size() != count || characters.find_first_not_of("01") != std::string::npos)
    return std::nullopt;
  std::vector<bool> bits;
  for (const char c : characters) bits.push_back(c == '1');
  return bits;
}

}  // namespace

std::vector<bool> Companion::accepts(const std::filesystem::path& model, const TorchOptions& options,
                                     std::span<const logic::Word> words) {
  std::vector<bool> answers;
  answers.reserve(words.size());
  ask_in_pieces(model, options, false, words,
                [&](const nlohmann::json& reply, std::size_t, std::size_t count) {
                  const auto bits = bits_of(reply, count);
                  if (bits) answers.insert(answers.end(), bits->begin(), bits->end());
                  return bits.has_value();
                });
  return answers;
}

std::vector<std::vector<bool>> Companion::prefixes(const std::filesystem::path& model,
                                                   const TorchOptions& options,
                                                   std::span<const logic::Word> words) {
  std::vector<std::vector<bool>> answers;
  ask_in_pieces(model, options, true, words,
                [&](const nlohmann::json& reply, std::size_t first, std::size_t count) {
                  if (!reply.is_array() || reply.size() != count) return false;
                  for (std::size_t i = 0; i < count; ++i) {
                    auto bits = bits_of(reply[i], words[first + i].size() + 1);
                    if (!bits) return false;
                    answers.push_back(std::move(*bits));
                  }
                  return true;
                });
  return answers;
}

void convert_with_companion(const std::string& command, const std::filesystem::path& in,
                            const std::filesystem::path& out) {
  const TemporaryDirectory directory;
  const auto said = directory.path() / "err";
  const int err = open(said.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (err < 0) throw std::system_error(errno, std::generic_category(), said.string());
  int status = 0;
  try {
    status = wait_for(start_process(path_of_companion(),
                                    {program_name, command, std::filesystem::absolute(in).string(),
                                     std::filesystem::absolute(out).string()},
                                    -1, -1, err));
  } catch (...) {
    close(err);
    throw;
  }
  close(err);
  if (status == 0) return;
  // Its own message, and not what LibTorch may have said before it.
  std::string message = in.string() + ": " + program_name + ' ' + command + ": " + how_it_ended(status);
  std::ifstream lines(said);
  const std::string prefix = std::string(program_name) + ": ";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(prefix)) message = line.substr(prefix.size());
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(Status::limit))
    throw std::length_error(message);
  throw InputError(message);
}

}  // namespace cli
