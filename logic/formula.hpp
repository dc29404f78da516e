// Formulas of past temporal logic over finite words, hash-consed in an arena.
//
// Equal formulas of one arena are one node, so they compare by pointer and shared parts are stored once.
// The operators and their meaning are those of Li & Cotterell (arXiv 2605.00768), with the counting windows
// added; see logic/semantics.hpp for the definition and docs/logic.md for the syntax.
#pragma once

#include "logic/alphabet.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

namespace logic {

enum class Kind : std::uint8_t {
  false_,           // false
  true_,            // true
  letter,           // a
  first,            // first: this is position 1
  modulo,           // MOD(m,r): the position is r modulo m
  negation,         // !f
  conjunction,      // f & g
  disjunction,      // f | g
  exclusive_or,     // f ^ g
  implication,      // f -> g
  equivalence,      // f <-> g
  previously,       // P f: strictly before, once
  yesterday,        // Y f: at the position just before
  window,           // Y<=k f: at one of the k positions before, k >= 2
  counting_window,  // Y<=k>=j f: at j or more of the k positions before, 2 <= j <= k
  historically,     // H f: at all positions strictly before
  once,             // O f: now or strictly before
  since,            // f S g: g at some m before, and f everywhere between m and now
};

struct Node;

/// A handle to a formula: one pointer, copied freely, valid as long as its Arena.
class Formula {
 public:
  Formula() = default;
  explicit Formula(const Node* node) : node_(node) {}
  const Node* operator->() const { return node_; }
  const Node& operator*() const { return *node_; }
  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(Formula, Formula) = default;

 private:
  const Node* node_ = nullptr;
};

struct Node {
  Kind kind;
  std::uint32_t k;      // letter: its number; modulo: m; windows: the width
  std::uint32_t j;      // modulo: r; counting_window: the threshold
  std::uint32_t id;     // position in the arena: arguments have smaller ids
  std::uint32_t depth;  // nesting depth of temporal operators
  std::uint64_t size;   // nodes of the formula written out as a tree, saturating at 2^64-1
  Formula left;         // the argument of a unary operator, the left one of a binary one
  Formula right;
};

/// How many arguments an operator takes: 0, 1 or 2.
int arity(Kind kind);

/// Whether the operator looks at earlier positions (P, Y, windows, H, O, S and `first`).
bool is_temporal(Kind kind);

/// Where formulas live.  Not copyable: the handles point into it.
///
/// Each builder returns the one node of that shape, in O(1) expected time.  Nothing is rewritten except
/// Y<=1 f to Y f, and Y<=k>=1 f to Y<=k f, which are the same by definition.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  Formula constant(bool value) { return make(value ? Kind::true_ : Kind::false_, 0, 0, {}, {}); }
  Formula letter(Letter a) { return make(Kind::letter, a, 0, {}, {}); }
  Formula first() { return make(Kind::first, 0, 0, {}, {}); }
  /// Throws std::invalid_argument unless m >= 1 and r < m.
  Formula modulo(std::uint32_t m, std::uint32_t r);

  Formula negation(Formula f) { return make(Kind::negation, 0, 0, f, {}); }
  Formula conjunction(Formula f, Formula g) { return make(Kind::conjunction, 0, 0, f, g); }
  Formula disjunction(Formula f, Formula g) { return make(Kind::disjunction, 0, 0, f, g); }
  Formula exclusive_or(Formula f, Formula g) { return make(Kind::exclusive_or, 0, 0, f, g); }
  Formula implication(Formula f, Formula g) { return make(Kind::implication, 0, 0, f, g); }
  Formula equivalence(Formula f, Formula g) { return make(Kind::equivalence, 0, 0, f, g); }

  Formula previously(Formula f) { return make(Kind::previously, 0, 0, f, {}); }
  Formula yesterday(Formula f) { return make(Kind::yesterday, 0, 0, f, {}); }
  /// `times` nested Y.
  Formula yesterday(Formula f, std::uint32_t times);
  /// At `at_least` or more of the `width` positions before.
  ///
  /// Throws std::invalid_argument unless 1 <= at_least <= width.
  Formula window(Formula f, std::uint32_t width, std::uint32_t at_least = 1);
  Formula historically(Formula f) { return make(Kind::historically, 0, 0, f, {}); }
  Formula once(Formula f) { return make(Kind::once, 0, 0, f, {}); }
  Formula since(Formula f, Formula g) { return make(Kind::since, 0, 0, f, g); }

  /// The node of this shape, for code that copies or rewrites formulas; as the builder of that kind.
  Formula make(Kind kind, std::uint32_t k, std::uint32_t j, Formula left, Formula right);

  /// How many different formulas the arena holds.
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Node* n) const;
  };
  struct Equal {
    bool operator()(const Node* x, const Node* y) const;
  };
  std::deque<Node> nodes_;
  std::unordered_set<const Node*, Hash, Equal> unique_;
};

/// Every subformula of `f` once, arguments before what is made of them, `f` last; ordered by id.
///
/// O(n log n) for n different subformulas, whatever the depth.
std::vector<Formula> subformulas(Formula f);

/// Which temporal operators a formula uses.
struct Fragment {
  bool previously = false;   // P, H, O
  bool yesterday = false;    // Y
  bool since = false;        // S
  bool modulo = false;       // MOD
  bool counting = false;     // a window that counts to 2 or more
  std::uint32_t window = 0;  // the widest window, 0 when there is none

  friend bool operator==(const Fragment&, const Fragment&) = default;
};

/// The operators of `f`; `first` counts as none, since both Y and P define it.
Fragment fragment(Formula f);

/// `LTL[P,Y]`, `LTL[Y<=3,MOD]`, `LTL[P,#Y<=3]` (# where windows count); operators in the order P, Y, S, MOD.
std::string name(const Fragment& fragment);

}  // namespace logic
