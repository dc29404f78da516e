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

// The short-lex least word that is accepted from exactly one of p in x and q in y, whose states are numbered
// from `offset` on where those of x are numbered from 0 on.
//
// Pairs come in short-lex order of their access words.  One that is skipped lies on a chain of earlier pairs;
// a suffix that tells it apart tells one of those apart, after an earlier access word.
std::optional<Word> first_difference(const Dfa& x, State p, const Dfa& y, State q, std::size_t offset) {
  if (x.is_accepting(p) != y.is_accepting(q)) return Word{};
  UnionFind classes(std::max(std::size_t{x.states()}, offset + y.states()));
  std::vector<std::pair<State, State>> pairs{{p, q}};
  std::vector<Step> steps{{0, 0}};
  classes.unite(p, offset + q);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (Letter a = 0; a < x.letters(); ++a) {
      const State pa = x.next(pairs[i].first, a);
      const State qa = y.next(pairs[i].second, a);
      if (!classes.unite(pa, offset + qa)) continue;
      pairs.emplace_back(pa, qa);
      steps.push_back({i, a});
      if (x.is_accepting(pa) != y.is_accepting(qa)) return word_to(steps, steps.size() - 1);
    }
  }
  return std::nullopt;
}

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
  return first_difference(x, x.start(), y, y.start(), x.states());
}

std::optional<Word> difference(const Dfa& dfa, State p, State q) {
  return first_difference(dfa, p, dfa, q, 0);
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
