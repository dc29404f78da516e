// The format: http://adl.github.io/hoaf/.  A label is a set of letters, so label expressions are evaluated as
// operations on sets while they are read; nothing recurses.
#include "automata/hoa.hpp"

#include "automata/digits.hpp"
#include "automata/named_nfa.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace automata {
namespace {

constexpr std::size_t most_letters = 4096;
constexpr std::size_t most_propositions = 12;  // where valuations are letters
constexpr std::size_t most_moves = std::size_t{1} << 24;

constexpr std::string_view letters_header = "hindsight-letters:";

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_identifier_part(char c) {
  return is_identifier_start(c) || (c >= '0' && c <= '9') || c == '-';
}

struct Token {
  enum class Kind { header, identifier, alias, integer, string, marker, symbol, end };
  Kind kind;
  std::string_view text;  // a string with its quotes
  std::size_t offset;
  std::uint32_t value = 0;  // of an integer
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return token_; }
  Token take() {
    const Token token = token_;
    advance();
    return token;
  }

  [[noreturn]] void throw_at(std::size_t offset, const std::string& message) const {
    throw logic::ParseError(text_, offset, message);
  }
  [[noreturn]] void expected(const std::string& what) const {
    throw_at(token_.offset,
             "expected " + what + ", found " + logic::found(text_, token_.offset, token_.text.size()));
  }

 private:
  void advance() {
    skip();
    const std::size_t begin = next_;
    const auto finish = [&](Token::Kind kind) {
      token_ = {kind, text_.substr(begin, next_ - begin), begin, 0};
    };
    if (begin == text_.size()) return finish(Token::Kind::end);
    const char c = text_[begin];
    if (is_identifier_start(c) || c == '@') {
      ++next_;
      while (next_ < text_.size() && is_identifier_part(text_[next_])) ++next_;
      if (c == '@') {
        if (next_ == begin + 1) throw_at(begin, "an alias without a name");
        return finish(Token::Kind::alias);
      }
      if (next_ < text_.size() && text_[next_] == ':') {
        ++next_;
        return finish(Token::Kind::header);
      }
      return finish(Token::Kind::identifier);
    }
    if (c >= '0' && c <= '9') {
      std::uint64_t value = 0;
      while (next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9') {
        value = value * 10 + static_cast<std::uint64_t>(text_[next_++] - '0');
        if (value >= std::uint64_t{1} << 31) throw_at(begin, "a number of at least 2^31");
      }
      finish(Token::Kind::integer);
      token_.value = static_cast<std::uint32_t>(value);
      return;
    }
    if (c == '"') {
      ++next_;
      while (next_ < text_.size() && text_[next_] != '"') next_ += text_[next_] == '\\' ? 2 : 1;
      if (next_ >= text_.size()) throw_at(begin, "a string that is not closed");
      ++next_;
      return finish(Token::Kind::string);
    }
    for (const std::string_view marker : {"--BODY--", "--END--", "--ABORT--"}) {
      if (text_.substr(begin, marker.size()) != marker) continue;
      next_ += marker.size();
      if (marker == "--ABORT--") throw_at(begin, "the automaton was given up where it was written");
      return finish(Token::Kind::marker);
    }
    ++next_;
    finish(Token::Kind::symbol);
  }

  /// White space and comments, which nest.
  void skip() {
    std::size_t depth = 0;
    std::size_t begin = 0;
    while (next_ < text_.size()) {
      if (text_.substr(next_, 2) == "/*") {
        if (depth++ == 0) begin = next_;
        next_ += 2;
      } else if (depth > 0 && text_.substr(next_, 2) == "*/") {
        --depth;
        next_ += 2;
      } else if (depth > 0 || logic::is_space(text_[next_])) {
        ++next_;
      } else {
        return;
      }
    }
    if (depth > 0) throw_at(begin, "a comment that is not closed");
  }

  std::string_view text_;
  std::size_t next_ = 0;
  Token token_{};
};

/// A set of letters, 64 in a word.
using Set = std::vector<std::uint64_t>;

