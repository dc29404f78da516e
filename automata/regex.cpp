// Boost.Spirit X3 reads the tokens, logic/precedence.hpp brings them into postfix order, and a loop over
// those builds Thompson's automaton ("Regular expression search algorithm", 1968) from the inside out.
//
// Postfix order visits every subexpression in one stretch, so the states and moves of a subexpression are the
// last ones in the lists when it is complete.  Intersection and complement cut them off, work on automata
// that are deterministic, and put back the minimal result; a repetition copies them.
#include "automata/regex.hpp"

#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "logic/precedence.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <stdexcept>

#include <boost/range/iterator_range.hpp>
#include <boost/spirit/home/x3.hpp>

namespace automata {
namespace {

namespace x3 = boost::spirit::x3;

using logic::ParseError;
using logic::Role;

constexpr std::uint32_t unbounded = UINT32_MAX;
constexpr std::uint32_t largest_number = 1'000'000;
constexpr char32_t longest_range = 1000;

enum class Kind : std::uint8_t {
  empty_set,
  empty_word,
  letters,  // one of `names`
  other,    // any letter but `names`
  complement,
  repetition,
  concatenation,
  intersection,
  alternation,
};

struct Token {
  logic::Syntax syntax;
  Kind kind = Kind::empty_set;
  std::uint32_t least = 0;  // of a repetition
  std::uint32_t most = 0;
  std::vector<std::string> names = {};
};

struct Operators : x3::symbols<Token> {
  Operators() {
    add("∅", {{}, Kind::empty_set});
    add("ε", {{}, Kind::empty_word});
    add(".", {{}, Kind::other});
    add("!", {{Role::prefix, 5}, Kind::complement});
    add("*", {{Role::postfix, 4}, Kind::repetition, 0, unbounded});
    add("+", {{Role::postfix, 4}, Kind::repetition, 1, unbounded});
    add("?", {{Role::postfix, 4}, Kind::repetition, 0, 1});
    add("&", {{Role::infix, 2}, Kind::intersection});
    add("|", {{Role::infix, 1}, Kind::alternation});
    add("(", {{Role::open}});
    add(")", {{Role::close}});
  }
};

/// Reads one text; the members are what the actions of the grammar share.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Token> read();

 private:
  using Range = boost::iterator_range<const char*>;

  std::size_t offset(const char* place) const { return static_cast<std::size_t>(place - text_.data()); }
  void emit(const Range& range);
  std::uint32_t number(const Range& range) const;
  void set_most(const Range& range);
  void add_name(const Range& range);
  void close_range(const Range& range);

