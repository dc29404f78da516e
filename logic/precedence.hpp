// Operator precedence: from a row of tokens to postfix order, for formulas and regular expressions alike.
//
// Dijkstra's shunting yard.  The stack is a vector, so nesting costs heap; every token is pushed and popped
// at most once, so the time is linear.
#pragma once

#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logic {

enum class Role : std::uint8_t { operand, prefix, postfix, infix, open, close };

/// What a token is to its neighbours.
struct Syntax {
  Role role = Role::operand;
  int binding = 0;             // of an operator: the greater, the tighter
  bool right = false;          // of an infix operator: whether it groups to the right
  std::string_view text = {};  // the token, inside the whole text
};

/// The operands and operators of `tokens` in postfix order.
///
/// A Token has a member `syntax`.  Where an operand follows another, `juxtaposition` (an infix operator, when
/// there is one) is put between.  Throws ParseError, with `operand` as the name of what can be an operand,
/// where the tokens are no expression.  `text` is what the tokens were read from.
template <class Token>
std::vector<Token> postfix_order(std::string_view text, std::vector<Token> tokens, const std::string& operand,
                                 const std::optional<Token>& juxtaposition = std::nullopt) {
  std::vector<Token> done;
  std::vector<Token> waiting;  // operators whose right operand is not complete, and open brackets
  std::size_t open = 0;
  bool complete = false;  // whether an operand ends here
  done.reserve(tokens.size());

  const auto offset = [&](const Token& token) {
    return static_cast<std::size_t>(token.syntax.text.data() - text.data());
  };
  const auto refuse = [&](std::size_t place, std::size_t bytes) {
    const std::string expected = !complete  ? operand
                                 : open > 0 ? "an operator or ')'"
                                            : "an operator or the end";
    throw ParseError(text, place, "expected " + expected + ", found " + found(text, place, bytes));
  };
  const auto settle = [&] {
    done.push_back(std::move(waiting.back()));
    waiting.pop_back();
  };
  // What binds tighter than the operator to come, or as tight and groups to the left, has all its operands.
  const auto settle_before = [&](const Syntax& next) {
    while (!waiting.empty() && waiting.back().syntax.role != Role::open &&
           (waiting.back().syntax.binding > next.binding ||
            (waiting.back().syntax.binding == next.binding && !next.right)))
      settle();
  };

  for (Token& token : tokens) {
    const Syntax syntax = token.syntax;
    const bool starts_operand =
        syntax.role == Role::operand || syntax.role == Role::prefix || syntax.role == Role::open;
    if (complete && starts_operand && juxtaposition) {
      settle_before(juxtaposition->syntax);
      waiting.push_back(*juxtaposition);
      complete = false;
    }
    if (complete == starts_operand || (syntax.role == Role::close && open == 0))
      refuse(offset(token), syntax.text.size());
    switch (syntax.role) {
      case Role::operand:
        done.push_back(std::move(token));
        complete = true;
        break;
      case Role::prefix: waiting.push_back(std::move(token)); break;
      case Role::open:
        waiting.push_back(std::move(token));
        ++open;
        break;
      case Role::postfix:
        settle_before(syntax);
        done.push_back(std::move(token));
        break;
      case Role::infix:
        settle_before(syntax);
        waiting.push_back(std::move(token));
        complete = false;
        break;
      case Role::close:
        while (waiting.back().syntax.role != Role::open) settle();
        waiting.pop_back();
        --open;
        break;
    }
  }
  if (!complete || open > 0) refuse(text.size(), 0);
  while (!waiting.empty()) settle();
  return done;
}

}  // namespace logic