/// Reads `operand` combined by `!`, `&`, `|` and parentheses, `!` binding tightest; ends before the first
/// token that does not go on.  `value(token)` takes an operand, `combine(x, op, y)` and `negate(x)` compute.
template <class Value, class Operand, class Negate, class Combine>
Value read_expression(Lexer& lexer, const std::string& what, Operand operand, Negate negate,
                      Combine combine) {
  std::vector<Value> values;
  std::vector<Token> operators;  // ! & | (
  const auto priority = [](const Token& op) {
    switch (op.text.front()) {
      case '!': return 3;
      case '&': return 2;
      case '|': return 1;
      default: return 0;
    }
  };
  const auto reduce = [&](int least) {
    while (!operators.empty() && priority(operators.back()) >= least) {
      const char op = operators.back().text.front();
      operators.pop_back();
      if (op == '!') {
        negate(values.back());
      } else {
        combine(values[values.size() - 2], op, values.back());
        values.pop_back();
      }
    }
  };
  std::size_t open = 0;
  while (true) {
    while (lexer.peek().text == "!" || lexer.peek().text == "(") {
      if (lexer.peek().text == "(") ++open;
      operators.push_back(lexer.take());
    }
    std::optional<Value> value = operand();
    if (!value) lexer.expected(what);
    values.push_back(std::move(*value));
    reduce(3);
    while (open > 0 && lexer.peek().text == ")") {
      reduce(1);
      operators.pop_back();
      lexer.take();
      --open;
      reduce(3);
    }
    if (lexer.peek().text == "&" || lexer.peek().text == "|") {
      reduce(priority(lexer.peek()));
      operators.push_back(lexer.take());
      continue;
    }
    if (open > 0) lexer.expected("'&', '|' or ')'");
    reduce(1);
    return std::move(values.back());
  }
}

class Reader {
 public:
  Reader(std::string_view text, const std::optional<logic::Alphabet>& alphabet)
      : nfa_(text, alphabet), lexer_(text) {
    header();
    name_letters();
    for (const auto& [token, position] : late_) define_alias(token, position);
    body();
  }

  Language finish(std::size_t max_states) { return nfa_.finish(NamedNfa::Order::as_they_came, max_states); }

 private:
  using Kind = Token::Kind;

  struct Edge {
    State from;
    const Set* label;  // in labels_, or null where it is implicit
    Letter number;     // then: which edge of its state
    Token to;
    bool accepts;
  };

  bool next_is(Kind kind) const { return lexer_.peek().kind == kind; }
  bool next_is(std::string_view symbol) const {
    return lexer_.peek().kind == Kind::symbol && lexer_.peek().text == symbol;
  }
  std::uint32_t integer(const std::string& what) {
    if (!next_is(Kind::integer)) lexer_.expected(what);
    return lexer_.take().value;
  }

  // The header.

  void header() {
    if (lexer_.peek().text != "HOA:") lexer_.expected("'HOA:'");
    lexer_.take();
    if (lexer_.peek().text != "v1") lexer_.expected("the version v1");
    lexer_.take();
    while (next_is(Kind::header)) header_item(lexer_.take());
    if (lexer_.peek().text != "--BODY--" || !next_is(Kind::marker))
      lexer_.expected("a header item or --BODY--");
    if (!seen_.contains("Acceptance:")) lexer_.expected("'Acceptance:' before the body");
    lexer_.take();
  }

  void header_item(const Token& item) {
    const std::string_view name = item.text;
    const bool repeats = name == "Start:" || name == "Alias:" || name == "properties:";
    if (!seen_.insert(name).second && !repeats)
      lexer_.throw_at(item.offset, std::string(name) + " comes twice");
    if (name == "States:") {
      declared_states_ = integer("how many states");
    } else if (name == "Start:") {
      starts_.push_back(lexer_.peek());
      integer("a state");
      if (next_is("&")) universal();
    } else if (name == "AP:") {
      const std::size_t count = integer("how many propositions");
      while (next_is(Kind::string)) {
        propositions_.push_back({string_value(lexer_.peek()), lexer_.peek().offset});
        lexer_.take();
        if (propositions_.size() > count) break;
      }
      if (propositions_.size() != count)
        lexer_.throw_at(item.offset, "AP: does not have as many names as it says, " + std::to_string(count));
      std::set<std::string_view> names;
      for (const auto& [proposition, offset] : propositions_)
        if (!names.insert(proposition).second)
          lexer_.throw_at(offset, logic::quote(proposition) + " comes twice");
    } else if (name == "Alias:") {
      // Aliases may stand before AP:, so their expressions are read when the letters are known.
      if (!next_is(Kind::alias)) lexer_.expected("the name of an alias");
      const Token alias = lexer_.take();
      late_.emplace_back(alias, lexer_);
      skip_expression();
    } else if (name == "Acceptance:") {
      acceptance();
    } else if (name == letters_header) {
      if (lexer_.peek().text != "one-hot") lexer_.expected("'one-hot'");
      lexer_.take();
      one_hot_ = true;
    } else if (name.front() >= 'A' && name.front() <= 'Z') {
      lexer_.throw_at(item.offset, "the header item " + std::string(name) +
                                       " changes the meaning of the automaton and is not known");
    } else {
      while (next_is(Kind::identifier) || next_is(Kind::integer) || next_is(Kind::string)) lexer_.take();
    }
  }

