// Regular expressions: brackets change nothing, and an expression and its complement share no word and miss
// none.
#include "automata/regex.hpp"

#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "fuzz/require.hpp"

#include <stdexcept>

using namespace automata;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::as_text(data, size);
  const std::size_t max_states = 200;
  bool is_expression = false;
  try {
    auto names = letters_of_regex(text);
    is_expression = true;
    if (names.size() > 5) return 0;
    if (names.empty()) names.push_back("a");
    const logic::Alphabet alphabet(names);
    const Dfa dfa = from_regex(text, alphabet, max_states);
    const std::string inside = "(" + std::string(text) + ")";
    fuzz::require(minimize(dfa) == dfa);
    fuzz::require(from_regex(inside, alphabet) == dfa);
    const Dfa other = from_regex("!" + inside, alphabet);
    fuzz::require(minimize(complement(dfa)) == other);
    fuzz::require(!shortest_accepted(combine(dfa, other, BooleanOperation::intersection)));
    fuzz::require(from_regex(inside + "|!" + inside, alphabet) == from_regex(".*", alphabet));
  } catch (const logic::ParseError& e) {
    fuzz::require(!is_expression);
    fuzz::require_presentable(e, text);
  } catch (const std::length_error&) {
  }
  return 0;
}