  std::string_view text_;
  std::vector<Token> tokens_;
  Token token_;  // the one being read
};

/// The name that a bare or a quoted letter stands for.
std::string name_at(std::string_view text, std::size_t offset, std::size_t bytes) {
  return text[offset] == '\'' ? logic::read_quoted(text, offset).name
                              : std::string(text.substr(offset, bytes));
}

void Reader::emit(const Range& range) {
  token_.syntax.text = {range.begin(), range.size()};
  tokens_.push_back(std::move(token_));
}

std::uint32_t Reader::number(const Range& range) const {
  std::uint32_t value = 0;
  const auto result = std::from_chars(range.begin(), range.end(), value);
  if (result.ec != std::errc() || value > largest_number)
    throw ParseError(text_, offset(range.begin()), "numbers go up to " + std::to_string(largest_number));
  return value;
}

void Reader::set_most(const Range& range) {
  token_.most = number(range);
  if (token_.most < token_.least)
    throw ParseError(text_, offset(range.begin()),
                     "the repetition {m,n} needs m <= n, found " + std::to_string(token_.most));
}

void Reader::add_name(const Range& range) {
  token_.names.push_back(name_at(text_, offset(range.begin()), range.size()));
}

/// `range` is the right end of a range in a class; its left end is the name added last.
void Reader::close_range(const Range& range) {
  const std::size_t place = offset(range.begin());
  const std::string left = token_.names.back();
  const std::string right = name_at(text_, place, range.size());
  const auto from = *logic::code_point(left, 0);
  const auto to = *logic::code_point(right, 0);
  if (from.bytes != left.size() || to.bytes != right.size())
    throw ParseError(text_, place, "a range of letters goes from one character to another");
  if (to.value < from.value || to.value - from.value >= longest_range)
    throw ParseError(text_, place,
                     "a range of letters goes upwards and has at most " + std::to_string(longest_range));
  for (char32_t c = from.value + 1; c <= to.value; ++c)
    if (!logic::is_control(c) && (c < 0xd800 || c >= 0xe000)) token_.names.push_back(logic::to_utf8(c));
}

std::vector<Token> Reader::read() {
  const auto start = [&](const Token& blank) { return x3::eps[([this, blank](auto&) { token_ = blank; })]; };
  const auto emitting = [&](const auto& parser) {
    return x3::raw[parser][([this](auto& context) { emit(x3::_attr(context)); })];
  };
  // A parser for something whose text goes to one of the functions above.
  const auto handing = [&](const auto& parser, void (Reader::*to)(const Range&)) {
    return x3::raw[parser][([this, to](auto& context) { (this->*to)(x3::_attr(context)); })];
  };

  // The text is valid UTF-8: a character is a byte and the continuation bytes that follow it.
  const auto rest = *x3::char_('\x80', '\xbf');
  const auto special = x3::char_("|*+?{}.&!()'\\^[] \t\n\r") | "ε" | "∅";
  const auto quoted = x3::lexeme['\'' >> *(('\\' >> x3::char_) | ~x3::char_("'\\")) >> '\''];
  const auto letter = x3::lexeme[(x3::char_ - special) >> rest] | quoted;
  const auto class_letter =
      x3::lexeme[(x3::char_ - (x3::char_("[]'\\^ \t\n\r-") | "ε" | "∅")) >> rest] | quoted;

  const auto minus = handing(x3::char_('-'), &Reader::add_name);
  const auto member =
      handing(class_letter, &Reader::add_name) >> -('-' >> handing(class_letter, &Reader::close_range));
  const auto members = x3::rule<class MembersTag>{"a letter"} =
      (minus >> *member >> -minus) | (+member >> -minus);
  const auto negate = [this](auto&) { token_.kind = Kind::other; };
  const auto letter_class = start({{}, Kind::letters}) >> '[' >> -x3::lit('^')[negate] > members > ']';

  const auto digits = x3::lexeme[+x3::char_('0', '9')];
  const auto set_both = [this](auto& context) { token_.least = token_.most = number(x3::_attr(context)); };
  const auto set_unbounded = [this](auto&) { token_.most = unbounded; };
  const auto least = x3::rule<class LeastTag>{"a number"} = x3::raw[digits][set_both];
  const auto after_comma = x3::rule<class AfterCommaTag>{"a number or '}'"} =
      x3::lit('}')[set_unbounded] | (handing(digits, &Reader::set_most) > '}');
  const auto end = x3::rule<class EndTag>{"',' or '}'"} = '}' | (',' > after_comma);
  const auto repetition = start({{Role::postfix, 4}, Kind::repetition}) >> '{' > least > end;

  const Operators operators;
  const auto set_operator = [this](auto& context) { token_ = x3::_attr(context); };
  const auto grammar =
      *(emitting(start({{}, Kind::empty_word}) >> '(' >> ')') |  //
        emitting(operators[set_operator]) |                      //
        emitting(repetition) |                                   //
        emitting(letter_class) | emitting(start({{}, Kind::letters}) >> handing(letter, &Reader::add_name)));

  const char* place = text_.data();
  const char* const stop = place + text_.size();
  const auto visible = [&](const char* where) {
    while (where != stop && logic::is_space(*where)) ++where;
    return offset(where);
  };
  try {
    x3::phrase_parse(place, stop, grammar, x3::char_(" \t\n\r"));
  } catch (const x3::expectation_failure<const char*>& failure) {
    const std::size_t at = visible(failure.where());
    throw ParseError(text_, at, "expected " + failure.which() + ", found " + logic::found(text_, at));
  }
  if (place != stop) {
    const std::size_t at = visible(place);
    if (text_[at] == '\'') logic::read_quoted(text_, at);  // says what is wrong with it
    throw ParseError(text_, at,
                     "expected an expression or an operator, found " + logic::found(text_, at) +
                         " (a special character that is a letter is quoted)");
  }
  return std::move(tokens_);
}

/// The operands and operators of the expression that `text` writes, in postfix order.
std::vector<Token> read_regex(std::string_view text) {
  logic::require_text(text);
  const Token juxtaposition{{Role::infix, 3}, Kind::concatenation};
  return logic::postfix_order<Token>(text, Reader(text).read(), "an expression", juxtaposition);
}

/// The automaton of a complete subexpression: it has the states from `first_state` and the moves from
/// `first_move` up to those of the next one.  No move leads to `start`, and none leaves `accept`.
struct Fragment {
  State start;
  State accept;
  State first_state;
  std::size_t first_move;
};

/// Builds the automaton, a stack of fragments.
class Builder {
 public:
  Builder(Letter letters, std::size_t max_states)
      : letters_(letters), max_states_(max_states), limit_(std::max<std::size_t>(max_states, 100'000)) {}

  void push_set(const std::vector<bool>& set) {
    Fragment f = open();
    f.start = new_state();
    f.accept = new_state();
    for (Letter a = 0; a < letters_; ++a)
      if (set[a]) add(f.start, a, f.accept);
    fragments_.push_back(f);
  }
  void push_empty_word() {
    push_set(std::vector<bool>(letters_, false));
    add(fragments_.back().start, std::nullopt, fragments_.back().accept);
  }

  void concatenate() {
    const Fragment right = pop();
    Fragment& left = fragments_.back();
    add(left.accept, std::nullopt, right.start);
    left.accept = right.accept;
  }
  void alternate() {
    const Fragment right = pop();
    Fragment& left = fragments_.back();
    const State start = new_state();
    const State accept = new_state();
    for (const Fragment& f : {left, right}) {
      add(start, std::nullopt, f.start);
      add(f.accept, std::nullopt, accept);
    }
    left.start = start;
    left.accept = accept;
  }
  void repeat(std::uint32_t least, std::uint32_t most);
  void complement() { push_dfa(minimize(automata::complement(pop_dfa()))); }
  void intersect() {
    const Dfa right = pop_dfa();
    const Dfa left = pop_dfa();
    push_dfa(minimize(combine(left, right, BooleanOperation::intersection, max_states_)));
  }
  /// The minimal automaton of the last fragment, which is taken off.
  Dfa pop_dfa();

 private:
  Fragment open() const { return {0, 0, states_, moves_.size()}; }
  Fragment pop() {
    const Fragment f = fragments_.back();
    fragments_.pop_back();
    return f;
  }
  State new_state() {
    if (states_ >= limit_) refuse("states");
    return states_++;
  }
  void add(State from, std::optional<Letter> letter, State to) {
    if (moves_.size() >= 16 * limit_) refuse("moves");
    moves_.push_back({from, letter, to});
  }
  [[noreturn]] void refuse(const char* what) const {
    throw std::length_error("from_regex: the expression written out has more than " +
                            std::to_string(what[0] == 's' ? limit_ : 16 * limit_) + " " + what);
  }
  void push_dfa(const Dfa& dfa);

  Letter letters_;
  std::size_t max_states_;
  std::size_t limit_;  // of states; moves are limited to 16 times as many
  State states_ = 0;
  std::vector<Nfa::Move> moves_;
  std::vector<Fragment> fragments_;
};

/// x{least,most} is x...x and then the optional copies, each of which can be left out with all that follow
/// it.
void Builder::repeat(std::uint32_t least, std::uint32_t most) {
  const Fragment body = pop();
  if (most == 0) {
    states_ = body.first_state;
    moves_.resize(body.first_move);
    push_empty_word();
    return;
  }
  const State size = states_ - body.first_state;
  const std::size_t end = moves_.size();
  const bool loops = most == unbounded;
  const std::uint64_t copies = loops ? std::max<std::uint32_t>(least, 1) : most;
  if (copies * size > limit_) refuse("states");
  if (copies * (end - body.first_move + 1) > 16 * limit_) refuse("moves");

  for (std::uint64_t n = 1; n < copies; ++n) {
    const State shift = static_cast<State>(n * size);
    for (std::size_t i = body.first_move; i < end; ++i) {
      const Nfa::Move move = moves_[i];
      add(move.from + shift, move.letter, move.to + shift);
    }
  }
  states_ = static_cast<State>(body.first_state + copies * size);

  const State start = new_state();
  const State accept = new_state();
  State before = start;
  for (std::uint64_t n = 0; n < copies; ++n) {
    const State shift = static_cast<State>(n * size);
    if (n >= least) add(before, std::nullopt, accept);
    add(before, std::nullopt, body.start + shift);
    before = body.accept + shift;
  }
  add(before, std::nullopt, accept);
  if (loops) add(before, std::nullopt, static_cast<State>(body.start + (copies - 1) * size));
  fragments_.push_back({start, accept, body.first_state, body.first_move});
}

Dfa Builder::pop_dfa() {
  const Fragment f = pop();
  Nfa nfa;
  nfa.letters = letters_;
  nfa.states = states_ - f.first_state;
  nfa.initial = {f.start - f.first_state};
  nfa.accepting = {f.accept - f.first_state};
  for (std::size_t i = f.first_move; i < moves_.size(); ++i)
    nfa.moves.push_back({moves_[i].from - f.first_state, moves_[i].letter, moves_[i].to - f.first_state});
  states_ = f.first_state;
  moves_.resize(f.first_move);
  return minimize(determinize(nfa, max_states_));
}

void Builder::push_dfa(const Dfa& dfa) {
  Fragment f = open();
  for (State q = 0; q < dfa.states(); ++q) new_state();
  f.start = new_state();
  f.accept = new_state();
  add(f.start, std::nullopt, f.first_state + dfa.start());
  for (State q = 0; q < dfa.states(); ++q) {
    if (dfa.is_accepting(q)) add(f.first_state + q, std::nullopt, f.accept);
    for (Letter a = 0; a < letters_; ++a) add(f.first_state + q, a, f.first_state + dfa.next(q, a));
  }
  fragments_.push_back(f);
}

}  // namespace

Dfa from_regex(std::string_view text, const logic::Alphabet& alphabet, std::size_t max_states) {
  Builder builder(alphabet.size(), max_states);
  for (const Token& token : read_regex(text)) {
    switch (token.kind) {
      case Kind::empty_word: builder.push_empty_word(); break;
      case Kind::empty_set:
      case Kind::letters:
      case Kind::other: {
        std::vector<bool> set(alphabet.size(), token.kind == Kind::other);
        for (const auto& name : token.names) {
          const auto a = alphabet.find(name);
          if (!a)
            throw ParseError(text, static_cast<std::size_t>(token.syntax.text.data() - text.data()),
                             logic::quote(name) + " is no letter of the alphabet");
          set[*a] = token.kind == Kind::letters;
        }
        builder.push_set(set);
        break;
      }
      case Kind::complement: builder.complement(); break;
      case Kind::repetition: builder.repeat(token.least, token.most); break;
      case Kind::concatenation: builder.concatenate(); break;
      case Kind::intersection: builder.intersect(); break;
      case Kind::alternation: builder.alternate(); break;
    }
  }
  return builder.pop_dfa();
}

std::vector<std::string> letters_of_regex(std::string_view text) {
  std::set<std::string> names;
  for (const Token& token : read_regex(text)) names.insert(token.names.begin(), token.names.end());
  return {names.begin(), names.end()};
}

}  // namespace automata
