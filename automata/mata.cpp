// The format: https://github.com/VeriFIT/mata, AUTOMATAFORMAT.md.
#include "automata/mata.hpp"

#include "automata/digits.hpp"
#include "automata/named_nfa.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace automata {
namespace {

bool is_operator(char c) {
  return c == '&' || c == '|' || c == '!' || c == '(' || c == ')';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

class Reader {
 public:
  Reader(std::string_view text, const std::optional<logic::Alphabet>& alphabet)
      : text_(text), nfa_(text, alphabet) {
    while (read_line()) {
      if (tokens_.empty()) continue;
      const Token& first = tokens_.front();
      if (is_special(first, '@'))
        section();
      else if (!in_section_)
        throw_at(first.offset, "expected @NFA-explicit, found " + found(first));
      else if (is_special(first, '%'))
        key();
      else
        transition();
    }
    if (!in_section_) throw_at(text.size(), "expected @NFA-explicit, found the end");
  }

  Language finish(std::size_t max_states) {
    // What `true` and the complement mean depends on all the states, so it is settled at the end.
    if (accepts_all_but_) {
      std::vector<bool> excepted(nfa_.states(), false);
      for (const auto& token : final_)
        if (!is(token, "&") && !is(token, "!")) excepted[nfa_.state(token.text)] = true;
      for (State q = 0; q < excepted.size(); ++q)
        if (!excepted[q]) nfa_.set_accepting(q);
    }
    const auto order = enumerates_letters_ ? NamedNfa::Order::as_they_came : NamedNfa::Order::by_name;
    return nfa_.finish(order, max_states);
  }

 private:
  struct Token {
    std::string text;
    std::size_t offset;
    bool quoted;
  };

  [[noreturn]] void throw_at(std::size_t offset, const std::string& message) const {
    throw logic::ParseError(text_, offset, message);
  }

  std::string found(const Token& token) const {
    std::size_t end = token.offset;
    while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '\n') ++end;
    return logic::found(text_, token.offset, end - token.offset);
  }

  static bool is(const Token& token, std::string_view text) { return !token.quoted && token.text == text; }
  static bool is_special(const Token& token, char first) {
    return !token.quoted && token.text.front() == first;
  }

  /// The tokens of the next line, and of those that a backslash at its end joins to it; false at the end.
  bool read_line() {
    tokens_.clear();
    if (next_ >= text_.size()) return false;
    while (next_ < text_.size()) {
      const char c = text_[next_];
      if (c == '\n') {
        ++next_;
        return true;
      }
      if (is_blank(c)) {
        ++next_;
      } else if (c == '#') {
        next_ = std::min(text_.find('\n', next_), text_.size());
      } else if (c == '\\' && joins_lines()) {
        next_ = std::min(text_.find('\n', next_), text_.size() - 1) + 1;
      } else if (c == '"') {
        read_quoted();
      } else if (is_operator(c)) {
        tokens_.push_back({std::string(1, c), next_++, false});
      } else {
        const std::size_t begin = next_;
        while (next_ < text_.size() && !is_blank(text_[next_]) && text_[next_] != '\n' &&
               text_[next_] != '#' && !is_operator(text_[next_]) &&
               !(text_[next_] == '\\' && joins_lines())) {
          if (text_[next_] == '"') throw_at(next_, "a quote inside a name that is not quoted");
          ++next_;
        }
        tokens_.push_back({std::string(text_.substr(begin, next_ - begin)), begin, false});
      }
    }
    return true;
  }

  /// Whether nothing but blanks stands behind the backslash in its line.
  bool joins_lines() const {
    std::size_t i = next_ + 1;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    return i == text_.size() || text_[i] == '\n';
  }

  void read_quoted() {
    Token token{"", next_++, true};
    while (true) {
      if (next_ >= text_.size() || text_[next_] == '\n')
        throw_at(next_, "expected a closing quote, found the end of the line");
      char c = text_[next_++];
      if (c == '"') break;
      if (c == '\\') {
        if (next_ >= text_.size() || (text_[next_] != '"' && text_[next_] != '\\'))
          throw_at(next_, "expected a quote or a backslash after a backslash between quotes, found " +
                              logic::found(text_, next_));
        c = text_[next_++];
      }
      token.text += c;
    }
    if (next_ < text_.size() && !is_blank(text_[next_]) && text_[next_] != '\n' && text_[next_] != '#' &&
        !is_operator(text_[next_]))
      throw_at(next_, "expected a space behind a closing quote, found " + logic::found(text_, next_));
    tokens_.push_back(std::move(token));
  }

  void section() {
    if (in_section_) throw_at(tokens_.front().offset, "a second section: a file holds one automaton");
    if (tokens_.front().text != "@NFA-explicit")
      throw_at(tokens_.front().offset,
               "only sections @NFA-explicit are read, found " + found(tokens_.front()));
    if (tokens_.size() > 1)
      throw_at(tokens_[1].offset, "expected the end of the line, found " + found(tokens_[1]));
    in_section_ = true;
  }

  void key() {
    const std::string name = tokens_.front().text.substr(1);
    if (name == "Initial") {
      for (const auto& token : names_in_key(true)) nfa_.set_initial(nfa_.state(token.text));
    } else if (name == "Final") {
      final_states();
    } else if (name == "Alphabet-enum") {
      if (nfa_.letters() > 0 && !enumerates_letters_)
        throw_at(tokens_.front().offset, "%Alphabet-enum has to stand before the transitions");
      enumerates_letters_ = true;
      for (const auto& token : names_in_key(false)) nfa_.letter(token.text, token.offset);
    } else if (name == "States-enum") {
      for (const auto& token : names_in_key(false)) nfa_.state(token.text);
    } else if (name == "Alphabet-auto" || name == "Alphabet-marked" || name == "Alphabet-markers" ||
               name == "States-auto" || name == "States-marked" || name == "States-markers") {
      if (tokens_.size() > 1)
        throw_at(tokens_[1].offset, "expected the end of the line, found " + found(tokens_[1]));
    } else {
      throw_at(tokens_.front().offset, "the key " + found(tokens_.front()) + " is not read");
    }
  }

  /// The tokens behind the key, which must be names; bars between them are left out.
  std::vector<Token> names_in_key(bool bars) const {
    std::vector<Token> names;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (bars && is(tokens_[i], "|")) {
        if (i == 1 || i + 1 == tokens_.size() || is(tokens_[i - 1], "|"))
          throw_at(tokens_[i].offset, "expected a name, found '|'");
        continue;
      }
      require_name(tokens_[i]);
      names.push_back(tokens_[i]);
    }
    return names;
  }

