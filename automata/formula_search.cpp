// Enumeration by size with observational equivalence.
//
// The sample is a tree of words.  The node of word u stands for two places: the last letter of u, and the end
// after u.  A formula's signature is its truth at the letter place and at the end place of each node; both
// are determined by the signatures of its arguments, with bit operations and one step along the parent links,
// because the past of a place is the branch above it.  One formula for each signature is kept.
// When the budget is spent, two kept formulas are joined by a Boolean operator, alone or under one temporal
// operator: the target then prescribes the bits of the pair, so few formulas qualify for either side.
#include "automata/formula_search.hpp"

#include "automata/components.hpp"
#include "automata/from_formula.hpp"
#include "automata/product.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace automata {
namespace {

using logic::Arena;
using logic::Formula;
using logic::Kind;
using Bits = std::uint64_t;

constexpr std::size_t sample_nodes = 400;
constexpr std::size_t max_conformance_words = 64;
constexpr std::uint32_t none = UINT32_MAX;

struct Operators {
  bool previously, yesterday, since, modulo;
};

Operators operators(Logic logic) {
  switch (logic) {
    case Logic::y: return {false, true, false, false};
    case Logic::p: return {true, false, false, false};
    case Logic::py: return {true, true, false, false};
    case Logic::s: return {true, true, true, false};
    case Logic::y_mod: return {false, true, false, true};
    case Logic::p_mod: return {true, false, false, true};
    case Logic::py_mod: return {true, true, false, true};
    case Logic::s_mod: return {true, true, true, true};
  }
  return {};
}

/// How unusual an operator looks to a reader; it decides between formulas of equal size.
std::uint32_t oddity(Kind kind) {
  switch (kind) {
    case Kind::letter:
    case Kind::negation:
    case Kind::conjunction:
    case Kind::previously:
    case Kind::yesterday: return 0;
    case Kind::true_:
    case Kind::first:
    case Kind::disjunction:
    case Kind::historically:
    case Kind::since: return 1;
    case Kind::implication:
    case Kind::once: return 2;
    case Kind::false_:
    case Kind::exclusive_or:
    case Kind::equivalence:
    case Kind::modulo:
    case Kind::window:
    case Kind::counting_window: return 3;
  }
  return 0;
}

/// Letters with equal columns in the table, by their least members.
std::vector<std::vector<Letter>> letter_classes(const Dfa& dfa) {
  std::map<std::vector<State>, std::size_t> of_column;
  std::vector<std::vector<Letter>> classes;
  for (Letter a = 0; a < dfa.letters(); ++a) {
    std::vector<State> column(dfa.states());
    for (State q = 0; q < dfa.states(); ++q) column[q] = dfa.next(q, a);
    const auto [place, fresh] = of_column.emplace(std::move(column), classes.size());
    if (fresh) classes.emplace_back();
    classes[place->second].push_back(a);
  }
  return classes;
}

/// Moduli worth trying: small divisors of the components' periods.
std::vector<std::uint32_t> likely_moduli(const Dfa& dfa) {
  std::vector<std::uint32_t> moduli;
  for (const Component& component : components(dfa))
    for (std::uint32_t m = 2; m <= component.period && m <= 12; ++m)
      if (component.period % m == 0) moduli.push_back(m);
  std::sort(moduli.begin(), moduli.end());
  moduli.erase(std::unique(moduli.begin(), moduli.end()), moduli.end());
  return moduli;
}

/// A tree of words with the verdict of the automaton on each; node 0 is the empty word.
struct Sample {
  std::vector<std::uint32_t> parent{0};
  std::vector<std::uint32_t> letter{0};  // class of the last letter
  std::vector<std::uint32_t> depth{0};
  std::vector<State> state;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> child;

