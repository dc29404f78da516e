// The document is read as a stream of events, so that each of them has a place in the text and nothing is
// kept but the moves.
#include "automata/json.hpp"

#include "automata/digits.hpp"
#include "automata/named_nfa.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include <nlohmann/json.hpp>

namespace automata {
namespace {

/// Goes over a text and tells how far it got, which is how an event learns its place.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& x, const CountingIterator& y) { return x.at_ == y.at_; }
  friend bool operator!=(const CountingIterator& x, const CountingIterator& y) { return x.at_ != y.at_; }

 private:
  const char* at_;
  const char** reached_;
};

/// Takes the events of nlohmann's parser.  What must be an array of arrays is checked by counting the arrays
/// that are open.
class Handler {
 public:
  using Json = nlohmann::json;

  Handler(std::string_view text, const std::optional<logic::Alphabet>& alphabet, const char* const* reached)
      : text_(text), nfa_(text, alphabet), reached_(reached) {}

  // What the parser calls.
  bool null() {
    if (is_ignored()) return true;
    if (key_ == Key::transitions && depth_ == 2) {
      ++entries_;
      return true;
    }
    fail_here("null");
  }
  bool boolean(bool value) {
    if (is_ignored()) return true;
    fail_here(value ? "true" : "false");
  }
  bool number_integer(Json::number_integer_t) {
    if (is_ignored()) return true;
    fail_here("a negative number");
  }
  bool number_float(Json::number_float_t, const std::string&) {
    if (is_ignored()) return true;
    fail_here("a number that is not whole, or too large");
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    if (is_ignored()) return true;
    if (value > UINT32_MAX) fail("a number of at least 2^32");
    const State q = static_cast<State>(value);
    switch (key_) {
      case Key::states:
        if (depth_ == 0) {
          states_ = q;
          return true;
        }
        break;
      case Key::initial:
        if (depth_ <= 1) {
          initial_.push_back({q, offset()});
          return true;
        }
        break;
      case Key::accepting:
        if (depth_ == 1) {
          accepting_.push_back({q, offset()});
          return true;
        }
        break;
      case Key::transitions:
        if (depth_ == 2 || depth_ == 3) {
          moves_.push_back({row_, depth_ == 2 ? entries_++ : entries_, {q, offset()}});
          return true;
        }
        break;
      case Key::alphabet:
      case Key::none:
      case Key::other: break;
    }
    fail_here("a number");
  }
  bool string(std::string& value) {
    if (is_ignored()) return true;
    if (key_ == Key::alphabet && depth_ == 1) {
      const std::size_t before = nfa_.letters();
      nfa_.letter(value, offset());
      if (nfa_.letters() == before) fail("the letter " + logic::quote(value) + " comes twice");
      return true;
    }
    fail_here("a string");
  }
  bool binary(Json::binary_t&) { fail_here("binary data"); }

