// The exact engine: runs a Model position by position in its declared fixed-point arithmetic.
//
// A head does not keep the keys and values of the past but how often each pair of them occurred, so a
// position costs the number of different pairs and not the length of the word: N tokens cost O(N) time, and
// memory does not grow with N.  Every rounding goes through round_quotient.  docs/arithmetic.md says where it
// happens.
#pragma once

#include "transformer/model.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace transformer {

/// A model with its weights on the grid, ready to run.  A handle: copies share the rounded weights.
class ExactEngine {
 public:
  /// Throws std::invalid_argument unless `model` is valid.
  explicit ExactEngine(const Model& model);

  /// A word being read.  Copying it copies the counts, so that words with a common prefix can share the work.
  class Run {
   public:
    Run(const Run&);
    Run& operator=(const Run&);
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;
    ~Run();

    /// Reads one more letter.  Throws std::invalid_argument when it is out of range, std::length_error past
    /// the table of learned positions.
    void read(Letter a);

    /// Whether the letters read so far are accepted, that is, whether the logit at an end marker placed here
    /// is positive.  Reads nothing: more letters may follow.
    bool accepts();

    /// That logit, as a raw fixed-point value.
    std::int64_t logit();

   private:
    friend class ExactEngine;
    struct State;
    explicit Run(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };

  /// The run of the empty word.
  Run start() const;

  bool accepts(std::span<const Letter> word) const;

 private:
  struct Network;
  std::shared_ptr<const Network> network_;
};

}  // namespace transformer