  void add(const Dfa& dfa, const std::vector<std::vector<Letter>>& classes,
           const std::vector<std::uint32_t>& word) {
    std::uint32_t node = 0;
    for (const std::uint32_t c : word) {
      const auto [place, fresh] =
          child.emplace(std::pair(node, c), static_cast<std::uint32_t>(parent.size()));
      if (fresh) {
        parent.push_back(node);
        letter.push_back(c);
        depth.push_back(depth[node] + 1);
        state.push_back(dfa.next(state[node], classes[c][0]));
      }
      node = place->second;
    }
  }
};

struct Entry {
  Kind kind;
  std::uint32_t left;   // index; for a letter its class, for a residue the modulus
  std::uint32_t right;  // index; for a residue the residue
  std::uint32_t size;
  std::uint32_t oddity;
};

/// One enumeration over a fixed sample.
class Enumeration {
 public:
  Enumeration(const Dfa& dfa, const std::vector<std::vector<Letter>>& classes, const Sample& sample,
              Operators allowed, const std::vector<std::uint32_t>& moduli, std::size_t budget);

  /// The shortest formulas that agree with the automaton on the sample, the plainest first; of one size.
  std::vector<Formula> run(Arena& arena);

  std::size_t tried() const { return tried_; }

 private:
  // A signature is the letter bits, then the end bits; each `words_` words long.
  const Bits* letters_of(std::uint32_t i) const { return &signatures_[std::size_t{i} * 2 * words_]; }
  const Bits* ends_of(std::uint32_t i) const { return letters_of(i) + words_; }
  void descend(const Bits* from, Bits* to) const;
  void add(Kind kind, std::uint32_t left, std::uint32_t right, std::uint32_t size, std::uint32_t oddity);
  void temporal(Kind kind, std::uint32_t f);
  void since(std::uint32_t f, std::uint32_t g, std::uint32_t size);
  void boolean(std::uint32_t f, std::uint32_t g, std::uint32_t size);
  void atoms(std::uint32_t size);
  void join();
  bool plainer(std::uint32_t i, std::uint32_t j) const {
    return entries_[i].size == entries_[j].size && entries_[i].oddity < entries_[j].oddity;
  }
  Formula formula(Arena& arena, const Entry& entry) const;
  void grow();

