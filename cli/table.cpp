#include "cli/table.hpp"

#include <algorithm>

namespace cli {

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {  // a colour code ends at its m
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u) {
      ++width;
    }
  }
  return width;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t line_width = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t word_width = display_width(word);
    if (line_width > 0 && line_width + 1 + word_width > width) {
      lines.push_back(std::move(line));
      line.clear();
      line_width = 0;
    }
    if (line_width > 0) {
      line += ' ';
      ++line_width;
    }
    line += word;
    line_width += word_width;
    begin = end + 1;
  }
  lines.push_back(std::move(line));
  return lines;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    std::size_t column = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 == widths.size()) {
        const auto parts = wrap(row[i], width > column + 20 ? width - column : 20);
        line += parts.front();
        for (std::size_t k = 1; k < parts.size(); ++k) line += '\n' + std::string(column, ' ') + parts[k];
      } else {
        line += row[i];
        if (i + 1 < row.size()) line += std::string(widths[i] + 2 - display_width(row[i]), ' ');
      }
      column += widths[i] + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace cli
