// What the fuzz targets share.
#pragma once

#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace fuzz {

/// Stops the fuzzer with the input at hand.
inline void require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An error must point into the text and be fit for a terminal, whatever the text was.
inline void require_presentable(const logic::ParseError& error, std::string_view text) {
  require(error.offset() <= text.size());
  require(error.line() >= 1 && error.column() >= 1);
  const std::string_view what = error.what();
  for (std::size_t i = 0; i < what.size();) {
    const auto c = logic::code_point(what, i);
    require(c && (!logic::is_control(c->value) || c->value == '\n'));
    i += c->bytes;
  }
}

}  // namespace fuzz
