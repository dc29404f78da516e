// The values of temporal operators depend on the past alone, so a step first reads them from the registers,
// then evaluates what is Boolean, and last computes the registers' next contents.  The successors of one
// content differ in few bits: they are written as one common content and the bits to flip in it, lane by
// lane.
#include "logic/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <string>

namespace logic {
namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

constexpr std::uint64_t low_bits(std::uint64_t n) {
  return n >= 64 ? all : (std::uint64_t{1} << n) - 1;
}

std::uint32_t width(std::uint32_t largest) {
  return static_cast<std::uint32_t>(std::bit_width(largest));
}

// A counting window keeps hits or misses, whichever decide it sooner: j hits make it true, and k - j + 1
// misses make it false.
bool keeps_hits(std::uint32_t k, std::uint32_t j) {
  return j <= k - j + 1;
}
std::uint32_t kept(std::uint32_t k, std::uint32_t j) {
  return std::min(j, k - j + 1);
}

std::uint64_t count(const std::uint64_t* words, std::uint32_t shift, std::uint32_t bits) {
  if (bits <= 64) return static_cast<std::uint64_t>(std::popcount(words[0] >> shift & low_bits(bits)));
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < (bits + 63) / 64; ++i)
    sum += static_cast<std::uint64_t>(std::popcount(words[i]));
  return sum;
}

}  // namespace

Evaluator::Place Evaluator::allocate(std::uint64_t bits) {
  // A register is inside one word, or has some for itself.
  const auto fill_word = [&] { used_bits_ = (used_bits_ + 63) / 64 * 64; };
  if (used_bits_ % 64 + bits > 64) fill_word();
  const Place place{static_cast<std::uint32_t>(used_bits_ / 64), static_cast<std::uint32_t>(used_bits_ % 64)};
  used_bits_ += bits;
  if (bits > 64) fill_word();
  if (used_bits_ > max_register_bits)
    throw std::length_error("Evaluator: the registers need more than " + std::to_string(max_register_bits) +
                            " bits");
  start_.resize(std::max<std::size_t>(1, (used_bits_ + 63) / 64), 0);
  return place;
}

void Evaluator::add_move(Place from, Place to) {
  const Move move{from.word, to.word, (to.shift - from.shift) % 64, std::uint64_t{1} << from.shift};
  if (!moves_.empty() && moves_.back().from == move.from && moves_.back().to == move.to &&
      moves_.back().rotation == move.rotation)
    moves_.back().mask |= move.mask;
  else
    moves_.push_back(move);
}

