#include "logic/parse_error.hpp"

#include "logic/text.hpp"

#include <algorithm>

namespace logic {
namespace {

struct Range {
  char32_t from;
  char32_t to;
};

/// How many columns terminals give to `c`: combining marks none, most East Asian characters and emoji two.
/// Only the main blocks: a caret that is off by one in a rare script does little harm.
std::size_t width(char32_t c) {
  constexpr Range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x64b, 0x65f},
                            {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff},
                            {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
  constexpr Range two[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                           {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},
                           {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
  const auto has = [c](const Range& range) { return range.from <= c && c <= range.to; };
  if (std::any_of(std::begin(none), std::end(none), has)) return 0;
  return std::any_of(std::begin(two), std::end(two), has) ? 2 : 1;
}

/// A place as people count it.
struct Place {
  std::size_t line;
  std::size_t column;
  std::string_view text;  // of the line
};

std::size_t bytes_at(std::string_view text, std::size_t i) {
  const auto c = code_point(text, i);
  return c ? c->bytes : 1;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i += bytes_at(text, i)) ++count;
  return count;
}

Place find_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string_view line = text.substr(begin);
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return {lines + 1, count_characters(before.substr(begin)) + 1, line};
}

/// The line, or the part of a long one around the place, above a caret.
std::string picture(const Place& place) {
  constexpr std::size_t reach = 36;  // how many characters of a long line are shown to each side
  const std::size_t size = count_characters(place.text);
  const std::size_t at = std::min(place.column - 1, size);
  const std::size_t begin = size <= 2 * reach || at <= reach ? 0 : std::min(at - reach, size - 2 * reach);
  const std::size_t end = std::min(size, begin + 2 * reach);

  std::string line = begin > 0 ? "…" : "";
  std::size_t indent = begin > 0 ? 1 : 0;
  std::size_t i = 0;
  for (std::size_t n = 0; n < end; ++n) {
    const auto c = code_point(place.text, i);
    const std::size_t bytes = c ? c->bytes : 1;
    if (n >= begin) {
      const bool is_tab = place.text[i] == '\t';
      const bool is_shown = c && !is_control(c->value);
      line += is_tab ? " " : is_shown ? place.text.substr(i, bytes) : "\uFFFD";
      if (n < at) indent += is_shown ? width(c->value) : 1;
    }
    i += bytes;
  }
  if (end < size) line += "…";
  return "\n  " + line + "\n  " + std::string(indent, ' ') + "^";
}

std::string describe(std::string_view text, std::size_t offset, const std::string& message) {
  const Place place = find_place(text, offset);
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + message +
         picture(place);
}

}  // namespace

ParseError::ParseError(std::string_view text, std::size_t offset, const std::string& message)
    : std::runtime_error(describe(text, offset, message)), offset_(offset), message_(message) {
  const Place place = find_place(text, offset);
  line_ = place.line;
  column_ = place.column;
}

}  // namespace logic
