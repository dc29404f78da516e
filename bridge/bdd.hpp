// Reduced ordered binary decision diagrams (Bryant 1986), as small as compile.cpp needs them: Boolean
// functions in a normal form, and their disjoint cubes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bridge {

/// A store of functions over the variables 0, 1, 2, ..., tested in this order.  A function is its node's
/// number, valid as long as the store; equal functions are equal numbers.
class Bdd {
 public:
  using Function = std::uint32_t;
  using Variable = std::uint32_t;
  using Literal = std::pair<Variable, bool>;

  static constexpr Function false_ = 0;
  static constexpr Function true_ = 1;

  Bdd();
  Function variable(Variable v) { return node(v, false_, true_); }

  /// f op g, where `table` holds op(0,0), op(0,1), op(1,0), op(1,1).  O(|f| |g|), recursion as deep as there
  /// are variables in f and g.
  Function apply(const std::array<bool, 4>& table, Function f, Function g);
  Function negation(Function f) { return apply({true, true, false, false}, f, false_); }
  Function conjunction(Function f, Function g) { return apply({false, false, false, true}, f, g); }
  Function disjunction(Function f, Function g) { return apply({false, true, true, true}, f, g); }

  /// The variables that f depends on, ascending.
  std::vector<Variable> support(Function f) const;
  /// The value of f where exactly the variable `v` is true (none: where all are false).
  bool at(Function f, std::optional<Variable> v) const;
  /// How many paths lead to true, counting at most up to `limit`.
  std::uint64_t paths(Function f, std::uint64_t limit) const;
  /// Those paths, as conjunctions of literals of which at most one is true at a time.  Of the variables below
  /// `exclusive` at most one is ever true: paths that contradict this are left out, and so are the literals
  /// that follow from it.
  std::vector<std::vector<Literal>> cubes(Function f, Variable exclusive) const;

 private:
  struct Node {
    Variable variable;
    Function low, high;
  };
  Function node(Variable variable, Function low, Function high);

  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::vector<Function>> unique_;
};

}  // namespace bridge
