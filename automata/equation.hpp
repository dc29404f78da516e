// One side of an equation between words with ω-powers, such as (u^xu^)^ = u^xu^, with words put in.
#pragma once

#include "automata/dfa.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace automata {

using Values = std::vector<std::pair<char, Word>>;

/// A view of a text, in which letters are variables, ^ is the ω-power and 1 the empty word, and of the words
/// for its variables.
///
/// Both must outlive it.  Each method throws std::logic_error when a variable has no word.
class Side {
 public:
  Side(std::string_view text, const Values& values) : text_(text), values_(values) {}

  /// Where the side leads from q; with `exponent`, ω-powers are that power.
  State run(const Dfa& dfa, State q, std::optional<std::uint64_t> exponent) const;

  /// Written out; none when that takes more than `max_letters`.
  std::optional<Word> write(std::uint64_t exponent, std::size_t max_letters) const;

 private:
  std::string_view text_;
  const Values& values_;
};

/// The texts on the two sides of " = ".
std::pair<std::string_view, std::string_view> sides(std::string_view equation);

/// xyz.
Word join(const Word& x, const Word& y, const Word& z = {});

}  // namespace automata
