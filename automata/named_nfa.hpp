// What the readers of files have in common: a non-deterministic automaton whose letters have names.
#pragma once

#include "automata/language.hpp"
#include "automata/nfa.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace automata {

/// Collects states, letters and moves in the order in which a file names them.
class NamedNfa {
 public:
  /// Errors are reported as places in `text`, which must outlive the object.  Letters must be of `alphabet`,
  /// if there is one.  Throws logic::ParseError where `text` is not UTF-8.
  NamedNfa(std::string_view text, const std::optional<logic::Alphabet>& alphabet);

  /// A number for the letter of that name, counted in the order of their coming.
  ///
  /// Throws logic::ParseError at `offset` where it cannot be a letter's name or is none of the alphabet.
  Letter letter(std::string_view name, std::size_t offset);
  std::size_t letters() const { return letters_.size(); }

  /// The state of that name, a new one at its first mention.
  State state(std::string_view name);
  State new_state() { return nfa_.states++; }
  State states() const { return nfa_.states; }

  void set_initial(State q) { nfa_.initial.push_back(q); }
  void set_accepting(State q) { nfa_.accepting.push_back(q); }
  void add_move(State from, std::optional<Letter> a, State to) { nfa_.moves.push_back({from, a, to}); }

  enum class Order { by_name, as_they_came };

  /// The language, minimal, over the alphabet of the constructor, otherwise over the letters that came.
  ///
  /// Throws logic::ParseError where there is no letter, std::length_error past `max_states`.
  Language finish(Order order, std::size_t max_states);

 private:
  std::string_view text_;
  std::optional<logic::Alphabet> alphabet_;
  Nfa nfa_;
  std::map<std::string, Letter, std::less<>> letters_;  // sorted by name
  std::unordered_map<std::string, State> states_;
};

}  // namespace automata
