#include "logic/text.hpp"

#include "logic/parse_error.hpp"

#include <algorithm>

namespace logic {
namespace {

std::string hexadecimal(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("0x") + digits[byte >> 4] + digits[byte & 15];
}

}  // namespace

std::optional<CodePoint> code_point(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  // The lead byte says the length; below `least` the form would be longer than needed.
  std::size_t bytes;
  char32_t value;
  char32_t least;
  if ((lead & 0xe0) == 0xc0) {
    bytes = 2, value = lead & 0x1f, least = 0x80;
  } else if ((lead & 0xf0) == 0xe0) {
    bytes = 3, value = lead & 0x0f, least = 0x800;
  } else if ((lead & 0xf8) == 0xf0) {
    bytes = 4, value = lead & 0x07, least = 0x10000;
  } else {
    return std::nullopt;
  }
  if (text.size() - offset < bytes) return std::nullopt;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    value = value << 6 | (byte(i) & 0x3f);
  }
  const bool is_surrogate = value >= 0xd800 && value < 0xe000;
  if (value < least || value > 0x10ffff || is_surrogate) return std::nullopt;
  return CodePoint{value, bytes};
}

std::string to_utf8(char32_t c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

void require_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = code_point(text, i);
    if (!c) throw ParseError(text, i, "byte " + hexadecimal(text[i]) + " is not valid UTF-8");
    i += c->bytes;
  }
}

void require_text(std::string_view text) {
  require_utf8(text);
  for (std::size_t i = 0; i < text.size();) {
    const auto c = *code_point(text, i);
    if (is_control(c.value) && !is_space(text[i]))
      throw ParseError(text, i, "byte " + hexadecimal(text[i]) + " starts a control character");
    i += c.bytes;
  }
}

std::string quote(std::string_view name) {
  std::string text = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  text += '\'';
  return text;
}

std::string found(std::string_view text, std::size_t offset, std::size_t bytes) {
  if (offset >= text.size()) return "the end";
  constexpr std::size_t longest = 20;
  std::size_t end = offset;
  const std::size_t stop = std::min(text.size(), offset + std::max<std::size_t>(bytes, 1));
  for (std::size_t n = 0; end < stop && n < longest; ++n) {
    const auto c = code_point(text, end);
    if (!c || is_control(c->value)) {
      if (end == offset) return "byte " + hexadecimal(text[offset]);
      break;
    }
    end += c->bytes;
  }
  const std::string_view piece = text.substr(offset, end - offset);
  if (piece == "'") return "a quote";
  if (piece == " ") return "a space";
  std::string shown(piece);
  if (end < stop) shown += "…";
  return piece.front() == '\'' ? shown : "'" + shown + "'";
}

QuotedName read_quoted(std::string_view text, std::size_t offset) {
  std::string name;
  std::size_t i = offset + 1;
  while (i < text.size() && text[i] != '\'') {
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || (text[i] != '\'' && text[i] != '\\'))
        throw ParseError(
            text, std::min(i, text.size()),
            "expected a quote or a backslash after a backslash in a quoted name, found " + found(text, i));
    }
    const auto c = code_point(text, i);
    if (!c || is_control(c->value))
      throw ParseError(text, i, "expected a character of a quoted name, found " + found(text, i));
    name += text.substr(i, c->bytes);
    i += c->bytes;
  }
  if (i >= text.size()) throw ParseError(text, text.size(), "expected a closing quote, found the end");
  if (name.empty()) throw ParseError(text, offset, "expected a name between the quotes");
  return {std::move(name), i + 1};
}

}  // namespace logic