  /// The tokens of a label expression; whether it is one is seen when the alias is defined.
  void skip_expression() {
    while (next_is(Kind::identifier) || next_is(Kind::integer) || next_is(Kind::alias) ||
           next_is(Kind::symbol))
      lexer_.take();
  }

  [[noreturn]] void universal() const {
    lexer_.throw_at(lexer_.peek().offset, "universal branching has no automaton on finite words here");
  }

  std::string string_value(const Token& token) const {
    std::string value;
    for (std::size_t i = 1; i + 1 < token.text.size(); ++i) {
      if (token.text[i] == '\\') {
        ++i;
        if (token.text[i] != '"' && token.text[i] != '\\')
          lexer_.throw_at(token.offset + i,
                          "a backslash in a proposition stands before a quote or a backslash");
      }
      value += token.text[i];
    }
    return value;
  }

  /// The condition becomes postfix: it is evaluated anew for each set of marks.
  void acceptance() {
    sets_ = integer("how many acceptance sets");
    using Code = std::vector<std::int64_t>;  // 2 s + (1 if negated), or one of these
    condition_ = read_expression<Code>(
        lexer_, "Inf(...), Fin(...), t or f",
        [&]() -> std::optional<Code> {
          if (!next_is(Kind::identifier)) return std::nullopt;
          const Token name = lexer_.peek();
          if (name.text == "t" || name.text == "f") {
            lexer_.take();
            return Code{name.text == "t" ? always : never};
          }
          if (name.text != "Inf" && name.text != "Fin") return std::nullopt;
          lexer_.take();
          if (!next_is("(")) lexer_.expected("'('");
          lexer_.take();
          bool negated = name.text == "Fin";
          if (next_is("!")) {
            lexer_.take();
            negated = !negated;
          }
          const Token set = lexer_.peek();
          integer("an acceptance set");
          if (set.value >= sets_) no_such_set(set);
          if (!next_is(")")) lexer_.expected("')'");
          lexer_.take();
          return Code{std::int64_t{2} * set.value + (negated ? 1 : 0)};
        },
        [&](Code&) { lexer_.throw_at(lexer_.peek().offset, "'!' stands before a set only"); },
        [](Code& x, char op, Code& y) {
          // The longer one takes the other in, so that long chains cost little.
          if (x.size() < y.size()) std::swap(x, y);
          x.insert(x.end(), y.begin(), y.end());
          x.push_back(op == '&' ? conjunction : disjunction);
        });
  }
  static constexpr std::int64_t always = -1, never = -2, conjunction = -3, disjunction = -4;

  [[noreturn]] void no_such_set(const Token& token) const {
    lexer_.throw_at(token.offset,
                    "acceptance set " + std::to_string(token.value) + " of " + std::to_string(sets_));
  }

  /// Whether the condition holds where exactly these sets are seen again and again.
  bool holds(const std::vector<std::uint32_t>& marks) {
    const auto [entry, is_new] = verdicts_.try_emplace(marks, false);
    if (!is_new) return entry->second;
    steps_ += condition_.size();
    if (steps_ > most_moves)
      throw std::length_error("read_hoa: " + std::to_string(verdicts_.size()) +
                              " different sets of marks under a condition of " +
                              std::to_string(condition_.size()) + " parts");
    std::vector<bool> stack;
    for (const std::int64_t code : condition_) {
      if (code >= 0) {
        const bool seen =
            std::binary_search(marks.begin(), marks.end(), static_cast<std::uint32_t>(code / 2));
        stack.push_back(seen == (code % 2 == 0));
      } else if (code == always || code == never) {
        stack.push_back(code == always);
      } else {
        const bool y = stack.back();
        stack.pop_back();
        stack.back() = code == conjunction ? stack.back() && y : stack.back() || y;
      }
    }
    return entry->second = stack.back();
  }

