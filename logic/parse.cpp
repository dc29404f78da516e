// Boost.Spirit X3 reads the tokens, logic/precedence.hpp brings them into postfix order, and a loop over
// those builds the formula: no step recurses on the nesting.
#include "logic/parse.hpp"

#include "logic/precedence.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>

#include <boost/range/iterator_range.hpp>
#include <boost/spirit/home/x3.hpp>

namespace logic {
namespace {

namespace x3 = boost::spirit::x3;

constexpr std::uint32_t largest_number = 1'000'000;

struct Token {
  Syntax syntax;
  Kind kind = Kind::true_;
  std::uint32_t k = 0;  // as in Node; of Y: how many
  std::uint32_t j = 0;
  std::string name = {};  // of a letter
};

struct Operators : x3::symbols<Token> {
  Operators() {
    const auto infix = [](Kind kind, int binding, bool right) {
      return Token{{Role::infix, binding, right}, kind};
    };
    const auto prefix = [](Kind kind) { return Token{{Role::prefix, 6}, kind}; };
    const auto is = [&](std::initializer_list<const char*> spellings, const Token& token) {
      for (const char* spelling : spellings) add(spelling, token);
    };
    is({"!", "¬"}, prefix(Kind::negation));
    is({"P"}, prefix(Kind::previously));
    is({"H"}, prefix(Kind::historically));
    is({"O"}, prefix(Kind::once));
    is({"S"}, infix(Kind::since, 5, true));
    is({"&", "∧"}, infix(Kind::conjunction, 4, false));
    is({"^", "⊕"}, infix(Kind::exclusive_or, 3, false));
    is({"|", "∨"}, infix(Kind::disjunction, 2, false));
    is({"->", "→"}, infix(Kind::implication, 1, true));
    is({"<->", "↔"}, infix(Kind::equivalence, 0, false));
    is({"⊤"}, {{Role::operand}, Kind::true_});
    is({"⊥"}, {{Role::operand}, Kind::false_});
    is({"("}, {{Role::open}});
    is({")"}, {{Role::close}});
  }
};

std::vector<Token> read_tokens(std::string_view text) {
  using Range = boost::iterator_range<const char*>;
  std::vector<Token> tokens;
  Token token;  // the one being read

  const auto view = [](const Range& range) { return std::string_view(range.begin(), range.size()); };
  const auto emit = [&](auto& context) {
    token.syntax.text = view(x3::_attr(context));
    tokens.push_back(std::move(token));
  };
  const auto start = [&](const Token& blank) { return [&token, blank](auto&) { token = blank; }; };
  // The number just read, once it is known to be within its domain.
  const auto number_within = [&](auto& context, std::uint64_t least, std::uint64_t most, const char* domain) {
    const std::string_view digits = view(x3::_attr(context));
    const auto offset = static_cast<std::size_t>(digits.data() - text.data());
    std::uint32_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc() || value > largest_number)
      throw ParseError(text, offset, "numbers go up to " + std::to_string(largest_number));
    if (value < least || value > most)
      throw ParseError(text, offset, std::string(domain) + ", found " + std::to_string(value));
    return value;
  };
  const auto set_times = [&](auto& context) { token.k = number_within(context, 0, largest_number, ""); };
  const auto set_width = [&](auto& context) {
    token.kind = Kind::window;
    token.k = number_within(context, 1, largest_number, "the window Y<=k needs k >= 1");
    token.j = 1;
  };
  const auto set_threshold = [&](auto& context) {
    token.j = number_within(context, 1, token.k, "the window Y<=k>=j needs 1 <= j <= k");
  };
  const auto set_modulus = [&](auto& context) {
    token.k = number_within(context, 1, largest_number, "MOD(m,r) needs m >= 1");
  };
  const auto set_residue = [&](auto& context) {
    token.j = number_within(context, 0, token.k - 1, "MOD(m,r) needs r < m");
  };
  const auto set_identifier = [&](auto& context) {
    const std::string_view word = view(x3::_attr(context));
    token = {};
    if (word == "true")
      token.kind = Kind::true_;
    else if (word == "false")
      token.kind = Kind::false_;
    else if (word == "first")
      token.kind = Kind::first;
    else
      token.kind = Kind::letter, token.name = word;
    emit(context);
  };
  const auto set_quoted = [&](auto& context) {
    const auto offset = static_cast<std::size_t>(x3::_attr(context).begin() - text.data());
    token = {{}, Kind::letter, 0, 0, read_quoted(text, offset).name};
    emit(context);
  };

