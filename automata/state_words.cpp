#include "automata/state_words.hpp"

#include "automata/product.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace automata {

std::vector<Word> access_words(const Dfa& dfa) {
  std::vector<Word> words(1);
  bool in_order = dfa.start() == 0;
  for (State q = 0; q < words.size() && in_order; ++q) {
    for (Letter a = 0; a < dfa.letters() && in_order; ++a) {
      const State to = dfa.next(q, a);
      if (to < words.size()) continue;
      in_order = to == words.size();
      words.push_back(words[q]);
      words.back().push_back(a);
    }
  }
  if (!in_order || words.size() != dfa.states())
    throw std::invalid_argument("access_words: " + std::to_string(dfa.states()) +
                                " states that are not numbered breadth-first from the start");
  return words;
}

std::vector<Word> separating_words(const Dfa& dfa) {
  const State states = dfa.states();
  std::vector<Word> words{{}};
  // States are in one group as long as no word tells them apart; each further word splits a group.
  std::vector<std::uint32_t> group(states);
  for (State q = 0; q < states; ++q) group[q] = dfa.is_accepting(q) ? 1 : 0;
  while (true) {
    std::unordered_map<std::uint32_t, State> first;
    std::optional<std::pair<State, State>> together;
    for (State q = 0; q < states && !together; ++q) {
      const auto [place, is_new] = first.emplace(group[q], q);
      if (!is_new) together = {place->second, q};
    }
    if (!together) return words;
    auto word = difference(dfa, together->first, together->second);
    if (!word)
      throw std::invalid_argument("separating_words: the states " + std::to_string(together->first) +
                                  " and " + std::to_string(together->second) + " are equivalent");
    words.push_back(std::move(*word));
    std::unordered_map<std::uint64_t, std::uint32_t> ids;
    for (State q = 0; q < states; ++q) {
      const std::uint64_t key =
          2 * std::uint64_t{group[q]} + (dfa.is_accepting(dfa.run(q, words.back())) ? 1 : 0);
      group[q] = ids.emplace(key, static_cast<std::uint32_t>(ids.size())).first->second;
    }
  }
}

}  // namespace automata
