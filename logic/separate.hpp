// Formulas that tell words apart, and the least depth at which there is one (docs/windows.md).
#pragma once

#include "logic/places.hpp"
#include "logic/types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace logic {

/// The shortest formula of `logic` with depth at most `depth` that holds at all of `yes` and at none of `no`,
/// if it is among the first `budget` that are tried; of several, the one of least depth.
///
/// Formulas are tried in the order of their size, made of letters that occur in `places`, true, first, MOD,
/// !,
/// &, |, P, H and windows.  Those that agree at all places count as one.  Deterministic.
std::optional<Formula> search_formula(Arena& arena, const Places& places, std::span<const Places::Place> yes,
                                      std::span<const Places::Place> no, const WindowLogic& logic,
                                      std::uint32_t depth, std::size_t budget);

/// As search_formula, but when the shortest formula is out of reach, a disjunction of conjunctions of the
/// formulas tried, possibly under O or !, that agrees with `yes` and `no`; it need not be short.
std::optional<Formula> cover_formula(Arena& arena, const Places& places, std::span<const Places::Place> yes,
                                     std::span<const Places::Place> no, const WindowLogic& logic,
                                     std::uint32_t depth, std::size_t budget);

/// Formulas for types.  Each type that takes part must have a place of that type.
class TypeFormulas {
 public:
  /// `place_of[t]` is a place of type t; entries of types that take no part are not read.
  TypeFormulas(Arena& arena, const Types& types, const Places& places, std::vector<Places::Place> place_of)
      : arena_(arena), types_(types), places_(places), place_of_(std::move(place_of)) {}

  /// A formula that holds at places of type `s` and at none of type `t`; its depth is the least possible.
  ///
  /// s and t are different types of one depth.  Nesting costs heap, not stack.
  Formula apart(Types::Type s, Types::Type t);

  /// A formula that holds at the types `yes` and at none of `no`, all of one depth; its depth is at most
  /// that.
  Formula separate(std::span<const Types::Type> yes, std::span<const Types::Type> no);

 private:
  struct Piece {
    Formula formula;
    Truth truth;
  };
  using Pair = std::pair<Types::Type, Types::Type>;

  Formula make(Kind kind, std::uint32_t k, std::uint32_t j, Formula left = {}, Formula right = {});
  bool holds_at(Formula f, Types::Type t) const { return bit(truth_.at(f->id), place_of_[t]); }
  Pair lowered(Types::Type s, Types::Type t) const;
  /// As apart, from what is known; otherwise none, and what has to be known first is added to `missing`.
  std::optional<Formula> attempt(Types::Type s, Types::Type t, std::vector<Pair>& missing);
  std::optional<Formula> exclude(Types::Type s, std::span<const Types::Type> others,
                                 std::vector<Pair>& missing);
  void complete(std::vector<Pair> open);

  Arena& arena_;
  const Types& types_;
  const Places& places_;
  std::vector<Places::Place> place_of_;
  std::map<std::uint32_t, Truth> truth_;  // of the formulas made here, by id
  std::map<Pair, Formula> known_;
};

/// `f` with subformulas replaced by constants or by parts of themselves as long as `good` says yes; never
/// larger or deeper.  At most `attempts` calls of `good`.
Formula shrink(Arena& arena, Formula f, std::size_t attempts, const std::function<bool(Formula)>& good);

struct Separation {
  std::optional<Formula> formula;  // holds at the end of the first word and not of the second
  std::uint32_t depth;             // the least depth of such formulas; without one, the depth tried
};

/// A formula of `logic` with depth at most `max_depth` that holds at the end of `u` and not at the end of
/// `v`, or none: then both ends have the same type of that depth, and no formula of that depth separates
/// them.
///
/// The formula has the least depth possible.  Different words are always separated by some depth, at most the
/// length of the longer.  `budget` bounds the search for the shortest one; what the types give is the
/// fallback.  O((|u| + |v|) r k) for the types up to depth r.
Separation separate(Arena& arena, std::span<const Letter> u, std::span<const Letter> v,
                    const WindowLogic& logic, std::uint32_t max_depth, std::size_t budget = 200'000);

}  // namespace logic
