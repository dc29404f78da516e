#include "logic/places.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace logic {

Places::Place Places::add(Place before, std::optional<Letter> letter) {
  before_.push_back(before);
  letter_.push_back(letter);
  position_.push_back(before == none ? 1 : position_[before] + 1);
  return size() - 1;
}

Places::Place Places::add_word(std::span<const Letter> word) {
  Place last = none;
  for (const Letter a : word) {
    const auto [place, fresh] = next_.emplace(std::pair(last, a), size());
    last = fresh ? add(last, a) : place->second;
  }
  return add(last, std::nullopt);
}

Truth Places::apply(Kind kind, std::uint32_t k, std::uint32_t j, const Truth& left,
                    const Truth& right) const {
  const std::size_t words = (size() + 63) / 64;
  Truth result(words, 0);
  const auto each_word = [&](auto f) {
    for (std::size_t w = 0; w < words; ++w) result[w] = f(w);
    if (size() % 64 != 0) result.back() &= (std::uint64_t{1} << (size() % 64)) - 1;
  };
  const auto each_place = [&](auto f) {
    for (Place p = 0; p < size(); ++p) result[p / 64] |= std::uint64_t{f(p)} << (p % 64);
  };
  switch (kind) {
    case Kind::false_: break;
    case Kind::true_: each_word([](std::size_t) { return ~std::uint64_t{0}; }); break;
    case Kind::letter: each_place([&](Place p) { return letter_[p] == k; }); break;
    case Kind::first: each_place([&](Place p) { return before_[p] == none; }); break;
    case Kind::modulo: each_place([&](Place p) { return position_[p] % k == j; }); break;
    case Kind::negation: each_word([&](std::size_t w) { return ~left[w]; }); break;
    case Kind::conjunction: each_word([&](std::size_t w) { return left[w] & right[w]; }); break;
    case Kind::disjunction: each_word([&](std::size_t w) { return left[w] | right[w]; }); break;
    case Kind::exclusive_or: each_word([&](std::size_t w) { return left[w] ^ right[w]; }); break;
    case Kind::implication: each_word([&](std::size_t w) { return ~left[w] | right[w]; }); break;
    case Kind::equivalence: each_word([&](std::size_t w) { return ~(left[w] ^ right[w]); }); break;
    case Kind::yesterday:
      each_place([&](Place p) { return before_[p] != none && bit(left, before_[p]); });
      break;
    case Kind::window:
      each_place([&](Place p) {
        Place q = before_[p];
        for (std::uint32_t i = 0; i < k && q != none; ++i, q = before_[q])
          if (bit(left, q)) return true;
        return false;
      });
      break;
    case Kind::counting_window:
      each_place([&](Place p) {
        std::uint32_t hits = 0;
        Place q = before_[p];
        for (std::uint32_t i = 0; i < k && q != none; ++i, q = before_[q]) hits += bit(left, q) ? 1 : 0;
        return hits >= j;
      });
      break;
    case Kind::previously:
      each_place(
          [&](Place p) { return before_[p] != none && (bit(left, before_[p]) || bit(result, before_[p])); });
      break;
    case Kind::historically:
      each_place(
          [&](Place p) { return before_[p] == none || (bit(left, before_[p]) && bit(result, before_[p])); });
      break;
    case Kind::once: {
      const Truth past = apply(Kind::previously, 0, 0, left, right);
      each_word([&](std::size_t w) { return left[w] | past[w]; });
      break;
    }
    case Kind::since: assert(false); break;
  }
  return result;
}

Truth Places::truth(Formula f) const {
  std::unordered_map<std::uint32_t, Truth> of;  // by id; looked up only
  for (const Formula g : subformulas(f)) {
    static const Truth nothing;
    of[g->id] = apply(g->kind, g->k, g->j, g->left ? of.at(g->left->id) : nothing,
                      g->right ? of.at(g->right->id) : nothing);
  }
  return of.at(f->id);
}

}  // namespace logic
