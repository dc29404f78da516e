// A new language is a block of data in `entries`; tests/automata/catalogue.cpp then checks that its regular
// expression, its formula and a definition in C++ agree, and what is claimed of its classes.  A family has
// also a builder in `families`.
#include "automata/catalogue.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace automata {
namespace {

constexpr std::string_view paper = "Li & Cotterell 2026, arXiv 2605.00768";
constexpr std::string_view predecessor = "Li & Cotterell 2025, arXiv 2505.23623 (the name)";

constexpr CatalogueEntry entries[] = {
    // The eight of the paper.
    {
        .name = "ends-a",
        .alphabet = "ab",
        .regex = ".*a",
        .formula = "Y a",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "the last letter is a",
        .source = paper,
    },
    {
        .name = "ends-ab",
        .alphabet = "ab",
        .regex = ".*ab",
        .formula = "Y(b & Y a)",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "the last two letters are ab",
        .source = paper,
    },
    {
        .name = "starts-a",
        .alphabet = "ab",
        .regex = "a.*",
        .formula = "P(a & first)",
        .smallest = "LTL[P]",
        .classes = "reverse-definite",
        .meaning = "the first letter is a",
        .source = paper,
    },
    {
        .name = "a-before-b",
        .alphabet = "ab",
        .regex = ".*a.*b.*",
        .formula = "P(b & P a)",
        .smallest = "LTL[P]",
        .classes = "locally-testable piecewise-testable",
        .meaning = "some a comes before some b",
        .source = paper,
    },
    {
        .name = "alternating",
        .alphabet = "ab",
        .regex = "(ab)*",
        .formula = "H((a -> first | Y b) & (b -> Y a)) & !Y a",
        .smallest = "LTL[P,Y]",
        .classes = "LTL[P,MOD] locally-testable",
        .meaning = "a and b take turns, from a to b",
        .source = paper,
    },
    {
        .name = "contains-ab",
        .alphabet = "abc",
        .regex = ".*ab.*",
        .formula = "P(b & Y a)",
        .smallest = "LTL[P,Y]",
        .classes = "locally-testable",
        .meaning = "some b comes just after an a (over two letters this would be in LTL[P])",
        .source = paper,
    },
    {
        .name = "rdp-1",
        .alphabet = "abcd",
        .regex = "[^b]*a[^ac]*",
        .formula = "(!a & !c) S (a & H !b)",
        .smallest = "LTL[S]",
        .classes = "L-trivial",
        .meaning = "no b before the last a and no c after it: a right-deterministic polynomial",
        .source = paper,
    },
    // The last double letter and the last letter tell the depth: 1 or 2 after aa, 0 or 1 after bb or none.
    {
        .name = "dyck-2",
        .alphabet = "ab",
        .regex = "(a(ab)*b)*",
        .formula = "H((a -> !(!(b & Y b) S (a & Y a) & Y a)) & (b -> !(b & Y b) S (a & Y a) | Y a)) & !(!(b "
                   "& Y b) S (a & Y a) | Y a)",
        .smallest = "LTL[S]",
        .classes = "LTL[S] LTL[P,Y,MOD]",
        .meaning = "balanced brackets a, b of depth at most 2",
        .source = paper,
    },
    // Bounded brackets.
    {
        .name = "dyck:n",
        .range = "1 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[S]",
        .classes = "LTL[S]",
        .meaning = "balanced brackets a, b of depth at most n (LTL[P,Y] for n = 1); dot-depth n (Brzozowski "
                   "& Knast 1978)",
        .source = "Bhattamishra, Ahuja & Goyal 2020, arXiv 2009.11264: D_n = (a D_(n-1) b)*",
    },
    {
        .name = "dyck:k:m",
        .range = "1 <= k <= 13, 1 <= m <= 1000",
        .alphabet = "abcd",
        .smallest = "LTL[S]",
        .classes = "LTL[S]",
        .meaning =
            "Dyck-(k,m): balanced brackets of k kinds and depth at most m; a closes b, c closes d, and so on",
        .source = "Hewitt, Hahn, Ganguli, Liang & Manning 2020, arXiv 2010.07515",
    },
    // Those of its predecessor that have other names there.  Dyck(1,1) and Dyck(1,2) are members of dyck:k:m.
    {
        .name = "first",
        .alphabet = "ab",
        .regex = "a.*",
        .formula = "P(a & first)",
        .smallest = "LTL[P]",
        .classes = "reverse-definite",
        .meaning = "FIRST: the first letter is a",
        .source = "Chiang & Cholak 2022, arXiv 2202.12172; Li & Cotterell 2025, arXiv 2505.23623",
    },
    {
        .name = "last",
        .alphabet = "ab",
        .regex = ".*a",
        .formula = "Y a",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "LAST: the last letter is a",
        .source = predecessor,
    },
    {
        .name = "pt-2",
        .alphabet = "abc",
        .regex = ".*a.*b.*",
        .formula = "P(b & P a)",
        .smallest = "LTL[P]",
        .classes = "piecewise-testable",
        .meaning = "PT-2, here: a comes before b, with a third letter (piecewise 2-testable; not compared "
                   "with the definition in the source)",
        .source = predecessor,
    },
    {
        .name = "lt-1",
        .alphabet = "abc",
        .regex = "[^b]*a[^b]*",
        .formula = "P a & !P b",
        .smallest = "LTL[P]",
        .classes = "locally-testable piecewise-testable",
        .meaning = "LT-1, here: a occurs and b does not (locally 1-testable; not compared with the "
                   "definition in the source)",
        .source = predecessor,
    },
    {
        .name = "lt-2",
        .alphabet = "abc",
        .regex = ".*ab.*&!(.*bb.*)",
        .formula = "P(b & Y a) & !P(b & Y b)",
        .smallest = "LTL[P,Y]",
        .classes = "locally-testable",
        .meaning = "LT-2, here: the factor ab occurs and bb does not (locally 2-testable; not compared with "
                   "the definition in the source)",
        .source = predecessor,
    },
    {
        .name = "ldp-1",
        .alphabet = "abcd",
        .regex = "[^ac]*a[^b]*",
        .formula = "P(a & !P a & !P c) & !P(b & P a)",
        .smallest = "LTL[P]",
        .classes = "LTL[P]",
        .meaning = "LDP-1, here: no c before the first a and no b after it, the reversal of rdp-1 (not "
                   "compared with the definition in the source)",
        .source = predecessor,
    },
    {
        .name = "ldp-2",
        .alphabet = "abcd",
        .regex = "[^ac]*a[^bd]*b.*",
        .formula = "P(b & P(a & !P a & !P c) & !P(b & P a) & !P(d & P a))",
        .smallest = "LTL[P]",
        .classes = "LTL[P]",
        .meaning = "LDP-2, here: no c before the first a, and after it a b before any d (not compared with "
                   "the definition in the source)",
        .source = predecessor,
    },
    {
        .name = "parity",
        .alphabet = "ab",
        .regex = "(b*ab*a)*b*",
        .classes = "group",
        .meaning = "PARITY: an even number of a's",
        .source = "folklore; Hahn 2020, TACL 8 (transformers)",
    },
    // The grammars of Tomita, over 0 and 1.
    {
        .name = "tomita-1",
        .alphabet = "01",
        .regex = "1*",
        .formula = "!P '0'",
        .smallest = "LTL[P]",
        .classes = "locally-testable piecewise-testable",
        .meaning = "no 0",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    {
        .name = "tomita-2",
        .alphabet = "01",
        .regex = "(10)*",
        .formula = "H(('1' -> first | Y '0') & ('0' -> Y '1')) & !Y '1'",
        .smallest = "LTL[P,Y]",
        .classes = "LTL[P,MOD] locally-testable",
        .meaning = "1 and 0 take turns, from 1 to 0",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    {
        .name = "tomita-3",
        .alphabet = "01",
        .regex = "!((.*0)?1(11)*(0.*1)?0(00)*(1.*)?)",
        .smallest = "LTL[S,MOD]",
        .classes = "LTL[S,MOD]",
        .meaning = "no run of 1s of odd length has a run of 0s of odd length anywhere after it",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society; read as by Weiss, Goldberg & "
                  "Yahav 2018, arXiv 1711.09576 (others compare neighbouring runs only)",
    },
    {
        .name = "tomita-4",
        .alphabet = "01",
        .regex = "!(.*000.*)",
        .formula = "!P('0' & Y('0' & Y '0'))",
        .smallest = "LTL[P,Y]",
        .classes = "locally-testable",
        .meaning = "no factor 000",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    {
        .name = "tomita-5",
        .alphabet = "01",
        .regex = "(00|11|(01|10)(00|11)*(01|10))*",
        .classes = "group",
        .meaning = "an even number of 0s and an even number of 1s",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    {
        .name = "tomita-6",
        .alphabet = "01",
        .regex = "(01|(1|00)(10)*(0|11))*",
        .classes = "group",
        .meaning = "the numbers of 0s and 1s are the same modulo 3",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    {
        .name = "tomita-7",
        .alphabet = "01",
        .regex = "0*1*0*1*",
        .formula = "!P('0' & P('1' & P('0' & P '1')))",
        .smallest = "LTL[P]",
        .classes = "locally-threshold-testable piecewise-testable",
        .meaning = "at most four runs, the first of 0s: no subsequence 1010",
        .source = "Tomita 1982, Proc. 4th Conf. Cognitive Science Society",
    },
    // From work on what neural networks learn.
    {
        .name = "flip-flop",
        .alphabet = "w0,w1,r0,r1,i",
        .regex = "i*('w0'(i|'r0')*|'w1'(i|'r1')*)*",
        .formula = "H((r0 -> !w1 S w0) & (r1 -> !w0 S w1))",
        .smallest = "LTL[S]",
        .classes = "LTL[S]",
        .meaning = "every read r0, r1 gives the bit of the last write w0, w1, and some write comes before "
                   "it; i is ignored",
        .source = "Liu, Ash, Goel, Krishnamurthy & Zhang 2023, arXiv 2306.00946 (instruction and bit as one "
                  "letter)",
    },
    {
        .name = "set-reset",
        .alphabet = "sri",
        .regex = ".*si*",
        .formula = "!r S s",
        .smallest = "LTL[S]",
        .classes = "L-trivial",
        .meaning = "the last s or r is an s: the flip-flop that s sets, r resets and i leaves alone",
        .source = "Krohn & Rhodes 1965, Trans. AMS 116",
    },
    {
        .name = "even-pairs",
        .alphabet = "ab",
        .regex = "a(.*a)?|b(.*b)?|()",
        .formula = "P(a & first) <-> Y a",
        .smallest = "LTL[P,Y]",
        .classes = "generalized-definite",
        .meaning = "an even number of factors ab and ba: the first and the last letter are equal",
        .source = "Delétang et al. 2023, arXiv 2207.02098",
    },
    {
        .name = "cycle:n",
        .range = "2 <= n <= 100000",
        .alphabet = "abc",
        .classes = "group",
        .meaning = "cycle navigation: a steps forward, b back, c stays, and the walk on a cycle of n places "
                   "ends where it began",
        .source = "Delétang et al. 2023, arXiv 2207.02098 (n = 5)",
    },
    {
        .name = "modular-sum:n",
        .range = "2 <= n <= 10",
        .alphabet = "012",
        .classes = "group",
        .meaning = "the sum of the digits 0, ..., n-1 is divisible by n",
        .source = "Delétang et al. 2023, arXiv 2207.02098 (modular arithmetic, n = 5)",
    },
    {
        .name = "gridworld:n",
        .range = "1 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[S]",
        .classes = "LTL[S]",
        .meaning = "a steps right, b left, walls stop the walk on the places 0, ..., n, which ends where it "
                   "began, at 0 (LTL[Y] for n = 1)",
        .source = "Liu, Ash, Goel, Krishnamurthy & Zhang 2022, arXiv 2210.10749",
    },
    {
        .name = "symmetric:n",
        .range = "3 <= n <= 100000",
        .alphabet = "ab",
        .classes = "group",
        .meaning = "the product of the swap a = (1 2) and the cycle b = (1 2 ... n) leaves 1 in its place (n "
                   ">= 5: not solvable)",
        .source = "Barrington 1989, J. Comput. Syst. Sci. 38 (word problems)",
    },
    {
        .name = "abab-star",
        .alphabet = "ab",
        .regex = "(abab)*",
        .formula = "H((a -> first | Y b) & (b -> Y a)) & !Y a & MOD(4,1)",
        .smallest = "LTL[P,MOD]",
        .classes = "LTL[P,MOD]",
        .meaning = "abab again and again: alternating, of a length divisible by 4",
        .source = "Bhattamishra, Ahuja & Goyal 2020, arXiv 2009.11264",
    },
    // Finite, definite and their reversals.
    {
        .name = "all",
        .alphabet = "ab",
        .regex = ".*",
        .formula = "true",
        .smallest = "LTL[Y]",
        .classes = "cofinite group",
        .meaning = "every word",
        .source = "folklore",
    },
    {
        .name = "none",
        .alphabet = "ab",
        .regex = "∅",
        .formula = "false",
        .smallest = "LTL[Y]",
        .classes = "finite group",
        .meaning = "no word",
        .source = "folklore",
    },
    {
        .name = "empty-word",
        .alphabet = "ab",
        .regex = "()",
        .formula = "first",
        .smallest = "LTL[Y]",
        .classes = "finite",
        .meaning = "the empty word alone",
        .source = "folklore",
    },
    {
        .name = "only-ab",
        .alphabet = "ab",
        .regex = "ab",
        .formula = "Y(b & Y(a & first))",
        .smallest = "LTL[Y]",
        .classes = "finite",
        .meaning = "the word ab alone: finite",
        .source = "folklore",
    },
    {
        .name = "not-ab",
        .alphabet = "ab",
        .regex = "!(ab)",
        .formula = "!Y(b & Y(a & first))",
        .smallest = "LTL[Y]",
        .classes = "cofinite",
        .meaning = "every word but ab: cofinite",
        .source = "folklore",
    },
    {
        .name = "starts-a-ends-b",
        .alphabet = "ab",
        .regex = "a.*b",
        .formula = "P(a & first) & Y b",
        .smallest = "LTL[P,Y]",
        .classes = "generalized-definite",
        .meaning = "the first letter is a and the last is b: generalised definite, neither definite nor "
                   "reverse definite",
        .source = "Ginzburg 1966, J. ACM 13 (the class)",
    },
    {
        .name = "nth-from-end:n",
        .range = "1 <= n <= 16",
        .alphabet = "ab",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "the n-th letter from the end is a, Y^n a: 2^n states",
        .source = "folklore",
    },
    {
        .name = "nth-letter:n",
        .range = "1 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[P]",
        .classes = "reverse-definite",
        .meaning = "the n-th letter is a: reverse definite",
        .source = "folklore",
    },
    {
        .name = "window:k",
        .range = "1 <= k <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "L_k: an a within the last k letters, Y<=k a",
        .source = paper,
    },
    {
        .name = "at-least:j:k",
        .range = "1 <= j <= k <= 16",
        .alphabet = "ab",
        .smallest = "LTL[Y]",
        .classes = "LTL[Y]",
        .meaning = "at least j of the last k letters are a, Y<=k>=j a",
        .source = "folklore",
    },
    // Piecewise testable and below DA.
    {
        .name = "chain:n",
        .range = "2 <= n <= 26",
        .alphabet = "abc",
        .smallest = "LTL[P]",
        .classes = "piecewise-testable",
        .meaning = "the first n letters of the alphabet occur in their order as a subsequence; the alphabet "
                   "has no others",
        .source = "Simon 1975, LNCS 33 (the class)",
    },
    {
        .name = "threshold:n",
        .range = "1 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[P]",
        .classes = "locally-threshold-testable piecewise-testable",
        .meaning = "at least n letters a",
        .source = "folklore",
    },
    {
        .name = "a-star-b-star",
        .alphabet = "ab",
        .regex = "a*b*",
        .formula = "!P(a & P b)",
        .smallest = "LTL[P]",
        .classes = "locally-testable piecewise-testable",
        .meaning = "no a after a b",
        .source = "folklore",
    },
    {
        .name = "one-a",
        .alphabet = "ab",
        .regex = "b*ab*",
        .formula = "P a & !P(a & P a)",
        .smallest = "LTL[P]",
        .classes = "locally-threshold-testable piecewise-testable",
        .meaning = "exactly one a: locally threshold testable, not locally testable",
        .source = "Beauquier & Pin 1991, Theoret. Comput. Sci. 84 (the class)",
    },
    {
        .name = "one-a-then-b",
        .alphabet = "abc",
        .regex = "c*ac*bc*",
        .formula = "P(b & P a) & !P(a & P a) & !P(b & P b)",
        .smallest = "LTL[P]",
        .classes = "piecewise-testable",
        .meaning = "one a, later one b, among c's: piecewise testable, not locally threshold testable",
        .source = "Thomas 1982, J. Comput. Syst. Sci. 25 (the class)",
    },
    {
        .name = "therien-wilke",
        .alphabet = "abcd",
        .regex = "[^ac]*a.*&.*b[^bc]*",
        .formula = "P(a & !P a & !P c) & !c S b",
        .smallest = "LTL[S]",
        .classes = "DA",
        .meaning = "no c before the first a and none after the last b: in FO2[<] = DA, neither R-trivial nor "
                   "L-trivial",
        .source = "Thérien & Wilke 1998, Proc. STOC (the class)",
    },
    // Local classes and dot-depth.
    {
        .name = "no-aa",
        .alphabet = "ab",
        .regex = "!(.*aa.*)",
        .formula = "!P(a & Y a)",
        .smallest = "LTL[P,Y]",
        .classes = "locally-testable",
        .meaning = "no factor aa: strictly 2-testable",
        .source = "McNaughton & Papert 1971, Counter-Free Automata (the class)",
    },
    {
        .name = "run:n",
        .range = "1 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[P,Y]",
        .classes = "locally-testable",
        .meaning = "the factor a^n occurs: locally testable (LTL[P] for n = 1)",
        .source = "Brzozowski & Simon 1973, Discrete Math. 4 (the class)",
    },
    {
        .name = "aab-star",
        .alphabet = "ab",
        .regex = "(aab)*",
        .formula = "H((b -> Y(a & Y a)) & (a -> first | Y b | Y(a & (first | Y b)))) & (first | Y b)",
        .smallest = "LTL[P,Y]",
        .classes = "LTL[P,MOD] locally-testable",
        .meaning = "aab again and again: strictly 3-testable",
        .source = "folklore",
    },
    {
        .name = "two-ab",
        .alphabet = "abc",
        .regex = ".*ab.*ab.*",
        .formula = "P(b & Y a & P(b & Y a))",
        .smallest = "LTL[P,Y]",
        .classes = "locally-threshold-testable",
        .meaning = "the factor ab occurs twice or more: locally threshold testable, not locally testable",
        .source = "Beauquier & Pin 1991, Theoret. Comput. Sci. 84 (the class)",
    },
    {
        .name = "stair:n",
        .range = "1 <= n <= 100000",
        .alphabet = "abc",
        .smallest = "LTL[S]",
        .classes = "LTL[S]",
        .meaning = "STAIR_n: n letters a with no b between the first and the last of them (LTL[P] for n = 1)",
        .source = "Etessami & Wilke 2000, Inform. and Comput. 160 (until hierarchy)",
    },
    {
        .name = "ab-or-ba-star",
        .alphabet = "ab",
        .regex = "(ab|ba)*",
        .smallest = "LTL[S]",
        .classes = "LTL[S] LTL[P,Y,MOD]",
        .meaning = "each pair of letters is ab or ba",
        .source = "folklore",
    },
    // Counting modulo.
    {
        .name = "aa-star",
        .alphabet = "a",
        .regex = "(aa)*",
        .formula = "MOD(2,1)",
        .smallest = "LTL[Y,MOD]",
        .classes = "LTL[Y,MOD] LTL[P,MOD] group",
        .meaning = "even length over one letter: the standard example that is not star-free",
        .source = "Schützenberger 1965, Inform. and Control 8 (the class)",
    },
    {
        .name = "even-a-power",
        .alphabet = "ab",
        .regex = "(aa)*",
        .formula = "MOD(2,1) & !P b",
        .smallest = "LTL[P,MOD]",
        .classes = "LTL[P,MOD]",
        .meaning = "an even number of a's and nothing else",
        .source = "folklore",
    },
    {
        .name = "a-at-even",
        .alphabet = "ab",
        .regex = "(b.)*b?",
        .formula = "H(a -> MOD(2,0))",
        .smallest = "LTL[P,MOD]",
        .classes = "LTL[P,MOD]",
        .meaning = "every a stands at an even position",
        .source = "Barrington, Compton, Straubing & Thérien 1992, J. Comput. Syst. Sci. 44 (the class)",
    },
    // A run is even when the position behind it has the parity of its first one.
    {
        .name = "even-runs",
        .alphabet = "ab",
        .regex = "(aa|b)*",
        .formula = "H(b -> first | Y b | MOD(2,0) & a S (a & MOD(2,0) & (first | Y b)) | MOD(2,1) & a S (a & "
                   "MOD(2,1) & (first | Y b))) & (first | Y b | MOD(2,0) & a S (a & MOD(2,0) & (first | Y "
                   "b)) | MOD(2,1) & a S (a & MOD(2,1) & (first | Y b)))",
        .smallest = "LTL[S,MOD]",
        .classes = "LTL[S,MOD]",
        .meaning = "every run of a's has even length",
        .source = "folklore",
    },
    {
        .name = "mod:n",
        .range = "2 <= n <= 100000",
        .alphabet = "ab",
        .smallest = "LTL[Y,MOD]",
        .classes = "LTL[Y,MOD] LTL[P,MOD] group",
        .meaning = "the length is divisible by n, MOD(n,1)",
        .source = "folklore",
    },
    {
        .name = "count-mod:n",
        .range = "2 <= n <= 100000",
        .alphabet = "ab",
        .classes = "group",
        .meaning = "the number of a's is divisible by n (n = 2: parity)",
        .source = "folklore",
    },

};

using Numbers = std::span<const std::uint32_t>;

constexpr std::size_t max_states = 1'000'000;

/// The letters a, b, c, ...
logic::Alphabet first_letters(std::uint32_t count) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  return logic::Alphabet(std::move(names));
}

/// The automaton on the states 0, ..., states-1, with start 0, that next(q, a) and accepting(q) describe.
template <class Next, class Accepting>
Language build(logic::Alphabet alphabet, State states, Next next, Accepting accepting) {
  const Letter letters = alphabet.size();
  std::vector<State> table;
  table.reserve(std::size_t{states} * letters);
  std::vector<bool> final_states;
  for (State q = 0; q < states; ++q) {
    for (Letter a = 0; a < letters; ++a) table.push_back(next(q, a));
    final_states.push_back(accepting(q));
  }
  return {std::move(alphabet), minimize(Dfa(letters, 0, std::move(table), std::move(final_states)))};
}

/// States 0, ..., n are the depths, n + 1 is for words that went out of them.
Language dyck(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 2,
      [n](State depth, Letter a) -> State {
        if (depth == n + 1) return depth;
        if (a == 0) return depth + 1;  // beyond n that is the sink
        return depth == 0 ? n + 1 : depth - 1;
      },
      [](State depth) { return depth == 0; });
}

/// States are the stacks of open brackets, shorter ones first; the last state is for words that broke one.
Language dyck_with_kinds(Numbers numbers) {
  const std::uint32_t kinds = numbers[0];
  const std::uint32_t depth = numbers[1];
  std::size_t stacks = 1;
  std::size_t longest = 1;  // how many stacks have the greatest depth so far
  for (std::uint32_t d = 0; d < depth; ++d) {
    longest *= kinds;
    stacks += longest;
    if (stacks >= max_states)
      throw std::length_error("find_language: dyck:" + std::to_string(kinds) + ':' + std::to_string(depth) +
                              " has more than " + std::to_string(max_states) + " states");
  }
  // Stack s with a bracket of kind i on it is s * kinds + i + 1: breadth-first numbering of the tree.
  const auto sink = static_cast<State>(stacks);
  const auto inner = static_cast<State>(stacks - longest);
  return build(
      first_letters(2 * kinds), sink + 1,
      [=](State s, Letter a) -> State {
        if (s == sink) return sink;
        if (a % 2 == 0) return s < inner ? s * kinds + a / 2 + 1 : sink;
        return s != 0 && (s - 1) % kinds == a / 2 ? (s - 1) / kinds : sink;
      },
      [](State s) { return s == 0; });
}

Language cycle(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(3), n,
      [n](State q, Letter a) {
        return (q + (a == 0 ? 1 : a == 1 ? n - 1 : 0)) % n;
      },
      [](State q) { return q == 0; });
}

Language modular_sum(Numbers numbers) {
  const State n = numbers[0];
  std::vector<std::string> digits;
  for (State i = 0; i < n; ++i) digits.push_back(std::to_string(i));
  return build(
      logic::Alphabet(std::move(digits)), n, [n](State q, Letter a) { return (q + a) % n; },
      [](State q) { return q == 0; });
}

Language gridworld(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1,
      [n](State q, Letter a) { return a == 0 ? std::min(q + 1, n) : q - std::min<State>(q, 1); },
      [](State q) { return q == 0; });
}

/// The state is where 1 has been brought; place i is state i - 1.
Language symmetric(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n,
      [n](State q, Letter a) -> State { return a == 1  ? (q + 1) % n
                                               : q < 2 ? 1 - q
                                                       : q; },
      [](State q) { return q == 0; });
}

/// The state holds the last `width` letters, the latest as the lowest bit, 1 for a.
template <class Accepting>
Language last_letters(std::uint32_t width, Accepting accepting) {
  const State states = State{1} << width;
  return build(
      first_letters(2), states, [=](State q, Letter a) { return (2 * q + (a == 0 ? 1 : 0)) % states; },
      accepting);
}

Language nth_from_end(Numbers numbers) {
  const std::uint32_t n = numbers[0];
  return last_letters(n, [n](State q) { return (q >> (n - 1) & 1) != 0; });
}

Language at_least(Numbers numbers) {
  const std::uint32_t j = numbers[0];
  const std::uint32_t k = numbers[1];
  if (j > k)
    throw std::invalid_argument("find_language: at-least:j:k needs j <= k, not j = " + std::to_string(j) +
                                " and k = " + std::to_string(k));
  return last_letters(k, [j](State q) {
    std::uint32_t count = 0;
    for (; q != 0; q >>= 1) count += q & 1;
    return count >= j;
  });
}

/// States 0, ..., n-1 count the letters, n is after an a at the n-th place, n + 1 after a b there.
Language nth_letter(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 2, [n](State q, Letter a) { return q >= n      ? q
                                                               : q + 1 < n ? q + 1
                                                                           : n + a; },
      [n](State q) { return q == n; });
}

