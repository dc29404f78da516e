// Named languages from the literature.
//
// An entry whose name ends in `:n` or `:k:m` is a family: numbers in place of the letters name its members,
// as in `dyck:3` and `dyck:2:4`.
#pragma once

#include "automata/language.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace automata {

/// An entry as it is listed; the language itself is built on request.
///
/// What `smallest` and `classes` say of a family holds of every member, and of some member no less does.
struct CatalogueEntry {
  std::string_view name;           // `ends-ab`, or `dyck:n` for a family
  std::string_view range = {};     // of a family's numbers: `1 <= n <= 26`; empty where there are none
  std::string_view alphabet;       // as parse_alphabet reads it; where it grows with a number, an example
  std::string_view regex = {};     // empty for a family
  std::string_view formula = {};   // empty for a family, and where no formula of the syntax is known
  std::string_view smallest = {};  // the first of LTL[Y], LTL[P], LTL[P,Y], LTL[S], then of these with MOD,
                                   // that holds it; empty: none does
  std::string_view classes;        // the least classes of the contract that hold it, with spaces between
  std::string_view meaning;        // one line
  std::string_view source;

  bool is_family() const { return !range.empty(); }
};

/// Names are unique; each part of the list (the paper, its predecessor, ...) stands together.
std::span<const CatalogueEntry> catalogue();

/// The entry of that name, or of the family that has a member of that name; null when there is none.
const CatalogueEntry* find_entry(std::string_view name);

/// Whether the language (every member of the family) belongs to a class of the contract, LTL[Y] to group:
/// whether the class is one of `classes` or holds one of them.
///
/// Throws std::invalid_argument when there is no such class.
bool belongs(const CatalogueEntry& entry, std::string_view class_name);

/// The language of that name (`dyck:3` for the members of a family); none when there is no such entry.
///
/// Throws std::invalid_argument when a family's parameter is no number or out of its range, std::length_error
/// when a member has more than 1,000,000 states.
std::optional<Language> find_language(std::string_view name);

}  // namespace automata
