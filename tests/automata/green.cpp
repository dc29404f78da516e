#include "automata/green.hpp"

#include "automata/catalogue.hpp"
#include "automata/minimize.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <algorithm>
#include <numeric>
#include <set>

using automata::Dfa;
using automata::Green;
using automata::Semigroup;
using automata::State;
using Element = Semigroup::Element;

namespace {

// Products in the monoid: number S.size() is the identity where there is no other.
Element product(const Semigroup& s, Element x, Element y) {
  if (x == s.size()) return y;
  if (y == s.size()) return x;
  return s.multiply(x, y);
}

// The relations by their definitions: equal ideals of the monoid.
void check_literally(const Dfa& dfa) {
  const Semigroup s(dfa);
  const Green green = automata::green(s);
  const auto size = static_cast<Element>(s.monoid_size());
  REQUIRE(green.elements() == size);
  std::vector<std::set<Element>> right(size), left(size), both(size);
  for (Element x = 0; x < size; ++x) {
    for (Element y = 0; y < size; ++y) {
      right[x].insert(product(s, x, y));
      left[x].insert(product(s, y, x));
    }
  }
  for (Element x = 0; x < size; ++x)
    for (const Element y : right[x]) both[x].insert(left[y].begin(), left[y].end());

  std::size_t idempotents = 0;
  std::set<automata::Node> r, l, j, h;
  for (Element x = 0; x < size; ++x) {
    CHECK(green.idempotent[x] == (product(s, x, x) == x));
    idempotents += green.idempotent[x];
    CHECK(product(s, green.identity, x) == x);
    r.insert(green.r.of[x]);
    l.insert(green.l.of[x]);
    j.insert(green.j.of[x]);
    h.insert(green.h.of[x]);
    bool regular = false, in_group = false;
    for (Element y = 0; y < size; ++y) {
      CAPTURE(x, y);
      REQUIRE((green.r.of[x] == green.r.of[y]) == (right[x] == right[y]));
      REQUIRE((green.l.of[x] == green.l.of[y]) == (left[x] == left[y]));
      REQUIRE((green.j.of[x] == green.j.of[y]) == (both[x] == both[y]));
      REQUIRE((green.h.of[x] == green.h.of[y]) == (right[x] == right[y] && left[x] == left[y]));
      if (both[x].count(y) != 0) REQUIRE(green.j.of[x] <= green.j.of[y]);  // y <= x in the J-order
      regular = regular || product(s, product(s, x, y), x) == x;
      in_group = in_group || (green.h.of[x] == green.h.of[y] && product(s, y, y) == y);
    }
    CHECK(green.regular[green.j.of[x]] == regular);
    CHECK(green.group[green.h.of[x]] == in_group);
  }
  CHECK(green.idempotents() == idempotents);
  CHECK(green.r.count == r.size());
  CHECK(green.l.count == l.size());
  CHECK(green.j.count == j.size());
  CHECK(green.h.count == h.size());

  const auto left_graph = automata::left_cayley_graph(s);
  for (Element x = 0; x < s.size(); ++x)
    for (automata::Letter a = 0; a < dfa.letters(); ++a)
      CHECK(left_graph[x * dfa.letters() + a] == s.multiply(s.generator(a), x));

  // Each element stands once in the boxes, in the cell of its classes.
  const auto boxes = automata::egg_boxes(green);
  REQUIRE(boxes.size() == green.j.count);
  std::size_t cells = 0, placed = 0;
  for (automata::Node c = 0; c < boxes.size(); ++c) {
    const auto& box = boxes[c];
    CHECK(box.regular == green.regular[c]);
    CHECK(std::is_sorted(box.rows.begin(), box.rows.end()));
    CHECK(std::is_sorted(box.columns.begin(), box.columns.end()));
    for (std::size_t i = 0; i < box.rows.size(); ++i) {
      for (std::size_t m = 0; m < box.columns.size(); ++m) {
        ++cells;
        CHECK_FALSE(box.cell(i, m).empty());
        for (const Element x : box.cell(i, m)) {
          ++placed;
          CHECK(green.j.of[x] == c);
          CHECK(green.r.of[x] == box.rows[i]);
          CHECK(green.l.of[x] == box.columns[m]);
        }
      }
    }
  }
  CHECK(cells == green.h.count);
  CHECK(placed == size);
}

}  // namespace

TEST_CASE("Green's relations are those of the definitions", "[green]") {
  tests::for_each_dfa(2, 2, check_literally);
  tests::for_each_dfa(3, 1, check_literally);
  int checked = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Dfa dfa = automata::minimize(tests::random_dfa(random, 2 + tests::below(random, 3), 2));
    if (Semigroup(dfa).size() > 60) continue;
    ++checked;
    check_literally(dfa);
  }
  CHECK(checked >= 30);
}

TEST_CASE("all maps on four states: classes are ranks, kernels and images", "[green]") {
  const Dfa dfa(3, 0, {1, 1, 1, 2, 0, 1, 3, 2, 2, 0, 3, 0}, {true, false, false, false});
  const Semigroup s(dfa);
  const Green green = automata::green(s);
  CHECK(green.elements() == 256);
  CHECK(green.identity < 256);
  CHECK(green.r.count == 15);        // partitions of 4 states
  CHECK(green.l.count == 15);        // subsets but the empty one
  CHECK(green.j.count == 4);         // ranks
  CHECK(green.idempotents() == 41);  // sum of C(4,k) k^(4-k)
  CHECK(green.h.count == 1 + 6 * 4 + 7 * 6 + 1 * 4);
  CHECK(automata::least_word(s, green, green.identity).empty());
}

TEST_CASE("bounded Dyck languages have the monoid of their known size", "[green]") {
  for (std::uint32_t n = 1; n <= 12; ++n) {
    CAPTURE(n);
    const auto language = automata::find_language("dyck:" + std::to_string(n));
    REQUIRE(language);
    const Semigroup s(language->dfa);
    const Green green = automata::green(s);
    CHECK(green.elements() == (n + 1) * (n + 2) * (2 * n + 3) / 6 + 1);
    // Partial translations of an interval, H-trivial; one D-class for each rank.
    CHECK(green.h.count == green.elements());
    CHECK(green.j.count == n + 2);
    CHECK(green.r.count == (n + 1) * (n + 2) / 2 + 1);
    CHECK(green.l.count == green.r.count);
    CHECK(green.idempotents() == green.r.count);
  }
}