  const std::vector<std::vector<Letter>>& classes_;
  const Sample& sample_;
  Operators allowed_;
  const std::vector<std::uint32_t>& moduli_;
  std::size_t budget_;
  std::size_t tried_ = 0;
  std::size_t nodes_;
  std::size_t words_;
  std::vector<Bits> letter_mask_;  // all nodes but the root
  std::vector<Bits> end_mask_;     // all nodes
  std::vector<Bits> target_;
  std::vector<Bits> scratch_;
  std::vector<Entry> entries_;
  std::vector<Bits> signatures_;
  std::vector<std::uint32_t> table_;  // open addressing, a power of two
  std::vector<Entry> found_;          // match the target; all of one size
};

std::uint64_t hash(const Bits* bits, std::size_t words) {
  std::uint64_t h = 0x243F6A8885A308D3u;
  for (std::size_t i = 0; i < words; ++i) {
    h = (h ^ bits[i]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h;
}

Enumeration::Enumeration(const Dfa& dfa, const std::vector<std::vector<Letter>>& classes,
                         const Sample& sample, Operators allowed, const std::vector<std::uint32_t>& moduli,
                         std::size_t budget)
    : classes_(classes),
      sample_(sample),
      allowed_(allowed),
      moduli_(moduli),
      budget_(budget),
      nodes_(sample.parent.size()),
      words_((nodes_ + 63) / 64),
      letter_mask_(words_, 0),
      end_mask_(words_, 0),
      target_(words_, 0),
      scratch_(2 * words_, 0),
      table_(1024, none) {
  for (std::size_t i = 0; i < nodes_; ++i) {
    const Bits bit = Bits{1} << (i % 64);
    end_mask_[i / 64] |= bit;
    if (i > 0) letter_mask_[i / 64] |= bit;
    if (dfa.is_accepting(sample.state[i])) target_[i / 64] |= bit;
  }
}

/// The letter place of a node sees what the end place of its parent sees: to(u) = from(parent(u)).
void Enumeration::descend(const Bits* from, Bits* to) const {
  std::fill(to, to + words_, 0);
  for (std::size_t i = 1; i < nodes_; ++i) {
    const std::uint32_t p = sample_.parent[i];
    to[i / 64] |= (from[p / 64] >> (p % 64) & 1) << (i % 64);
  }
}

void Enumeration::grow() {
  std::vector<std::uint32_t> larger(2 * table_.size(), none);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = hash(letters_of(i), 2 * words_) & (larger.size() - 1);
    while (larger[slot] != none) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = i;
  }
  table_ = std::move(larger);
}

/// Keeps the formula whose signature is in scratch_, unless a shorter or plainer one has it.
void Enumeration::add(Kind kind, std::uint32_t left, std::uint32_t right, std::uint32_t size,
                      std::uint32_t odd) {
  ++tried_;
  const Entry entry{kind, left, right, size, odd};
  std::size_t slot = hash(scratch_.data(), 2 * words_) & (table_.size() - 1);
  for (; table_[slot] != none; slot = (slot + 1) & (table_.size() - 1)) {
    const std::uint32_t i = table_[slot];
    if (!std::equal(scratch_.begin(), scratch_.end(), letters_of(i))) continue;
    if (entries_[i].size < size || entries_[i].oddity <= odd) return;
    entries_[i] = entry;
    if (std::equal(target_.begin(), target_.end(), ends_of(i))) found_.push_back(entry);
    return;
  }
  table_[slot] = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back(entry);
  signatures_.insert(signatures_.end(), scratch_.begin(), scratch_.end());
  if (std::equal(target_.begin(), target_.end(), scratch_.begin() + static_cast<std::ptrdiff_t>(words_)))
    found_.push_back(entry);
  if (2 * entries_.size() > table_.size()) grow();
}

void Enumeration::atoms(std::uint32_t size) {
  const auto fill = [&](auto letter_truth, auto end_truth) {
    std::fill(scratch_.begin(), scratch_.end(), 0);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const Bits bit = Bits{1} << (i % 64);
      if (i > 0 && letter_truth(i)) scratch_[i / 64] |= bit;
      if (end_truth(i)) scratch_[words_ + i / 64] |= bit;
    }
  };
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    if (2 * classes_[c].size() - 1 != size) continue;
    fill([&](std::size_t i) { return sample_.letter[i] == c; }, [](std::size_t) { return false; });
    add(Kind::letter, c, 0, size, 0);
  }
  if (size != 1) return;
  for (const bool value : {true, false}) {
    fill([&](std::size_t) { return value; }, [&](std::size_t) { return value; });
    add(value ? Kind::true_ : Kind::false_, 0, 0, 1, oddity(value ? Kind::true_ : Kind::false_));
  }
  fill([&](std::size_t i) { return sample_.depth[i] == 1; }, [](std::size_t i) { return i == 0; });
  add(Kind::first, 0, 0, 1, oddity(Kind::first));
  if (!allowed_.modulo) return;
  for (const std::uint32_t m : moduli_) {
    for (std::uint32_t r = 0; r < m; ++r) {
      fill([&](std::size_t i) { return sample_.depth[i] % m == r; },
           [&](std::size_t i) { return (sample_.depth[i] + 1) % m == r; });
      add(Kind::modulo, m, r, 1, oddity(Kind::modulo));
    }
  }
}

