#include "automata/threshold_equation.hpp"

#include "automata/green.hpp"
#include "automata/walks.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace automata {

namespace {

class ThresholdTest {
 public:
  using Element = Semigroup::Element;
  using Broken = BrokenThreshold;

  ThresholdTest(const Semigroup& semigroup, std::uint64_t max_steps)
      : s_(semigroup), max_steps_(max_steps), left_(left_cayley_graph(semigroup)) {
    const auto size = static_cast<Element>(s_.size());
    const Letter k = s_.letters();
    both_.reserve(2 * left_.size());
    for (Element x = 0; x < size; ++x) {
      for (Letter a = 0; a < k; ++a) both_.push_back(s_.right(x, a));
      for (Letter a = 0; a < k; ++a) both_.push_back(left_[std::size_t{x} * k + a]);
    }
    l_ = strong_components({left_, k});
    j_ = strong_components({both_, 2 * k});
    std::vector<bool> met(j_.count, false);
    for (Element x = 0; x < size; ++x) {
      if (met[j_.of[x]] || !s_.is_idempotent(x)) continue;
      met[j_.of[x]] = true;
      idempotents_.push_back(x);
    }
  }

  std::size_t idempotents() const { return idempotents_.size(); }

  /// Throws std::length_error past max_steps.
  std::optional<Broken> operator()() {
    for (const Element e : idempotents_)
      if (const auto broken = commutes(e)) return broken;
    for (const Element e : idempotents_) {
      for (const Element f : idempotents_) {
        const auto there = generators(between(e, f), {left_, s_.letters()}, l_);
        const auto back = generators(between(f, e), {both_, 2 * s_.letters()}, j_);
        for (const Element y : back) {
          for (std::size_t i = 0; i < there.size(); ++i) {
            const Element xy = product(there[i], y);
            for (std::size_t m = 0; m < i; ++m)
              if (product(xy, there[m]) != product(product(there[m], y), there[i]))
                return Broken{e, f, there[i], y, there[m]};
          }
        }
      }
    }
    return std::nullopt;
  }

 private:
  void spend(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ > max_steps_)
      throw std::length_error("more than " + std::to_string(max_steps_) + " steps in a semigroup of " +
                              std::to_string(s_.size()) + " elements");
  }

  Element product(Element x, Element y) {
    spend(8);
    return s_.multiply(x, y);
  }

  // eSf, ascending.
  std::vector<Element> between(Element e, Element f) {
    auto& ideal = ideals_[e];
    if (ideal.empty()) {
      ideal = breadth_first({s_.right_cayley_graph(), s_.letters()}, e).order;
      spend(s_.size());
      std::sort(ideal.begin(), ideal.end());
    }
    spend(ideal.size() * 2);
    std::vector<Element> result;
    const auto map = s_.map(f);
    for (const Element x : ideal) {
      const auto image = s_.map(x);
      if (std::all_of(image.begin(), image.end(), [&](State q) { return map[q] == q; })) result.push_back(x);
    }
    return result;
  }

  // One element from each of the highest components that meet `part`.
  std::vector<Element> generators(std::vector<Element> part, const Graph& graph, const Partition& order) {
    std::stable_sort(part.begin(), part.end(),
                     [&](Element x, Element y) { return order.of[x] > order.of[y]; });
    std::vector<Element> result, queue;
    std::vector<bool> below(s_.size(), false);
    for (const Element x : part) {
      if (below[x]) continue;
      result.push_back(x);
      below[x] = true;
      queue.assign(1, x);
      while (!queue.empty()) {
        const Element y = queue.back();
        queue.pop_back();
        spend(graph.letters);
        for (Letter a = 0; a < graph.letters; ++a) {
          const Element z = graph.at(y, a);
          if (below[z]) continue;
          below[z] = true;
          queue.push_back(z);
        }
      }
    }
    return result;
  }

  std::optional<Broken> commutes(Element e) {
    std::vector<Element> part = between(e, e);
    std::stable_sort(part.begin(), part.end(), [&](Element x, Element y) { return j_.of[x] > j_.of[y]; });
    std::vector<Element> generated{e}, generators;
    std::vector<bool> known(s_.size(), false);
    known[e] = true;
    for (const Element x : part) {
      if (known[x]) continue;
      for (const Element y : generators)
        if (product(x, y) != product(y, x)) return Broken{e, e, x, e, y};
      generators.push_back(x);
      // Everything commutes, so what x adds is the products g·x^i.
      for (std::size_t i = 0; i < generated.size(); ++i) {
        const Element y = product(generated[i], x);
        if (known[y]) continue;
        known[y] = true;
        generated.push_back(y);
      }
    }
    return std::nullopt;
  }

  const Semigroup& s_;
  std::uint64_t max_steps_, steps_ = 0;
  std::vector<Element> left_, both_;
  Partition l_, j_;
  std::vector<Element> idempotents_;  // one of each J-class that has some
  std::map<Element, std::vector<Element>> ideals_;
};

}  // namespace

ThresholdAnswer threshold_equation(const Semigroup& semigroup, std::uint64_t max_steps) {
  ThresholdTest test(semigroup, max_steps);
  const auto broken = test();
  return {broken, test.idempotents()};
}

}  // namespace automata
