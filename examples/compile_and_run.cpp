// A formula becomes a Transformer, which reads words: (ab)* over a, b.
#include "bridge/compile.hpp"
#include "logic/parse.hpp"
#include "transformer/exact_engine.hpp"

#include <cstdio>

int main() {
  const logic::Alphabet alphabet({"a", "b"});
  logic::Arena arena;
  const logic::Formula f = logic::parse(arena, "!Y a & H(a <-> !Y a)", alphabet);

  const transformer::Model model = bridge::compile(f, alphabet);
  std::printf("%zu layers, width %zu\n", model.layers.size(), model.width());

  const transformer::ExactEngine engine(model);
  for (const char* text : {"", "abab", "abba"}) {
    const logic::Word word = logic::parse_word(alphabet, text);
    std::printf("%s: %s\n", text, engine.accepts(word) ? "accepted" : "rejected");
  }
}
