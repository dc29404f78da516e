#include "automata/class_failure.hpp"

#include "automata/equation.hpp"
#include "automata/product.hpp"
#include "automata/walks.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

namespace automata {

namespace {

using enum LanguageClass;

constexpr std::size_t max_letters_written = 2'000'000;

const Word* value_of(const Failure& failure, char variable) {
  for (const auto& [letter, word] : failure.values)
    if (letter == variable) return &word;
  return nullptr;
}

bool has_content_condition(LanguageClass c) {
  return c == piecewise_testable || c == l_trivial || c == da;
}

// A mistake of ours when it does not replay.
Failure checked(const Dfa& dfa, Failure f) {
  const bool replays = replay(dfa, f);
  assert(replays);
  if (!replays)
    throw std::logic_error("classes: the words against " + std::string(name(f.language_class)) +
                           " do not replay");
  return f;
}

}  // namespace

// Runs words and compares states; nothing here knows how the words were found.
bool replay(const Dfa& dfa, const Failure& f) {
  const auto valid = [&](const Word& word) {
    return std::all_of(word.begin(), word.end(), [&](Letter a) { return a < dfa.letters(); });
  };
  if (!valid(f.prefix) || !valid(f.suffix)) return false;
  for (const auto& [letter, word] : f.values)
    if (!valid(word) || word.empty()) return false;
  const std::string_view equations = describe(f.language_class).equations;
  if (f.equation.empty() || equations.find(f.equation) == equations.npos) return false;
  for (const char c : f.equation)
    if (c >= 'a' && c <= 'z' && value_of(f, c) == nullptr) return false;
  const State p = dfa.run(dfa.start(), f.prefix);

  if (f.language_class == finite || f.language_class == cofinite) {
    const bool in = f.language_class == finite;
    const Word& u = *value_of(f, 'u');
    const auto& shown = in ? f.in : f.out;
    return dfa.run(p, u) == p && dfa.is_accepting(dfa.run(p, f.suffix)) == in && f.exponent == 1 &&
           shown == join(f.prefix, u, f.suffix) && !(in ? f.out : f.in);
  }
  if (f.equation.find(" = ") == f.equation.npos) return false;
  if (has_content_condition(f.language_class)) {
    const Word& u = *value_of(f, 'u');
    for (const Letter a : *value_of(f, 'v'))
      if (std::find(u.begin(), u.end(), a) == u.end()) return false;
  }
  const auto [left, right] = sides(f.equation);
  const Side side[] = {{left, f.values}, {right, f.values}};
  State end[2];
  std::optional<Word> word[2];
  for (const int i : {0, 1}) {
    end[i] = side[i].run(dfa, p, std::nullopt);
    auto written = side[i].write(f.exponent, max_letters_written);
    if (!written || dfa.run(p, *written) != end[i]) return false;
    word[i] = join(f.prefix, *written, f.suffix);
  }
  const bool accepted = dfa.is_accepting(dfa.run(end[0], f.suffix));
  if (accepted == dfa.is_accepting(dfa.run(end[1], f.suffix))) return false;
  return f.in == word[accepted ? 0 : 1] && f.out == word[accepted ? 1 : 0] && dfa.accepts(*f.in) &&
         !dfa.accepts(*f.out);
}

Failure break_equation(const Dfa& dfa, LanguageClass c, std::string_view equation, Values values,
                       Word prefix) {
  Failure f;
  f.language_class = c;
  f.equation = equation;
  f.values = std::move(values);
  f.prefix = std::move(prefix);
  const State p = dfa.run(dfa.start(), f.prefix);
  const auto [left, right] = sides(equation);
  const Side side[] = {{left, f.values}, {right, f.values}};
  const State ends[] = {side[0].run(dfa, p, std::nullopt), side[1].run(dfa, p, std::nullopt)};
  if (ends[0] != ends[1]) {
    f.suffix = difference(dfa, ends[0], ends[1]).value();  // inequivalent, says the caller
    const std::uint64_t most = std::uint64_t{2} * dfa.states() + 2;
    for (f.exponent = 1; f.exponent <= most; ++f.exponent)
      if (side[0].run(dfa, p, f.exponent) == ends[0] && side[1].run(dfa, p, f.exponent) == ends[1]) break;
    const bool accepted = dfa.is_accepting(dfa.run(ends[0], f.suffix));
    const auto x = side[0].write(f.exponent, max_letters_written);
    const auto y = side[1].write(f.exponent, max_letters_written);
    if (x && y) {
      f.in = join(f.prefix, accepted ? *x : *y, f.suffix);
      f.out = join(f.prefix, accepted ? *y : *x, f.suffix);
    }
  }
  return checked(dfa, std::move(f));
}

Failure pump(const Dfa& dfa, LanguageClass c, Word u, Word prefix) {
  Failure f;
  f.language_class = c;
  f.equation = describe(c).equations;
  f.prefix = std::move(prefix);
  const auto after = breadth_first(Graph{dfa.table(), dfa.letters()}, dfa.run(dfa.start(), f.prefix));
  const auto end = std::find_if(after.order.begin(), after.order.end(),
                                [&](State q) { return dfa.is_accepting(q) == (c == finite); });
  f.suffix = after.word_to(*end);
  (c == finite ? f.in : f.out) = join(f.prefix, u, f.suffix);
  f.values.emplace_back('u', std::move(u));
  return checked(dfa, std::move(f));
}

}  // namespace automata