  // Letters and labels.

  void name_letters() {
    const std::size_t n = propositions_.size();
    if (one_hot_) {
      if (n > most_letters)
        throw std::length_error("read_hoa: " + std::to_string(n) + " letters; at most " +
                                std::to_string(most_letters) + " can be read");
      for (const auto& [name, offset] : propositions_) nfa_.letter(name, offset);
      letters_ = static_cast<Letter>(n);
    } else {
      if (n > most_propositions)
        throw std::length_error("read_hoa: " + std::to_string(n) +
                                " propositions, whose valuations are letters; at most " +
                                std::to_string(most_propositions) + " can be read");
      letters_ = Letter{1} << n;
      for (Letter a = 0; a < letters_; ++a) {
        std::string name;
        for (std::size_t i = 0; i < n; ++i) {
          if (i > 0) name += '&';
          if ((a >> i & 1) == 0) name += '!';
          name += propositions_[i].first;
        }
        const std::size_t before = nfa_.letters();
        nfa_.letter(n == 0 ? "t" : name, n == 0 ? 0 : propositions_[0].second);
        if (nfa_.letters() == before)
          lexer_.throw_at(propositions_[0].second,
                          "two valuations would both be called " + logic::quote(name));
      }
    }
    words_ = (letters_ + std::size_t{63}) / 64;
  }

  /// The letters in which proposition `i` is true.
  Set letters_with(std::uint32_t i) const {
    Set set(words_, 0);
    if (one_hot_) {
      set[i / 64] |= std::uint64_t{1} << i % 64;
    } else {
      for (Letter a = 0; a < letters_; ++a)
        if ((a >> i & 1) != 0) set[a / 64] |= std::uint64_t{1} << a % 64;
    }
    return set;
  }

  void negate(Set& set) const {
    for (auto& word : set) word = ~word;
    if (letters_ % 64 != 0 && words_ > 0) set.back() &= (std::uint64_t{1} << letters_ % 64) - 1;
  }

  Set label_expression(Lexer& lexer) const {
    return read_expression<Set>(
        lexer, "a proposition, an alias, t or f",
        [&]() -> std::optional<Set> {
          const Token& token = lexer.peek();
          if (token.kind == Kind::identifier && (token.text == "t" || token.text == "f")) {
            Set set(words_, 0);
            if (token.text == "t") negate(set);
            lexer.take();
            return set;
          }
          if (token.kind == Kind::alias) {
            const auto found = aliases_.find(token.text);
            if (found == aliases_.end())
              lexer.throw_at(token.offset, "the alias " + std::string(token.text) + " is not defined before");
            lexer.take();
            return found->second;
          }
          if (token.kind != Kind::integer) return std::nullopt;
          if (token.value >= propositions_.size())
            lexer.throw_at(token.offset, "proposition " + std::to_string(token.value) + " of " +
                                             std::to_string(propositions_.size()));
          return letters_with(lexer.take().value);
        },
        [&](Set& set) { negate(set); },
        [](Set& x, char op, const Set& y) {
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = op == '&' ? x[i] & y[i] : x[i] | y[i];
        });
  }

  void define_alias(const Token& alias, Lexer lexer) {
    Set set = label_expression(lexer);
    if (lexer.peek().kind != Kind::header && lexer.peek().kind != Kind::marker)
      lexer.expected("the end of the alias");
    if (!aliases_.emplace(alias.text, std::move(set)).second)
      lexer.throw_at(alias.offset, "the alias " + std::string(alias.text) + " comes twice");
  }

  const Set* label() {
    if (!next_is("[")) return nullptr;
    lexer_.take();
    Set set = label_expression(lexer_);
    if (!next_is("]")) lexer_.expected("'&', '|' or ']'");
    lexer_.take();
    return &*labels_.insert(std::move(set)).first;
  }

  std::optional<std::vector<std::uint32_t>> marks() {
    if (!next_is("{")) return std::nullopt;
    lexer_.take();
    std::vector<std::uint32_t> sets;
    while (!next_is("}")) {
      const Token set = lexer_.peek();
      sets.push_back(integer("an acceptance set or '}'"));
      if (set.value >= sets_) no_such_set(set);
    }
    lexer_.take();
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    return sets;
  }

  // The body.