  void require_name(const Token& token) const {
    const bool special = !token.quoted && (is_operator(token.text.front()) || token.text.front() == '@' ||
                                           token.text.front() == '%' || token.text.front() == '\\');
    if (special) throw_at(token.offset, "expected a name, found " + found(token));
    if (token.text.empty()) throw_at(token.offset, "a name is empty");
  }

  /// A list of states; `true`, `false`; or a conjunction of negations: all states but these.
  void final_states() {
    if (accepts_all_but_) throw_at(tokens_.front().offset, "a second %Final beside a formula");
    const bool is_constant = tokens_.size() == 2 && (is(tokens_[1], "true") || is(tokens_[1], "\\true") ||
                                                     is(tokens_[1], "false") || is(tokens_[1], "\\false"));
    const bool is_complement = tokens_.size() > 1 && is(tokens_[1], "!");
    if ((is_constant || is_complement) && has_final_)
      throw_at(tokens_[1].offset, "a formula beside another %Final");
    has_final_ = true;
    if (is_constant) {
      accepts_all_but_ = tokens_[1].text.ends_with("true");
      if (!accepts_all_but_) is_closed_ = true;
    } else if (is_complement) {
      for (std::size_t i = 1; i < tokens_.size(); ++i) {
        const std::size_t part = (i - 1) % 3;  // ! name &
        if (part == 1)
          require_name(tokens_[i]);
        else if (!is(tokens_[i], part == 0 ? "!" : "&"))
          throw_at(tokens_[i].offset,
                   std::string("expected '") + (part == 0 ? '!' : '&') + "', found " + found(tokens_[i]));
      }
      if ((tokens_.size() - 1) % 3 != 2)
        throw_at(tokens_.back().offset, "expected a name behind " + found(tokens_.back()));
      accepts_all_but_ = true;
      final_.assign(tokens_.begin() + 1, tokens_.end());
      for (const auto& token : final_)
        if (!is(token, "&") && !is(token, "!")) nfa_.state(token.text);
    } else {
      if (is_closed_) throw_at(tokens_.front().offset, "a second %Final beside a formula");
      for (const auto& token : names_in_key(true)) nfa_.set_accepting(nfa_.state(token.text));
    }
  }

  void transition() {
    if (tokens_.size() == 4 && is(tokens_[2], "&")) tokens_.erase(tokens_.begin() + 2);
    for (const auto& token : tokens_) require_name(token);
    if (tokens_.size() < 3)
      throw_at(tokens_.front().offset, "expected a transition, source letter target, found " +
                                           std::to_string(tokens_.size()) + " of the three");
    if (tokens_.size() > 3)
      throw_at(tokens_[3].offset, "expected the end of the transition, found " + found(tokens_[3]));
    const State from = nfa_.state(tokens_[0].text);
    const std::size_t before = nfa_.letters();
    const Letter a = nfa_.letter(tokens_[1].text, tokens_[1].offset);
    if (enumerates_letters_ && nfa_.letters() != before)
      throw_at(tokens_[1].offset, logic::quote(tokens_[1].text) + " is not in %Alphabet-enum");
    nfa_.add_move(from, a, nfa_.state(tokens_[2].text));
  }

  std::string_view text_;
  NamedNfa nfa_;
  std::size_t next_ = 0;       // what comes after the lines that are read
  std::vector<Token> tokens_;  // of the line that is read
  bool in_section_ = false;
  bool enumerates_letters_ = false;
  bool has_final_ = false;
  bool is_closed_ = false;  // %Final false
  bool accepts_all_but_ = false;
  std::vector<Token> final_;  // then these
};

std::string quoted(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (std::all_of(name.begin(), name.end(), is_plain)) return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text += '"';
}

}  // namespace

Language read_mata(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                   std::size_t max_states) {
  return Reader(text, alphabet).finish(max_states);
}

std::string to_mata(const Language& language) {
  const Dfa& dfa = language.dfa;
  std::vector<std::string> names;
  for (const std::string& name : language.alphabet.names()) names.push_back(quoted(name));
  std::string text = "@NFA-explicit\n%Alphabet-auto\n%Initial q";
  append(text, dfa.start());
  text += "\n%Final";
  for (State q = 0; q < dfa.states(); ++q) {
    if (!dfa.is_accepting(q)) continue;
    text += " q";
    append(text, q);
  }
  text += '\n';
  for (State q = 0; q < dfa.states(); ++q) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      text += 'q';
      append(text, q);
      ((text += ' ') += names[a]) += " q";
      append(text, dfa.next(q, a));
      text += '\n';
    }
  }
  return text;
}

}  // namespace automata