void Enumeration::temporal(Kind kind, std::uint32_t f) {
  const Bits* letters = letters_of(f);
  Bits* ends = &scratch_[words_];
  switch (kind) {
    case Kind::yesterday: std::copy(letters, letters + words_, ends); break;
    case Kind::previously:
    case Kind::once:
    case Kind::historically: {
      const Bits flip = kind == Kind::historically ? ~Bits{0} : 0;
      for (std::size_t w = 0; w < words_; ++w) ends[w] = (letters[w] ^ flip) & letter_mask_[w];
      for (std::size_t i = 1; i < nodes_; ++i) {
        const std::uint32_t p = sample_.parent[i];
        ends[i / 64] |= (ends[p / 64] >> (p % 64) & 1) << (i % 64);
      }
      for (std::size_t w = 0; w < words_; ++w) ends[w] = (ends[w] ^ flip) & end_mask_[w];
      break;
    }
    case Kind::negation:
      for (std::size_t w = 0; w < words_; ++w) {
        scratch_[w] = ~letters[w] & letter_mask_[w];
        ends[w] = ~ends_of(f)[w] & end_mask_[w];
      }
      break;
    default: return;
  }
  if (kind != Kind::negation) descend(ends, scratch_.data());
  if (kind == Kind::once) {
    for (std::size_t w = 0; w < words_; ++w) {
      scratch_[w] |= letters[w];
      ends[w] |= ends_of(f)[w];
    }
  }
  add(kind, f, 0, entries_[f].size + 1, entries_[f].oddity + oddity(kind));
}

void Enumeration::since(std::uint32_t f, std::uint32_t g, std::uint32_t size) {
  const Bits* holds = letters_of(f);
  Bits* ends = &scratch_[words_];
  std::copy(letters_of(g), letters_of(g) + words_, ends);
  for (std::size_t i = 1; i < nodes_; ++i) {
    const std::uint32_t p = sample_.parent[i];
    ends[i / 64] |= (ends[p / 64] >> (p % 64) & holds[i / 64] >> (i % 64) & 1) << (i % 64);
  }
  descend(ends, scratch_.data());
  add(Kind::since, f, g, size, entries_[f].oddity + entries_[g].oddity + oddity(Kind::since));
}

/// The bits of a Boolean operator; those beyond the last node may be wrong.
Bits apply(Kind kind, Bits x, Bits y) {
  switch (kind) {
    case Kind::conjunction: return x & y;
    case Kind::disjunction: return x | y;
    case Kind::exclusive_or: return x ^ y;
    case Kind::implication: return ~x | y;
    case Kind::equivalence: return ~(x ^ y);
    default: return 0;
  }
}

constexpr std::array binary{Kind::conjunction, Kind::disjunction, Kind::implication, Kind::exclusive_or,
                            Kind::equivalence};

void Enumeration::boolean(std::uint32_t f, std::uint32_t g, std::uint32_t size) {
  for (const Kind kind : binary) {
    if (f > g && kind != Kind::implication) continue;
    for (std::size_t w = 0; w < words_; ++w) {
      scratch_[w] = apply(kind, letters_of(f)[w], letters_of(g)[w]) & letter_mask_[w];
      scratch_[words_ + w] = apply(kind, ends_of(f)[w], ends_of(g)[w]) & end_mask_[w];
    }
    add(kind, f, g, size, entries_[f].oddity + entries_[g].oddity + oddity(kind));
  }
}

