// Answers about the window logics, for express and windows.
#pragma once

#include "automata/language.hpp"
#include "automata/windows.hpp"
#include "cli/command.hpp"
#include "logic/print.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace cli {

/// The reason of a no, or what is known without an answer, in one sentence.
std::string explain(const automata::Language& language, const automata::WindowMembership& answer);

/// Shortly: `(ab)^N a | (ab)^N` for a pair, the first word of each side in the language and the second not.
std::string short_reason(const automata::Language& language, const automata::WindowMembership& answer);

/// {name, member, formula, depth, exact, size, alike, witness, pair, note}; formula and size are null without
/// one.
///
/// `pair` has both sides with their classes, and `replay`: for the depths 0 to 3 two words that no formula of
/// that depth tells apart.
nlohmann::ordered_json to_json(const automata::Language& language, const automata::WindowMembership& answer);

/// What `hindsight express --logic` does for a window logic.  Throws InputError when it has MOD.
Status express_in_window(const automata::Language& language, const logic::WindowLogic& logic,
                         logic::Notation notation, const automata::WindowLimits& limits, bool json);

}  // namespace cli
