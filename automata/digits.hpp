// Numbers in the files that are written here.
#pragma once

#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>

namespace automata {

/// Appends `number` in base ten.
inline void append(std::string& text, std::uint32_t number) {
  char digits[10];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  text.append(digits, end);
}

}  // namespace automata
