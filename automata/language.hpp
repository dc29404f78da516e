// A regular language as users meet it: an automaton with the names of its letters.
#pragma once

#include "automata/dfa.hpp"

namespace automata {

struct Language {
  logic::Alphabet alphabet;
  Dfa dfa;  // minimal, over the letters of `alphabet`
};

}  // namespace automata
