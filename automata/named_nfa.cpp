#include "automata/named_nfa.hpp"

#include "automata/minimize.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <stdexcept>
#include <utility>

namespace automata {
namespace {

/// How many entries the table of a Dfa may have: a letter takes a column in each row, so that many letters
/// fill the memory long before there are many states.
constexpr std::size_t most_entries = std::size_t{1} << 29;

}  // namespace

NamedNfa::NamedNfa(std::string_view text, const std::optional<logic::Alphabet>& alphabet)
    : text_(text), alphabet_(alphabet) {
  logic::require_utf8(text);
}

Letter NamedNfa::letter(std::string_view name, std::size_t offset) {
  const auto found = letters_.find(name);
  if (found != letters_.end()) return found->second;
  if (name.empty()) throw logic::ParseError(text_, offset, "a letter's name is empty");
  for (std::size_t i = 0; i < name.size();) {
    const auto c = logic::code_point(name, i);
    if (!c) throw logic::ParseError(text_, offset, "a letter's name is not valid UTF-8");
    if (logic::is_control(c->value))
      throw logic::ParseError(text_, offset, "a letter's name has a control character");
    i += c->bytes;
  }
  if (alphabet_ && !alphabet_->find(name))
    throw logic::ParseError(text_, offset, logic::quote(name) + " is no letter of the alphabet");
  const auto number = static_cast<Letter>(letters_.size());
  letters_.emplace(name, number);
  return number;
}

State NamedNfa::state(std::string_view name) {
  const auto [entry, is_new] = states_.try_emplace(std::string(name), nfa_.states);
  if (is_new) ++nfa_.states;
  return entry->second;
}

Language NamedNfa::finish(Order order, std::size_t max_states) {
  if (!alphabet_) {
    if (letters_.empty())
      throw logic::ParseError(text_, text_.size(), "no letter occurs, so the alphabet has to be given");
    std::vector<std::string> names(letters_.size());
    Letter sorted = 0;
    for (const auto& [name, number] : letters_) names[order == Order::by_name ? sorted++ : number] = name;
    alphabet_.emplace(std::move(names));
  }
  std::vector<Letter> letter_of(letters_.size());
  for (const auto& [name, number] : letters_) letter_of[number] = *alphabet_->find(name);
  for (auto& move : nfa_.moves)
    if (move.letter) move.letter = letter_of[*move.letter];
  nfa_.letters = alphabet_->size();
  const std::size_t most_states = most_entries / nfa_.letters;
  if (max_states > most_states) {
    try {
      Dfa dfa = minimize(determinize(nfa_, most_states));
      return {std::move(*alphabet_), std::move(dfa)};
    } catch (const std::length_error&) {
      throw std::length_error("a table of more than " + std::to_string(most_entries) + " entries, " +
                              std::to_string(nfa_.letters) + " letters for each state");
    }
  }
  Dfa dfa = minimize(determinize(nfa_, max_states));
  return {std::move(*alphabet_), std::move(dfa)};
}

}  // namespace automata
