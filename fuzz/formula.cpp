// Formulas: what is read, printed and read again is the same formula, over the same letters.
#include "fuzz/require.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"

#include <optional>
#include <stdexcept>

using namespace logic;

namespace {

std::optional<std::vector<std::string>> letters(std::string_view text) {
  try {
    return letters_of_formula(text);
  } catch (const ParseError& e) {
    fuzz::require_presentable(e, text);
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::as_text(data, size);
  const auto names = letters(text);
  const Alphabet alphabet(names && !names->empty() ? *names : std::vector<std::string>{"a"});
  Arena arena;
  try {
    const Formula f = parse(arena, text, alphabet, 10'000);
    fuzz::require(names.has_value());
    for (const auto notation : {Notation::ascii, Notation::unicode}) {
      const auto printed = to_string(f, alphabet, notation);
      fuzz::require(parse(arena, printed, alphabet) == f);
      fuzz::require(letters_of_formula(printed) == *names);
    }
    require_utf8(to_string(f, alphabet, Notation::latex));
  } catch (const ParseError&) {
    fuzz::require(!names.has_value());
  } catch (const std::length_error&) {
    fuzz::require(names.has_value());
  }
  return 0;
}
