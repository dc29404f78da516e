#include "cli/svg.hpp"

#include <fmt/format.h>

namespace cli {

std::string svg_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += code < 0x20 || code == 0x7f ? '?' : c;
    }
  }
  return result;
}

std::string svg_text(int x, int y, std::string_view text, const std::string& rest) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, rest.empty() ? "" : ' ' + rest,
                     svg_escaped(text));
}

std::string svg_rectangle(int x, int y, int width, int height, const std::string& rest) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", x, y, width, height, rest);
}

std::string svg_document(int width, int height, const std::string& body) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" "
             "fill=\"white\"/>\n",
             width, height) +
         body + "</svg>\n";
}

}  // namespace cli
