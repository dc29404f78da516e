// Whatever the text, read_att returns a language that survives writing and reading, or throws as documented.
#include "automata/files.hpp"
#include "logic/parse_error.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const automata::Language language = automata::read_att(text, std::nullopt, 500);
    const automata::Language again = automata::read_att(automata::to_att(language), language.alphabet, 500);
    if (!(again.dfa == language.dfa)) std::abort();
    if (automata::to_dot(language).empty() || automata::to_json(language).empty()) std::abort();
  } catch (const logic::ParseError&) {
  } catch (const std::length_error&) {
  }
  return 0;
}