/// The state is how many letters ago the last a was, at most k.
Language window(Numbers numbers) {
  const State k = numbers[0];
  return build(
      first_letters(2), k + 1,
      [k](State q, Letter a) {
        const State age = k - q;  // state 0, the start, is that of no a
        return a == 0 ? k : k - std::min(age + 1, k);
      },
      [](State q) { return q != 0; });
}

Language chain(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(n), n + 1, [n](State q, Letter a) { return q < n && a == q ? q + 1 : q; },
      [n](State q) { return q == n; });
}

Language threshold(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1, [n](State q, Letter a) { return a == 0 ? std::min(q + 1, n) : q; },
      [n](State q) { return q == n; });
}

Language run(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n + 1, [n](State q, Letter a) -> State { return q == n   ? n
                                                                        : a == 0 ? q + 1
                                                                                 : 0; },
      [n](State q) { return q == n; });
}

Language stair(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(3), n + 1,
      [n](State q, Letter a) -> State { return q == n || a == 2 ? q
                                               : a == 0         ? q + 1
                                                                : 0; },
      [n](State q) { return q == n; });
}

Language length_modulo(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n, [n](State q, Letter) { return (q + 1) % n; }, [](State q) { return q == 0; });
}

Language count_modulo(Numbers numbers) {
  const State n = numbers[0];
  return build(
      first_letters(2), n, [n](State q, Letter a) { return (q + (a == 0 ? 1 : 0)) % n; },
      [](State q) { return q == 0; });
}

