#include "automata/att.hpp"

#include "automata/minimize.hpp"
#include "automata/regex.hpp"
#include "logic/parse_error.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

using namespace automata;
using tests::below;

namespace {

const logic::Alphabet ab({"a", "b"});

/// The message of the ParseError, with the line.
std::string error(std::string_view text, const std::optional<logic::Alphabet>& alphabet = std::nullopt) {
  try {
    read_att(text, alphabet);
  } catch (const logic::ParseError& e) {
    return std::to_string(e.line()) + ":" + std::to_string(e.column()) + " " + e.message();
  }
  return "no error";
}

}  // namespace

TEST_CASE("AT&T text is read", "[automata][att]") {
  const auto same = [](std::string_view text, std::string_view regex) {
    const Language language = read_att(text);
    CHECK(language.dfa == from_regex(regex, language.alphabet));
  };
  same("0 1 a\n1 0 b\n0\n", "(ab)*");
  same("0\t1\ta\ta\n1\t0\tb\tb\n0\n", "(ab)*");
  same("7 4000000000 a\n4000000000 7 b\n7", "(ab)*");  // the numbers mean nothing
  same("\n 0  1 a \r\n\r\n1 0 b\r\n0\r\n", "(ab)*");   // any white space
  same("5\n0 5 a\n5 0 b\n", "a(ba)*");                 // the first source is initial
  same("0 1 a\n1 2 <eps>\n2 1 @0@\n2 2 b\n2\n", "ab*");
  same("0 1 @_EPSILON_SYMBOL_@ @_EPSILON_SYMBOL_@\n1 1 a\n1", "a*");
  same("0 0 a\n0 0 b\n0 1 a\n1", "(a|b)*a");  // non-deterministic
  same("0 0 a a 0\n0 0.0", "a*");             // a weight that is none
  same("0 0 a", "∅");
  CHECK(read_att("0 1 b\n1 1 a\n1").alphabet == ab);
  CHECK(read_att("0 1 éa\n1").alphabet == logic::Alphabet({"éa"}));
  CHECK(read_att("0 1 a\n1", logic::Alphabet({"b", "a"})).dfa ==
        from_regex("a", logic::Alphabet({"b", "a"})));
  CHECK(read_att("", ab).dfa == Dfa(2, 0, {0, 0}, {false}));
  CHECK(read_att("3", ab).dfa == from_regex("()", ab));
}

TEST_CASE("AT&T text that is wrong is refused with the place", "[automata][att]") {
  CHECK(error("") == "1:1 no letter occurs, so the alphabet has to be given");
  CHECK(error("0 1 <eps>\n1\n") == "3:1 no letter occurs, so the alphabet has to be given");
  CHECK(error("0 1 a\nx") == "2:1 expected a state, a number below 2^32, found 'x'");
  CHECK(error("0 -1 a") == "1:3 expected a state, a number below 2^32, found '-1'");
  CHECK(error("0 4294967296 a") == "1:3 expected a state, a number below 2^32, found '4294967296'");
  CHECK(error("0 1 a\n1 1x a") == "2:3 expected a state, a number below 2^32, found '1x'");
  CHECK(error("0 1 a b") == "1:7 a transducer: the output 'b' is not the input 'a'");
  CHECK(error("0 1 a <eps>") == "1:7 a transducer: the output '<eps>' is not the input 'a'");
  CHECK(error("0 1 a a 0.5") == "1:9 expected no weight, or the weight 0, found '0.5'");
  CHECK(error("0 1 a\n1 2") == "2:3 expected no weight, or the weight 0, found '2'");
  CHECK(error("0 1 a\n1 x") == "2:3 expected no weight, or the weight 0, found 'x'");
  CHECK(
      error("0 1 a a 0 0") ==
      "1:11 expected the end of the line, since a move has at most five fields: source, destination, input, "
      "output, weight");
  CHECK(error("0 1 @_IDENTITY_SYMBOL_@") ==
        "1:5 '@_IDENTITY_SYMBOL_@' stands for letters that are not named");
  CHECK(error("0 1 c", ab) == "1:5 'c' is no letter of the alphabet");
  CHECK(error("0 1 a\x01") == "1:5 a letter's name has a control character");
  CHECK_THROWS_AS(read_att("0 1 \xff"), logic::ParseError);

  std::string far = "0 0 a\n0 0 b\n0 1 a\n";  // the n-th letter from the end
  for (int q = 1; q < 10; ++q)
    for (const char* a : {" a\n", " b\n"}) far += std::to_string(q) + " " + std::to_string(q + 1) + a;
  far += "10\n";
  CHECK(read_att(far, std::nullopt, 1024).dfa.states() == 1024);
  CHECK_THROWS_AS(read_att(far, std::nullopt, 1023), std::length_error);
}

TEST_CASE("AT&T text that is written is read back", "[automata][att]") {
  CHECK(to_att({ab, from_regex("(ab)*", ab)}) ==
        "0\t1\ta\ta\n0\t2\tb\tb\n0\n1\t2\ta\ta\n1\t0\tb\tb\n2\t2\ta\ta\n2\t2\tb\tb\n");
  const logic::Alphabet names({"open", "ε", "\"", "\\", "0", "#"});
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const Dfa dfa = tests::random_dfa(random, 1 + below(random, 20), names.size());
    const Language language{names, minimize(dfa)};
    CAPTURE(seed);
    CHECK(read_att(to_att(language), names).dfa == language.dfa);
    // An automaton that does not start in state 0 is the same language.
    const Dfa elsewhere(names.size(), below(random, dfa.states()), dfa.table(), dfa.accepting());
    CHECK(read_att(to_att({names, elsewhere}), names).dfa == minimize(elsewhere));
  }
  for (const char* name : {"big step", "<eps>", "@0@", "@_UNKNOWN_SYMBOL_@"}) {
    const Language language{logic::Alphabet({name}), Dfa(1, 0, {0}, {true})};
    CHECK_THROWS_AS(to_att(language), std::invalid_argument);
  }
}
