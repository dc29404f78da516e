// In a block of 64 positions the truth of a subformula is one word, bit i for position i.  The strict past is
// then arithmetic: Y is a shift, P fills up from above the lowest bit, and S is the carry of an addition.
// What a block leaves to the next is one bit or number for each temporal operator.
#include "logic/scan.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <string>

namespace logic {
namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

constexpr std::uint64_t low_bits(std::uint64_t n) {
  return n >= 64 ? all : (std::uint64_t{1} << n) - 1;
}

/// The bits from the lowest set bit of x on.
constexpr std::uint64_t from_lowest(std::uint64_t x) {
  return 0 - (x & (0 - x));
}

/// The carries into each bit of x + y + carry; `carry` becomes the one out.
std::uint64_t carries(std::uint64_t x, std::uint64_t y, std::uint64_t& carry) {
  std::uint64_t partial;
  std::uint64_t sum;
  const bool out_of_partial = __builtin_add_overflow(x, y, &partial);
  const bool out_of_sum = __builtin_add_overflow(partial, carry, &sum);
  carry = out_of_partial || out_of_sum ? 1 : 0;
  return sum ^ x ^ y;
}

/// The bits up to `reach` >= 1 places above a set bit of x.
std::uint64_t smear(std::uint64_t x, std::uint32_t reach) {
  x <<= 1;
  std::uint32_t done = 1;  // x has the bits up to `done` places above
  for (; 2 * done <= reach && done < 64; done *= 2) x |= x << done;
  return done < 64 && reach > done ? x | x << (reach - done) : x;
}

}  // namespace

Scan::Scan(Formula f, Letter letters) {
  if (letters == 0) throw std::invalid_argument("Scan: no letters");
  const std::vector<Formula> parts = subformulas(f);
  const auto index = [&](Formula g) {
    if (!g) return std::uint32_t{0};
    const auto found =
        std::lower_bound(parts.begin(), parts.end(), g, [](Formula x, Formula y) { return x->id < y->id; });
    return static_cast<std::uint32_t>(found - parts.begin());
  };
  value_of_.assign(letters, static_cast<std::uint32_t>(parts.size()));
  values_.resize(parts.size() + 1, 0);
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    const Node& g = *parts[i];
    Operation o{g.kind, i, index(g.left), index(g.right), g.k, g.j, 0};
    switch (g.kind) {
      case Kind::false_: break;
      case Kind::true_: values_[i] = all; break;
      case Kind::letter:
        if (g.k >= letters)
          throw std::invalid_argument("Scan: letter " + std::to_string(g.k) + " of " +
                                      std::to_string(letters));
        value_of_[g.k] = i;
        named_.push_back(i);
        break;
      case Kind::counting_window:
        o.memory = histories_.size();
        histories_.push_back({std::vector<std::uint64_t>(g.k / 64 + 2, 0), 0});
        operations_.push_back(o);
        break;
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence: operations_.push_back(o); break;
      case Kind::first:
      case Kind::modulo:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::window:
      case Kind::historically:
      case Kind::once:
      case Kind::since:
        o.memory = carries_.size();
        carries_.push_back(0);
        operations_.push_back(o);
        break;
    }
  }
  restart();
}

void Scan::restart() {
  blocks_ = 0;
  filled_ = 0;
  for (const std::uint32_t i : named_) values_[i] = 0;
  for (auto& history : histories_) {
    std::fill(history.blocks.begin(), history.blocks.end(), 0);
    history.count = 0;
  }
  std::fill(carries_.begin(), carries_.end(), 0);
  for (const Operation& o : operations_) {
    if (o.kind == Kind::first) carries_[o.memory] = 1;
    if (o.kind == Kind::modulo) carries_[o.memory] = 1 % o.k;
  }
}

void Scan::read(std::span<const Letter> piece) {
  for (const Letter a : piece) {
    assert(a < value_of_.size());
    values_[value_of_[a]] |= std::uint64_t{1} << filled_;
    if (++filled_ < 64) continue;
    evaluate(true);
    ++blocks_;
    filled_ = 0;
    for (const std::uint32_t i : named_) values_[i] = 0;
  }
}

