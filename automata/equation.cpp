#include "automata/equation.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace automata {

namespace {

struct Factor {
  std::string_view inside;  // of the brackets, or empty
  char variable;
  bool omega;
};

// Takes the first factor off `text`; none at its end.
std::optional<Factor> take(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '1')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Factor factor{{}, text.front(), false};
  std::size_t length = 1;
  if (text.front() == '(') {
    for (int depth = 1; depth > 0; ++length) depth += text[length] == '(' ? 1 : text[length] == ')' ? -1 : 0;
    factor.inside = text.substr(1, length - 2);
  }
  text.remove_prefix(length);
  if (!text.empty() && text.front() == '^') {
    factor.omega = true;
    text.remove_prefix(1);
  }
  return factor;
}

const Word& value(const Values& values, char variable) {
  for (const auto& [letter, word] : values)
    if (letter == variable) return word;
  throw std::logic_error(std::string("Side: no word for ") + variable);
}

// Nesting is that of the brackets.
State run_text(const Dfa& dfa, std::string_view text, const Values& values, State q,
               std::optional<std::uint64_t> exponent) {
  while (const auto factor = take(text)) {
    const auto once = [&](State p) {
      return factor->inside.empty() ? dfa.run(p, value(values, factor->variable))
                                    : run_text(dfa, factor->inside, values, p, exponent);
    };
    if (!factor->omega) {
      q = once(q);
    } else if (exponent) {
      for (std::uint64_t i = 0; i < *exponent; ++i) q = once(q);
    } else {
      // The idempotent power is the m-th for a multiple m of the length of the cycle that q runs into, m at
      // least the number of steps to it.
      std::vector<State> orbit{q};
      std::size_t entry = 0;
      while (true) {
        const State next = once(orbit.back());
        entry = static_cast<std::size_t>(std::find(orbit.begin(), orbit.end(), next) - orbit.begin());
        if (entry < orbit.size()) break;
        orbit.push_back(next);
      }
      const std::size_t cycle = orbit.size() - entry;
      q = orbit[(entry + cycle - 1) / cycle * cycle];
    }
  }
  return q;
}

bool write_text(std::string_view text, const Values& values, std::uint64_t exponent, std::size_t max_letters,
                Word& word) {
  while (const auto factor = take(text)) {
    for (std::uint64_t i = 0; i < (factor->omega ? exponent : 1); ++i) {
      if (factor->inside.empty()) {
        const Word& more = value(values, factor->variable);
        word.insert(word.end(), more.begin(), more.end());
      } else if (!write_text(factor->inside, values, exponent, max_letters, word)) {
        return false;
      }
      if (word.size() > max_letters) return false;
    }
  }
  return true;
}

}  // namespace

State Side::run(const Dfa& dfa, State q, std::optional<std::uint64_t> exponent) const {
  return run_text(dfa, text_, values_, q, exponent);
}

std::optional<Word> Side::write(std::uint64_t exponent, std::size_t max_letters) const {
  Word word;
  if (!write_text(text_, values_, exponent, max_letters, word)) return std::nullopt;
  return word;
}

std::pair<std::string_view, std::string_view> sides(std::string_view equation) {
  const auto at = equation.find(" = ");
  return {equation.substr(0, at), equation.substr(at + 3)};
}

Word join(const Word& x, const Word& y, const Word& z) {
  Word word(x);
  word.insert(word.end(), y.begin(), y.end());
  word.insert(word.end(), z.begin(), z.end());
  return word;
}

}  // namespace automata
