// The ladder of logics: to which of the eight does a regular language belong, and if not, why not.
//
// The tests look for a forbidden pattern in the minimal automaton; a found pattern is the witness.  MOD
// stands for all moduli, so the tests with MOD ask for the pattern among states that no modulus can tell
// apart. docs/ladder.md has the theorems and their proofs.
#pragma once

#include "automata/dfa.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace automata {

enum class Logic { y, p, py, s, y_mod, p_mod, py_mod, s_mod };

/// All eight, in the order of the command-line contract.
inline constexpr std::array<Logic, 8> all_logics{Logic::y,     Logic::p,     Logic::py,     Logic::s,
                                                 Logic::y_mod, Logic::p_mod, Logic::py_mod, Logic::s_mod};

/// `LTL[Y]`, ..., `LTL[S,MOD]`.
std::string_view name(Logic logic);
std::optional<Logic> logic_of_name(std::string_view name);

// clang-format off
/// A forbidden pattern, in words that can be replayed on the automaton.
///
/// p and q are different states, reached by access_p and access_q; suffix is accepted from exactly one of
/// them.  What else is used depends on the logic; loop and rest are not empty:
///
/// | logic        | pattern                                                                                  |
/// |--------------|------------------------------------------------------------------------------------------|
/// | LTL[Y]       | loop fixes p and q                                                                       |
/// | LTL[P]       | p·to_q = q, q·to_p = p                                                                   |
/// | LTL[P,Y]     | both                                                                                     |
/// | LTL[S]       | p·loop = q, and p·loop^period = p with period >= 2                                       |
/// | LTL[Y,MOD]   | as LTL[Y], with |access_p| = |access_q|                                                  |
/// | LTL[P,MOD]   | as LTL[P]; loop fixes p, |loop| divides |to_q|; rest fixes q, |rest| divides |to_p|      |
/// | LTL[P,Y,MOD] | as LTL[P,Y], and |loop| divides |to_q| and |to_p|                                        |
/// | LTL[S,MOD]   | as LTL[S], with a word rest of the same length as loop that fixes p·loop^i for every i   |
///
/// (docs/ladder.md derives from each pattern, for every modulus m and depth r, a pair of words that no
/// formula of that logic with depth r and moduli dividing m separates, though exactly one of the two is in
/// the language.)
// clang-format on
struct Witness {
  Logic logic = Logic::y;
  State p = 0;
  State q = 0;
  Word access_p;
  Word access_q;
  Word loop;
  Word to_q;
  Word to_p;
  Word rest;
  std::uint64_t period = 0;
  Word suffix;

  friend bool operator==(const Witness&, const Witness&) = default;
};

/// Whether every claim of the table above holds of `witness` on `dfa`, by running the words; false, too, when
/// a state or letter is out of range.
bool replay(const Dfa& dfa, const Witness& witness);

/// The answer for one logic; `member` is unknown when a limit was reached.
struct Membership {
  Logic logic;
  std::optional<bool> member;
  std::optional<Witness> witness;  // exactly when member is false; it has been replayed
  std::string note;  // why there is no answer ("undecided: ..."), or how it was decided; one line
};

struct LadderLimits {
  std::size_t max_elements = 1'000'000;        // of the transition semigroup, for LTL[S] and LTL[S,MOD] alone
  std::size_t max_pairs = 20'000'000;          // of states, for LTL[P,Y] and LTL[P,Y,MOD] alone: about 260 MB
  std::size_t max_counter_edges = 10'000'000;  // for LTL[S] where the semigroup is too large (find_counter)
};

/// Decides one logic.  `dfa` must be minimal (throws std::invalid_argument when it is not).
///
/// For n states and k letters: LTL[Y] and LTL[Y,MOD] cost O(k n log n), LTL[P] and LTL[P,MOD] O(k n),
/// LTL[P,Y] and LTL[P,Y,MOD] O(k) for each pair of states of one strongly connected component; LTL[S] and
/// LTL[S,MOD] go through the transition semigroup where no smaller class and no short word already answers.
Membership decide(const Dfa& dfa, Logic logic, const LadderLimits& limits = {});

/// All eight, in the order of all_logics, sharing the work.
std::array<Membership, 8> ladder(const Dfa& dfa, const LadderLimits& limits = {});

}  // namespace automata
