// Why a language is not in a logic, in words and in JSON, with word pairs that a reader can replay.
#pragma once

#include "automata/classes.hpp"
#include "automata/families.hpp"
#include "automata/ladder.hpp"
#include "automata/language.hpp"

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace cli {

/// One word of the replay, with the answer of the automaton.
struct Replayed {
  automata::Word word;
  bool accepted;
};

/// Words in pairs u_i, v_i, i = 0, 1, 2, one of each pair in the language and the other not; the larger i,
/// the deeper a formula of the logic must be to tell them apart.
///
/// With x, y the access words, l the loop, c and d the connecting words, r the rest and s the suffix:
///
/// | logic        | u_i                                       | v_i                      |
/// |--------------|-------------------------------------------|--------------------------|
/// | LTL[Y]       | x l^i s                                   | y l^i s                  |
/// | LTL[P]       | x (c d)^i s                               | x (c d)^i c s            |
/// | LTL[P,Y]     | x (l^i c l^i d)^i l^i s                   | x (l^i c l^i d)^i l^i c l^i s |
/// | LTL[S]       | x l^(i·period) s                          | x l^(i·period + 1) s     |
///
/// and the same with MOD, where loops of the right length stand in u_i for what v_i has more.  Stops before
/// the pair that would pass `max_letters`.
std::vector<Replayed> replay_words(const automata::Dfa& dfa, const automata::Witness& witness,
                                   std::size_t max_letters = 1'000'000);

/// The witness in one sentence.
std::string explain(const automata::Language& language, const automata::Witness& witness);

/// The witness with words as strings, and `replay`: a list of {word, accepted}.
nlohmann::ordered_json to_json(const automata::Language& language, const automata::Witness& witness);

/// {name, member, witness, note} of the contract.
nlohmann::ordered_json to_json(const automata::Language& language, const automata::Membership& membership);

/// The failing equation in one sentence, with the two words.  There must be a failure.
std::string explain(const automata::Language& language, const automata::ClassMembership& membership);

/// {name, member, witness, note} of the contract; and what the class means, and its source.
nlohmann::ordered_json to_json(const automata::Language& language,
                               const automata::ClassMembership& membership);

/// Two words that formulas of that depth do not separate.
std::string explain(const automata::Language& language, const automata::InseparablePair& pair,
                    std::uint64_t depth);
nlohmann::ordered_json to_json(const automata::Language& language, const automata::InseparablePair& pair,
                               std::uint64_t depth, std::uint64_t modulus);

}  // namespace cli
