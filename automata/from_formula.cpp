// The register contents that the letters reach from the empty word are the states; logic::Evaluator takes one
// to all its successors in a pass over the formula.  Equal contents have equal futures but not conversely, so
// the result is minimised.
#include "automata/from_formula.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "logic/evaluator.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

/// How many words of register contents are kept at most, however few states they make: 2 GiB.
constexpr std::size_t max_words = std::size_t{1} << 28;

/// Numbers register contents in the order of their first coming.
class Contents {
 public:
  Contents(std::size_t words, std::uint64_t bits) : words_(words), all_(words) {
    if (bits > 22) return;
    // Lazily zeroed by the system, so that contents that do not come up cost nothing.
    direct_.reset(static_cast<State*>(std::calloc(std::size_t{1} << bits, sizeof(State))));
    if (!direct_) throw std::bad_alloc();
  }

  State size() const { return direct_ ? static_cast<State>(few_.size()) : all_.size(); }
  std::span<const std::uint64_t> operator[](State q) const {
    return direct_ ? std::span<const std::uint64_t>(&few_[q], 1) : all_[q];
  }
  std::size_t words() const { return size() * words_; }

  /// The number of `content`, and whether it is new.
  std::pair<State, bool> number(const std::uint64_t* content) {
    if (!direct_) return all_.intern({content, words_});
    State& number = direct_[*content];
    if (number != 0) return {number - 1, false};
    few_.push_back(*content);
    number = size();
    return {number - 1, true};
  }

 private:
  struct Free {
    void operator()(State* p) const { std::free(p); }
  };
  std::size_t words_;
  Interner<std::uint64_t> all_;
  std::vector<std::uint64_t> few_;         // where there are so few bits that
  std::unique_ptr<State[], Free> direct_;  // each content has its place, with its number plus one
};

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

  Contents contents(words, evaluator.bits());
  const auto number = [&](const std::uint64_t* content) {
    const auto [q, is_new] = contents.number(content);
    if (is_new && contents.size() > max_states)
      throw std::length_error("from_formula: " + std::to_string(contents.size()) + " register contents of " +
                              std::to_string(words) + " words reached, max_states is " +
                              std::to_string(max_states));
    if (is_new && contents.words() > max_words)
      throw std::length_error("from_formula: " + std::to_string(contents.size()) + " register contents of " +
                              std::to_string(words) + " words reached, which pass the limit of 2 GiB");
    return q;
  };
  number(evaluator.start().data());
  std::vector<State> next;
  std::vector<bool> accepting;
  std::vector<std::uint64_t> from(words);
  std::vector<std::uint64_t> to(words * classes);
  for (State q = 0; q < contents.size(); ++q) {
    from.assign(contents[q].begin(), contents[q].end());
    accepting.push_back(evaluator.step(from.data(), to.data()));
    for (Letter a = 0; a < classes; ++a) next.push_back(number(to.data() + a * words));
  }
  // Classes are in the order of their least letters, so the numbering stays breadth-first in letter order.
  const Dfa minimal = minimize(Dfa(classes, 0, std::move(next), std::move(accepting)));
  if (classes == letters) return minimal;
  std::vector<Letter> column_of(letters);
  for (Letter a = 0; a < letters; ++a) column_of[a] = evaluator.class_of(a);
  return spread(minimal, column_of);
}

}  // namespace automata
