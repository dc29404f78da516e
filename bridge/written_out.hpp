// The formula that is compiled: with first, H and O expressed by what attention computes.
#pragma once

#include "logic/formula.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace bridge {

/// f in `arena`, with H x as !P!x, O x as x | P x, and `first` as !Y true, where f has windows and no Y as
/// !Y<=k true with its widest window, and where it has P only as !P true.
///
/// Throws std::invalid_argument when f uses S.
logic::Formula written_out(logic::Arena& arena, logic::Formula f);

/// The subformulas of f once each, arguments before what is made of them, the left one before the right one
/// except where `right_first` says otherwise.  The order depends on the shape of f alone.
std::vector<logic::Formula> arguments_first(
    logic::Formula f,
    const std::function<bool(logic::Formula)>& right_first = [](logic::Formula) { return false; });

/// Longer subformulas (by Node::size) give coordinates no name: those are called `subformula i`, the i-th of
/// arguments_first(written_out(f)), counted from 0.
constexpr std::uint64_t longest_name = 60;

}  // namespace bridge