/// Formulas `op(x * y)` of the least size, for a Boolean * and `op` nothing or one of Y, !Y, P, H.
///
/// Such a formula matches exactly when x * y equals certain bits on certain places, `wanted` on `care`.
void Enumeration::join() {
  struct Top {
    std::vector<Kind> operators;  // outermost first
    bool at_letters;
    std::vector<Bits> care;
    std::vector<Bits> wanted;
  };
  std::vector<Top> tops{{{}, false, end_mask_, target_}};
  std::vector<Bits> above(words_);  // the target at the parent
  descend(target_.data(), above.data());
  const bool empty_word = (target_[0] & 1) != 0;
  if (allowed_.yesterday) {
    std::vector<Bits> wanted(words_);
    for (std::size_t w = 0; w < words_; ++w)
      wanted[w] = (empty_word ? ~target_[w] : target_[w]) & letter_mask_[w];
    std::vector<Kind> prefix;
    if (empty_word) prefix.push_back(Kind::negation);
    prefix.push_back(Kind::yesterday);
    tops.push_back({prefix, true, letter_mask_, wanted});
  }
  if (allowed_.previously) {
    // P f is the target: f never where the target is false, and where the target becomes true
    // H f is the target: f always where the target is true, and not where it becomes false
    bool monotone = true;
    std::vector<Bits> care(words_);
    std::vector<Bits> wanted(words_);
    for (std::size_t w = 0; w < words_; ++w) {
      const Bits now = empty_word ? ~target_[w] : target_[w];
      const Bits before = empty_word ? ~above[w] : above[w];
      monotone = monotone && (before & ~now & letter_mask_[w]) == 0;
      const Bits fresh = now & ~before & letter_mask_[w];
      care[w] = (~now & letter_mask_[w]) | fresh;
      wanted[w] = empty_word ? care[w] & ~fresh : fresh;
    }
    if (monotone) {
      const Kind kind = empty_word ? Kind::historically : Kind::previously;
      tops.push_back({{kind}, true, care, wanted});
    }
  }

  struct Choice {
    std::uint32_t size = UINT32_MAX;
    std::uint32_t oddity = UINT32_MAX;
    std::size_t top = 0;
    Kind kind = Kind::conjunction;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  } best;
  std::size_t pairs = 8 * budget_;  // they cost a few operations each
  for (std::size_t t = 0; t < tops.size(); ++t) {
    const Top& top = tops[t];
    const auto extra = static_cast<std::uint32_t>(top.operators.size() + 1);
    std::uint32_t extra_oddity = 0;
    for (const Kind kind : top.operators) extra_oddity += oddity(kind);
    std::vector<Bits> bits;  // of the formulas that differ on `care`
    std::vector<std::uint32_t> index;
    {
      std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> seen;
      std::vector<Bits> masked(words_);
      for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        const Bits* all = top.at_letters ? letters_of(i) : ends_of(i);
        for (std::size_t w = 0; w < words_; ++w) masked[w] = all[w] & top.care[w];
        std::vector<std::uint32_t>& same = seen[hash(masked.data(), words_)];
        const auto known = std::find_if(same.begin(), same.end(), [&](std::uint32_t j) {
          return std::equal(masked.begin(), masked.end(),
                            bits.begin() + static_cast<std::ptrdiff_t>(j * words_));
        });
        if (known != same.end()) {
          if (plainer(i, index[*known])) index[*known] = i;
          continue;
        }
        same.push_back(static_cast<std::uint32_t>(index.size()));
        index.push_back(i);
        bits.insert(bits.end(), masked.begin(), masked.end());
      }
      // exclusive or: the partner is determined
      for (std::uint32_t i = 0; i < index.size(); ++i) {
        for (const Kind kind : {Kind::exclusive_or, Kind::equivalence}) {
          for (std::size_t w = 0; w < words_; ++w)
            masked[w] = apply(kind, bits[i * words_ + w], top.wanted[w]) & top.care[w];
          const auto place = seen.find(hash(masked.data(), words_));
          if (place == seen.end()) continue;
          for (const std::uint32_t j : place->second) {
            const Entry& x = entries_[index[i]];
            const Entry& y = entries_[index[j]];
            if (j < i || !std::equal(masked.begin(), masked.end(),
                                     bits.begin() + static_cast<std::ptrdiff_t>(j * words_)))
              continue;
            const std::pair cost{x.size + y.size + extra, x.oddity + y.oddity + oddity(kind) + extra_oddity};
            if (cost < std::pair{best.size, best.oddity})
              best = {cost.first, cost.second, t, kind, index[i], index[j]};
          }
        }
      }
    }
    // conjunction: both sides contain the wanted bits; disjunction: both are contained; implication x -> y:
    // y is contained and so is the complement of x
    const auto select = [&](bool containing, bool complemented) {
      std::vector<std::uint32_t> chosen;
      for (std::uint32_t i = 0; i < index.size(); ++i) {
        bool good = true;
        for (std::size_t w = 0; w < words_ && good; ++w) {
          const Bits x = complemented ? ~bits[i * words_ + w] & top.care[w] : bits[i * words_ + w];
          good = containing ? (top.wanted[w] & ~x) == 0 : (x & ~top.wanted[w]) == 0;
        }
        if (good) chosen.push_back(i);
      }
      return chosen;
    };
    const std::vector<std::uint32_t> above_it = select(true, false);
    const std::vector<std::uint32_t> below_it = select(false, false);
    const std::vector<std::uint32_t> complements = select(false, true);
    const auto pair_up = [&](Kind kind, const std::vector<std::uint32_t>& left,
                             const std::vector<std::uint32_t>& right) {
      for (const std::uint32_t i : left) {
        const Entry& x = entries_[index[i]];
        for (const std::uint32_t j : right) {
          if (pairs == 0) return;
          --pairs;
          const Entry& y = entries_[index[j]];
          if (x.size + y.size + extra > best.size) break;  // sizes ascend
          if (kind != Kind::implication && j < i) continue;
          const std::uint32_t odd = x.oddity + y.oddity + oddity(kind) + extra_oddity;
          if (x.size + y.size + extra == best.size && odd >= best.oddity) continue;
          bool good = true;
          for (std::size_t w = 0; w < words_ && good; ++w) {
            good = ((apply(kind, bits[i * words_ + w], bits[j * words_ + w]) ^ top.wanted[w]) &
                    top.care[w]) == 0;
          }
          if (good) best = {x.size + y.size + extra, odd, t, kind, index[i], index[j]};
        }
      }
    };
    pair_up(Kind::conjunction, above_it, above_it);
    pair_up(Kind::disjunction, below_it, below_it);
    pair_up(Kind::implication, complements, below_it);
  }

  if (best.size != UINT32_MAX) {
    Entry entry{best.kind, best.left, best.right, best.size, best.oddity};
    const std::vector<Kind>& operators = tops[best.top].operators;
    for (auto kind = operators.rbegin(); kind != operators.rend(); ++kind) {
      entries_.push_back(entry);
      entry = {*kind, static_cast<std::uint32_t>(entries_.size() - 1), 0, best.size, best.oddity};
    }
    found_.push_back(entry);
  }

  if (!allowed_.since) return;
  // f S g is the target: where it becomes true g holds, where it stays true f or g holds, where it ends
  // neither does, and g holds nowhere outside.  !(f S g) likewise, for the complement.
  std::vector<Bits> now(words_);
  std::vector<Bits> before(words_);
  for (std::size_t w = 0; w < words_; ++w) {
    now[w] = (empty_word ? ~target_[w] : target_[w]) & end_mask_[w];
    before[w] = (empty_word ? ~above[w] : above[w]) & letter_mask_[w];
  }
  std::vector<std::uint32_t> lefts;  // of those that differ where it matters, the plainest
  std::vector<std::uint32_t> rights;
  std::unordered_map<std::uint64_t, std::size_t> known_left;
  std::unordered_map<std::uint64_t, std::size_t> known_right;
  std::vector<Bits> masked(words_);
  const auto choose = [&](auto& known, std::vector<std::uint32_t>& chosen, std::uint64_t key,
                          std::uint32_t i) {
    const auto [place, fresh] = known.emplace(key, chosen.size());
    if (fresh)
      chosen.push_back(i);
    else if (plainer(i, chosen[place->second]))
      chosen[place->second] = i;
  };
  const std::size_t enumerated = signatures_.size() / (2 * words_);
  for (std::uint32_t i = 0; i < enumerated && entries_[i].size < best.size; ++i) {
    bool left = true;
    bool right = true;
    for (std::size_t w = 0; w < words_; ++w) {
      const Bits x = letters_of(i)[w];
      left = left && (x & before[w] & ~now[w]) == 0;
      right = right && (x & ~now[w]) == 0 && (now[w] & ~before[w] & ~x & letter_mask_[w]) == 0;
      masked[w] = x & before[w];
    }
    if (left) choose(known_left, lefts, hash(masked.data(), words_), i);
    if (right) choose(known_right, rights, hash(letters_of(i), words_), i);
  }
  Choice chosen = best;
  chosen.left = none;
  for (const std::uint32_t g : rights) {
    for (const std::uint32_t f : lefts) {
      if (pairs == 0) break;
      --pairs;
      const std::pair cost{entries_[f].size + entries_[g].size + (empty_word ? 2u : 1u),
                           entries_[f].oddity + entries_[g].oddity + oddity(Kind::since)};
      if (cost.first > chosen.size) break;
      if (cost >= std::pair{chosen.size, chosen.oddity}) continue;
      bool good = true;
      for (std::size_t w = 0; w < words_ && good; ++w)
        good = (now[w] & before[w] & ~letters_of(f)[w] & ~letters_of(g)[w]) == 0;
      if (good) chosen = {cost.first, cost.second, 0, Kind::since, f, g};
    }
  }
  if (chosen.left == none) return;
  Entry entry{Kind::since, chosen.left, chosen.right, chosen.size, chosen.oddity};
  if (empty_word) {
    entries_.push_back(entry);
    entry = {Kind::negation, static_cast<std::uint32_t>(entries_.size() - 1), 0, chosen.size, chosen.oddity};
  }
  found_.assign(1, entry);
}

