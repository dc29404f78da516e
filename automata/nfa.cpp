// The subset construction.  A subset is kept closed under ε-moves and then stripped of the states that
// neither accept nor read a letter, so that few different ones come up.
#include "automata/nfa.hpp"

#include "automata/interner.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

constexpr State none = UINT32_MAX;

/// The moves of each state in one array: those of q are at begin[q], ..., begin[q+1]-1.
struct Moves {
  struct Move {
    Letter letter;
    State to;
  };
  std::vector<std::size_t> begin;
  std::vector<Move> moves;
  std::vector<std::size_t> silent_begin;
  std::vector<State> silent;

  explicit Moves(const Nfa& nfa) : begin(nfa.states + std::size_t{1}, 0), silent_begin(begin) {
    for (const auto& move : nfa.moves) ++(move.letter ? begin : silent_begin)[move.from];
    for (auto* const offsets : {&begin, &silent_begin}) {
      std::size_t sum = 0;
      for (auto& entry : *offsets) entry = sum += entry;
    }
    moves.resize(begin.back());
    silent.resize(silent_begin.back());
    for (const auto& move : nfa.moves) {
      if (move.letter)
        moves[--begin[move.from]] = {*move.letter, move.to};
      else
        silent[--silent_begin[move.from]] = move.to;
    }
  }

  std::span<const Move> of(State q) const { return {moves.data() + begin[q], moves.data() + begin[q + 1]}; }
  std::span<const State> silent_of(State q) const {
    return {silent.data() + silent_begin[q], silent.data() + silent_begin[q + 1]};
  }
};

/// Collects sets of states closed under ε-moves.
class Closure {
 public:
  explicit Closure(const Moves& moves) : moves_(moves), seen_(moves.begin.size() - 1, 0) {}

  void clear() {
    ++round_;
    states_.clear();
  }
  void add(State q) {
    insert(q);
    while (!open_.empty()) {
      const State p = open_.back();
      open_.pop_back();
      for (const State r : moves_.silent_of(p)) insert(r);
    }
  }
  const std::vector<State>& states() const { return states_; }

 private:
  void insert(State q) {
    if (std::exchange(seen_[q], round_) == round_) return;
    states_.push_back(q);
    open_.push_back(q);
  }

  const Moves& moves_;
  std::vector<std::uint64_t> seen_;  // the last round in which the state was inserted
  std::uint64_t round_ = 0;
  std::vector<State> states_;
  std::vector<State> open_;
};

void check(const Nfa& nfa) {
  const auto require_state = [&](State q) {
    if (q >= nfa.states)
      throw std::invalid_argument("determinize: state " + std::to_string(q) + " of " +
                                  std::to_string(nfa.states));
  };
  if (nfa.letters == 0) throw std::invalid_argument("determinize: no letters");
  for (const State q : nfa.initial) require_state(q);
  for (const State q : nfa.accepting) require_state(q);
  for (const auto& move : nfa.moves) {
    require_state(move.from);
    require_state(move.to);
    if (move.letter && *move.letter >= nfa.letters)
      throw std::invalid_argument("determinize: letter " + std::to_string(*move.letter) + " of " +
                                  std::to_string(nfa.letters));
  }
}

/// Numbers the subsets that `successors` leads to from `start`: successors(subset, reach) calls reach(a,
/// subset) for every letter a.
template <class T, class Successors, class Accepting>
Dfa explore(Letter letters, std::size_t max_states, std::size_t width, std::span<const T> start, Successors successors,
            Accepting accepting) {
  Interner<T> subsets(width);
  const auto number = [&](std::span<const T> subset) {
    const auto [q, is_new] = subsets.intern(subset);
    if (is_new && subsets.size() > max_states)
      throw std::length_error("determinize: " + std::to_string(subsets.size()) +
                              " subsets reached, max_states is " + std::to_string(max_states));
    return q;
  };
  number(start);
  std::vector<State> next;
  std::vector<bool> accepts;
  std::vector<T> subset;
  for (State q = 0; q < subsets.size(); ++q) {
    subset.assign(subsets[q].begin(), subsets[q].end());  // a copy, since the interner moves them
    accepts.push_back(accepting(subset));
    next.resize(next.size() + letters);
    successors(subset,
               [&](Letter a, std::span<const T> to) { next[std::size_t{q} * letters + a] = number(to); });
  }
  return Dfa(letters, 0, std::move(next), std::move(accepts));
}

