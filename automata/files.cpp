#include "automata/files.hpp"

#include "automata/minimize.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

namespace automata {
namespace {

void append(std::string& text, State q) {
  char digits[10];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), q).ptr;
  text.append(digits, end);
}

bool is_epsilon(std::string_view symbol) {
  return symbol == "<eps>" || symbol == "@0@" || symbol == "@_EPSILON_SYMBOL_@";
}

/// The symbols of foma and HFST that stand for many letters.
bool is_wildcard(std::string_view symbol) {
  return symbol == "@_IDENTITY_SYMBOL_@" || symbol == "@_UNKNOWN_SYMBOL_@";
}

/// Reads AT&T text line by line.
class AttReader {
 public:
  AttReader(std::string_view text, const std::optional<logic::Alphabet>& alphabet)
      : text_(text), alphabet_(alphabet) {
    logic::require_utf8(text);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin, end);
      begin = end + 1;
    }
  }

  Language finish(std::size_t max_states) {
    if (!alphabet_) {
      if (symbols_.empty())
        throw logic::ParseError(text_, text_.size(), "no letter occurs, so the alphabet has to be given");
      std::vector<std::string> names;
      for (const auto& [name, number] : symbols_) names.emplace_back(name);
      alphabet_.emplace(std::move(names));
    }
    // The numbers that symbols got in the order of their coming, as letters.
    std::vector<Letter> letter_of(symbols_.size());
    for (const auto& [name, number] : symbols_) letter_of[number] = *alphabet_->find(name);
    for (auto& move : nfa_.moves)
      if (move.letter) move.letter = letter_of[*move.letter];
    nfa_.letters = alphabet_->size();
    nfa_.states = static_cast<State>(numbers_.size());
    if (!nfa_.moves.empty())
      nfa_.initial = {nfa_.moves.front().from};
    else if (nfa_.states > 0)
      nfa_.initial = {0};
    Dfa dfa = minimize(determinize(nfa_, max_states));
    return {std::move(*alphabet_), std::move(dfa)};
  }

 private:
  struct Field {
    std::string_view text;
    std::size_t offset;
  };

  void read_line(std::size_t begin, std::size_t end) {
    constexpr std::string_view space = " \t\r\v\f";
    std::vector<Field>& fields = fields_;
    fields.clear();
    const std::string_view line = text_.substr(0, end);
    for (std::size_t i = line.find_first_not_of(space, begin); i < end;
         i = line.find_first_not_of(space, i)) {
      const std::size_t stop = std::min(line.find_first_of(space, i), end);
      fields.push_back({line.substr(i, stop - i), i});
      i = stop;
    }
    switch (fields.size()) {
      case 0: return;
      case 2: require_no_weight(fields[1]); [[fallthrough]];
      case 1: nfa_.accepting.push_back(state(fields[0])); return;
      case 5: require_no_weight(fields[4]); [[fallthrough]];
      case 4:
        if (fields[2].text != fields[3].text)
          throw logic::ParseError(text_, fields[3].offset,
                                  "a transducer: the output '" + std::string(fields[3].text) +
                                      "' is not the input '" + std::string(fields[2].text) + "'");
        [[fallthrough]];
      case 3: {
        const State from = state(fields[0]);
        const State to = state(fields[1]);
        nfa_.moves.push_back({from, symbol(fields[2]), to});
        return;
      }
      default:
        throw logic::ParseError(text_, fields[5].offset,
                                "expected the end of the line, since a move has at most five fields: source, "
                                "destination, input, output, weight");
    }
  }

  State state(const Field& field) {
    State number = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, number);
    if (result.ec != std::errc{} || result.ptr != end)
      throw logic::ParseError(
          text_, field.offset,
          "expected a state, a number below 2^32, found '" + std::string(field.text) + "'");
    return numbers_.emplace(number, static_cast<State>(numbers_.size())).first->second;
  }

  std::optional<Letter> symbol(const Field& field) {
    if (is_epsilon(field.text)) return std::nullopt;
    if (is_wildcard(field.text))
      throw logic::ParseError(text_, field.offset,
                              "'" + std::string(field.text) + "' stands for letters that are not named");
    const auto found = symbols_.find(field.text);
    if (found != symbols_.end()) return found->second;
    for (std::size_t i = 0; i < field.text.size();) {
      const auto c = *logic::code_point(field.text, i);
      if (logic::is_control(c.value))
        throw logic::ParseError(text_, field.offset + i, "a letter's name has a control character");
      i += c.bytes;
    }
    if (alphabet_ && !alphabet_->find(field.text))
      throw logic::ParseError(text_, field.offset,
                              logic::quote(field.text) + " is no letter of the alphabet");
    const auto number = static_cast<Letter>(symbols_.size());
    symbols_.emplace(field.text, number);
    return number;
  }

  void require_no_weight(const Field& field) const {
    double weight = 1;
    const char* const end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, weight);
    if (result.ec != std::errc{} || result.ptr != end || weight != 0)
      throw logic::ParseError(text_, field.offset,
                              "expected no weight, or the weight 0, found '" + std::string(field.text) + "'");
  }

  std::string_view text_;
  std::optional<logic::Alphabet> alphabet_;
  Nfa nfa_;
  std::unordered_map<State, State> numbers_;  // from the file's numbers to ours, in the order of their coming
  std::map<std::string_view, Letter> symbols_;  // likewise; the names sorted
  std::vector<Field> fields_;                   // of the line that is read
};

