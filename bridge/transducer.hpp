// Finite machines that put out numbers: what one number in a network is, at each position of a word.
//
// A network whose arithmetic is finite computes, at position n, a function of the letters up to n; where that
// function needs finitely much of the past it is a Transducer.  docs/verify.md says how those of a network
// are made.
#pragma once

#include "automata/dfa.hpp"
#include "transformer/rounded_model.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace bridge {

using automata::Letter;
using automata::State;
using transformer::Raw;

/// A Mealy machine over the letters 0, ..., k-1 and an end marker, which may come at any time and ends the
/// run.
///
/// Reading a letter in a state leads to a state and puts out a vector of numbers; the end marker only puts
/// one out.  State 0 is the start.
struct Transducer {
  /// An output that nobody reads.
  static constexpr std::uint32_t unread = std::numeric_limits<std::uint32_t>::max();
  static constexpr State no_state = std::numeric_limits<State>::max();

  Letter letters = 0;
  std::size_t width = 0;              // of the outputs
  std::vector<State> next;            // (states, letters)
  std::vector<std::uint32_t> output;  // (states, letters + 1): a row of `values`, or `unread`
  std::vector<Raw> values;            // (different outputs, width)
  State end = no_state;  // where words lead that have more letters than there are positions, if any

  State states() const { return static_cast<State>(output.size() / (std::size_t{letters} + 1)); }
  State next_of(State q, Letter a) const { return next[std::size_t{q} * letters + a]; }
  /// The number of the output at `a`, where `letters` is the end marker.
  std::uint32_t output_of(State q, Letter a) const { return output[q * (std::size_t{letters} + 1) + a]; }
  std::span<const Raw> value(std::uint32_t id) const { return {values.data() + id * width, width}; }
};

/// What may be spent on exploring: a count of states that grows up to a limit.
class Budget {
 public:
  /// `report` is called now and then with the count so far.  No limit is above 2^32 - 2, since states are
  /// numbered with 32 bits.
  explicit Budget(std::size_t limit, std::function<void(std::size_t)> report = {})
      : limit_(std::min<std::size_t>(limit, Transducer::no_state - 1)), report_(std::move(report)) {}

  /// One state more, which takes `numbers` numbers.
  ///
  /// Throws std::length_error past the limit, and past 64 numbers for each state of the limit.
  void spend(std::size_t numbers);

  std::size_t states() const { return states_; }
  std::size_t limit() const { return limit_; }

 private:
  std::size_t limit_;
  std::function<void(std::size_t)> report_;
  std::size_t states_ = 0;
  std::size_t numbers_ = 0;
};

/// The minimal machine with the outputs of `machine`, numbered breadth-first in letter order.
/// O(k n log n) for n states and k letters.
Transducer minimize(const Transducer& machine);

/// `machine` with column `column` of its outputs alone; what it puts out at letters is unread unless
/// `at_letters`, what it puts out at the end marker unless `at_end`.  Minimal.
Transducer project(const Transducer& machine, std::size_t column, bool at_letters, bool at_end);

/// What some machines put out together, at letters or at the end marker: for each its output's number.
using Outputs = std::span<const std::uint32_t>;

/// The machines side by side, reachable states only, not minimised.  `combine(outputs, a)` is the number of
/// the output for those of the machines at `a`; width and values are left to the caller.
///
/// No machine at all is one with a single state.  Throws std::length_error past the budget.
Transducer product(Letter letters, std::span<const Transducer* const> machines, Budget& budget,
                   const std::function<std::uint32_t(Outputs, Letter a)>& combine);

}  // namespace bridge
