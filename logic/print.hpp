// Formula to text.
#pragma once

#include "logic/formula.hpp"

#include <cstdint>
#include <string>

namespace logic {

enum class Notation { ascii, unicode, latex };

/// `f` written with as few brackets as the precedences allow.
///
/// In ASCII and Unicode, parse(to_string(f)) is f.  Runs of three or more Y print as Y^k.  Throws
/// std::length_error when the formula written out has more than `max_nodes` nodes (sharing is lost in text).
/// Linear in the text; nesting costs heap, not stack.
std::string to_string(Formula f, const Alphabet& alphabet, Notation notation = Notation::ascii,
                      std::uint64_t max_nodes = 10'000'000);

}  // namespace logic
