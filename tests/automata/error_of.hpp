// What a reader of files says to a text.
#pragma once

#include "automata/language.hpp"
#include "logic/parse_error.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tests {

/// `line:column message` of the ParseError that read(text) throws.
template <class Read>
std::string error_of(Read read, std::string_view text,
                     const std::optional<logic::Alphabet>& alphabet = std::nullopt) {
  try {
    read(text, alphabet, 1000);
  } catch (const logic::ParseError& e) {
    return std::to_string(e.line()) + ":" + std::to_string(e.column()) + " " + e.message();
  }
  return "no error";
}

}  // namespace tests
