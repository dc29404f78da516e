// Characters and quoted names: what all the texts that people write here have in common.
//
// Texts are UTF-8.  A name that could be taken for something else stands between quotes, 'big step', with \'
// and
// \\ for a quote and a backslash inside; alphabets, words, formulas and regular expressions share this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace logic {

struct CodePoint {
  char32_t value;
  std::size_t bytes;  // how many bytes it takes, 1 to 4
};

/// The code point that starts at byte `offset` < |text|; none where the bytes are not valid UTF-8.
std::optional<CodePoint> code_point(std::string_view text, std::size_t offset);

/// `c` in UTF-8.  It must be a code point and no surrogate.
std::string to_utf8(char32_t c);

/// Whether `c` is a C0 or C1 control character.
bool is_control(char32_t c);

/// Space, tab, line feed or carriage return: what may stand between the parts of a text.
inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Throws ParseError at the first byte that is not valid UTF-8.
void require_utf8(std::string_view text);

/// Throws ParseError at the first byte that is not valid UTF-8, or that is a control character but no space.
void require_text(std::string_view text);

/// What stands at `offset`, for "expected ..., found ...": `'x'`, or `the end`.
///
/// `bytes` is the length of the piece to show; long pieces are cut.
std::string found(std::string_view text, std::size_t offset, std::size_t bytes = 1);

/// `name` between quotes.
std::string quote(std::string_view name);

struct QuotedName {
  std::string name;
  std::size_t end;  // the offset behind the closing quote
};

/// Reads the quoted name whose opening quote is at `offset`.
///
/// Throws ParseError where the quote is not closed, a backslash stands before something other than a quote or
/// a backslash, the name is empty, or it has a control character or bytes that are not UTF-8.
QuotedName read_quoted(std::string_view text, std::size_t offset);

}  // namespace logic
