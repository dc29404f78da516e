// Complete deterministic automata over the letters 0, ..., k-1.
//
// A Dfa is a value: it never changes after construction, and every algorithm returns a new one.
// The table has a row for each state and a column for each letter, so next() is one load and
// an incomplete automaton cannot be written down.
#pragma once

#include "logic/alphabet.hpp"

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace automata {

using logic::Letter;
using logic::Word;
using State = std::uint32_t;

class Dfa {
 public:
  /// Row q, column a of `next` is where reading `a` in `q` leads.
  ///
  /// Throws std::invalid_argument unless there is a letter and a state, `next` is a full table of states with
  /// a row for each entry of `accepting`, and `start` is a state.
  Dfa(Letter letters, State start, std::vector<State> next, std::vector<bool> accepting);

  Letter letters() const { return letters_; }
  State states() const { return static_cast<State>(accepting_.size()); }
  State start() const { return start_; }

  /// Where reading `a` in `q` leads.  Both must be in range; asserted, since this is the hot loop.
  State next(State q, Letter a) const {
    assert(q < states() && a < letters_);
    return next_[std::size_t{q} * letters_ + a];
  }

  /// Where reading `word` from `q` leads.  O(|word|).
  State run(State q, std::span<const Letter> word) const;

  bool is_accepting(State q) const { return accepting_[q]; }

  /// Whether the run on `word` ends in an accepting state.  O(|word|).
  bool accepts(std::span<const Letter> word) const { return accepting_[run(start_, word)]; }

  /// The table, row after row.
  const std::vector<State>& table() const { return next_; }
  const std::vector<bool>& accepting() const { return accepting_; }

  friend bool operator==(const Dfa&, const Dfa&) = default;

 private:
  Letter letters_;
  State start_;
  std::vector<State> next_;
  std::vector<bool> accepting_;
};

}  // namespace automata
