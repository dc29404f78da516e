// A formula read from left to right: the few bits of the past that decide it, and how a letter changes them.
//
// Each temporal subformula remembers a register, all of them packed into machine words:
//
//   P, O, H, S, Y, first   one bit
//   Y<=k                   for how many more positions it holds, in bit_width(k) bits
//   Y<=k>=j                the last k truth values, of which only the j latest hits are kept (or the k-j+1
//   latest
//                          misses, if these are fewer), in k bits
//   MOD(m,r)               the position modulo m, in bit_width(m-1) bits, one for each m
//
// So equal contents have equal futures, and the contents that can be reached are the states of an automaton
// for the formula (automata/from_formula.hpp).
#pragma once

#include "logic/formula.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace logic {

/// A formula, compiled to a flat program that takes one register content to its successors under all letters
/// at once: one pass over the subformulas evaluates 64 letters, each in its own bit.
class Evaluator {
 public:
  /// The most bits that the registers may have together.
  static constexpr std::uint64_t max_register_bits = std::uint64_t{1} << 26;

  /// Throws std::invalid_argument when there are no letters or `f` names one out of range, std::length_error
  /// when the registers need more than max_register_bits.
  Evaluator(Formula f, Letter letters);

  /// Letters that `f` does not name behave alike, so successors are computed for classes of letters.  They
  /// are numbered in the order of their least letters.
  Letter classes() const { return classes_; }
  Letter class_of(Letter a) const { return class_of_[a]; }

  /// How many bits are in use: all others are always 0.
  std::uint64_t bits() const { return used_bits_; }
  /// How many words a register content has: at least one.
  std::size_t words() const { return start_.size(); }
  /// The content before the first letter.
  const std::vector<std::uint64_t>& start() const { return start_; }

  /// Evaluates at the position that follows the past `from`: writes the content after a letter of class c to
  /// the words() entries of `to` from c * words() on, and returns whether `f` holds here at the end of the
  /// word.
  ///
  /// O(|f| * (1 + classes() / 64) + classes() * words()) and at most one operation for each register and
  /// class.
  bool step(const std::uint64_t* from, std::uint64_t* to);

 private:
  using Lanes = std::uint64_t;  // one bit for each letter class of a block of 64, and one for the end

  struct Place {
    std::uint32_t word;
    std::uint32_t shift;
  };
  /// Gives value `to` from the registers alone: the same in all lanes.
  struct Read {
    Kind kind;
    std::uint32_t to;
    Place place;
    std::uint32_t k;
    std::uint32_t j;
  };
  /// Gives value `to` from other values.
  struct Operation {
    Kind kind;
    std::uint32_t to;
    std::uint32_t left;
    std::uint32_t right;
    Place place;  // of `once`
  };
  /// Gives the next content of a register.
  struct Update {
    Kind kind;
    std::uint32_t self;
    std::uint32_t left;
    std::uint32_t right;
    Place place;
    std::uint32_t k;
    std::uint32_t j;
  };
  /// Y of what is itself a register of one bit: the bits of `mask` go elsewhere, all at once.
  struct Move {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t rotation;
    std::uint64_t mask;
  };
  struct NamedLetter {
    std::uint32_t to;
    Letter letter_class;
  };

  Place allocate(std::uint64_t bits);
  void add_move(Place from, Place to);
  void read(const std::uint64_t* from);
  void operate(const std::uint64_t* from);
  void update(const std::uint64_t* from, Letter lanes, std::uint64_t* to);
  void update_bit(Place place, Lanes next, Lanes letters, std::uint64_t* to);
  void flip(Lanes lanes, std::uint32_t word, std::uint64_t bits, std::uint64_t* to) const;

  Letter classes_ = 0;
  std::vector<Letter> class_of_;
  std::vector<std::uint64_t> start_;
  std::uint64_t used_bits_ = 0;
  std::vector<Lanes> values_;  // of each subformula, in the order of subformulas(f)
  std::vector<NamedLetter> letters_;
  std::vector<Read> reads_;
  std::vector<Operation> operations_;
  std::vector<Update> updates_;
  std::vector<Move> moves_;
  std::vector<std::uint64_t> common_;  // of a step: what the successors have in common
};

}  // namespace logic
