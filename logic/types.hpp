// Types of positions: what formulas of bounded depth can know about them (docs/windows.md).
//
// Two positions, of the same word or of different ones, have the same type of depth r exactly when no formula
// of the logic with depth r or less holds at one and fails at the other.  Types are numbers, given out by a
// Types object; equal types have equal numbers, across all words that it has read.
#pragma once

#include "logic/formula.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace logic {

/// The logics of one global operator and one window: LTL[P], LTL[Y], LTL[P,Y<=3], LTL[#Y<=3],
/// LTL[P,Y,MOD(2)].
///
/// Boolean operators, letters and `first` belong to each; H and O count as P.  The windows are exactly k
/// wide.
struct WindowLogic {
  bool previously = false;
  std::uint32_t window = 0;   // k; 0: no window, 1: Y
  bool counting = false;      // windows that count; the same logic for k <= 2
  std::uint32_t modulus = 1;  // m: MOD(m,r) for this m; 1: no MOD

  friend bool operator==(const WindowLogic&, const WindowLogic&) = default;
};

/// `LTL[P,#Y<=3,MOD(2)]`; the operators in the order P, Y, MOD, # where windows count.
std::string name(const WindowLogic& logic);

/// The logic of that name; the operators in any order, each once, `Y` or `Y<=k` or `#Y<=k` and at least P or
/// a window.  None where `text` is no such name, or k or m is not in 1..1,000,000.
std::optional<WindowLogic> window_logic_of_name(std::string_view text);

/// Whether every operator of `f` is one of `logic`'s.
bool belongs(Formula f, const WindowLogic& logic);

/// Types of one logic up to one depth, computed from left to right.
///
/// type_0 is the letter (none at the end of the word) and the position modulo m; type_{r+1} is these two, the
/// set of the types of depth r in the window (with multiplicities where windows count), and the set of the
/// types of depth r at all earlier positions (where the logic has P).
class Types {
 public:
  using Type = std::uint32_t;
  using Set = std::uint32_t;
  static constexpr Type none = UINT32_MAX;

  /// What a type consists of.
  struct Parts {
    std::uint32_t depth;
    std::optional<Letter> letter;  // none at the end of a word
    std::uint32_t residue;         // of the position, modulo m
    Type lower;                    // the type of depth one less at the same position; none for depth 0
    std::vector<Type> window;      // of depth one less, ascending; each once unless windows count
    Set past;                      // of depth one less
  };

  Types(const WindowLogic& logic, std::uint32_t depth);

  const WindowLogic& logic() const { return logic_; }
  std::uint32_t depth() const { return depth_; }
  /// How many types were given out.
  std::size_t size() const { return parts_.size(); }
  const Parts& parts(Type t) const { return parts_[t]; }
  /// The types in a set, ascending.
  std::vector<Type> members(Set set) const;

  /// What the letters read so far leave for the types of later positions; equal values have equal futures.
  using Past = std::vector<std::uint32_t>;
  /// Before the first letter.
  Past start() const;
  /// The types of depths 0, ..., depth() of the next position, with `letter` or at the end (none).
  /// O(k + log(types)) expected for each depth.
  std::vector<Type> at(const Past& past, std::optional<Letter> letter);
  /// `past` after a position whose types (as at() gives them) are `types`.
  void append(Past& past, std::span<const Type> types);

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };
  /// Sets are binary tries over the bits of the members, lowest first, with equal tries stored once; a trie
  /// with one member is a leaf.  So equal sets are equal numbers, and adding a member is cheap.
  struct Trie {
    Set zeros;  // the branch for bit 0, or `leaf`
    Set ones;   // the branch for bit 1, or the member
  };
  static constexpr Set leaf = UINT32_MAX;

  Type intern(Parts parts);
  Set trie(Set zeros, Set ones);
  Set add(Set set, Type member);
  std::size_t stride() const { return logic_.window + (logic_.previously ? 1 : 0); }

  WindowLogic logic_;
  std::uint32_t depth_;
  std::vector<Parts> parts_;
  std::unordered_map<std::vector<std::uint32_t>, Type, Hash> numbers_;
  std::vector<Trie> tries_;
  std::unordered_map<std::uint64_t, Set> trie_numbers_;
};

}  // namespace logic
