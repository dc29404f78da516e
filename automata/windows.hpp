// Is a regular language in LTL[Y<=k], LTL[P,Y<=k] or one of their counting versions?  (docs/windows.md)
//
// No algorithm is known that always answers.  What is done here: "yes" comes with a formula, "no" with a
// pattern that a reader can replay, and otherwise the answer is that there is no formula up to some depth.
#pragma once

#include "automata/ladder.hpp"
#include "logic/formula.hpp"
#include "logic/types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace automata {

/// Two families of words, access·period^N·tail, one in the language and one not, whose ends look alike.
///
/// The classes say which positions look alike: positions of one class carry the same letter, and the k
/// positions before them are of the same classes (as often each, where windows count).  So do the ends of the
/// two words. Where the logic has P, the families differ in their tails alone, and every class of a tail is
/// one of the period.  Then for every depth r and all large N no formula of depth r tells the words apart.
struct BisimilarPair {
  struct Side {
    Word access;
    Word period;  // not empty
    Word tail;
    std::vector<std::uint32_t> period_classes;  // of each position of the period
    std::vector<std::uint32_t> tail_classes;

    friend bool operator==(const Side&, const Side&) = default;
  };
  logic::WindowLogic logic;
  Side in;   // in the language for every N
  Side out;  // for none

  friend bool operator==(const BisimilarPair&, const BisimilarPair&) = default;
};

/// access·period^periods·tail.
Word unroll(const BisimilarPair::Side& side, std::uint64_t periods);

/// A number N such that from N periods on no formula of that depth tells the two words apart.
std::uint64_t periods_for_depth(const BisimilarPair& pair, std::uint32_t depth);

/// Whether all that is claimed of `pair` holds for `dfa`: the words are run, the classes are compared.
///
/// Uses nothing of the search.  O((k log k + log n) n) for n positions of period and tail.
bool replay(const Dfa& dfa, const BisimilarPair& pair);

struct BisimilarLimits {
  std::size_t max_period = 8;        // of the words whose classes are tried
  std::size_t max_work = 3'000'000;  // nodes of the graphs that are searched, all together
};

/// A pair that shows that the language is not in `logic`, if the search finds one; it has been replayed.
///
/// First with one class for each letter, then with the classes of short periodic words.  `logic` has a window
/// and no MOD, otherwise std::invalid_argument.
std::optional<BisimilarPair> find_bisimilar(const Dfa& dfa, const logic::WindowLogic& logic,
                                            const BisimilarLimits& limits = {});

struct WindowLimits {
  std::uint32_t max_depth = 32;
  std::size_t max_states = 30'000;             // of the automaton of types
  std::size_t search_formulas = 200'000;       // how many formulas the search for a short one may try
  std::size_t max_size = 1'000'000;            // nodes of the formula, written out
  std::size_t max_formula_states = 1'000'000;  // for the re-check of the formula
  BisimilarLimits bisimilar = {};
};

/// The answer for one logic, with its reason.
struct WindowMembership {
  logic::WindowLogic logic;
  std::optional<bool> member;
  /// Yes: an equivalent formula of the logic, checked.  Missing when it passed a limit.
  std::optional<logic::Formula> formula;
  /// Formulas of less depth than this do not express the language; where `exact`, some formula of this depth
  /// does.
  std::uint32_t depth = 0;
  bool exact = false;
  /// For depth > 0: a word in the language and one outside that no formula of depth `depth` - 1 tells apart.
  std::optional<std::pair<Word, Word>> alike;
  /// No: exactly one of the two.  The witness is for LTL[Y] or LTL[P,Y], which are larger logics.
  std::optional<Witness> witness;
  std::optional<BisimilarPair> pair;
  std::string note;  // one line
};

/// Decides one logic as far as the limits let it.
///
/// `dfa` must be minimal and `logic` without MOD (std::invalid_argument otherwise).  A limit that is reached
/// makes the answer unknown, or leaves the formula or the least depth out, and the note says so.
WindowMembership decide(logic::Arena& arena, const Dfa& dfa, const logic::WindowLogic& logic,
                        const WindowLimits& limits = {});

}  // namespace automata
