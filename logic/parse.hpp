// Text to formula.  The syntax, with precedences and domains, is in docs/logic.md.
#pragma once

#include "logic/formula.hpp"
#include "logic/parse_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace logic {

/// The formula that `text` writes, its letters looked up in `alphabet`.
///
/// Throws ParseError where the text is no formula, names a letter outside `alphabet`, or has a number outside
/// its operator's domain.  Linear in the text; nesting costs heap, not stack.
Formula parse(Arena& arena, std::string_view text, const Alphabet& alphabet);

/// The names of the letters that occur in `text`, sorted, each once.  Throws ParseError as parse does.
std::vector<std::string> letters_of_formula(std::string_view text);

}  // namespace logic
