// Words and automata for tests: all small ones, and random ones from a seed.
#pragma once

#include "automata/dfa.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace tests {

/// All words of at most `length` letters over `letters` letters, in short-lex order.
inline std::vector<logic::Word> words_up_to(logic::Letter letters, std::size_t length) {
  std::vector<logic::Word> words{{}};
  std::size_t begin = 0;
  for (std::size_t n = 1; n <= length; ++n) {
    const std::size_t end = words.size();
    for (; begin < end; ++begin) {
      for (logic::Letter a = 0; a < letters; ++a) {
        logic::Word word = words[begin];
        word.push_back(a);
        words.push_back(std::move(word));
      }
    }
  }
  return words;
}

/// A number in [0, bound); the same on every standard library, unlike std::uniform_int_distribution.
inline std::uint32_t below(std::mt19937& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random()) % bound;
}

inline logic::Word random_word(std::mt19937& random, logic::Letter letters, std::size_t length) {
  logic::Word word(length);
  for (auto& a : word) a = below(random, letters);
  return word;
}

inline automata::Dfa random_dfa(std::mt19937& random, automata::State states, logic::Letter letters) {
  std::vector<automata::State> next(std::size_t{states} * letters);
  for (auto& q : next) q = below(random, states);
  std::vector<bool> accepting(states);
  for (automata::State q = 0; q < states; ++q) accepting[q] = below(random, 2) == 1;
  return automata::Dfa(letters, 0, std::move(next), std::move(accepting));
}

/// Every complete Dfa with that many states, start 0 and letters, one after the other: f(dfa).
template <class Function>
void for_each_dfa(automata::State states, logic::Letter letters, Function f) {
  std::vector<automata::State> next(std::size_t{states} * letters, 0);
  while (true) {
    for (std::uint64_t mask = 0; mask < (std::uint64_t{1} << states); ++mask) {
      std::vector<bool> accepting(states);
      for (automata::State q = 0; q < states; ++q) accepting[q] = (mask >> q & 1) != 0;
      f(automata::Dfa(letters, 0, next, accepting));
    }
    std::size_t i = 0;
    while (i < next.size() && ++next[i] == states) next[i++] = 0;
    if (i == next.size()) return;
  }
}

}  // namespace tests