/// `text` inside a quoted string of DOT.
void append_escaped(std::string& dot, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') dot += '\\';
    dot += c;
  }
}

}  // namespace

Language read_att(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                  std::size_t max_states) {
  return AttReader(text, alphabet).finish(max_states);
}

std::string to_att(const Language& language) {
  const Dfa& dfa = language.dfa;
  for (const std::string& name : language.alphabet.names()) {
    if (name.find(' ') != std::string::npos || is_epsilon(name) || is_wildcard(name))
      throw std::invalid_argument("to_att: the letter " + logic::quote(name) + " could not be read back");
  }
  // The first source is initial, so the start state comes first.
  std::string text;
  const auto write = [&](State q) {
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const std::string& name = language.alphabet.name(a);
      append(text, q);
      text += '\t';
      append(text, dfa.next(q, a));
      ((text += '\t') += name) += '\t';
      (text += name) += '\n';
    }
    if (!dfa.is_accepting(q)) return;
    append(text, q);
    text += '\n';
  };
  write(dfa.start());
  for (State q = 0; q < dfa.states(); ++q)
    if (q != dfa.start()) write(q);
  return text;
}

std::string to_dot(const Language& language) {
  const Dfa& dfa = language.dfa;
  std::vector<std::string> names;
  for (const std::string& name : language.alphabet.names())
    names.push_back(name.find_first_of(", '") == std::string::npos ? name : logic::quote(name));

  std::string dot =
      "digraph language {\n"
      "  rankdir=LR;\n"
      "  node [shape=circle];\n"
      "  __start0 [label=\"\", shape=none];\n";
  for (State q = 0; q < dfa.states(); ++q) {
    dot += "  s";
    append(dot, q);
    dot += " [label=\"s";
    append(dot, q);
    dot += dfa.is_accepting(q) ? "\", shape=doublecircle];\n" : "\"];\n";
  }
  dot += "  __start0 -> s";
  append(dot, dfa.start());
  dot += " [label=\"\"];\n";

  std::vector<State> targets;                         // of one state, in the order of their first letters
  std::vector<std::vector<Letter>> letters;           // to each of them
  std::vector<std::size_t> place(dfa.states());       // in targets, valid where seen says so
  std::vector<State> seen(dfa.states(), UINT32_MAX);  // the last state that has this one as a target
  for (State q = 0; q < dfa.states(); ++q) {
    targets.clear();
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const State to = dfa.next(q, a);
      if (seen[to] != q) {
        seen[to] = q;
        place[to] = targets.size();
        targets.push_back(to);
        if (letters.size() < targets.size()) letters.emplace_back();
        letters[place[to]].clear();
      }
      letters[place[to]].push_back(a);
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      dot += "  s";
      append(dot, q);
      dot += " -> s";
      append(dot, targets[i]);
      dot += " [label=\"";
      for (std::size_t n = 0; n < letters[i].size(); ++n) {
        if (n > 0) dot += ", ";
        append_escaped(dot, names[letters[i][n]]);
      }
      dot += "\"];\n";
    }
  }
  dot += "}\n";
  return dot;
}

std::string to_json(const Language& language) {
  const Dfa& dfa = language.dfa;
  std::string json = "{\"alphabet\":" + nlohmann::json(language.alphabet.names()).dump() + ",\"states\":";
  append(json, dfa.states());
  json += ",\"initial\":";
  append(json, dfa.start());
  json += ",\"accepting\":[";
  for (State q = 0; q < dfa.states(); ++q) {
    if (!dfa.is_accepting(q)) continue;
    if (json.back() != '[') json += ',';
    append(json, q);
  }
  json += "],\"transitions\":[";
  for (State q = 0; q < dfa.states(); ++q) {
    json += q == 0 ? "[" : ",[";
    for (Letter a = 0; a < dfa.letters(); ++a) {
      if (a > 0) json += ',';
      append(json, dfa.next(q, a));
    }
    json += ']';
  }
  json += "]}";
  return json;
}

}  // namespace automata
