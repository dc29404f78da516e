// Hopcroft's partition refinement (J. Hopcroft, "An n log n algorithm for minimizing states in a finite
// automaton", 1971).
//
// The states lie in one array, each block of the partition a range of it.  A splitter is a block; the states
// that a letter leads into it are moved to the front of their blocks, and every block of which this takes a
// proper part is cut there.  Of the two parts the smaller one becomes a splitter, so a state is in a splitter
// O(log n) times.
//
// The first partition is finer than by acceptance: states that differ after some power of one letter are
// apart from the beginning.  Often that is all there is to find.
#include "automata/minimize.hpp"

#include "automata/interner.hpp"

#include <algorithm>
#include <utility>

namespace automata {
namespace {

constexpr State none = UINT32_MAX;

/// The states that can be reached, in breadth-first order; `number` is their inverse, `none` elsewhere.
struct Reachable {
  std::vector<State> order;
  std::vector<State> number;
};

Reachable reachable(const Dfa& dfa) {
  Reachable r{{dfa.start()}, std::vector<State>(dfa.states(), none)};
  r.order.reserve(dfa.states());
  r.number[dfa.start()] = 0;
  for (std::size_t i = 0; i < r.order.size(); ++i) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const State q = dfa.next(r.order[i], a);
      if (r.number[q] != none) continue;
      r.number[q] = static_cast<State>(r.order.size());
      r.order.push_back(q);
    }
  }
  return r;
}

/// The moves backwards: the states that letter a leads to q, letter after letter and then q after q.
class Predecessors {
 public:
  Predecessors(State states, Letter letters, const std::vector<State>& next)
      : row_(std::size_t{states} + 1), states_(states), begin_(row_ * letters, 0), from_(next.size()) {
    for (std::size_t i = 0, a = 0; i < next.size(); ++i) {
      ++begin_[a * row_ + next[i]];
      if (++a == letters) a = 0;
    }
    for (Letter a = 0; a < letters; ++a) {
      State sum = 0;
      for (std::size_t q = a * row_; q < (a + 1) * row_; ++q) begin_[q] = sum += begin_[q];
    }
    for (State p = states; p-- > 0;) {
      for (Letter a = 0; a < letters; ++a) {
        const State q = next[std::size_t{p} * letters + a];
        from_[std::size_t{a} * states + --begin_[a * row_ + q]] = p;
      }
    }
  }

  std::span<const State> of(State q, Letter a) const {
    const State* const from = from_.data() + std::size_t{a} * states_;
    const State* const begin = begin_.data() + a * row_ + q;
    return {from + begin[0], from + begin[1]};
  }

 private:
  std::size_t row_;
  State states_;
  std::vector<State> begin_;
  std::vector<State> from_;
};

class Partition {
 public:
  using Block = std::uint32_t;

  /// `block_of` has the blocks of the states, which are numbered from 0 to `blocks` - 1, none of them empty.
  Partition(std::vector<Block> block_of, Block blocks)
      : states_(block_of.size()), place_(block_of.size()), block_(std::move(block_of)), ranges_(blocks) {
    for (const Block b : block_) ++ranges_[b].end;
    for (Block b = 1; b < blocks; ++b) ranges_[b].begin = ranges_[b].end += ranges_[b - 1].end;
    if (blocks > 0) ranges_[0].begin = ranges_[0].end;
    for (State q = static_cast<State>(block_.size()); q-- > 0;) {
      const State place = --ranges_[block_[q]].begin;
      states_[place] = q;
      place_[q] = place;
    }
  }

  Block blocks() const { return static_cast<Block>(ranges_.size()); }
  Block block_of(State q) const { return block_[q]; }
  std::span<const State> states_of(Block b) const {
    return {states_.data() + ranges_[b].begin, states_.data() + ranges_[b].end};
  }

  /// Marks `q` for the next split.  A state is marked at most once between two splits.
  void mark(State q) {
    Range& range = ranges_[block_[q]];
    const State to = range.begin + range.marked;
    if (range.marked++ == 0) touched_.push_back(block_[q]);
    const State other = states_[to];
    std::swap(states_[place_[q]], states_[to]);
    place_[other] = place_[q];
    place_[q] = to;
  }

  /// Cuts every block between its marked and its other states, and calls created(b) for each new block b: the
  /// smaller part; the larger one keeps the old number.
  template <class Created>
  void split(Created created) {
    for (const Block b : touched_) {
      Range& range = ranges_[b];
      const State marked = std::exchange(range.marked, 0);
      const State size = range.end - range.begin;
      if (marked == size) continue;
      const State cut = range.begin + marked;
      Range part{range.begin, cut, 0};
      if (2 * std::uint64_t{marked} <= size) {
        range.begin = cut;
      } else {
        part = {cut, range.end, 0};
        range.end = cut;
      }
      const Block fresh = blocks();
      ranges_.push_back(part);
      for (State i = part.begin; i < part.end; ++i) block_[states_[i]] = fresh;
      created(fresh);
    }
    touched_.clear();
  }

 private:
  struct Range {
    State begin = 0;
    State end = 0;
    State marked = 0;
  };
  std::vector<State> states_;
  std::vector<State> place_;
  std::vector<Block> block_;
  std::vector<Range> ranges_;
  std::vector<Block> touched_;
};

