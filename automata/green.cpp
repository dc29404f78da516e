// Two elements are R-related when they reach each other in the right Cayley graph, L-related when they do in
// the left one, J-related when they do in both together: each relation is one pass of Tarjan's algorithm.
#include "automata/green.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace automata {
namespace {

using Element = Semigroup::Element;

/// The classes numbered by their least elements.
void number_by_least(Partition& partition) {
  std::vector<Node> number(partition.count, no_node);
  Node count = 0;
  for (Node& c : partition.of) {
    if (number[c] == no_node) number[c] = count++;
    c = number[c];
  }
}

void append_singleton(Partition& partition) {
  partition.of.push_back(partition.count++);
}

}  // namespace

std::vector<Element> left_cayley_graph(const Semigroup& s) {
  const Letter k = s.letters();
  std::vector<Element> left(s.size() * k);
  std::vector<bool> done(s.size(), false);
  for (Letter b = 0; b < k; ++b) {
    const Element x = s.generator(b);
    if (done[x]) continue;
    done[x] = true;
    for (Letter a = 0; a < k; ++a) left[std::size_t{x} * k + a] = s.right(s.generator(a), b);
  }
  // Every other x is y·b for some y before it, and a·x = (a·y)·b.
  for (Element y = 0; y < s.size(); ++y) {
    for (Letter b = 0; b < k; ++b) {
      const Element x = s.right(y, b);
      if (done[x]) continue;
      done[x] = true;
      for (Letter a = 0; a < k; ++a) left[std::size_t{x} * k + a] = s.right(left[std::size_t{y} * k + a], b);
    }
  }
  return left;
}

std::size_t Green::idempotents() const {
  return static_cast<std::size_t>(std::count(idempotent.begin(), idempotent.end(), true));
}

Green green(const Semigroup& s) {
  const Letter k = s.letters();
  const auto n = static_cast<Element>(s.size());
  Green result;
  {
    const std::vector<Element> left = left_cayley_graph(s);
    result.r = strong_components({s.right_cayley_graph(), k});
    result.l = strong_components({left, k});
    std::vector<Element> both;
    both.reserve(2 * left.size());
    for (Element x = 0; x < n; ++x) {
      for (Letter a = 0; a < k; ++a) both.push_back(s.right(x, a));
      for (Letter a = 0; a < k; ++a) both.push_back(left[std::size_t{x} * k + a]);
    }
    result.j = strong_components({both, 2 * k});
  }
  for (Node& c : result.j.of) c = result.j.count - 1 - c;  // strong_components has successors first
  number_by_least(result.r);
  number_by_least(result.l);

  result.idempotent.resize(n);
  result.identity = n;
  for (Element x = 0; x < n; ++x) {
    result.idempotent[x] = s.is_idempotent(x);
    if (result.identity != n || !s.has_identity() || !result.idempotent[x]) continue;
    const auto map = s.map(x);
    bool identical = true;
    for (State q = 0; q < s.degree() && identical; ++q) identical = map[q] == q;
    if (identical) result.identity = x;
  }
  if (result.identity == n) {
    append_singleton(result.r);
    append_singleton(result.l);
    for (Node& c : result.j.of) ++c;
    result.j.of.push_back(0);
    ++result.j.count;
    result.idempotent.push_back(true);
  }

  // H-classes: sort the elements of each R-class by L-class.
  const auto size = static_cast<Element>(result.elements());
  std::vector<Element> order(size), begin(result.r.count + 1, 0);
  for (const Node c : result.r.of) ++begin[c + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  {
    auto next = begin;
    for (Element x = 0; x < size; ++x) order[next[result.r.of[x]]++] = x;
  }
  result.h.of.assign(size, no_node);
  for (Node c = 0; c < result.r.count; ++c) {
    const auto from = order.begin() + begin[c], to = order.begin() + begin[c + 1];
    std::stable_sort(from, to, [&](Element x, Element y) { return result.l.of[x] < result.l.of[y]; });
    for (auto x = from; x != to; ++x) {
      if (x == from || result.l.of[*x] != result.l.of[*(x - 1)]) ++result.h.count;
      result.h.of[*x] = result.h.count - 1;
    }
  }
  number_by_least(result.h);

  result.regular.assign(result.j.count, false);
  result.group.assign(result.h.count, false);
  for (Element x = 0; x < size; ++x) {
    if (!result.idempotent[x]) continue;
    result.regular[result.j.of[x]] = true;
    result.group[result.h.of[x]] = true;
  }
  return result;
}

Word least_word(const Semigroup& semigroup, const Green& green, Element x) {
  return x == green.identity ? Word{} : semigroup.least_word(x);
}

std::vector<EggBox> egg_boxes(const Green& green) {
  std::vector<EggBox> boxes(green.j.count);
  for (Node c = 0; c < green.j.count; ++c) boxes[c].regular = green.regular[c];
  // Classes are numbered by least elements, so they come to each box in ascending order.
  std::vector<std::size_t> row(green.r.count, no_node), column(green.l.count, no_node);
  const auto size = static_cast<Element>(green.elements());
  for (Element x = 0; x < size; ++x) {
    EggBox& box = boxes[green.j.of[x]];
    if (row[green.r.of[x]] == no_node) {
      row[green.r.of[x]] = box.rows.size();
      box.rows.push_back(green.r.of[x]);
    }
    if (column[green.l.of[x]] == no_node) {
      column[green.l.of[x]] = box.columns.size();
      box.columns.push_back(green.l.of[x]);
    }
  }
  for (EggBox& box : boxes) box.cells.resize(box.rows.size() * box.columns.size());
  for (Element x = 0; x < size; ++x) {
    EggBox& box = boxes[green.j.of[x]];
    box.cells[row[green.r.of[x]] * box.columns.size() + column[green.l.of[x]]].push_back(x);
  }
  return boxes;
}

}  // namespace automata
