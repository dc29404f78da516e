// The register contents that the letters reach from the empty word are the states; logic::Evaluator takes one
// to all its successors in a pass over the formula.  Equal contents have equal futures but not conversely, so
// the result is minimised.
#include "automata/from_formula.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "logic/evaluator.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

/// How many words of register contents are kept at most, however few states they make: 2 GiB.
constexpr std::size_t max_words = std::size_t{1} << 28;

/// The columns of `dfa`, one for each entry of `column_of`.
Dfa spread(const Dfa& dfa, const std::vector<Letter>& column_of) {
  std::vector<State> next;
  next.reserve(dfa.states() * column_of.size());
  for (State q = 0; q < dfa.states(); ++q)
    for (const Letter a : column_of) next.push_back(dfa.next(q, a));
  return Dfa(static_cast<Letter>(column_of.size()), dfa.start(), std::move(next), dfa.accepting());
}

}  // namespace

Dfa from_formula(logic::Formula f, Letter letters, std::size_t max_states) {
  logic::Evaluator evaluator(f, letters);
  const Letter classes = evaluator.classes();
  const std::size_t words = evaluator.words();

  Interner<std::uint64_t> contents(words);
  const auto number = [&](std::span<const std::uint64_t> content) {
    const auto [q, is_new] = contents.intern(content);
    if (is_new && (contents.size() > max_states || contents.items() > max_words))
      throw std::length_error("from_formula: " + std::to_string(contents.size()) + " register contents of " +
                              std::to_string(words) + " words reached, max_states is " +
                              std::to_string(max_states));
    return q;
  };
  number(evaluator.start());
  std::vector<State> next;
  std::vector<bool> accepting;
  std::vector<std::uint64_t> from(words);
  std::vector<std::uint64_t> to(words * classes);
  for (State q = 0; q < contents.size(); ++q) {
    from.assign(contents[q].begin(), contents[q].end());
    accepting.push_back(evaluator.step(from.data(), to.data()));
    for (Letter a = 0; a < classes; ++a) next.push_back(number({to.data() + a * words, words}));
  }
  // Classes are in the order of their least letters, so the numbering stays breadth-first in letter order.
  const Dfa minimal = minimize(Dfa(classes, 0, std::move(next), std::move(accepting)));
  if (classes == letters) return minimal;
  std::vector<Letter> column_of(letters);
  for (Letter a = 0; a < letters; ++a) column_of[a] = evaluator.class_of(a);
  return spread(minimal, column_of);
}

}  // namespace automata
