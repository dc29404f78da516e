// A window of k positions is computed in blocks of about k queries, as a product of each block with the
// block's 2k keys and a band as mask (Beltagy, Peters, Cohan 2020, "Longformer", section 3.1).
//
// A global mask has three ways.  A small matrix of scores is made whole.  A large one is made block by block,
// with the running maximum and sum of Milakov and Gimelshein 2018, "Online normalizer calculation for
// softmax", as in FlashAttention (Dao et al. 2022).  And where few different pairs of key and value occur, as
// in compiled networks, where the coordinates are truth values, it is enough to know how often each of them
// occurred before the query: a soft-max over C kinds with counts instead of S positions.
#include "transformer/torch_attention.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace transformer {

namespace {

using at::Tensor;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr std::int64_t most_kinds = 256;

/// All scores at once.
Tensor attend_whole(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto queries = q.size(2);
  const auto keys = k.size(2);
  auto scores = at::matmul(q, k.transpose(2, 3));  // (batch, heads, T, S)
  if (queries > 1) {
    const auto hidden = at::ones({queries, keys}, q.options().dtype(at::kBool)).triu(keys - queries + 1);
    scores = scores.masked_fill(hidden, minus_infinity);
  }
  return at::matmul(scores.softmax(-1), v);
}

/// Blocks of queries, and for each the blocks of keys up to the diagonal.  The first block of keys holds key
/// 0, which every query sees, so no maximum is ever minus infinity.
Tensor attend_in_blocks(const Tensor& q, const Tensor& k, const Tensor& v, bool gradient) {
  const auto queries = q.size(2);
  const auto keys = k.size(2);
  const auto pairs = std::max<std::int64_t>(1, q.size(0) * q.size(1));
  // Small enough to stay in a cache, large enough that the calls do not count.
  const auto key_size = std::min<std::int64_t>(keys, 512);
  const auto query_size = std::clamp<std::int64_t>((std::int64_t{1} << 17) / (pairs * key_size), 16,
                                                   std::min<std::int64_t>(512, queries));
  const auto numerators = [&](Tensor& scores, const Tensor& at) {
    return gradient ? (scores - at).exp() : scores.sub_(at).exp_();
  };
  std::vector<Tensor> outputs;
  for (std::int64_t begin = 0; begin < queries; begin += query_size) {
    const auto count = std::min(query_size, queries - begin);
    const auto block = q.narrow(2, begin, count);
    const auto first_sees =
        keys - queries + begin + 1;  // the first query of the block; each next sees one more
    Tensor largest, sum, mixed;
    for (std::int64_t from = 0; from < first_sees + count - 1; from += key_size) {
      const auto seen = std::min(key_size, first_sees + count - 1 - from);
      auto scores =
          at::matmul(block, k.narrow(2, from, seen).transpose(2, 3));  // (batch, heads, count, seen)
      if (from + seen > first_sees) {
        const auto hidden = at::ones({count, seen}, q.options().dtype(at::kBool)).triu(first_sees - from);
        scores = scores.masked_fill(hidden, minus_infinity);
      }
      const auto values = v.narrow(2, from, seen);
      if (from == 0) {
        largest = scores.amax(-1, true);  // (batch, heads, count, 1)
        const auto weights = numerators(scores, largest);
        sum = weights.sum(-1, true);
        mixed = at::matmul(weights, values);  // (batch, heads, count, d)
      } else {
        const auto larger = at::maximum(largest, scores.amax(-1, true));
        const auto weights = numerators(scores, larger);
        const auto shrink = (largest - larger).exp();
        sum = sum * shrink + weights.sum(-1, true);
        mixed = mixed * shrink + at::matmul(weights, values);
        largest = larger;
      }
    }
    outputs.push_back(mixed / sum);
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
}

/// The different pairs of key and value among all words of the batch.
struct Kinds {
  Tensor keys, values;  // (heads, C, d)
  Tensor of;            // (batch, S), int64: which one stands at a position
};

/// None where there are more than `most`.
std::optional<Kinds> kinds_of(const Tensor& k, const Tensor& v, std::int64_t most) {
  const auto batch = k.size(0);
  const auto heads = k.size(1);
  const auto keys = k.size(2);
  const auto d = k.size(3);
  const auto rows = at::cat({k, v}, 3).permute({0, 2, 1, 3}).reshape({batch * keys, heads * 2 * d});
  // Rows are told apart by a sum with any weights; that different rows have different sums is checked below.
  const auto weights = at::arange(1, heads * 2 * d + 1, rows.options().dtype(at::kDouble)).sqrt();
  const auto kinds = [&](const Tensor& some) {
    return at::_unique2(some.to(at::kDouble).matmul(weights), true, true);
  };
  const auto sample = std::min<std::int64_t>(rows.size(0), 4 * most);
  if (std::get<0>(kinds(rows.narrow(0, 0, sample))).size(0) > most) return std::nullopt;
  const auto [sums, of, unused] = kinds(rows);
  if (sums.size(0) > most) return std::nullopt;
  auto some = at::zeros({sums.size(0)}, of.options());  // a row of each kind
  some.scatter_(0, of, at::arange(rows.size(0), of.options()));
  const auto representatives = rows.index_select(0, some);  // (C, heads · 2d)
  if (!rows.equal(representatives.index_select(0, of))) return std::nullopt;
  const auto by_head = representatives.view({-1, heads, 2 * d}).transpose(0, 1);
  return Kinds{by_head.narrow(2, 0, d), by_head.narrow(2, d, d), of.view({batch, keys})};
}

/// Soft-max over kinds with counts, in blocks of queries.
Tensor attend_kinds(const Tensor& q, const Kinds& kinds) {
  const auto batch = q.size(0);
  const auto queries = q.size(2);
  const auto keys = kinds.of.size(1);
  const auto count_of_kinds = kinds.keys.size(1);
  const auto numbers = at::TensorOptions(q.device()).dtype(at::kDouble);
  const auto first_sees = keys - queries + 1;
  auto counts = at::zeros({batch, count_of_kinds}, numbers);  // among the keys before the block
  counts.scatter_add_(1, kinds.of.narrow(1, 0, first_sees), at::ones({batch, first_sees}, numbers));
  const auto size =
      std::clamp<std::int64_t>((std::int64_t{1} << 18) / (batch * q.size(1) * count_of_kinds), 16, 4096);
  std::vector<Tensor> outputs;
  for (std::int64_t begin = 0; begin < queries; begin += size) {
    const auto count = std::min(size, queries - begin);
    // Query r of the block sees what the block's first one sees and r keys more.
    auto seen = at::zeros({batch, count, count_of_kinds}, numbers);
    if (count > 1) {
      seen.narrow(1, 1, count - 1)
          .scatter_(2, kinds.of.narrow(1, first_sees + begin, count - 1).unsqueeze(2), 1.0);
    }
    seen = seen.cumsum(1) + counts.unsqueeze(1);  // (batch, count, C)
    counts = seen.select(1, count - 1);
    if (begin + count < queries) {
      const auto next = kinds.of.narrow(1, first_sees + begin + count - 1, 1);
      counts = counts.scatter_add(1, next, at::ones({batch, 1}, numbers));
    }
    const auto times = seen.to(q.scalar_type()).unsqueeze(1);  // (batch, 1, count, C)
    const auto scores = at::matmul(q.narrow(2, begin, count), kinds.keys.transpose(1, 2))
                            .masked_fill(times == 0, minus_infinity);  // (batch, heads, count, C)
    const auto weights = (scores - scores.amax(-1, true)).exp() * times;
    outputs.push_back(at::matmul(weights, kinds.values) / weights.sum(-1, true));
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
}

Tensor attend_global(const Tensor& q, const Tensor& k, const Tensor& v, double max_scores) {
  const auto scores = static_cast<double>(q.size(2)) * static_cast<double>(k.size(2));
  const bool gradient =
      at::GradMode::is_enabled() && (q.requires_grad() || k.requires_grad() || v.requires_grad());
  const auto whole = static_cast<double>(q.size(0) * q.size(1)) * scores;
  if (!gradient && q.size(2) >= 32 && k.size(2) >= 64 && whole >= 1 << 16) {
    if (const auto kinds = kinds_of(k, v, std::min(most_kinds, k.size(2) / 4)))
      return attend_kinds(q, *kinds);
  }
  if (q.size(2) > 1 && scores / 2 > max_scores) {
    std::ostringstream message;
    message << "attention: a global head at " << q.size(2) << " positions over " << k.size(2) << " has about "
            << scores / 2 << " scores, more than " << max_scores;
    throw std::length_error(message.str());
  }
  if (q.size(2) == 1 || (whole <= static_cast<double>(numbers_at_once) && (gradient || scores <= 1 << 20)))
    return attend_whole(q, k, v);
  return attend_in_blocks(q, k, v, gradient);
}

/// The `window` keys before; window < S.
Tensor attend_window(const Tensor& q, const Tensor& all_keys, const Tensor& all_values, std::int64_t window) {
  const auto queries = q.size(2);
  const auto reach = std::min(all_keys.size(2), queries + window - 1);  // of all queries together
  const auto k = all_keys.narrow(2, all_keys.size(2) - reach, reach);
  const auto v = all_values.narrow(2, all_values.size(2) - reach, reach);
  const auto size = std::min(std::max<std::int64_t>(window, 16), queries);  // queries of a block
  const auto blocks = (queries + size - 1) / size;
  const auto span = size + window - 1;  // keys of a block

  // From `window` positions before the first query on, with zeros where the word has not begun.
  const auto missing = queries + window - 1 - reach;
  const auto in_blocks = [&](const Tensor& x) {
    return at::constant_pad_nd(x, {0, 0, missing, blocks * size - queries})
        .unfold(2, span, size);  // (batch, heads, blocks, d, span)
  };
  const auto padded = at::constant_pad_nd(q, {0, 0, 0, blocks * size - queries});
  const auto block_queries =
      padded.view({q.size(0), q.size(1), blocks, size, q.size(3)});  // (batch, heads, blocks, size, d)

  // Query r of a block sees its keys r, ..., r + window - 1, the missing ones excepted.  The keys appended at
  // the end stay visible to the queries appended at the end, so that those see something too.
  const auto bits = q.options().dtype(at::kBool);
  const auto integers = q.options().dtype(at::kLong);
  auto hidden = at::ones({size, span}, bits).triu(window).logical_or(at::ones({size, span}, bits).tril(-1));
  if (missing > 0) {
    const auto index =
        (at::arange(blocks, integers) * size).view({blocks, 1, 1}) + at::arange(span, integers);
    hidden = hidden.logical_or(index < missing);  // (blocks, size, span)
  }
  const auto scores = at::matmul(block_queries, in_blocks(k)).masked_fill(hidden, minus_infinity);
  const auto mixed =
      at::matmul(scores.softmax(-1), in_blocks(v).transpose(3, 4));  // (batch, heads, blocks, size, d)
  return mixed.flatten(2, 3).narrow(2, 0, queries);
}

/// `x` in the type that scores and sums have.
Tensor widened(const Tensor& x) {
  return x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

/// Zeros in front of what `f(T - 1)` makes where the first query sees nothing.
template <class Function>
Tensor with_first(const Tensor& v, std::int64_t queries, Function f) {
  if (v.size(2) >= queries) return f(queries);
  const auto first = at::zeros({v.size(0), v.size(1), 1, v.size(3)}, v.options());
  return queries == 1 ? first : at::cat({first, f(queries - 1)}, 2);
}

}  // namespace

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, Mask mask, double max_scores) {
  return with_first(v, q.size(2), [&](std::int64_t queries) {
    const auto seeing = widened(q.narrow(2, q.size(2) - queries, queries));
    const auto window = std::int64_t{mask.window()};
    const auto o = mask.is_global() || window >= k.size(2)
                       ? attend_global(seeing, widened(k), widened(v), max_scores)
                       : attend_window(seeing, widened(k), widened(v), window);
    return o.to(v.scalar_type());
  });
}

Tensor attend_before(const Tensor& q, const Tensor& k, const Tensor& v, Mask mask, const Tensor& ends) {
  const auto keys = k.size(2);
  if (keys == 0) return at::zeros_like(q);
  const auto end = ends.view({-1, 1, 1, 1});
  const auto key = at::arange(keys, ends.options());
  auto hidden = key >= end;  // (batch, 1, 1, S)
  if (!mask.is_global()) hidden = hidden.logical_or(key < end - std::int64_t{mask.window()});
  const auto nothing = end == 0;  // then key 0 is let through, and the result goes
  hidden = hidden.logical_and(nothing.logical_and(key == 0).logical_not());
  const auto scores = at::matmul(widened(q), widened(k).transpose(2, 3)).masked_fill(hidden, minus_infinity);
  const auto mixed = at::matmul(scores.softmax(-1), widened(v));  // (batch, heads, 1, d)
  return mixed.masked_fill(nothing, 0.0).to(v.scalar_type());
}

Tensor shift(const Tensor& v, std::int64_t queries) {
  return with_first(v, queries, [&](std::int64_t seeing) { return v.narrow(2, v.size(2) - seeing, seeing); });
}

}  // namespace transformer
