// Products are explored from the start pair.  Two languages are compared by the union-find method of Hopcroft
// and Karp ("A linear algorithm for testing equivalence of finite automata", 1971), breadth-first.
#include "automata/product.hpp"

#include "automata/interner.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

void require_same_letters(const char* function, const Dfa& x, const Dfa& y) {
  if (x.letters() != y.letters())
    throw std::invalid_argument(std::string(function) + ": " + std::to_string(x.letters()) + " and " +
                                std::to_string(y.letters()) + " letters");
}

bool holds(BooleanOperation operation, bool x, bool y) {
  switch (operation) {
    case BooleanOperation::intersection: return x && y;
    case BooleanOperation::union_: return x || y;
    case BooleanOperation::difference: return x && !y;
    case BooleanOperation::symmetric_difference: return x != y;
  }
  return false;
}

/// How a breadth-first search came somewhere: the step before, and the letter.
struct Step {
  std::size_t from;
  Letter letter;
};

/// The letters of the steps that end in step i; step 0 is the start.
Word word_to(const std::vector<Step>& steps, std::size_t i) {
  Word word;
  for (; i != 0; i = steps[i].from) word.push_back(steps[i].letter);
  std::reverse(word.begin(), word.end());
  return word;
}

/// Disjoint sets of numbers.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  /// Unites the sets of x and y; whether they were different.
  bool unite(std::size_t x, std::size_t y) {
    x = find(x);
    y = find(y);
    parent_[y] = x;
    return x != y;
  }

 private:
  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  std::vector<std::size_t> parent_;
};

}  // namespace

Dfa complement(const Dfa& dfa) {
  std::vector<bool> accepting = dfa.accepting();
  accepting.flip();
  return Dfa(dfa.letters(), dfa.start(), dfa.table(), std::move(accepting));
}

Dfa combine(const Dfa& x, const Dfa& y, BooleanOperation operation, std::size_t max_states) {
  require_same_letters("combine", x, y);
  Interner<State> pairs(2);
  const auto number = [&](State p, State q) {
    const std::array<State, 2> pair{p, q};
    const auto [n, is_new] = pairs.intern(pair);
    if (is_new && pairs.size() > max_states)
      throw std::length_error("combine: " + std::to_string(pairs.size()) +
                              " pairs of states reached, max_states is " + std::to_string(max_states));
    return n;
  };
  number(x.start(), y.start());
  std::vector<State> next;
  std::vector<bool> accepting;
  for (State n = 0; n < pairs.size(); ++n) {
    const State p = pairs[n][0];
    const State q = pairs[n][1];
    accepting.push_back(holds(operation, x.is_accepting(p), y.is_accepting(q)));
    for (Letter a = 0; a < x.letters(); ++a) next.push_back(number(x.next(p, a), y.next(q, a)));
  }
  return Dfa(x.letters(), 0, std::move(next), std::move(accepting));
}

std::optional<Word> difference(const Dfa& x, const Dfa& y) {
  require_same_letters("difference", x, y);
  if (x.is_accepting(x.start()) != y.is_accepting(y.start())) return Word{};
  // Pairs come in short-lex order of their access words.  One that is skipped lies on a chain of earlier
  // pairs; a suffix that tells it apart tells one of those apart, after an earlier access word.
  UnionFind classes(std::size_t{x.states()} + y.states());
  std::vector<std::pair<State, State>> pairs{{x.start(), y.start()}};
  std::vector<Step> steps{{0, 0}};
  classes.unite(x.start(), std::size_t{x.states()} + y.start());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (Letter a = 0; a < x.letters(); ++a) {
      const State p = x.next(pairs[i].first, a);
      const State q = y.next(pairs[i].second, a);
      if (!classes.unite(p, std::size_t{x.states()} + q)) continue;
      pairs.emplace_back(p, q);
      steps.push_back({i, a});
      if (x.is_accepting(p) != y.is_accepting(q)) return word_to(steps, steps.size() - 1);
    }
  }
  return std::nullopt;
}

std::optional<Word> shortest_accepted(const Dfa& dfa) {
  if (dfa.is_accepting(dfa.start())) return Word{};
  std::vector<bool> seen(dfa.states(), false);
  seen[dfa.start()] = true;
  std::vector<State> states{dfa.start()};
  std::vector<Step> steps{{0, 0}};
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const State q = dfa.next(states[i], a);
      if (seen[q]) continue;
      seen[q] = true;
      states.push_back(q);
      steps.push_back({i, a});
      if (dfa.is_accepting(q)) return word_to(steps, steps.size() - 1);
    }
  }
  return std::nullopt;
}

}  // namespace automata
