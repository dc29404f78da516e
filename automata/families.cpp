#include "automata/families.hpp"

#include "logic/types.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace automata {
namespace {

bool has_mod(Logic logic) {
  switch (logic) {
    case Logic::y:
    case Logic::p:
    case Logic::py:
    case Logic::s: return false;
    case Logic::y_mod:
    case Logic::p_mod:
    case Logic::py_mod:
    case Logic::s_mod: return true;
  }
  return false;
}

/// Words put together, up to a length.
class Builder {
 public:
  explicit Builder(std::size_t max_letters) : max_letters_(max_letters) {}

  Word join(std::initializer_list<Word> parts) const {
    Word all;
    for (const Word& part : parts) {
      reserve(all.size(), part.size());
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  Word power(const Word& word, std::uint64_t times) const {
    if (!word.empty()) reserve(0, times > max_letters_ ? max_letters_ + 1 : times * word.size());
    Word all;
    for (std::uint64_t i = 0; i < times && !word.empty(); ++i)
      all.insert(all.end(), word.begin(), word.end());
    return all;
  }
  /// loop^j · way, with the least j that makes the length divisible by m.
  Word fitted(const Word& loop, const Word& way, std::uint32_t m) const {
    std::uint64_t j = 0;
    while ((way.size() + j * loop.size()) % m != 0) ++j;
    return join({power(loop, j), way});
  }

 private:
  void reserve(std::size_t used, std::size_t more) const {
    if (more > max_letters_ || used > max_letters_ - more)
      throw std::length_error("inseparable_pair: more than " + std::to_string(max_letters_) + " letters");
  }
  std::size_t max_letters_;
};

/// The table of docs/ladder.md.
std::pair<Word, Word> words(const Witness& w, std::uint64_t r, std::uint32_t m, const Builder& b) {
  switch (w.logic) {
    case Logic::y:
    case Logic::y_mod: {
      const Word loops = b.power(w.loop, r);
      return {b.join({w.access_p, loops, w.suffix}), b.join({w.access_q, loops, w.suffix})};
    }
    case Logic::p:
    case Logic::p_mod: {
      const Word there = b.fitted(w.loop, w.to_q, m), back = b.fitted(w.rest, w.to_p, m);
      const Word x = b.join({w.access_p, b.power(b.join({there, back}), r)});
      return {b.join({x, w.suffix}), b.join({x, there, w.suffix})};
    }
    case Logic::py:
    case Logic::py_mod: {
      const Word loops = b.power(w.loop, r * m);
      const Word there = b.join({b.fitted(w.loop, w.to_q, m), loops});
      const Word back = b.join({b.fitted(w.loop, w.to_p, m), loops});
      const Word x = b.join({w.access_p, loops, b.power(b.join({there, back}), r)});
      return {b.join({x, w.suffix}), b.join({x, there, w.suffix})};
    }
    case Logic::s:
    case Logic::s_mod: {
      const Word turn = b.join({w.loop, b.power(w.rest, m - 1)});
      const Word x = b.join({w.access_p, b.power(turn, 2 * r * w.period)});
      return {b.join({x, w.suffix}), b.join({x, turn, w.suffix})};
    }
  }
  throw std::invalid_argument("inseparable_pair: no logic");
}

/// Types for S: type_{r+1} is the letter, the residue, and the types of depth r before, in the order of their
/// last occurrences.
///
/// φ S ψ asks for a position of some type with no more than some types after it: of the positions of one type
/// the last one is the best, and the types after it are those that occur last after it.
class SinceTypes {
 public:
  SinceTypes(std::uint32_t modulus, std::size_t max_steps) : modulus_(modulus), steps_(max_steps) {}

  /// The type at the end; none when the steps are used up.
  std::optional<std::uint32_t> end(std::span<const Letter> word, std::uint32_t depth) {
    const auto ground = [&](std::size_t n) {
      return Key{n < word.size() ? word[n] + 1 : 0, static_cast<std::uint32_t>((n + 1) % modulus_)};
    };
    std::vector<std::uint32_t> types;
    for (std::size_t n = 0; n <= word.size(); ++n) types.push_back(number(ground(n)));
    for (std::uint32_t r = 1; r <= depth; ++r) {
      Key recent;  // the last to occur stands last
      std::vector<std::uint32_t> deeper;
      for (std::size_t n = 0; n < types.size(); ++n) {
        if (steps_ <= recent.size()) return std::nullopt;
        steps_ -= recent.size() + 1;
        Key key = ground(n);
        key.push_back(r);
        key.insert(key.end(), recent.begin(), recent.end());
        deeper.push_back(number(key));
        recent.erase(std::remove(recent.begin(), recent.end(), types[n]), recent.end());
        recent.push_back(types[n]);
      }
      types = std::move(deeper);
    }
    return types.back();
  }

 private:
  using Key = std::vector<std::uint32_t>;
  std::uint32_t number(const Key& key) {
    return types_.emplace(key, static_cast<std::uint32_t>(types_.size())).first->second;
  }

  std::uint32_t modulus_;
  std::size_t steps_;
  std::map<Key, std::uint32_t> types_;
};

}  // namespace

std::optional<bool> inseparable(std::span<const Letter> x, std::span<const Letter> y, Logic logic,
                                std::uint32_t depth, std::uint32_t modulus, std::size_t max_steps) {
  if (modulus == 0) throw std::invalid_argument("inseparable: modulus 0");
  if (!has_mod(logic)) modulus = 1;
  logic::WindowLogic window{.modulus = modulus};
  switch (logic) {
    case Logic::s:
    case Logic::s_mod: {
      SinceTypes types(modulus, max_steps);
      const auto end_x = types.end(x, depth), end_y = types.end(y, depth);
      if (!end_x || !end_y) return std::nullopt;
      return *end_x == *end_y;
    }
    case Logic::y:
    case Logic::y_mod: window.window = 1; break;
    case Logic::p:
    case Logic::p_mod: window.previously = true; break;
    case Logic::py:
    case Logic::py_mod:
      window.window = 1;
      window.previously = true;
      break;
  }
  constexpr std::size_t cost = 32;  // of one type, about
  if ((x.size() + y.size() + 2) > max_steps / cost / (std::size_t{depth} + 1)) return std::nullopt;
  logic::Types types(window, depth);
  const auto end = [&](std::span<const Letter> word) {
    auto past = types.start();
    for (const Letter a : word) types.append(past, types.at(past, a));
    return types.at(past, std::nullopt)[depth];
  };
  return end(x) == end(y);
}

InseparablePair inseparable_pair(const Dfa& dfa, const Witness& witness, std::uint32_t depth,
                                 std::uint32_t modulus, std::size_t max_letters) {
  if (depth == 0 || modulus == 0)
    throw std::invalid_argument("inseparable_pair: depth " + std::to_string(depth) + ", modulus " +
                                std::to_string(modulus));
  if (!replay(dfa, witness)) throw std::invalid_argument("inseparable_pair: the witness does not replay");
  if (!has_mod(witness.logic)) modulus = 1;
  auto [x, y] = words(witness, depth, modulus, Builder(max_letters));
  const bool x_in = dfa.accepts(x);
  if (x_in == dfa.accepts(y))
    throw std::logic_error("inseparable_pair: both words or none are in the language");
  InseparablePair pair;
  pair.checked = inseparable(x, y, witness.logic, depth, modulus);
  if (pair.checked == false)
    throw std::logic_error("inseparable_pair: a formula of that depth separates them");
  pair.in = std::move(x_in ? x : y);
  pair.out = std::move(x_in ? y : x);
  return pair;
}

}  // namespace automata