  void body() {
    while (next_is(Kind::header)) {
      if (lexer_.peek().text != "State:") lexer_.expected("'State:' or --END--");
      lexer_.take();
      state();
    }
    if (!next_is(Kind::marker) || lexer_.peek().text != "--END--") lexer_.expected("'State:' or --END--");
    const Token end = lexer_.take();
    if (!next_is(Kind::end)) lexer_.expected("the end, since a file holds one automaton");

    const std::size_t states = declared_states_.value_or(static_cast<std::uint32_t>(defined_));
    if (defined_ != states || accepts_.size() != states)
      lexer_.throw_at(end.offset, "not every state from 0 to " +
                                      std::to_string(std::max(states, accepts_.size()) - 1) +
                                      " is in the body");
    build(states);
  }

  void state() {
    const Set* const state_label = label();
    const Token number = lexer_.peek();
    const State q = integer("a state");
    // All states from 0 on are in the body, so that there are no more of them than characters.
    if (q >= declared_states_.value_or(UINT32_MAX) || q >= number.offset)
      lexer_.throw_at(number.offset, "state " + std::to_string(q) + " is more than there can be");
    if (q >= accepts_.size()) {
      accepts_.resize(q + std::size_t{1}, false);
      is_defined_.resize(q + std::size_t{1}, false);
    }
    if (is_defined_[q]) lexer_.throw_at(number.offset, "state " + std::to_string(q) + " comes twice");
    is_defined_[q] = true;
    ++defined_;
    if (next_is(Kind::string)) lexer_.take();
    const Token place = lexer_.peek();
    const auto state_marks = marks();
    if (state_marks && !state_marks->empty()) mark_place(marked_state_, place);
    accepts_[q] = holds(state_marks.value_or(std::vector<std::uint32_t>{}));

    enum class Labels { unknown, on_state, on_edges, implicit };
    Labels labels = state_label ? Labels::on_state : Labels::unknown;
    Letter edges = 0;
    while (next_is("[") || next_is(Kind::integer)) {
      const Token first = lexer_.peek();
      const Set* const edge_label = label();
      if (edge_label && labels == Labels::on_state)
        lexer_.throw_at(first.offset, "a label on an edge of a state that has a label");
      if (labels == Labels::unknown) labels = edge_label ? Labels::on_edges : Labels::implicit;
      if ((edge_label != nullptr) != (labels == Labels::on_edges))
        lexer_.throw_at(first.offset, "either all edges of a state have labels or none");
      const Token to = lexer_.peek();
      integer("a state");
      if (next_is("&")) universal();
      const Token mark = lexer_.peek();
      const auto edge_marks = marks();
      if (edge_marks && !edge_marks->empty()) mark_place(marked_edge_, mark);
      edges_.push_back({q, edge_label ? edge_label : state_label, edges++, to,
                        holds(edge_marks.value_or(std::vector<std::uint32_t>{}))});
    }
    const std::size_t valuations =
        propositions_.size() < 31 ? std::size_t{1} << propositions_.size() : SIZE_MAX;
    if (labels == Labels::implicit && edges != valuations)
      lexer_.throw_at(number.offset, "state " + std::to_string(q) + " has " + std::to_string(edges) +
                                         " edges without labels for " + std::to_string(propositions_.size()) +
                                         " propositions, not one for each valuation");
  }

  /// Marks on states and on edges do not go together: the two say different things about finite words.
  void mark_place(std::optional<std::size_t>& which, const Token& place) {
    if (!which) which = place.offset;
    if (marked_state_ && marked_edge_)
      lexer_.throw_at(place.offset,
                      "acceptance marks on states and on edges: which of them decide at the end "
                      "of a finite word is not defined");
  }

