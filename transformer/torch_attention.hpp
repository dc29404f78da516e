// Attention under strict masks on tensors, never as a matrix of all pairs of positions.
//
// q is (batch, heads, T, d); k and v are (batch, heads, S, d) with S >= T - 1.  Query t (from 0) sees the
// keys 0, ..., S - T + t, all of them or the last k; where that is none, it gets zeros.  So S = T - 1 are the
// queries at positions 1, ..., T over the keys at positions 1, ..., T - 1, and S = T the queries at T
// positions behind a first one that only serves as a key.
#pragma once

#include "transformer/mask.hpp"

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace transformer {

/// No more scores than this are held at once.
inline constexpr std::int64_t numbers_at_once = std::int64_t{1} << 24;

/// What the heads put out: (batch, heads, T, d).
///
/// A window of k costs O((T + k) · k) time and memory.  A global mask costs O(T · S) time and O(T + S) memory
/// besides one block of scores; but where no gradient is asked for and the keys and values take few different
/// values, it costs O(T · C + S) for C different ones.  In bf16, scores, soft-max and sums are fp32, and the
/// result is rounded once.
///
/// Throws std::length_error when a head would compute more than `max_scores` scores for one word.
at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, Mask mask,
                  double max_scores);

/// The same with one query a word (T = 1), which sees the keys before `ends` (batch), int64: all of them or
/// the last k.
at::Tensor attend_before(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, Mask mask,
                         const at::Tensor& ends);

/// attend for the window 1, which needs no scores: the value before each of `queries` positions.
at::Tensor shift(const at::Tensor& v, std::int64_t queries);

}  // namespace transformer
