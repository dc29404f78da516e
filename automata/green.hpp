// Green's relations of the transition monoid, and its egg-box picture.
#pragma once

#include "automata/semigroup.hpp"
#include "automata/walks.hpp"

#include <cstddef>
#include <vector>

namespace automata {

/// The left Cayley graph: a·x (read the letter, then x) in row x, column a.  O(|S| k).
std::vector<Semigroup::Element> left_cayley_graph(const Semigroup& semigroup);

/// Green's relations of the monoid S ∪ {1}.
///
/// The elements are those of the semigroup, by their numbers; where no non-empty word induces the identity,
/// it is one more element, number S.size(), alone in its classes.  Classes are numbered by their least
/// elements, but for J: there a class that lies above another in the J-order has the smaller number.
struct Green {
  Semigroup::Element identity;
  Partition r;                   // x R y: each is a product x·s, y·t of the other
  Partition l;                   // x L y: s·x, t·y
  Partition j;                   // J = D, the monoid being finite
  Partition h;                   // H = R and L
  std::vector<bool> idempotent;  // of each element
  std::vector<bool> regular;     // of each J-class: whether it has an idempotent
  std::vector<bool> group;       // of each H-class: whether it is a group, that is, has an idempotent

  std::size_t elements() const { return r.of.size(); }
  std::size_t idempotents() const;
};

/// O(|S| (k + n)) time for n states and k letters: components of the Cayley graphs.
Green green(const Semigroup& semigroup);

/// The short-lex least word of an element of the monoid: the empty word for the identity.
Word least_word(const Semigroup& semigroup, const Green& green, Semigroup::Element x);

/// A D-class as a table: a row for each R-class, a column for each L-class, an H-class in each cell.
struct EggBox {
  bool regular;
  std::vector<Node> rows;                              // R-classes, ascending
  std::vector<Node> columns;                           // L-classes, ascending
  std::vector<std::vector<Semigroup::Element>> cells;  // row after row; each ascending and not empty

  const std::vector<Semigroup::Element>& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// One table for each J-class, in their order.  O(|S| log |S|).
std::vector<EggBox> egg_boxes(const Green& green);

}  // namespace automata
