// To which logics does a regular language belong?  Bounded Dyck of depth 2, with the reason for each "no".
#include "automata/ladder.hpp"
#include "automata/regex.hpp"

#include <cstdio>
#include <string>

int main() {
  const logic::Alphabet alphabet({"a", "b"});
  const automata::Dfa dfa = automata::from_regex("(a(ab)*b)*", alphabet);
  std::printf("%u states\n", dfa.states());
  for (const automata::Membership& answer : automata::ladder(dfa)) {
    const std::string name(automata::name(answer.logic));
    if (!answer.witness) {
      std::printf("%-13s %s\n", name.c_str(), answer.member ? "yes" : "unknown");
      continue;
    }
    // A "no" comes with words that show it.
    const automata::Witness& w = *answer.witness;
    std::printf("%-13s no: states %u and %u, reached by '%s' and '%s', loop '%s'\n", name.c_str(), w.p, w.q,
                to_string(alphabet, w.access_p).c_str(), to_string(alphabet, w.access_q).c_str(),
                to_string(alphabet, w.loop).c_str());
  }
}