  /// With marks on edges each state is there twice: 2 q + 1 is where edges that accept lead.
  void build(std::size_t states) {
    const bool on_edges = marked_edge_.has_value();
    const State copies = on_edges ? 2 : 1;
    for (std::size_t q = 0; q < states * copies; ++q) nfa_.new_state();
    for (State q = 0; q < states; ++q) {
      if (!on_edges && accepts_[q]) nfa_.set_accepting(q);
      if (on_edges) nfa_.set_accepting(2 * q + 1);
    }
    const bool accepts_empty = on_edges && holds({});
    for (const auto& start : starts_) {
      if (start.value >= states) no_such_state(start, states);
      nfa_.set_initial(on_edges ? 2 * start.value + (accepts_empty ? 1 : 0) : start.value);
    }
    std::size_t moves = 0;
    for (const auto& edge : edges_) {
      if (edge.to.value >= states) no_such_state(edge.to, states);
      const State to = on_edges ? 2 * edge.to.value + (edge.accepts ? 1 : 0) : edge.to.value;
      const auto add = [&](Letter a) {
        if (++moves > most_moves)
          throw std::length_error("read_hoa: more than " + std::to_string(most_moves) + " moves");
        for (State copy = 0; copy < copies; ++copy) nfa_.add_move(copies * edge.from + copy, a, to);
      };
      if (edge.label != nullptr) {
        for (std::size_t i = 0; i < words_; ++i)
          for (std::uint64_t rest = (*edge.label)[i]; rest != 0; rest &= rest - 1)
            add(static_cast<Letter>(64 * i + static_cast<std::size_t>(std::countr_zero(rest))));
      } else if (!one_hot_) {
        add(edge.number);
      } else if (std::has_single_bit(edge.number)) {
        add(static_cast<Letter>(std::countr_zero(edge.number)));
      }
    }
  }

  [[noreturn]] void no_such_state(const Token& token, std::size_t states) const {
    lexer_.throw_at(token.offset, "state " + std::to_string(token.value) + " of " + std::to_string(states));
  }

  NamedNfa nfa_;
  Lexer lexer_;
  std::set<std::string_view> seen_;  // the header items
  std::optional<std::uint32_t> declared_states_;
  std::vector<Token> starts_;
  std::vector<std::pair<std::string, std::size_t>> propositions_;  // with their places
  bool one_hot_ = false;
  std::vector<std::pair<Token, Lexer>> late_;  // the aliases, with what stands behind their names
  std::uint32_t sets_ = 0;
  std::vector<std::int64_t> condition_;
  std::map<std::vector<std::uint32_t>, bool> verdicts_;  // of holds()
  std::size_t steps_ = 0;                                // that they took

  Letter letters_ = 0;
  std::size_t words_ = 0;  // of a Set
  std::map<std::string_view, Set> aliases_;
  std::set<Set> labels_;

  std::size_t defined_ = 0;
  std::vector<bool> is_defined_;
  std::vector<bool> accepts_;
  std::vector<Edge> edges_;
  std::optional<std::size_t> marked_state_;  // the first place
  std::optional<std::size_t> marked_edge_;
};

}  // namespace

Language read_hoa(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                  std::size_t max_states) {
  return Reader(text, alphabet).finish(max_states);
}

std::string to_hoa(const Language& language) {
  const Dfa& dfa = language.dfa;
  const Letter letters = dfa.letters();
  if (letters > most_letters)
    throw std::length_error("to_hoa: " + std::to_string(letters) + " letters; at most " +
                            std::to_string(most_letters) + " can be written");
  std::string text = "HOA: v1\ntool: \"hindsight\"\nStates: ";
  append(text, dfa.states());
  text += "\nStart: ";
  append(text, dfa.start());
  text += "\nAP: ";
  append(text, letters);
  for (const std::string& name : language.alphabet.names()) {
    text += " \"";
    for (const char c : name) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  // An alias for each letter: it and no other proposition.
  for (Letter a = 0; a < letters; ++a) {
    text += "\nAlias: @";
    append(text, a);
    text += ' ';
    for (Letter b = 0; b < letters; ++b) {
      if (b > 0) text += '&';
      if (b != a) text += '!';
      append(text, b);
    }
  }
  text +=
      "\nacc-name: Buchi\n"
      "Acceptance: 1 Inf(0)\n"
      "properties: trans-labels explicit-labels state-acc deterministic\n";
  (text += letters_header) += " one-hot\n--BODY--\n";
  for (State q = 0; q < dfa.states(); ++q) {
    text += "State: ";
    append(text, q);
    text += dfa.is_accepting(q) ? " {0}\n" : "\n";
    std::map<State, std::vector<Letter>> moves;
    for (Letter a = 0; a < letters; ++a) moves[dfa.next(q, a)].push_back(a);
    for (const auto& [to, by] : moves) {
      for (std::size_t i = 0; i < by.size(); ++i) {
        text += i == 0 ? "[@" : "|@";
        append(text, by[i]);
      }
      text += "] ";
      append(text, to);
      text += '\n';
    }
  }
  return text += "--END--\n";
}

}  // namespace automata
