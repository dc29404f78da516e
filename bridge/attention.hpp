// What one head puts out, as a machine over what it is fed.
#pragma once

#include "bridge/transducer.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bridge {

/// The distinct queries, keys and values of one head, each of head_width, row after row.  The output of a
/// feeder is a pair of numbers, so that each position has a query and leaves behind a key with a value.
struct HeadFeed {
  /// Its outputs have two columns: the number of the query, and that of the pair of key and value.  The end
  /// marker has a query alone.
  Transducer machine;
  std::size_t head_width = 0;
  std::vector<Raw> queries;  // (queries, head_width)
  std::vector<Raw> keys;     // (pairs, head_width)
  std::vector<Raw> values;   // (pairs, head_width)
};

/// What those behind a head can tell of its outputs (head_width each, row after row): a class for each of
/// them; outputs of one class make no difference to anything that is read.
using Distinguish = std::function<std::vector<std::uint32_t>(std::span<const Raw> outputs)>;

/// The output of the head with this mask, at letters if `at_letters` and at the end marker if `at_end`;
/// minimal.
///
/// The state of a global head is, for each score that a key can get, the number of positions that have it and
/// the sum of their values, up to the number from which they do not matter; that of a local head is its
/// window. Theorem 1 of docs/verify.md.  Throws std::length_error past the budget.
Transducer head_machine(const transformer::RoundedModel& model, transformer::Mask mask, const HeadFeed& feed,
                        bool at_letters, bool at_end, Budget& budget, const Distinguish& distinguish);

}  // namespace bridge