Formula Enumeration::formula(Arena& arena, const Entry& entry) const {
  // arguments before what is made of them, without recursion
  std::vector<const Entry*> order{&entry};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int arguments = logic::arity(order[i]->kind);
    if (arguments > 0) order.push_back(&entries_[order[i]->left]);
    if (arguments > 1) order.push_back(&entries_[order[i]->right]);
  }
  std::map<const Entry*, Formula> done;  // looked up only, never walked
  Formula result;
  for (auto place = order.rbegin(); place != order.rend(); ++place) {
    const Entry& e = **place;
    if (e.kind == Kind::letter) {
      result = arena.letter(classes_[e.left][0]);
      for (std::size_t i = 1; i < classes_[e.left].size(); ++i)
        result = arena.disjunction(result, arena.letter(classes_[e.left][i]));
    } else if (e.kind == Kind::modulo) {
      result = arena.modulo(e.left, e.right);
    } else {
      const int arguments = logic::arity(e.kind);
      result = arena.make(e.kind, 0, 0, arguments > 0 ? done.at(&entries_[e.left]) : Formula(),
                          arguments > 1 ? done.at(&entries_[e.right]) : Formula());
    }
    done[&e] = result;
  }
  return result;
}

std::vector<Formula> Enumeration::run(Arena& arena) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> level{{0, 0}};  // entries of each size
  for (std::uint32_t size = 1; found_.empty() && tried_ < budget_; ++size) {
    const auto begin = static_cast<std::uint32_t>(entries_.size());
    atoms(size);
    if (size > 1) {
      for (std::uint32_t f = level[size - 1].first; f < level[size - 1].second && tried_ < budget_; ++f) {
        if (entries_[f].kind != Kind::negation) temporal(Kind::negation, f);
        if (allowed_.yesterday) temporal(Kind::yesterday, f);
        if (allowed_.previously)
          for (const Kind kind : {Kind::previously, Kind::historically, Kind::once}) temporal(kind, f);
      }
      for (std::uint32_t left = 1; left + 1 < size; ++left) {
        const auto [left_begin, left_end] = level[left];
        const auto [right_begin, right_end] = level[size - 1 - left];
        for (std::uint32_t f = left_begin; f < left_end; ++f) {
          for (std::uint32_t g = right_begin; g < right_end && tried_ < budget_; ++g) {
            boolean(f, g, size);
            if (allowed_.since) since(f, g, size);
          }
        }
      }
    }
    level.emplace_back(begin, static_cast<std::uint32_t>(entries_.size()));
    // a size at which nothing is new can be followed by one with new letter classes only
    if (entries_.empty()) break;
    if (begin == entries_.size() && size > 2 * entries_.back().size + 2 &&
        std::none_of(classes_.begin(), classes_.end(),
                     [&](const auto& c) { return 2 * c.size() - 1 > size; }))
      break;
  }
  if (found_.empty()) join();
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Entry& x, const Entry& y) { return x.oddity < y.oddity; });
  std::vector<Formula> result;
  for (const Entry& entry : found_) result.push_back(formula(arena, entry));
  return result;
}

}  // namespace