bool Scan::accepts() {
  // At the end no letter is true, as the block has it: only positions before `filled_` have one.
  evaluate(false);
  return (values_[values_.size() - 2] >> filled_ & 1) != 0;
}

std::uint64_t Scan::count(History& history, const Operation& o, std::uint64_t x, bool advance) const {
  const std::size_t size = history.blocks.size();
  history.blocks[blocks_ % size] = x;
  // Bit i is the truth at the position k before position i of this block, which leaves the window after it.
  std::uint64_t leaving = 0;
  if (const std::uint64_t begin = 64 * blocks_; begin >= o.k) {
    const std::uint64_t block = (begin - o.k) / 64;
    const std::uint64_t shift = (begin - o.k) % 64;
    leaving = history.blocks[block % size] >> shift;
    if (shift > 0) leaving |= history.blocks[(block + 1) % size] << (64 - shift);
  } else if (o.k - begin < 64) {
    leaving = history.blocks[0] << (o.k - begin);
  }
  std::uint64_t holds = 0;
  std::uint64_t in_window = history.count;
  for (std::uint32_t i = 0; i < 64; ++i) {
    holds |= std::uint64_t{in_window >= o.j} << i;
    in_window += (x >> i & 1) - (leaving >> i & 1);
  }
  if (advance) history.count = in_window;
  return holds;
}

void Scan::evaluate(bool advance) {
  for (const Operation& o : operations_) {
    const std::uint64_t x = values_[o.left];
    const std::uint64_t y = values_[o.right];
    std::uint64_t& z = values_[o.to];
    const auto carry_on = [&](std::uint64_t carry) {
      if (advance) carries_[o.memory] = carry;
    };
    switch (o.kind) {
      case Kind::negation: z = ~x; break;
      case Kind::conjunction: z = x & y; break;
      case Kind::disjunction: z = x | y; break;
      case Kind::exclusive_or: z = x ^ y; break;
      case Kind::implication: z = ~x | y; break;
      case Kind::equivalence: z = ~(x ^ y); break;
      case Kind::first:
        z = carries_[o.memory];
        carry_on(0);
        break;
      case Kind::previously:
      case Kind::once:
      case Kind::historically: {
        const std::uint64_t found = o.kind == Kind::historically ? ~x : x;
        const std::uint64_t before = carries_[o.memory];
        const std::uint64_t here = before != 0 ? all : from_lowest(found);
        z = o.kind == Kind::once ? here : here << 1 | before;
        if (o.kind == Kind::historically) z = ~z;
        carry_on(here >> 63);
        break;
      }
      case Kind::yesterday:
        z = x << 1 | carries_[o.memory];
        carry_on(x >> 63);
        break;
      case Kind::since: {
        // What y generates, x hands on: the carries of (x | y) + y.
        std::uint64_t carry = carries_[o.memory];
        z = carries(x | y, y, carry);
        carry_on(carry);
        break;
      }
      case Kind::window: {
        const std::uint64_t left = carries_[o.memory];  // for how many more positions it holds anyway
        z = smear(x, o.k) | low_bits(left);
        const auto since_last = static_cast<std::uint64_t>(std::countl_zero(x));
        const std::uint64_t from_here = x != 0 && since_last < o.k ? o.k - since_last : 0;
        carry_on(std::max(from_here, left > 64 ? left - 64 : 0));
        break;
      }
      case Kind::counting_window: z = count(histories_[o.memory], o, x, advance); break;
      case Kind::modulo: {
        const std::uint64_t position = carries_[o.memory];  // of the block's first letter, modulo k
        z = 0;
        for (std::uint64_t i = (o.j + o.k - position) % o.k; i < 64; i += o.k) z |= std::uint64_t{1} << i;
        carry_on((position + 64) % o.k);
        break;
      }
      case Kind::false_:
      case Kind::true_:
      case Kind::letter: break;
    }
  }
}

}  // namespace logic