/// Cuts `partition` down to the classes of states with the same language.  No block may have two states of
/// one class apart to begin with.
void refine(Partition& partition, const Predecessors& predecessors, Letter letters) {
  // Of two parts only the smaller becomes a splitter: if the block that was cut still waits to be one, its
  // larger part does so in its place, and if not, stability under the larger part follows from that under
  // their union and the smaller one.  For the same reason the largest block need not be one at the beginning:
  // it is all states without the others.
  std::vector<Partition::Block> splitters;
  Partition::Block largest = 0;
  for (Partition::Block b = 1; b < partition.blocks(); ++b)
    if (partition.states_of(b).size() > partition.states_of(largest).size()) largest = b;
  for (Partition::Block b = 0; b < partition.blocks(); ++b)
    if (b != largest) splitters.push_back(b);

  std::vector<State> splitter;
  while (!splitters.empty()) {
    const std::span<const State> block = partition.states_of(splitters.back());
    splitters.pop_back();
    splitter.assign(block.begin(), block.end());  // a copy, since its own letters may cut the block
    for (Letter a = 0; a < letters; ++a) {
      for (const State q : splitter)
        for (const State p : predecessors.of(q, a)) partition.mark(p);
      partition.split([&](Partition::Block b) { splitters.push_back(b); });
    }
  }
}

/// For each state, in bit i, whether it accepts the i-th power of letter `a`, i < 64.
template <class Accepting>
std::vector<std::uint64_t> powers(const std::vector<State>& next, Letter letters, Letter a,
                                  Accepting accepting) {
  const std::size_t states = next.size() / letters;
  std::vector<std::uint64_t> accepts(states);
  std::vector<State> after(states);  // the word of `power` letters
  for (State q = 0; q < states; ++q) {
    accepts[q] = accepting(q) ? 1 : 0;
    after[q] = next[q * letters + a];
  }
  std::vector<std::uint64_t> more(states);
  std::vector<State> farther(states);
  for (std::uint32_t power = 1; power < 64; power *= 2) {
    for (std::size_t q = 0; q < states; ++q) {
      more[q] = accepts[q] | accepts[after[q]] << power;
      farther[q] = after[after[q]];
    }
    accepts.swap(more);
    after.swap(farther);
  }
  return accepts;
}

/// States that differ after a power of the first or the last letter are apart.
template <class Accepting>
Partition by_powers(const std::vector<State>& next, Letter letters, Accepting accepting) {
  const std::size_t states = next.size() / letters;
  std::vector<Partition::Block> block(states, 0);
  Partition::Block blocks = 1;
  for (const Letter a : {Letter{0}, letters - 1}) {
    if (blocks == states) break;
    const std::vector<std::uint64_t> accepts = powers(next, letters, a, accepting);
    Interner<std::uint64_t> finer(2, states);
    for (State q = 0; q < states; ++q) {
      const std::uint64_t key[] = {block[q], accepts[q]};
      block[q] = finer.intern(key).first;
    }
    blocks = finer.size();
  }
  return Partition(std::move(block), blocks);
}

/// The table of the reachable part, under its own numbers.
std::vector<State> renumbered(const Dfa& dfa, const Reachable& part) {
  std::vector<State> next;
  next.reserve(part.order.size() * dfa.letters());
  for (const State q : part.order)
    for (Letter a = 0; a < dfa.letters(); ++a) next.push_back(part.number[dfa.next(q, a)]);
  return next;
}

}  // namespace

Dfa minimize(const Dfa& dfa) {
  const Letter letters = dfa.letters();
  const Reachable part = reachable(dfa);
  const auto states = static_cast<State>(part.order.size());
  const bool in_order = states == dfa.states() && std::is_sorted(part.order.begin(), part.order.end());
  const std::vector<State> renumbered_table = in_order ? std::vector<State>() : renumbered(dfa, part);
  const std::vector<State>& next = in_order ? dfa.table() : renumbered_table;

  Partition partition = by_powers(next, letters, [&](State q) { return dfa.is_accepting(part.order[q]); });
  if (partition.blocks() < states) refine(partition, Predecessors(states, letters, next), letters);
  if (partition.blocks() == states && in_order) return dfa;

  // Breadth-first once more, over the blocks: the number of a block is the order of its first coming.
  std::vector<State> number(partition.blocks(), none);
  std::vector<State> member{0};
  number[partition.block_of(0)] = 0;
  std::vector<State> table;
  std::vector<bool> accepting;
  table.reserve(std::size_t{partition.blocks()} * letters);
  for (std::size_t i = 0; i < member.size(); ++i) {
    const State p = member[i];
    accepting.push_back(dfa.is_accepting(part.order[p]));
    for (Letter a = 0; a < letters; ++a) {
      const State q = next[std::size_t{p} * letters + a];
      State& n = number[partition.block_of(q)];
      if (n == none) {
        n = static_cast<State>(member.size());
        member.push_back(q);
      }
      table.push_back(n);
    }
  }
  return Dfa(letters, 0, std::move(table), std::move(accepting));
}

std::vector<State> coarsest_congruence(Letter letters, const std::vector<State>& next,
                                       std::span<const State> classes) {
  const auto states = static_cast<State>(classes.size());
  const auto numbered = [&](auto class_of) {  // from 0, in the order of their first coming
    std::vector<State> number(states, none);
    std::vector<State> block(states);
    State blocks = 0;
    for (State q = 0; q < states; ++q) {
      State& n = number[class_of(q)];
      if (n == none) n = blocks++;
      block[q] = n;
    }
    return std::pair(std::move(block), blocks);
  };
  auto [block, blocks] = numbered([&](State q) { return classes[q]; });
  if (blocks == states) return block;
  Partition partition(std::move(block), blocks);
  refine(partition, Predecessors(states, letters, next), letters);
  return numbered([&](State q) { return partition.block_of(q); }).first;
}

}  // namespace automata
