#include "automata/att.hpp"

#include "automata/digits.hpp"
#include "automata/named_nfa.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace automata {
namespace {

bool is_epsilon(std::string_view symbol) {
  return symbol == "<eps>" || symbol == "@0@" || symbol == "@_EPSILON_SYMBOL_@";
}

/// The symbols of foma and HFST that stand for many letters.
bool is_wildcard(std::string_view symbol) {
  return symbol == "@_IDENTITY_SYMBOL_@" || symbol == "@_UNKNOWN_SYMBOL_@";
}

/// Reads AT&T text line by line.
class Reader {
 public:
  Reader(std::string_view text, const std::optional<logic::Alphabet>& alphabet)
      : text_(text), nfa_(text, alphabet) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin, end);
      begin = end + 1;
    }
  }

  Language finish(std::size_t max_states) {
    if (first_source_)
      nfa_.set_initial(*first_source_);
    else if (nfa_.states() > 0)
      nfa_.set_initial(0);
    return nfa_.finish(NamedNfa::Order::by_name, max_states);
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
      case 1: nfa_.set_accepting(state(fields[0])); return;
      case 5: require_no_weight(fields[4]); [[fallthrough]];
      case 4:
        if (fields[2].text != fields[3].text)
          throw logic::ParseError(
              text_, fields[3].offset,
              "a transducer: the output " + found(fields[3]) + " is not the input " + found(fields[2]));
        [[fallthrough]];
      case 3: {
        const State from = state(fields[0]);
        const State to = state(fields[1]);
        nfa_.add_move(from, symbol(fields[2]), to);
        if (!first_source_) first_source_ = from;
        return;
      }
      default:
        throw logic::ParseError(text_, fields[5].offset,
                                "expected the end of the line, since a move has at most five fields: source, "
                                "destination, input, output, weight");
    }
  }

  std::string found(const Field& field) const { return logic::found(text_, field.offset, field.text.size()); }

  State state(const Field& field) {
    State number = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, number);
    if (result.ec != std::errc{} || result.ptr != end)
      throw logic::ParseError(text_, field.offset,
                              "expected a state, a number below 2^32, found " + found(field));
    const auto [entry, is_new] = numbers_.emplace(number, nfa_.states());
    if (is_new) nfa_.new_state();
    return entry->second;
  }

  std::optional<Letter> symbol(const Field& field) {
    if (is_epsilon(field.text)) return std::nullopt;
    if (is_wildcard(field.text))
      throw logic::ParseError(text_, field.offset, found(field) + " stands for letters that are not named");
    return nfa_.letter(field.text, field.offset);
  }

  void require_no_weight(const Field& field) const {
    double weight = 1;
    const char* const end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, weight);
    if (result.ec != std::errc{} || result.ptr != end || weight != 0)
      throw logic::ParseError(text_, field.offset,
                              "expected no weight, or the weight 0, found " + found(field));
  }

  std::string_view text_;
  NamedNfa nfa_;
  std::unordered_map<State, State> numbers_;  // from the file's numbers to ours, in the order of their coming
  std::optional<State> first_source_;
  std::vector<Field> fields_;  // of the line that is read
};

}  // namespace

Language read_att(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                  std::size_t max_states) {
  return Reader(text, alphabet).finish(max_states);
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

}  // namespace automata
