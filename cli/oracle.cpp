#include "cli/oracle.hpp"

#include "cli/command.hpp"
#include "cli/spawn.hpp"
#include "cli/words.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t shown_characters = 60;  // of an answer, in a message
constexpr std::size_t longest_answer = 1 << 20;
constexpr int patience = 100;  // milliseconds

void close_end(int& end) {
  if (end >= 0) close(end);
  end = -1;
}

std::string shown(const std::string& line) {
  if (line.size() <= shown_characters) return "'" + line + "'";
  return "a line of " + std::to_string(line.size()) + " bytes";
}

}  // namespace

OracleProgram::OracleProgram(logic::Alphabet alphabet, OracleOptions options)
    : alphabet_(std::move(alphabet)), options_(std::move(options)) {}

OracleProgram::~OracleProgram() {
  finish(1);
}

std::optional<int> OracleProgram::finish(std::uint64_t seconds) {
  close_end(to_);
  close_end(from_);
  if (process_ <= 0) return std::nullopt;
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  for (useconds_t pause = 100; Clock::now() < deadline; pause = std::min<useconds_t>(2 * pause, 10'000)) {
    int status = 0;
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended != 0) {
      process_ = -1;
      return ended > 0 ? status : -1;
    }
    usleep(pause);
  }
  end();
  return std::nullopt;
}

void OracleProgram::start() {
  int request[2];
  int reply[2];
  if (pipe2(request, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  if (pipe2(reply, O_CLOEXEC) != 0) {
    const int error = errno;
    close(request[0]);
    close(request[1]);
    throw std::system_error(error, std::generic_category(), "pipe");
  }
  to_ = request[1];
  from_ = reply[0];
  unread_.clear();
  try {
    process_ = start_process("/bin/sh", {"sh", "-c", options_.command}, request[0], reply[1], -1, true);
  } catch (...) {
    for (int end : {request[0], reply[1]}) close(end);
    close_end(to_);
    close_end(from_);
    throw;
  }
  close(request[0]);
  close(reply[1]);
  for (const int end : {to_, from_}) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
}

void OracleProgram::end() {
  close_end(to_);
  close_end(from_);
  if (process_ <= 0) return;
  kill(-process_, SIGKILL);
  wait_for(process_);
  process_ = -1;
}

void OracleProgram::fail(const std::string& what) {
  end();
  throw InputError("--oracle: " + what);
}

void OracleProgram::fail_at_end(std::size_t answers, std::size_t words) {
  const auto status = finish(1);
  std::string how = status ? how_it_ended(*status) : "it closed its output";
  if (how.empty()) how = "it ended";
  throw InputError("--oracle: " + std::to_string(answers) + " answers for " + std::to_string(words) +
                   " words: " + how);
}

bool OracleProgram::parse(const std::string& line, std::size_t number, const logic::Word& word) {
  const std::string kind = line.substr(0, 6);
  const bool well = (kind == "accept" || kind == "reject") &&
                    (line.size() == 6 || line.substr(6) == ' ' + readable(alphabet_, word) ||
                     line.substr(6) == ' ' + logic::to_string(alphabet_, word));
  if (!well) {
    fail("answer " + std::to_string(number) + " of this batch, for " + abridged(alphabet_, word) + ", is " +
         shown(line) + " and not accept or reject");
  }
  return kind == "accept";
}

std::vector<bool> OracleProgram::operator()(std::span<const logic::Word> words) {
  if (words.empty()) return {};
  const bool first = process_ <= 0;
  if (first) start();
  std::string request;
  for (const auto& word : words) request += logic::to_string(alphabet_, word) + '\n';
  std::size_t written = 0;
  std::vector<bool> answers;
  answers.reserve(words.size());
  auto deadline = Clock::now() + std::chrono::seconds(options_.seconds);
  bool ended = false;  // its output
  // With `each` it is read to its end, otherwise until all answers are there.
  while (!ended && (options_.each || answers.size() < words.size() || written < request.size())) {
    pollfd ends[2] = {{from_, POLLIN, 0}, {to_, POLLOUT, 0}};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count() + 1;
    const int ready = left <= 0 ? 0 : poll(ends, written < request.size() ? 2 : 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) throw std::system_error(errno, std::generic_category(), "poll");
    if (ready == 0) {
      end();
      throw std::length_error("--oracle: " + std::to_string(answers.size()) + " answers for " +
                              std::to_string(words.size()) + " words, and nothing more in " +
                              std::to_string(options_.seconds) +
                              " s; a program that answers at the end of its input needs --each, others must "
                              "flush each line");
    }
    deadline = Clock::now() + std::chrono::seconds(options_.seconds);
    if (ends[1].revents != 0) {
      const auto count = write(to_, request.data() + written, request.size() - written);
      if (count > 0) written += static_cast<std::size_t>(count);
      // It does not read on: what it answers, or how it ended, says more than the closed pipe.
      const bool closed = count < 0 && errno != EAGAIN && errno != EINTR;
      if (closed || (options_.each && written == request.size())) close_end(to_);
      if (closed) written = request.size();
    }
    if (ends[0].revents == 0) continue;
    char buffer[1 << 16];
    const auto count = read(from_, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    ended = count <= 0;
    if (!ended) unread_.append(buffer, static_cast<std::size_t>(count));
    if (ended && !unread_.empty()) unread_ += '\n';  // a last line without an end
    std::size_t begin = 0;
    for (std::size_t line_end; (line_end = unread_.find('\n', begin)) != std::string::npos;
         begin = line_end + 1) {
      std::string line = unread_.substr(begin, line_end - begin);
      if (line.ends_with('\r')) line.pop_back();
      if (answers.size() == words.size())
        fail("more than " + std::to_string(words.size()) + " answers for as many words: " + shown(line));
      answers.push_back(parse(line, answers.size() + 1, words[answers.size()]));
    }
    unread_.erase(0, begin);
    if (unread_.size() > longest_answer) fail("an answer of more than a million bytes");
  }
  if (answers.size() < words.size()) fail_at_end(answers.size(), words.size());
  if (!options_.each) {
    // What comes unasked would be taken for later answers; the first time it has a moment to come.
    pollfd more = {from_, POLLIN, 0};
    if (unread_.empty() && poll(&more, 1, first ? patience : 0) > 0 && (more.revents & POLLIN) != 0) {
      char c = 0;
      if (read(from_, &c, 1) == 1) unread_ = c;
    }
    if (!unread_.empty()) fail("more than " + std::to_string(words.size()) + " answers for as many words");
    return answers;
  }
  const auto status = finish(options_.seconds);
  if (!status) fail("the program does not end");
  const std::string how = how_it_ended(*status);
  const bool no = *status != -1 && WIFEXITED(*status) && WEXITSTATUS(*status) == 1;  // some word is rejected
  if (!how.empty() && !no) fail(how);
  return answers;
}

}  // namespace cli
