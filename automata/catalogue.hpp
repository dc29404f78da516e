// Named languages from the literature.
#pragma once

#include "automata/language.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace automata {

/// An entry as it is listed; the language itself is built on request.
struct CatalogueEntry {
  std::string_view name;      // `ends-ab`, or `dyck:n` for a family
  std::string_view alphabet;  // as parse_alphabet reads it
  std::string_view regex;     // empty for a family
  std::string_view formula;   // empty where no formula of the syntax is known
  std::string_view smallest;  // the first of LTL[Y], LTL[P], LTL[P,Y], LTL[S] that holds it; empty: none does
  std::string_view meaning;   // one line
  std::string_view source;
};

std::span<const CatalogueEntry> catalogue();

/// The language of that name (`dyck:3` for the members of a family); none when there is no such entry.
///
/// Throws std::invalid_argument when a family's parameter is no number or out of its range.
std::optional<Language> find_language(std::string_view name);

}  // namespace automata
