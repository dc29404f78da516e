// Words that show that a language is not in a class, and their check by running them.
#pragma once

#include "automata/dfa.hpp"
#include "automata/language_class.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace automata {

/// Words that break an equation of a class.
///
/// With e(i) for one side of the equation, the words put in and each ω-power replaced by an i-th power: the
/// two sides lead to different states after `prefix`, both in truth (with ω) and written out with i =
/// exponent; `suffix` is accepted from one of these states.  `in` and `out` are prefix·side·suffix, written
/// out.  In PT, L-trivial and DA the letters of v are among those of u.
///
/// For finite and cofinite `equation` is "u^": all words prefix·u^i·suffix, i = 0, 1, ..., are in the
/// language (out of it, for cofinite); `in` (`out`) is the one with i = exponent = 1, and the other one is
/// none.
struct Failure {
  LanguageClass language_class = LanguageClass::finite;  // the class asked for, or a larger one
  std::string_view equation;
  std::vector<std::pair<char, Word>> values;
  Word prefix;
  Word suffix;
  std::uint64_t exponent = 1;
  std::optional<Word> in;
  std::optional<Word> out;

  friend bool operator==(const Failure&, const Failure&) = default;
};

/// Whether every claim above holds of `failure` on `dfa`, by running the words.
bool replay(const Dfa& dfa, const Failure& failure);

/// The failure of `equation` on `values`: its sides must lead to inequivalent states after `prefix`.
///
/// The suffix is the short-lex least, the exponent the least.  Throws std::logic_error when it does not
/// replay.
Failure break_equation(const Dfa& dfa, LanguageClass language_class, std::string_view equation,
                       std::vector<std::pair<char, Word>> values, Word prefix);

/// The failure of finite (cofinite): u leads from the state after `prefix` back to it, and from there a state
/// that accepts (rejects) can be reached.
///
/// Throws std::logic_error when it does not replay.
Failure pump(const Dfa& dfa, LanguageClass language_class, Word u, Word prefix);

}  // namespace automata
