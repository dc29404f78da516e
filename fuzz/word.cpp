// Alphabets and words: the first line is an alphabet, the rest a word; what is written is read back.
#include "fuzz/require.hpp"
#include "logic/alphabet.hpp"

#include <algorithm>
#include <string>

using namespace logic;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::as_text(data, size);
  const auto end = std::min(text.find('\n'), text.size());
  const auto names = text.substr(0, end);
  const auto letters = text.substr(std::min(end + 1, text.size()));
  try {
    const Alphabet alphabet = parse_alphabet(names);
    std::string list;
    for (const auto& name : alphabet.names()) list += quote(name) + ",";
    fuzz::require(parse_alphabet(list) == alphabet);
    try {
      const Word word = parse_word(alphabet, letters);
      fuzz::require(parse_word(alphabet, to_string(alphabet, word)) == word);
    } catch (const ParseError& e) {
      fuzz::require_presentable(e, letters);
    }
  } catch (const ParseError& e) {
    fuzz::require_presentable(e, names);
  }
  return 0;
}
