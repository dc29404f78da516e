// Automata in files: the formats by name.  docs/formats.md describes them.
#pragma once

#include "automata/att.hpp"
#include "automata/dot.hpp"
#include "automata/hoa.hpp"
#include "automata/json.hpp"
#include "automata/mata.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace automata {

struct FileFormat {
  std::string_view name;     // also an extension of its files
  std::string_view summary;  // for --help
  Language (*read)(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                   std::size_t max_states);
  std::string (*write)(const Language& language);
};

/// All formats, in the order in which --help shows them.
std::span<const FileFormat> file_formats();

/// The format of that name, if there is one.
const FileFormat* find_format(std::string_view name);

/// The format of files with that extension, if there is one: its name, or `gv` for Graphviz.
const FileFormat* find_extension(std::string_view extension);

/// What stands behind the last dot of the path's last part; empty where there is none.
std::string_view extension_of(std::string_view path);

}  // namespace automata
