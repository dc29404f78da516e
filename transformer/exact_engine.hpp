// The exact engine: runs a Model position by position in its declared fixed-point arithmetic, under every
// rule of attention for which the order of positions does not matter (all but partial_sums).
//
// A head does not keep the keys and values of the past but how often each pair of them occurred, so a
// position costs at most the number of different pairs and not the length of the word: N tokens cost O(N)
// time, and memory does not grow with N.  What a layer makes of an input and of head outputs it has met
// before is looked up.  docs/arithmetic.md says what is computed, transformer/rounded_model.hpp computes it.
#pragma once

#include "transformer/rounded_model.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace transformer {

/// A model with its weights on the grid, ready to run.  A handle.
///
/// An engine and its runs share a memo of what was computed, so they belong to one thread.  A copy of the
/// engine shares only the weights, which never change, and starts a memo of its own: give each thread a copy.
class ExactEngine {
 public:
  /// Throws std::invalid_argument unless `model` is valid and declares such an arithmetic;
  /// transformer::Engine takes all.
  ///
  /// The memo is dropped whenever it grows by more than about `memo_words` numbers of 8 bytes.
  explicit ExactEngine(const Model& model, std::size_t memo_words = std::size_t{1} << 22);
  ExactEngine(const ExactEngine& other);
  ExactEngine& operator=(const ExactEngine& other);
  ExactEngine(ExactEngine&&) noexcept;
  ExactEngine& operator=(ExactEngine&&) noexcept;
  ~ExactEngine();

  /// A word being read.  Copying it copies the counts, so that words with a common prefix can share the work;
  /// assigning reuses the memory.  It may outlive its engine.
  class Run {
   public:
    Run(const Run& other);
    Run& operator=(const Run& other);
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;
    ~Run();

    /// Reads one more letter.  Throws std::invalid_argument when it is out of range, std::length_error past
    /// the table of learned positions; the run is then as before.
    void read(Letter a);

    /// Whether the letters read so far are accepted, that is, whether the logit at an end marker placed here
    /// is positive.  Reads nothing: more letters may follow.
    bool accepts() { return logit() > 0; }

    /// That logit, as a raw fixed-point value.
    Raw logit();

    /// How many letters have been read.
    std::uint64_t length() const;

   private:
    friend class ExactEngine;
    struct State;
    explicit Run(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };

  /// The run of the empty word.
  Run start() const;

  /// Throws as Run::read does.
  bool accepts(std::span<const Letter> word) const;

  const RoundedModel& model() const;

 private:
  struct Memo;
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace transformer
