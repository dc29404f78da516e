// Text to formula.  The syntax, with precedences and domains, is in docs/logic.md.
#pragma once

#include "logic/formula.hpp"
#include "logic/parse_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logic {

/// The formula that `text` writes, its letters looked up in `alphabet`.
///
/// Throws ParseError where the text is no formula, names a letter outside `alphabet`, or has a number outside
/// its operator's domain (at most 10^6 everywhere); std::length_error when the formula written out, with Y^k
/// as k nodes, has more than `max_nodes`.  Linear in the text and those nodes; nesting costs heap, not stack.
Formula parse(Arena& arena, std::string_view text, const Alphabet& alphabet,
              std::uint64_t max_nodes = 10'000'000);

/// The names of the letters that occur in `text`, sorted, each once.  Throws ParseError as parse does.
std::vector<std::string> letters_of_formula(std::string_view text);

}  // namespace logic
