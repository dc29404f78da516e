// Aligned columns for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// How many columns of a terminal `text` takes, counting each character once and colour codes not at all.
std::size_t display_width(std::string_view text);

/// `text` broken at spaces into lines of at most `width` columns; a longer word stands alone on its line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Rows of cells in aligned columns, two spaces apart; the last column is wrapped so that lines fit `width`.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width = 100);

}  // namespace cli