  bool start_object(std::size_t) {
    if (!is_open_) {
      is_open_ = true;
      return true;
    }
    if (is_ignored()) {
      ++depth_;
      return true;
    }
    fail_here("an object");
  }
  bool end_object() {
    if (depth_ > 0) --depth_;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ > 0) return true;
    const auto found = std::find(names.begin(), names.end(), name);
    key_ = found == names.end() ? Key::other : static_cast<Key>(found - names.begin());
    if (key_ == Key::other) return true;
    bool& seen = seen_[static_cast<std::size_t>(key_)];
    if (seen) fail("the key \"" + name + "\" comes twice");
    seen = true;
    return true;
  }
  bool start_array(std::size_t) {
    const bool fits = is_ignored() || (depth_ < deepest());
    if (!fits) fail_here("an array");
    if (key_ == Key::transitions && depth_ == 1) entries_ = 0;
    ++depth_;
    return true;
  }
  bool end_array() {
    --depth_;
    if (key_ != Key::transitions) return true;
    if (depth_ == 2) ++entries_;
    if (depth_ == 1) {
      rows_.push_back({entries_, offset()});
      ++row_;
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    throw logic::ParseError(text_, at, "expected JSON, found " + logic::found(text_, at));
  }

  Language finish(std::size_t max_states) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!seen_[i]) throw_at(text_.size(), "the key \"" + std::string(names[i]) + "\" is missing");
    if (rows_.size() != states_)
      throw_at(rows_.empty() ? text_.size() : rows_.back().offset,
               "transitions has " + std::to_string(rows_.size()) + " rows for " + std::to_string(states_) +
                   " states");
    for (std::size_t q = 0; q < rows_.size(); ++q) {
      if (rows_[q].value != nfa_.letters())
        throw_at(rows_[q].offset, "row " + std::to_string(q) + " of transitions has " +
                                      std::to_string(rows_[q].value) + " entries for " +
                                      std::to_string(nfa_.letters()) + " letters");
    }
    for (State q = 0; q < states_; ++q) nfa_.new_state();
    const auto checked = [&](const Place& place) {
      if (place.value >= states_)
        throw_at(place.offset, "state " + std::to_string(place.value) + " of " + std::to_string(states_));
      return place.value;
    };
    for (const auto& place : initial_) nfa_.set_initial(checked(place));
    for (const auto& place : accepting_) nfa_.set_accepting(checked(place));
    for (const auto& move : moves_) nfa_.add_move(move.from, move.letter, checked(move.to));
    return nfa_.finish(NamedNfa::Order::as_they_came, max_states);
  }

 private:
  enum class Key : std::size_t { alphabet, states, initial, accepting, transitions, none, other };
  static constexpr std::array<std::string_view, 5> names{"alphabet", "states", "initial", "accepting",
                                                         "transitions"};
  struct Place {
    State value;
    std::size_t offset;
  };
  struct Move {
    State from;
    Letter letter;
    Place to;
  };

  bool is_ignored() const { return key_ == Key::other; }

  /// How many arrays may be open under the key.
  std::size_t deepest() const {
    switch (key_) {
      case Key::alphabet:
      case Key::initial:
      case Key::accepting: return 1;
      case Key::transitions: return 3;
      case Key::states:
      case Key::none:
      case Key::other: return 0;
    }
    return 0;
  }

  /// Where the token that has just been read ends, or begins where that is easy to find.
  std::size_t offset() const {
    auto i = static_cast<std::size_t>(*reached_ - text_.data());
    const auto is_digit = [&](std::size_t at) { return text_[at] >= '0' && text_[at] <= '9'; };
    if (i > 0) --i;
    if (i > 0 && !is_digit(i) && is_digit(i - 1)) --i;  // the parser looks at the character behind a number
    while (i > 0 && is_digit(i) && is_digit(i - 1)) --i;
    return std::min(i, text_.size());
  }

  [[noreturn]] void throw_at(std::size_t offset, const std::string& message) const {
    throw logic::ParseError(text_, offset, message);
  }
  [[noreturn]] void fail(const std::string& message) const { throw_at(offset(), message); }
  [[noreturn]] void fail_here(const std::string& what) const {
    switch (key_) {
      case Key::alphabet: fail("alphabet is a list of strings, not " + what);
      case Key::states: fail("states is a number, not " + what);
      case Key::initial: fail("initial is a state or a list of states, not " + what);
      case Key::accepting: fail("accepting is a list of states, not " + what);
      case Key::transitions:
        fail("transitions is a list of rows, and an entry of a row is a state, a list of states or null; " +
             what + " does not fit");
      case Key::none:
      case Key::other: break;
    }
    fail("expected an object with the keys alphabet, states, initial, accepting and transitions, found " +
         what);
  }

  std::string_view text_;
  NamedNfa nfa_;
  const char* const* reached_;
  bool is_open_ = false;  // the object around everything
  Key key_ = Key::none;
  std::size_t depth_ = 0;  // how many arrays, and objects under an ignored key, are open inside it
  std::array<bool, names.size()> seen_{};
  State states_ = 0;
  std::vector<Place> initial_;
  std::vector<Place> accepting_;
  std::vector<Move> moves_;
  std::vector<Place> rows_;  // how many entries each row has
  State row_ = 0;
  State entries_ = 0;  // of the row that is read
};

}  // namespace

Language read_json(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                   std::size_t max_states) {
  const char* reached = text.data();
  Handler handler(text, alphabet, &reached);
  nlohmann::json::sax_parse(CountingIterator(text.data(), &reached),
                            CountingIterator(text.data() + text.size(), &reached), &handler);
  return handler.finish(max_states);
}

std::string to_json(const Language& language) {
  const Dfa& dfa = language.dfa;
  const std::size_t digits = std::to_string(dfa.states()).size();
  std::string json;
  json.reserve((dfa.table().size() + 3 * std::size_t{dfa.states()}) * (digits + 1));  // nearly all of it
  json += "{\"alphabet\":" + nlohmann::json(language.alphabet.names()).dump() + ",\"states\":";
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
