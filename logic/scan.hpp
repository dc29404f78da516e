// A formula on long words: 64 positions at a time.
#pragma once

#include "logic/formula.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logic {

/// Reads a word, in as many pieces as it comes, and knows whether the word so far is accepted.
///
/// Sixty-four positions are evaluated by one pass over the subformulas with a few machine operations for each
/// (a counting window and MOD take up to 64).  So O(|f|) for every 64 letters, and memory that does not
/// depend on the word: O(|f|), and k bits for each counting window Y<=k>=j.
class Scan {
 public:
  /// Throws std::invalid_argument when there are no letters or `f` names one out of range.
  Scan(Formula f, Letter letters);

  /// Goes on with `piece`, whose letters must be in range; asserted.
  void read(std::span<const Letter> piece);

  /// Whether the word read so far is accepted: the formula holds at its end.  O(|f|).
  bool accepts();

  /// Forgets the word.
  void restart();

 private:
  struct Operation {
    Kind kind;
    std::uint32_t to;
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t k;
    std::uint32_t j;
    std::size_t memory;  // index in carries_, or in histories_ for a counting window
  };
  /// The truth values of the argument of a counting window, a ring of blocks, and how many of the last k
  /// hold.
  struct History {
    std::vector<std::uint64_t> blocks;
    std::uint64_t count = 0;
  };

  void evaluate(bool advance);
  std::uint64_t count(History& history, const Operation& o, std::uint64_t x, bool advance) const;

  std::vector<Operation> operations_;
  std::vector<std::uint32_t>
      value_of_;                      // where the truth of a letter is, in values_; those not named share one
  std::vector<std::uint32_t> named_;  // the values of the letters that are named
  std::vector<std::uint64_t> values_;  // of each subformula; bit i is the truth at position i of the block
  std::vector<std::uint64_t> carries_;
  std::vector<History> histories_;
  std::uint64_t blocks_ = 0;  // finished ones
  std::uint32_t filled_ = 0;  // letters in this block, below 64
};

}  // namespace logic
