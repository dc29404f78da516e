// The companion program `hindsight-torch`, which holds what needs LibTorch.
//
// It is found beside the running program, otherwise in PATH.  `hindsight-torch serve` reads one JSON document
// a line, {"model": PATH, "dtype": "fp32", "words": [[0,1], ...]}, and answers each with one line,
// {"accepted": "01..."} or {"error": "..."}; cli/torch/serve.cpp has it in full.  `hindsight-torch export
// IN.safetensors OUT.pt` and `import IN.pt OUT.safetensors` convert files.
#pragma once

#include "cli/command.hpp"
#include "logic/alphabet.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cli {

/// Whether there is a companion program.
bool has_companion();

/// How LibTorch computes, and how much one word may cost: its own limits where there are none.
struct TorchOptions {
  std::string dtype = "fp32";                  // or fp64, bf16
  std::string device = "cpu";                  // or cuda
  std::optional<std::uint64_t> max_scores;     // of one global head
  std::optional<std::uint64_t> max_megabytes;  // of memory
};

/// A running `hindsight-torch serve`; ends with the object.
class Companion {
 public:
  // What one request holds at most, one word excepted that is longer.
  static constexpr std::size_t words_at_once = 4096;
  static constexpr std::size_t letters_at_once = 1'000'000;

  /// Throws InputError when there is no companion program or it cannot be started.
  Companion();
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  /// Whether the model in the file accepts each of `words`.
  ///
  /// Sent in pieces, each answered before the next, so neither side waits for a full pipe.  Throws
  /// InputError with the companion's message, or when it ends or answers nonsense, std::length_error when it
  /// reached a limit.
  std::vector<bool> accepts(const std::filesystem::path& model, const TorchOptions& options,
                            std::span<const logic::Word> words);

  /// For each of `words` whether the model accepts its prefixes of 0, 1, ... letters.  Throws likewise.
  std::vector<std::vector<bool>> prefixes(const std::filesystem::path& model, const TorchOptions& options,
                                          std::span<const logic::Word> words);

 private:
  std::string ask(const std::string& request);
  template <class Read>
  void ask_in_pieces(const std::filesystem::path& model, const TorchOptions& options, bool prefixes,
                     std::span<const logic::Word> words, Read read);
  [[noreturn]] void fail();  // says how the process ended

  pid_t process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

/// Runs `hindsight-torch COMMAND IN OUT` to its end.  Throws InputError with its message when it fails,
/// std::length_error when that was for a limit.
void convert_with_companion(const std::string& command, const std::filesystem::path& in,
                            const std::filesystem::path& out);

}  // namespace cli
