// The engine that answers for a model: its declared arithmetic, or LibTorch.
#pragma once

#include "cli/companion.hpp"
#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "transformer/engine.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cli {

/// --engine, and what goes with --engine torch.
class EngineOptions {
 public:
  void add_to(Options& options);

  /// Throws UsageError where an option is given that the engine does not have.  To be called after
  /// Options::parse, before what follows.
  void check();

  bool is_torch() const { return engine_ == "torch"; }
  const TorchOptions& torch() const { return torch_; }

 private:
  std::optional<std::string> engine_;
  std::optional<std::string> dtype_;
  std::optional<std::string> device_;
  TorchOptions torch_;
};

/// What a model answers on an engine.
class ModelAnswers {
 public:
  /// Throws InputError where LibTorch is asked for and there is no companion.  `file` must outlive it.
  ModelAnswers(const ModelFile& file, const EngineOptions& options);

  /// Whether the model accepts each word; those that have no positions are rejected.  Words that begin as the
  /// word before are read on from there, so that words in short-lex order cost little.  Throws as
  /// Companion::accepts does.
  std::vector<bool> operator()(std::span<const logic::Word> words);

  /// With learned positions, the longest word that has one for its end marker.
  const std::optional<std::uint64_t>& longest_word() const { return longest_word_; }

 private:
  bool reference_accepts(const logic::Word& word);

  const ModelFile& file_;
  TorchOptions torch_;
  std::optional<std::uint64_t> longest_word_;
  std::optional<transformer::Engine> reference_;
  logic::Word last_;                             // that was read with its prefixes kept,
  std::vector<transformer::Engine::Run> reads_;  // the empty one first
  std::optional<Companion> companion_;
};

}  // namespace cli
