// The register contents that the letters reach from the empty word are the states; logic::Evaluator takes one
// to all its successors in a pass over the formula.  Equal contents have equal futures but not conversely, so
// the result is minimised.
#include "automata/from_formula.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "logic/evaluator.hpp"

#include <algorithm>
#include <cstdint>
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

/// The number of ways to choose at most `most` of n < 2^32, or some number between it and `enough` < 2^32.
std::uint64_t choices(std::uint64_t n, std::uint64_t most, std::uint64_t enough) {
  std::uint64_t sum = 1, binomial = 1;
  for (std::uint64_t i = 0; i < std::min(n, most) && sum <= enough; ++i) {
    binomial = binomial * (n - i) / (i + 1);  // below 2^64, since both factors are below 2^32
    sum += binomial;
  }
  return sum;
}

/// Refuses at once what would be refused after long work: shift registers whose contents are more than
/// max_states.
///
/// Where g is a Boolean combination of letters that some letters satisfy and others do not, the words of n
/// letters leave n nested Y over g in any of 2^n contents, and a window over g that keeps the latest m hits
/// (misses) of k positions in any set of at most m.
void expect_shift_registers_below(std::size_t max_states, logic::Formula f,
                                  const logic::Evaluator& evaluator) {
  using logic::Kind;
  const Letter classes = evaluator.classes();
  if (classes > 64) return;
  struct Known {
    bool is_boolean = false;
    std::uint64_t holds = 0;       // in bit c for letters of class c, where it is Boolean
    std::uint32_t yesterdays = 0;  // nested over something that varies
  };
  const std::uint64_t all = classes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << classes) - 1;
  const std::size_t enough = std::min<std::size_t>(max_states, std::uint32_t(-1));
  std::vector<Known> known(std::size_t{f->id} + 1);
  for (const logic::Formula g : logic::subformulas(f)) {
    Known& own = known[g->id];
    const Known left = g->left ? known[g->left->id] : Known{true};
    const Known right = g->right ? known[g->right->id] : Known{true};
    own.is_boolean = left.is_boolean && right.is_boolean;
    const std::uint64_t x = left.holds, y = right.holds;
    const bool varies = left.is_boolean && x != 0 && x != all;
    switch (g->kind) {
      case Kind::false_: break;
      case Kind::true_: own.holds = all; break;
      case Kind::letter: own.holds = std::uint64_t{1} << evaluator.class_of(g->k); break;
      case Kind::negation: own.holds = all & ~x; break;
      case Kind::conjunction: own.holds = x & y; break;
      case Kind::disjunction: own.holds = x | y; break;
      case Kind::exclusive_or: own.holds = x ^ y; break;
      case Kind::implication: own.holds = all & (~x | y); break;
      case Kind::equivalence: own.holds = all & ~(x ^ y); break;
      case Kind::yesterday: {
        own.is_boolean = false;
        own.yesterdays = varies ? 1 : left.yesterdays > 0 ? left.yesterdays + 1 : 0;
        const std::uint32_t n = own.yesterdays;
        if (n >= 64 || std::uint64_t{1} << n > max_states)
          throw std::length_error("from_formula: " + std::to_string(n) + " nested Y take 2^" +
                                  std::to_string(n) + " register contents, max_states is " +
                                  std::to_string(max_states));
        break;
      }
      case Kind::counting_window:
        own.is_boolean = false;
        if (varies && choices(g->k, std::min(g->j, g->k - g->j + 1), enough) > max_states)
          throw std::length_error(
              "from_formula: a window Y<=" + std::to_string(g->k) + ">=" + std::to_string(g->j) +
              " takes more register contents than max_states, " + std::to_string(max_states));
        break;
      case Kind::first:
      case Kind::modulo:
      case Kind::previously:
      case Kind::window:
      case Kind::historically:
      case Kind::once:
      case Kind::since: own.is_boolean = false; break;
    }
  }
}

}  // namespace

Dfa from_formula(logic::Formula f, Letter letters, std::size_t max_states) {
  logic::Evaluator evaluator(f, letters);
  const Letter classes = evaluator.classes();
  const std::size_t words = evaluator.words();
  expect_shift_registers_below(max_states, f, evaluator);

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