Evaluator::Evaluator(Formula f, Letter letters) : start_(1, 0) {
  if (letters == 0) throw std::invalid_argument("Evaluator: no letters");
  const std::vector<Formula> parts = subformulas(f);
  const auto index = [&](Formula g) {
    const auto found =
        std::lower_bound(parts.begin(), parts.end(), g, [](Formula x, Formula y) { return x->id < y->id; });
    return static_cast<std::uint32_t>(found - parts.begin());
  };

  std::vector<bool> named(letters, false);
  for (const Formula g : parts) {
    if (g->kind != Kind::letter) continue;
    if (g->k >= letters)
      throw std::invalid_argument("Evaluator: letter " + std::to_string(g->k) + " of " +
                                  std::to_string(letters));
    named[g->k] = true;
  }
  constexpr Letter none = UINT32_MAX;
  Letter others = none;
  class_of_.resize(letters);
  for (Letter a = 0; a < letters; ++a) {
    if (!named[a] && others == none) others = classes_++;
    class_of_[a] = named[a] ? classes_++ : others;
  }

  // What Y alone uses, and stands in a register, is moved without being read.
  const auto is_move = [](const Node& g) {
    return g.kind == Kind::yesterday && (g.left->kind == Kind::yesterday ||
                                         g.left->kind == Kind::previously || g.left->kind == Kind::since);
  };
  std::vector<bool> is_used(parts.size(), false);
  is_used.back() = true;
  for (const Formula g : parts) {
    if (is_move(*g)) continue;
    if (g->left) is_used[index(g->left)] = true;
    if (g->right) is_used[index(g->right)] = true;
  }

  values_.resize(parts.size(), 0);
  std::map<std::uint32_t, Place> counters;  // by modulus
  std::vector<Place> places(parts.size());
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    const Node& g = *parts[i];
    const std::uint32_t left = g.left ? index(g.left) : 0;
    const std::uint32_t right = g.right ? index(g.right) : 0;
    const auto remember = [&](Place place) {
      places[i] = place;
      if (g.kind == Kind::once)
        operations_.push_back({g.kind, i, left, 0, place});
      else if (is_used[i])
        reads_.push_back({g.kind, i, place, g.k, g.j});
      if (is_move(g))
        add_move(places[left], place);
      else
        updates_.push_back({g.kind, i, left, right, place, g.k, g.j});
    };
    switch (g.kind) {
      case Kind::false_: break;
      case Kind::true_: values_[i] = all; break;
      case Kind::letter: letters_.push_back({i, class_of_[g.k]}); break;
      case Kind::modulo: {
        if (g.k == 1) {
          values_[i] = all;
          break;
        }
        auto counter = counters.find(g.k);
        if (counter == counters.end()) {
          const Place place = allocate(width(g.k - 1));
          counter = counters.emplace(g.k, place).first;
          start_[place.word] |= std::uint64_t{1} << place.shift;
          updates_.push_back({g.kind, i, 0, 0, place, g.k, 0});
        }
        reads_.push_back({g.kind, i, counter->second, g.k, g.j});
        break;
      }
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence: operations_.push_back({g.kind, i, left, right, {}}); break;
      case Kind::first:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::historically:
      case Kind::once:
      case Kind::since: remember(allocate(1)); break;
      case Kind::window: remember(allocate(width(g.k))); break;
      case Kind::counting_window: {
        const Place place = allocate(g.k);
        if (!keeps_hits(g.k, g.j)) {
          // Before the word there are only misses.
          std::uint64_t misses = kept(g.k, g.j);
          for (std::size_t w = place.word; misses > 0; ++w) {
            const std::uint64_t here = std::min<std::uint64_t>(misses, 64);
            start_[w] |= low_bits(here) << (g.k <= 64 ? place.shift : 0);
            misses -= here;
          }
        }
        remember(place);
        break;
      }
    }
  }
  common_.resize(words());
}

void Evaluator::read(const std::uint64_t* from) {
  for (const Read& r : reads_) {
    const std::uint64_t content = from[r.place.word] >> r.place.shift;
    bool value = false;
    switch (r.kind) {
      case Kind::previously:
      case Kind::yesterday:
      case Kind::since: value = (content & 1) != 0; break;
      case Kind::historically:  // the register says that it has failed
      case Kind::first: value = (content & 1) == 0; break;
      case Kind::window: value = (content & low_bits(width(r.k))) != 0; break;
      case Kind::counting_window:
        value = (count(from + r.place.word, r.place.shift, r.k) >= kept(r.k, r.j)) == keeps_hits(r.k, r.j);
        break;
      case Kind::modulo: value = (content & low_bits(width(r.k - 1))) == r.j; break;
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence:
      case Kind::once: break;
    }
    values_[r.to] = value ? all : 0;
  }
}

void Evaluator::operate(const std::uint64_t* from) {
  for (const Operation& o : operations_) {
    const Lanes x = values_[o.left];
    const Lanes y = values_[o.right];
    Lanes& z = values_[o.to];
    switch (o.kind) {
      case Kind::negation: z = ~x; break;
      case Kind::conjunction: z = x & y; break;
      case Kind::disjunction: z = x | y; break;
      case Kind::exclusive_or: z = x ^ y; break;
      case Kind::implication: z = ~x | y; break;
      case Kind::equivalence: z = ~(x ^ y); break;
      case Kind::once: z = (from[o.place.word] >> o.place.shift & 1) != 0 ? all : x; break;
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::first:
      case Kind::modulo:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::window:
      case Kind::counting_window:
      case Kind::historically:
      case Kind::since: break;
    }
  }
}

void Evaluator::flip(Lanes lanes, std::uint32_t word, std::uint64_t bits, std::uint64_t* to) const {
  for (; lanes != 0; lanes &= lanes - 1) to[std::countr_zero(lanes) * words() + word] ^= bits;
}