struct Family {
  struct Number {
    std::uint32_t least;
    std::uint32_t greatest;
  };
  std::string_view name;  // of its entry; the members' names have numbers in place of the letters
  std::vector<Number> numbers;
  Language (*build)(Numbers);
};

const std::vector<Family>& families() {
  static const std::vector<Family> list{
      {"dyck:n", {{1, 100'000}}, dyck},
      {"dyck:k:m", {{1, 13}, {1, 1000}}, dyck_with_kinds},
      {"cycle:n", {{2, 100'000}}, cycle},
      {"modular-sum:n", {{2, 10}}, modular_sum},
      {"gridworld:n", {{1, 100'000}}, gridworld},
      {"symmetric:n", {{3, 100'000}}, symmetric},
      {"nth-from-end:n", {{1, 16}}, nth_from_end},
      {"nth-letter:n", {{1, 100'000}}, nth_letter},
      {"window:k", {{1, 100'000}}, window},
      {"at-least:j:k", {{1, 16}, {1, 16}}, at_least},
      {"chain:n", {{2, 26}}, chain},
      {"threshold:n", {{1, 100'000}}, threshold},
      {"run:n", {{1, 100'000}}, run},
      {"stair:n", {{1, 100'000}}, stair},
      {"mod:n", {{2, 100'000}}, length_modulo},
      {"count-mod:n", {{2, 100'000}}, count_modulo},
  };
  return list;
}

/// The pieces between the colons.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

/// The family with a member of that name, once its numbers are read; null when there is none.
const Family* find_family(const std::vector<std::string_view>& pieces) {
  for (const Family& family : families())
    if (split(family.name).front() == pieces.front() && family.numbers.size() + 1 == pieces.size())
      return &family;
  return nullptr;
}

std::uint32_t parse_number(const Family& family, std::size_t i, std::string_view text) {
  const auto [least, greatest] = family.numbers[i];
  std::uint32_t n = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), n);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || n < least || n > greatest)
    throw std::invalid_argument("find_language: " + std::string(family.name) + " needs a number " +
                                std::string(split(family.name)[i + 1]) + " from " + std::to_string(least) +
                                " to " + std::to_string(greatest) + ", not '" + std::string(text) + "'");
  return n;
}

const CatalogueEntry* find_exactly(std::string_view name) {
  for (const auto& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// What each class is included in, directly; docs/catalogue.md has the reasons.
struct Inclusion {
  std::string_view smaller;
  std::string_view larger;
};

constexpr Inclusion inclusions[] = {
    {"finite", "LTL[Y]"},
    {"finite", "reverse-definite"},
    {"finite", "piecewise-testable"},
    {"cofinite", "LTL[Y]"},
    {"cofinite", "reverse-definite"},
    {"cofinite", "piecewise-testable"},
    {"LTL[Y]", "generalized-definite"},
    {"LTL[Y]", "L-trivial"},
    {"LTL[Y]", "LTL[Y,MOD]"},
    {"reverse-definite", "generalized-definite"},
    {"reverse-definite", "LTL[P]"},
    {"generalized-definite", "locally-testable"},
    {"generalized-definite", "DA"},
    {"locally-testable", "locally-threshold-testable"},
    {"locally-threshold-testable", "dot-depth-one"},
    {"piecewise-testable", "LTL[P]"},
    {"piecewise-testable", "L-trivial"},
    {"piecewise-testable", "dot-depth-one"},
    {"dot-depth-one", "locally-J-trivial"},
    {"locally-J-trivial", "LTL[P,Y]"},
    {"LTL[P]", "DA"},
    {"LTL[P]", "LTL[P,Y]"},
    {"LTL[P]", "LTL[P,MOD]"},
    {"L-trivial", "DA"},
    {"DA", "locally-DA"},
    {"LTL[P,Y]", "locally-DA"},
    {"LTL[P,Y]", "LTL[P,Y,MOD]"},
    {"locally-DA", "LTL[S]"},
    {"LTL[S]", "LTL[S,MOD]"},
    {"LTL[Y,MOD]", "LTL[P,Y,MOD]"},
    {"LTL[P,MOD]", "LTL[P,Y,MOD]"},
    {"LTL[P,Y,MOD]", "LTL[S,MOD]"},
    {"group", ""},
};

bool is_included(std::string_view smaller, std::string_view larger) {
  if (smaller == larger) return true;
  for (const auto& inclusion : inclusions)  // they have no cycle
    if (inclusion.smaller == smaller && is_included(inclusion.larger, larger)) return true;
  return false;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return entries;
}

const CatalogueEntry* find_entry(std::string_view name) {
  if (const CatalogueEntry* const entry = find_exactly(name)) return entry;
  const auto pieces = split(name);
  const Family* const family = find_family(pieces);
  if (family == nullptr) return nullptr;
  for (std::size_t i = 1; i < pieces.size(); ++i) parse_number(*family, i - 1, pieces[i]);
  return find_exactly(family->name);
}

bool belongs(const CatalogueEntry& entry, std::string_view class_name) {
  if (class_name.empty() ||
      std::none_of(std::begin(inclusions), std::end(inclusions), [&](const auto& inclusion) {
        return inclusion.smaller == class_name || inclusion.larger == class_name;
      }))
    throw std::invalid_argument("belongs: no class is named '" + std::string(class_name) + "'");
  for (std::string_view rest = entry.classes; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (is_included(rest.substr(0, end), class_name)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::optional<Language> find_language(std::string_view name) {
  const auto pieces = split(name);
  if (const Family* const family = find_family(pieces)) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 1; i < pieces.size(); ++i)
      numbers.push_back(parse_number(*family, i - 1, pieces[i]));
    return family->build(numbers);
  }
  const CatalogueEntry* const entry = find_exactly(name);
  if (entry == nullptr) return std::nullopt;
  auto alphabet = logic::parse_alphabet(entry->alphabet);
  Dfa dfa = from_regex(entry->regex, alphabet);
  return Language{std::move(alphabet), std::move(dfa)};
}

}  // namespace automata
