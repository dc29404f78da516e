// The engine for every declared arithmetic: runs a Model position by position.
//
// Where a head needs no more than how often each pair of key and value has occurred, this is the ExactEngine.
// For the other arithmetics, in which the order of positions matters or numbers are floating, the keys and
// values of the past are kept: a position costs O(N) for each global head and O(k) for each k-local one.
#pragma once

#include "transformer/model.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace transformer {

/// A model ready to run.  A handle; an engine and its runs belong to one thread, copies of the engine do not.
class Engine {
 public:
  /// Throws std::invalid_argument unless `model` is valid.
  explicit Engine(const Model& model);
  Engine(const Engine& other);
  Engine& operator=(const Engine& other);
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  /// A word being read.  Copying it copies what it keeps of the past.
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

    /// Whether the logit at an end marker placed here is greater than 0; a NaN is not.
    bool accepts() { return logit() > 0; }

    /// That logit: infinite or NaN only in floating point with infinities.
    double logit();

    /// How many letters have been read.
    std::uint64_t length() const;

   private:
    friend class Engine;
    struct State;
    explicit Run(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };

  /// The run of the empty word.
  Run start() const;

  /// Throws as Run::read does.
  bool accepts(std::span<const Letter> word) const;

  /// Whether a position costs the same however long the word is: whether this is the ExactEngine.
  bool counts() const;

 private:
  struct Kind;
  std::unique_ptr<Kind> kind_;
};

}  // namespace transformer
