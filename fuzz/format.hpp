// What the fuzz targets for file formats share.
#pragma once

#include "automata/files.hpp"
#include "fuzz/require.hpp"
#include "logic/parse_error.hpp"

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace fuzz {

/// The reader returns a language that every format gives back, or throws as documented.
inline void check_format(std::string_view name, std::string_view text) {
  try {
    const automata::Language language = automata::find_format(name)->read(text, std::nullopt, 500);
    require(language.dfa.letters() == language.alphabet.size());
    for (const auto& format : automata::file_formats()) {
      if (language.alphabet.size() > 100 && format.name == "hoa") continue;  // its text grows with the square
      try {
        const auto again = format.read(format.write(language), language.alphabet, 500);
        require(again.dfa == language.dfa);
      } catch (const std::invalid_argument&) {
        require(format.name == "att" && name != "att");  // some names do not fit
      }
    }
  } catch (const logic::ParseError& error) {
    require_presentable(error, text);
  } catch (const std::length_error&) {
  }
}

}  // namespace fuzz
