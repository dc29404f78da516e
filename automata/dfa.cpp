#include "automata/dfa.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {

Dfa::Dfa(Letter letters, State start, std::vector<State> next, std::vector<bool> accepting)
    : letters_(letters), start_(start), next_(std::move(next)), accepting_(std::move(accepting)) {
  if (letters_ == 0) throw std::invalid_argument("Dfa: no letters");
  if (next_.size() != accepting_.size() * std::size_t{letters_})
    throw std::invalid_argument("Dfa: table of " + std::to_string(next_.size()) + " entries for " +
                                std::to_string(accepting_.size()) + " states and " +
                                std::to_string(letters_) + " letters");
  if (start_ >= states())
    throw std::invalid_argument("Dfa: start state " + std::to_string(start_) + " of " +
                                std::to_string(states()));
  const auto wrong = std::find_if(next_.begin(), next_.end(), [&](State q) { return q >= states(); });
  if (wrong != next_.end())
    throw std::invalid_argument("Dfa: successor " + std::to_string(*wrong) + " of " +
                                std::to_string(states()) + " states");
}

State Dfa::run(State q, std::span<const Letter> word) const {
  for (const Letter a : word) q = next(q, a);
  return q;
}

}  // namespace automata