  // The grammar.  The names of the rules are what error messages expect.
  const auto number = [](const auto& action) {
    return x3::rule<class NumberTag>{"a number"} = x3::raw[x3::lexeme[+x3::char_('0', '9')]][action];
  };
  const auto width = (x3::lit("<=") | "≤" | "\\leq" | "\\le") > number(set_width);
  const auto threshold = x3::rule<class ThresholdTag>{"'>='"} =
      (x3::lit(">=") | "≥" | "\\geq" | "\\ge") > number(set_threshold);
  const auto end_of_window = x3::rule<class EndOfWindowTag>{"'}'"} =
      (threshold > '}') | ('}' > -('_' > x3::lit('{') > threshold > '}'));
  const auto in_braces = x3::rule<class InBracesTag>{"a number or '<='"} =
      (number(set_times) > '}') | (width > end_of_window);
  const auto power = x3::rule<class PowerTag>{"a number or '{'"} = number(set_times) | ('{' > in_braces);
  const auto yesterday = 'Y' >> x3::eps[start({{Role::prefix, 6}, Kind::yesterday, 1})] >>
                         -((width > -threshold) | ('^' > power));
  const auto modulo = "MOD" >> x3::eps[start({{Role::operand}, Kind::modulo})] > '(' > number(set_modulus) >
                      ',' > number(set_residue) > ')';
  const auto identifier =
      x3::lexeme[x3::char_('a', 'z') >> *(x3::char_('a', 'z') | x3::char_('0', '9') | x3::char_('_'))];
  const auto quoted = x3::lexeme['\'' >> *(('\\' >> x3::char_) | ~x3::char_("'\\")) >> '\''];
  const Operators operators;
  const auto set_operator = [&](auto& context) { token = x3::_attr(context); };
  const auto grammar =
      *(x3::raw[yesterday][emit] | x3::raw[modulo][emit] | x3::raw[operators[set_operator]][emit] |
        x3::raw[identifier][set_identifier] | x3::raw[quoted][set_quoted]);

  const char* place = text.data();
  const char* const end = place + text.size();
  const auto offset_of = [&](const char* where) {
    while (where != end && is_space(*where)) ++where;
    return static_cast<std::size_t>(where - text.data());
  };
  try {
    x3::phrase_parse(place, end, grammar, x3::char_(" \t\n\r"));
  } catch (const x3::expectation_failure<const char*>& failure) {
    const std::size_t offset = offset_of(failure.where());
    throw ParseError(text, offset, "expected " + failure.which() + ", found " + found(text, offset));
  }
  if (place != end) {
    const std::size_t offset = offset_of(place);
    if (text[offset] == '\'') read_quoted(text, offset);  // says what is wrong with it
    throw ParseError(text, offset,
                     "expected a formula or an operator, found " + found(text, offset) +
                         " (a letter that is no lower-case identifier is quoted)");
  }
  return tokens;
}

/// The operands and operators of the formula that `text` writes, in postfix order.
std::vector<Token> read_formula(std::string_view text) {
  require_text(text);
  return postfix_order(text, read_tokens(text), "a formula");
}

}  // namespace

Formula parse(Arena& arena, std::string_view text, const Alphabet& alphabet, std::uint64_t max_nodes) {
  std::vector<Formula> operands;
  const auto pop = [&] {
    const Formula f = operands.back();
    operands.pop_back();
    return f;
  };
  std::uint64_t nodes = 0;
  for (const Token& token : read_formula(text)) {
    nodes += token.kind == Kind::yesterday ? token.k : 1;
    if (nodes > max_nodes)
      throw std::length_error("parse: the formula written out has more than " + std::to_string(max_nodes) +
                              " nodes");
    switch (token.kind) {
      case Kind::letter: {
        const auto a = alphabet.find(token.name);
        if (!a) {
          const auto offset = static_cast<std::size_t>(token.syntax.text.data() - text.data());
          throw ParseError(text, offset, quote(token.name) + " is no letter of the alphabet");
        }
        operands.push_back(arena.letter(*a));
        break;
      }
      case Kind::false_:
      case Kind::true_:
      case Kind::first:
      case Kind::modulo: operands.push_back(arena.make(token.kind, token.k, token.j, {}, {})); break;
      case Kind::yesterday: operands.push_back(arena.yesterday(pop(), token.k)); break;
      case Kind::window:
      case Kind::counting_window: operands.push_back(arena.window(pop(), token.k, token.j)); break;
      case Kind::negation:
      case Kind::previously:
      case Kind::historically:
      case Kind::once: operands.push_back(arena.make(token.kind, 0, 0, pop(), {})); break;
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence:
      case Kind::since: {
        const Formula right = pop();
        const Formula left = pop();
        operands.push_back(arena.make(token.kind, 0, 0, left, right));
        break;
      }
    }
  }
  return operands.back();
}

std::vector<std::string> letters_of_formula(std::string_view text) {
  std::set<std::string> names;
  for (const Token& token : read_formula(text))
    if (token.kind == Kind::letter) names.insert(token.name);
  return {names.begin(), names.end()};
}

}  // namespace logic
