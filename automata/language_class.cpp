#include "automata/language_class.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace automata {

namespace {

using enum LanguageClass;

constexpr std::string_view knast = "(u^av^bu^)^u^av^du^(u^cv^du^)^ = (u^av^bu^)^(u^cv^du^)^";

constexpr std::array<ClassDescription, 13> descriptions{{
    {reverse_definite, "reverse-definite", "the first k letters decide, for some k", "", "semigroup: eS = e",
     "u^v = u^", "Brzozowski 1962; Ginzburg 1966"},
    {generalized_definite, "generalized-definite", "the first k and the last k letters decide, for some k",
     "", "semigroup: eSe = e", "u^vu^ = u^", "Ginzburg 1966"},
    {finite, "finite", "finitely many words", "", "semigroup: nilpotent, its zero outside of the language",
     "u^", "Eilenberg 1976, Automata, Languages and Machines B"},
    {cofinite, "cofinite", "all words but finitely many", "",
     "semigroup: nilpotent, its zero in the language", "u^",
     "Eilenberg 1976, Automata, Languages and Machines B"},
    {locally_testable, "locally-testable",
     "the first and last k-1 letters and the set of factors of length k decide, for some k", "",
     "semigroup: eSe is a semilattice", "u^xu^xu^ = u^xu^; u^xu^yu^ = u^yu^xu^",
     "Brzozowski & Simon 1973; McNaughton 1974; on automata Kim, McNaughton & McCloskey 1991"},
    {locally_threshold_testable, "locally-threshold-testable",
     "as locally testable, the factors counted up to a threshold", "FO[+1]",
     "semigroup: aperiodic, exfyezf = ezfyexf", "u^u = u^; u^xv^yu^zv^ = u^zv^yu^xv^",
     "Beauquier & Pin 1989, after Thérien & Weiss 1985; logic: Thomas 1982"},
    {piecewise_testable, "piecewise-testable",
     "the set of subwords (not necessarily contiguous) of length k decides, for some k", "BΣ1[<]",
     "monoid: J-trivial", "u^v = u^; vu^ = u^", "Simon 1975; on automata Stern 1985, Klíma & Polák 2013"},
    {l_trivial, "L-trivial", "right-deterministic polynomials: unions of A0* a1 A1* ... ak Ak*, ai not in Ai",
     "LTL[F]", "monoid: L-trivial", "vu^ = u^", "Brzozowski & Fich 1980; logic: Cohen, Perrin & Pin 1993"},
    {da, "DA", "unambiguous polynomials", "FO2[<] = LTL[P,F]",
     "monoid: regular D-classes are aperiodic semigroups", "u^vu^ = u^",
     "Schützenberger 1976; logic: Thérien & Wilke 1998, Pin & Weil 1997"},
    {locally_da, "locally-DA", "unambiguous polynomials of factors", "FO2[<,+1]", "semigroup: eSe is in DA",
     "(u^xu^yu^)^u^xu^(u^xu^yu^)^ = (u^xu^yu^)^", "Thérien & Wilke 1998, by Almeida 1996"},
    {locally_j_trivial, "locally-J-trivial", "no simpler description is known", "",
     "semigroup: eSe is J-trivial", "(u^xu^yu^)^u^xu^ = (u^xu^yu^)^; u^yu^(u^xu^yu^)^ = (u^xu^yu^)^",
     "Knast 1983: it holds dot-depth one, strictly"},
    {dot_depth_one, "dot-depth-one", "Boolean combinations of w0 Σ* w1 Σ* ... wk", "BΣ1[<,+1,min,max]",
     "semigroup: Knast's equation", knast, "Knast 1983; on automata Stern 1985"},
    {group, "group", "every letter permutes the states", "", "monoid: a group", "u^ = 1",
     "Eilenberg 1976, Automata, Languages and Machines B"},
}};

}  // namespace

const ClassDescription& describe(LanguageClass c) {
  return descriptions[static_cast<std::size_t>(c)];
}

std::string_view name(LanguageClass c) {
  return describe(c).name;
}

std::optional<LanguageClass> language_class_of_name(std::string_view text) {
  for (const auto c : all_language_classes)
    if (name(c) == text) return c;
  return std::nullopt;
}

bool included(LanguageClass smaller, LanguageClass larger) {
  if (smaller == larger) return true;
  const auto any_of = [&](std::initializer_list<LanguageClass> next) {
    return std::any_of(next.begin(), next.end(), [&](LanguageClass c) { return included(c, larger); });
  };
  switch (smaller) {
    case finite:
    case cofinite: return any_of({reverse_definite, piecewise_testable});
    case reverse_definite: return any_of({generalized_definite});
    case generalized_definite: return any_of({locally_testable});
    case locally_testable: return any_of({locally_threshold_testable});
    case locally_threshold_testable: return any_of({dot_depth_one});
    case piecewise_testable: return any_of({l_trivial, dot_depth_one});
    case l_trivial: return any_of({da});
    case da: return any_of({locally_da});
    case dot_depth_one: return any_of({locally_j_trivial});
    case locally_j_trivial: return any_of({locally_da});
    case locally_da:
    case group: return false;
  }
  return false;
}

}  // namespace automata