void Evaluator::update_bit(Place place, Lanes next, Lanes letters, std::uint64_t* to) {
  next &= letters;
  if (next == 0) return;
  const std::uint64_t bit = std::uint64_t{1} << place.shift;
  if (next == letters || 2 * std::popcount(next) > std::popcount(letters)) {
    common_[place.word] |= bit;
    next ^= letters;
  }
  flip(next, place.word, bit, to);
}

void Evaluator::update(const std::uint64_t* from, Letter lanes, std::uint64_t* to) {
  const Lanes letters = low_bits(lanes);
  std::fill(common_.begin(), common_.end(), 0);
  std::fill(to, to + lanes * words(), 0);
  for (const Move& m : moves_)
    common_[m.to] |= std::rotl(from[m.from] & m.mask, static_cast<int>(m.rotation));
  for (const Update& u : updates_) {
    const Place place = u.place;
    const std::uint64_t content = from[place.word] >> place.shift;
    const Lanes x = values_[u.left];
    const Lanes before = (content & 1) != 0 ? all : 0;  // of a register of one bit
    switch (u.kind) {
      case Kind::first: common_[place.word] |= std::uint64_t{1} << place.shift; break;
      case Kind::previously: update_bit(place, before | x, letters, to); break;
      case Kind::yesterday: update_bit(place, x, letters, to); break;
      case Kind::historically: update_bit(place, before | ~x, letters, to); break;
      case Kind::once: update_bit(place, values_[u.self], letters, to); break;
      case Kind::since: update_bit(place, values_[u.right] | (x & before), letters, to); break;
      case Kind::modulo: {
        const std::uint64_t position = content & low_bits(width(u.k - 1));
        common_[place.word] |= (position + 1 == u.k ? 0 : position + 1) << place.shift;
        break;
      }
      case Kind::window: {
        const std::uint64_t left = content & low_bits(width(u.k));
        const std::uint64_t missed = left == 0 ? 0 : left - 1;
        common_[place.word] |= missed << place.shift;
        flip(x & letters, place.word, (missed ^ u.k) << place.shift, to);
        break;
      }
      case Kind::counting_window: {
        // Shift a 0 in for all lanes, then flip it where there is something to keep; there the oldest one
        // goes if it is one too many.
        const Lanes keep = (keeps_hits(u.k, u.j) ? x : ~x) & letters;
        const bool one_word = u.k <= 64;
        const std::uint32_t words_used = one_word ? 1 : (u.k + 63) / 64;
        std::uint64_t carry = 0;
        std::uint64_t ones = 0;
        std::uint32_t oldest_word = 0;
        std::uint64_t oldest = 0;
        for (std::uint32_t w = 0; w < words_used; ++w) {
          const std::uint64_t old = one_word ? content : from[place.word + w];
          const std::uint64_t mask = low_bits(u.k - std::uint64_t{64} * w);
          const std::uint64_t shifted = (old << 1 | carry) & mask;
          carry = old >> 63;
          ones += static_cast<std::uint64_t>(std::popcount(shifted));
          if (shifted != 0) {
            oldest_word = place.word + w;
            oldest = std::bit_floor(shifted);
          }
          common_[place.word + w] |= shifted << (one_word ? place.shift : 0);
        }
        const std::uint32_t shift = one_word ? place.shift : 0;
        flip(keep, place.word, std::uint64_t{1} << shift, to);
        if (ones == kept(u.k, u.j)) flip(keep, oldest_word, oldest << shift, to);
        break;
      }
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence: break;
    }
  }
  for (Letter lane = 0; lane < lanes; ++lane)
    for (std::size_t w = 0; w < words(); ++w) to[lane * words() + w] ^= common_[w];
}

bool Evaluator::step(const std::uint64_t* from, std::uint64_t* to) {
  // Lane c of the blocks together is letter class c, and lane classes() is the end, where no letter is.
  read(from);
  bool accepts = false;
  for (Letter begin = 0; begin <= classes_; begin += 64) {
    for (const NamedLetter letter : letters_) {
      const Letter lane = letter.letter_class - begin;  // wraps around when it is in an earlier block
      values_[letter.to] = lane < 64 ? std::uint64_t{1} << lane : 0;
    }
    operate(from);
    if (classes_ - begin < 64) accepts = (values_.back() >> (classes_ - begin) & 1) != 0;
    update(from, std::min<Letter>(64, classes_ - begin), to + begin * words());
  }
  return accepts;
}

}  // namespace logic
