// The places at which formulas are looked at: positions and ends of several words that share their
// beginnings.
#pragma once

#include "logic/formula.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace logic {

/// One bit for each place.
using Truth = std::vector<std::uint64_t>;

inline bool bit(const Truth& truth, std::uint32_t place) {
  return (truth[place / 64] >> (place % 64) & 1) != 0;
}

/// A forest of positions.  Each place has the position just before it, or none, and a letter, or none at the
/// end of a word; what is before a place is older than the place.
class Places {
 public:
  using Place = std::uint32_t;
  static constexpr Place none = UINT32_MAX;

  /// A new place behind `before`, which carries a letter (or is none, for position 1).
  Place add(Place before, std::optional<Letter> letter);
  /// The end of `word`; what is new in the word becomes new places.  Words given before share their
  /// beginnings.
  Place add_word(std::span<const Letter> word);

  std::uint32_t size() const { return static_cast<std::uint32_t>(before_.size()); }
  Place before(Place p) const { return before_[p]; }
  std::optional<Letter> letter(Place p) const { return letter_[p]; }
  /// 1, 2, ...
  std::uint32_t position(Place p) const { return position_[p]; }

  /// Where a formula holds that consists of an operator and arguments which hold at `left` and `right`.
  ///
  /// O(size() / 64) for Booleans, O(size()) otherwise and O(k size()) for windows.  Not for S.
  Truth apply(Kind kind, std::uint32_t k, std::uint32_t j, const Truth& left, const Truth& right) const;
  /// Where `f` holds.  `f` must not use S.
  Truth truth(Formula f) const;

 private:
  std::vector<Place> before_;
  std::vector<std::optional<Letter>> letter_;
  std::vector<std::uint32_t> position_;
  std::map<std::pair<Place, Letter>, Place> next_;  // of the words
};

}  // namespace logic