std::optional<Formula> search_formula(Arena& arena, const Dfa& dfa, Logic logic, std::size_t budget,
                                      std::size_t max_states) {
  const std::vector<std::vector<Letter>> classes = letter_classes(dfa);
  const auto class_count = static_cast<std::uint32_t>(classes.size());
  std::vector<std::uint32_t> class_of(dfa.letters());
  for (std::uint32_t c = 0; c < class_count; ++c)
    for (const Letter a : classes[c]) class_of[a] = c;
  const Operators allowed = operators(logic);
  const std::vector<std::uint32_t> moduli =
      allowed.modulo ? likely_moduli(dfa) : std::vector<std::uint32_t>();

  // all words up to a length, and the shortest ways through every transition
  Sample sample;
  sample.state.push_back(dfa.start());
  std::vector<std::vector<std::uint32_t>> level{{}};
  for (std::size_t length = 1; sample.parent.size() + level.size() * class_count <= sample_nodes; ++length) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const auto& word : level) {
      for (std::uint32_t c = 0; c < class_count; ++c) {
        longer.push_back(word);
        longer.back().push_back(c);
        sample.add(dfa, classes, longer.back());
      }
    }
    level = std::move(longer);
    if (length >= 64) break;
  }
  std::vector<std::vector<std::uint32_t>> access(dfa.states());
  std::vector<State> queue{dfa.start()};
  std::vector<bool> reached(dfa.states(), false);
  reached[dfa.start()] = true;
  for (std::size_t i = 0; i < queue.size() && i < max_conformance_words; ++i) {
    for (std::uint32_t c = 0; c < class_count; ++c) {
      const State q = dfa.next(queue[i], classes[c][0]);
      std::vector<std::uint32_t> word = access[queue[i]];
      word.push_back(c);
      if (i * class_count + c < max_conformance_words) sample.add(dfa, classes, word);
      if (reached[q]) continue;
      reached[q] = true;
      access[q] = std::move(word);
      queue.push_back(q);
    }
  }

  while (budget > 0) {
    Arena scratch;
    Enumeration enumeration(dfa, classes, sample, allowed, moduli, budget);
    const std::vector<Formula> candidates = enumeration.run(scratch);
    bool refined = false;
    for (std::size_t i = 0; i < candidates.size() && i < 8; ++i) {
      const std::size_t before = sample.parent.size();
      try {
        const Dfa found = from_formula(candidates[i], dfa.letters(), max_states);
        const std::optional<Word> wrong = difference(found, dfa);
        if (!wrong) {
          std::map<std::uint32_t, Formula> copy;
          for (const Formula f : logic::subformulas(candidates[i])) {
            const auto now = [&](Formula g) { return g ? copy.at(g->id) : Formula(); };
            copy[f->id] = arena.make(f->kind, f->k, f->j, now(f->left), now(f->right));
          }
          return copy.at(candidates[i]->id);
        }
        std::vector<std::uint32_t> word;
        for (const Letter a : *wrong) word.push_back(class_of[a]);
        sample.add(dfa, classes, word);
      } catch (const std::length_error&) {
        // too large to compare
      }
      refined = refined || sample.parent.size() > before;
    }
    if (!refined) return std::nullopt;
    // the words that were mistaken are in the sample now; half of what is left of the budget goes to the rest
    budget = (budget - std::min(budget, enumeration.tried())) / 2;
  }
  return std::nullopt;
}

}  // namespace automata
