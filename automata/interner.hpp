// Numbers for sequences: each different sequence gets the next number, and keeps it.
//
// What every exploration of a state space needs: contents go in, states come out.  Sequences lie end to end
// in one array; the table beside it is open-addressed and holds the hash with each number, so that an unequal
// sequence is almost never touched.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace automata {

/// T is an unsigned integer type.
template <class T>
class Interner {
 public:
  /// `width` is the length of every sequence, where they all have the same; 0 where they have not.
  /// There is room for `expected` sequences from the beginning.
  explicit Interner(std::size_t width = 0, std::size_t expected = 0)
      : width_(width),
        slots_(std::bit_ceil(std::max<std::size_t>(64, 2 * expected + 1))),
        mask_(slots_.size() - 1) {
    items_.reserve(width * expected);
  }

  /// How many different sequences there are.  They are numbered from 0 in the order of their first coming.
  std::uint32_t size() const { return size_; }

  /// The sequence of that number; valid until the next call of intern.
  std::span<const T> operator[](std::uint32_t i) const {
    if (width_ > 0) return {items_.data() + i * width_, width_};
    return {items_.data() + ends_[i], items_.data() + ends_[i + 1]};
  }

  /// The number of `sequence`, and whether it is new.  There is room for 2^32 - 1 sequences.  Linear in its
  /// length, expected.
  std::pair<std::uint32_t, bool> intern(std::span<const T> sequence) {
    const std::uint32_t hash = hash_of(sequence);
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Slot slot = slots_[i];
      if (slot.taken_by == 0) {
        items_.insert(items_.end(), sequence.begin(), sequence.end());
        if (width_ == 0) ends_.push_back(items_.size());
        slots_[i] = {hash, ++size_};
        if (2 * std::size_t{size_} > mask_) grow();
        return {size_ - 1, true};
      }
      if (slot.hash == hash && std::ranges::equal((*this)[slot.taken_by - 1], sequence))
        return {slot.taken_by - 1, false};
    }
  }

  /// How many items the sequences have together.
  std::size_t items() const { return items_.size(); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t taken_by = 0;  // the number plus one; 0 says that the slot is free
  };

  static std::uint32_t hash_of(std::span<const T> sequence) {
    std::uint64_t h = sequence.size();
    for (const T item : sequence) {
      h = (h ^ item) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return static_cast<std::uint32_t>(h * 0xD6E8FEB86659FD93u >> 32);
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot slot : old) {
      if (slot.taken_by == 0) continue;
      std::size_t i = slot.hash & mask_;
      while (slots_[i].taken_by != 0) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }

  std::size_t width_;
  std::uint32_t size_ = 0;
  std::vector<T> items_;
  std::vector<std::size_t> ends_{0};  // of the sequences, unless there is a width
  std::vector<Slot> slots_;
  std::size_t mask_;
};

}  // namespace automata
