// The bits of SVG that pictures share.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// `text` with the characters that mean something in XML written as entities; control characters, which XML
/// has no place for, as '?'.
std::string svg_escaped(std::string_view text);

/// A text element at (x, y), with further attributes in `rest`.
std::string svg_text(int x, int y, std::string_view text, const std::string& rest = "");

/// A rectangle, with further attributes in `rest`.
std::string svg_rectangle(int x, int y, int width, int height, const std::string& rest);

/// A whole file: white ground, sans-serif, and `body` on it.
std::string svg_document(int width, int height, const std::string& body);

}  // namespace cli