/// Subsets as sorted lists of states: for large automata, whose subsets are small as a rule.
Dfa explore_lists(const Nfa& nfa, const Moves& moves, const std::vector<bool>& accepting,
                  const std::vector<bool>& matters, std::size_t max_states) {
  Closure closure(moves);
  std::vector<State> list;
  const auto close = [&](std::span<const State> states) {
    closure.clear();
    for (const State q : states) closure.add(q);
    list.clear();
    for (const State q : closure.states())
      if (matters[q]) list.push_back(q);
    std::sort(list.begin(), list.end());
    return std::span<const State>(list);
  };
  close(nfa.initial);
  const std::vector<State> start = list;
  std::vector<std::vector<State>> targets(nfa.letters);
  return explore<State>(
      nfa.letters, max_states, 0, start,
      [&](std::span<const State> subset, auto reach) {
        for (const State q : subset)
          for (const auto& move : moves.of(q)) targets[move.letter].push_back(move.to);
        for (Letter a = 0; a < nfa.letters; ++a) {
          reach(a, close(targets[a]));
          targets[a].clear();
        }
      },
      [&](std::span<const State> subset) {
        return std::any_of(subset.begin(), subset.end(), [&](State q) { return accepting[q]; });
      });
}

/// Subsets as bit sets of the states that matter: for small automata.
Dfa explore_bits(const Nfa& nfa, const Moves& moves, const std::vector<bool>& accepting,
                 const std::vector<State>& matter, std::size_t max_states) {
  const std::size_t words = (matter.size() + 63) / 64;
  std::vector<State> bit(nfa.states, none);
  for (State i = 0; i < matter.size(); ++i) bit[matter[i]] = i;
  Closure closure(moves);
  const auto set = [&](std::uint64_t* to) {
    for (const State q : closure.states())
      if (bit[q] != none) to[bit[q] / 64] |= std::uint64_t{1} << bit[q] % 64;
  };
  // For each state that matters, the closed successor under each letter, one after the other.
  const std::size_t row = nfa.letters * words;
  std::vector<std::uint64_t> rows(matter.size() * row, 0);
  std::vector<std::uint64_t> final(words, 0);
  for (std::size_t i = 0; i < matter.size(); ++i) {
    if (accepting[matter[i]]) final[i / 64] |= std::uint64_t{1} << i % 64;
    for (const auto& move : moves.of(matter[i])) {
      closure.clear();
      closure.add(move.to);
      set(&rows[i * row + move.letter * words]);
    }
  }
  std::vector<std::uint64_t> start(words, 0);
  closure.clear();
  for (const State q : nfa.initial) closure.add(q);
  set(start.data());

  std::vector<std::uint64_t> successor(row);
  return explore<std::uint64_t>(
      nfa.letters, max_states, words, start,
      [&](std::span<const std::uint64_t> subset, auto reach) {
        std::fill(successor.begin(), successor.end(), 0);
        for (std::size_t w = 0; w < words; ++w) {
          for (std::uint64_t rest = subset[w]; rest != 0; rest &= rest - 1) {
            const std::uint64_t* const from = &rows[(64 * w + std::countr_zero(rest)) * row];
            for (std::size_t i = 0; i < row; ++i) successor[i] |= from[i];
          }
        }
        for (Letter a = 0; a < nfa.letters; ++a)
          reach(a, std::span<const std::uint64_t>(successor).subspan(a * words, words));
      },
      [&](std::span<const std::uint64_t> subset) {
        for (std::size_t w = 0; w < words; ++w)
          if ((subset[w] & final[w]) != 0) return true;
        return false;
      });
}

}  // namespace

Dfa determinize(const Nfa& nfa, std::size_t max_states) {
  check(nfa);
  const Moves moves(nfa);
  std::vector<bool> accepting(nfa.states, false);
  for (const State q : nfa.accepting) accepting[q] = true;
  std::vector<bool> matters(nfa.states);
  std::vector<State> matter;
  for (State q = 0; q < nfa.states; ++q) {
    matters[q] = accepting[q] || !moves.of(q).empty();
    if (matters[q]) matter.push_back(q);
  }
  return matter.size() <= 256 ? explore_bits(nfa, moves, accepting, matter, max_states)
                              : explore_lists(nfa, moves, accepting, matters, max_states);
}

Nfa to_nfa(const Dfa& dfa) {
  Nfa nfa{dfa.letters(), dfa.states(), {dfa.start()}, {}, {}};
  nfa.moves.reserve(dfa.table().size());
  for (State q = 0; q < dfa.states(); ++q) {
    if (dfa.is_accepting(q)) nfa.accepting.push_back(q);
    for (Letter a = 0; a < dfa.letters(); ++a) nfa.moves.push_back({q, a, dfa.next(q, a)});
  }
  return nfa;
}

}  // namespace automata
