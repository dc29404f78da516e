// Does a network do what its formula says?  Every word up to 15 letters, sharing the work on common prefixes.
#include "automata/from_formula.hpp"
#include "bridge/compile.hpp"
#include "logic/parse.hpp"
#include "transformer/exact_engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

/// The number of words up to `length` letters that begin with what `run` has read, or exits at a difference.
unsigned long compare(transformer::ExactEngine::Run run, automata::State q, const automata::Dfa& dfa,
                      int length) {
  if (run.accepts() != dfa.is_accepting(q)) {
    std::printf("they differ\n");
    std::exit(1);
  }
  unsigned long words = 1;
  if (length == 0) return words;
  for (automata::Letter a = 0; a < dfa.letters(); ++a) {
    auto longer = run;
    longer.read(a);
    words += compare(std::move(longer), dfa.next(q, a), dfa, length - 1);
  }
  return words;
}

}  // namespace

int main() {
  const logic::Alphabet alphabet({"a", "b"});
  logic::Arena arena;
  const logic::Formula f = logic::parse(arena, "P(b & P(a & Y b)) | !P a", alphabet);
  const automata::Dfa dfa = automata::from_formula(f, alphabet.size());
  const transformer::ExactEngine engine(bridge::compile(f, alphabet));
  std::printf("%lu words, no difference\n", compare(engine.start(), dfa.start(), dfa, 15));
}
