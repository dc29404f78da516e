#include "bridge/bdd.hpp"

#include <algorithm>
#include <set>

namespace bridge {
namespace {

constexpr Bdd::Variable leaf = UINT32_MAX;

std::uint64_t pair_key(std::uint64_t x, std::uint64_t y) {
  return x << 32 | y;
}

}  // namespace

Bdd::Bdd() : nodes_{{leaf, false_, false_}, {leaf, true_, true_}} {}

Bdd::Function Bdd::node(Variable variable, Function low, Function high) {
  if (low == high) return low;
  auto& bucket = unique_[pair_key(low, high)];
  for (const Function f : bucket)
    if (nodes_[f].variable == variable) return f;
  nodes_.push_back({variable, low, high});
  bucket.push_back(static_cast<Function>(nodes_.size() - 1));
  return bucket.back();
}

Bdd::Function Bdd::apply(const std::array<bool, 4>& table, Function f, Function g) {
  std::unordered_map<std::uint64_t, Function> done;
  const auto recurse = [&](const auto& self, Function x, Function y) -> Function {
    if (x <= true_ && y <= true_) return table[2 * x + y] ? true_ : false_;
    const auto key = pair_key(x, y);
    if (const auto found = done.find(key); found != done.end()) return found->second;
    const Variable v = std::min(nodes_[x].variable, nodes_[y].variable);
    const auto [x_low, x_high] =
        nodes_[x].variable == v ? std::pair{nodes_[x].low, nodes_[x].high} : std::pair{x, x};
    const auto [y_low, y_high] =
        nodes_[y].variable == v ? std::pair{nodes_[y].low, nodes_[y].high} : std::pair{y, y};
    const Function low = self(self, x_low, y_low);
    const Function high = self(self, x_high, y_high);
    return done[key] = node(v, low, high);
  };
  return recurse(recurse, f, g);
}

std::vector<Bdd::Variable> Bdd::support(Function f) const {
  std::set<Variable> variables;
  std::set<Function> seen{f};
  std::vector<Function> open{f};
  while (!open.empty()) {
    const Node& n = nodes_[open.back()];
    open.pop_back();
    if (n.variable == leaf) continue;
    variables.insert(n.variable);
    for (const Function next : {n.low, n.high})
      if (seen.insert(next).second) open.push_back(next);
  }
  return {variables.begin(), variables.end()};
}

bool Bdd::at(Function f, std::optional<Variable> v) const {
  while (f > true_) f = nodes_[f].variable == v ? nodes_[f].high : nodes_[f].low;
  return f == true_;
}

std::uint64_t Bdd::paths(Function f, std::uint64_t limit) const {
  std::unordered_map<Function, std::uint64_t> done;
  const auto recurse = [&](const auto& self, Function x) -> std::uint64_t {
    if (x <= true_) return x;
    if (const auto found = done.find(x); found != done.end()) return found->second;
    return done[x] = std::min(limit, self(self, nodes_[x].low) + self(self, nodes_[x].high));
  };
  return recurse(recurse, f);
}

std::vector<std::vector<Bdd::Literal>> Bdd::cubes(Function f, Variable exclusive) const {
  std::vector<std::vector<Literal>> found;
  std::vector<Literal> path;
  const auto recurse = [&](const auto& self, Function x, bool taken) -> void {
    if (x == false_) return;
    if (x == true_) {
      found.push_back(path);
      return;
    }
    const Node& n = nodes_[x];
    if (n.variable < exclusive && taken) return self(self, n.low, taken);
    path.emplace_back(n.variable, false);
    self(self, n.low, taken);
    path.pop_back();
    if (n.variable < exclusive) {  // the one that is true says that the others are false
      std::vector<Literal> kept = std::move(path);
      path.clear();
      path.emplace_back(n.variable, true);
      self(self, n.high, true);
      path = std::move(kept);
    } else {
      path.emplace_back(n.variable, true);
      self(self, n.high, taken);
      path.pop_back();
    }
  };
  recurse(recurse, f, false);
  return found;
}

}  // namespace bridge
