#include "automata/files.hpp"

#include <algorithm>
#include <array>

namespace automata {

std::span<const FileFormat> file_formats() {
  static constexpr std::array<FileFormat, 5> formats{
      {{"att", "AT&T and OpenFst text", read_att, to_att},
       {"dot", "Graphviz", read_dot, to_dot},
       {"json", "the table as JSON", read_json, to_json},
       {"hoa", "Hanoi omega-automata, read on finite words", read_hoa, to_hoa},
       {"mata", "the library Mata", read_mata, to_mata}}};
  return formats;
}

const FileFormat* find_format(std::string_view name) {
  const auto formats = file_formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const FileFormat& f) { return f.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const FileFormat* find_extension(std::string_view extension) {
  return find_format(extension == "gv" ? "dot" : extension);
}

std::string_view extension_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::size_t dot = file.find_last_of('.');
  return dot == std::string_view::npos ? std::string_view() : file.substr(dot + 1);
}

}  // namespace automata
