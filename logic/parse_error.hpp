// The error for text that cannot be read, which knows the place.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace logic {

/// what() has the line and column (counted in characters from 1), the message, and the line with a caret:
///
///     line 1, column 6: expected an operator or the end, found ')'
///       P (a)) & b
///            ^
///
/// Of a long line only the part around the place is shown.
class ParseError : public std::runtime_error {
 public:
  /// `offset` is a byte position in `text`, at most its size.
  ParseError(std::string_view text, std::size_t offset, const std::string& message);

  std::size_t offset() const { return offset_; }
  std::size_t line() const { return line_; }
  std::size_t column() const { return column_; }
  /// The message alone, without the place.
  const std::string& message() const { return message_; }

 private:
  std::size_t offset_;
  std::size_t line_;
  std::size_t column_;
  std::string message_;
};

}  // namespace logic
