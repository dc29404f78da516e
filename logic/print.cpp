#include "logic/print.hpp"

#include "logic/text.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <variant>
#include <vector>

namespace logic {
namespace {

// How tight an operator binds, as in logic/parse.cpp.
constexpr int operand = 7;
constexpr int prefix = 6;

int binding(Kind kind) {
  switch (kind) {
    case Kind::false_:
    case Kind::true_:
    case Kind::letter:
    case Kind::first:
    case Kind::modulo: return operand;
    case Kind::negation:
    case Kind::previously:
    case Kind::yesterday:
    case Kind::window:
    case Kind::counting_window:
    case Kind::historically:
    case Kind::once: return prefix;
    case Kind::since: return 5;
    case Kind::conjunction: return 4;
    case Kind::exclusive_or: return 3;
    case Kind::disjunction: return 2;
    case Kind::implication: return 1;
    case Kind::equivalence: return 0;
  }
  return operand;
}

bool groups_right(Kind kind) {
  return kind == Kind::since || kind == Kind::implication;
}

bool is_identifier(std::string_view name) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_tail = [&](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; };
  return is_lower(name.front()) && std::all_of(name.begin(), name.end(), is_tail);
}

bool is_reserved(std::string_view name) {
  return name == "true" || name == "false" || name == "first";
}

std::string escape_for_latex(std::string_view name) {
  std::string text;
  for (const char c : name) {
    switch (c) {
      case '\\': text += "\\textbackslash{}"; break;
      case '^': text += "\\textasciicircum{}"; break;
      case '~': text += "\\textasciitilde{}"; break;
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
      case '{':
      case '}': text += '\\'; [[fallthrough]];
      default: text += c;
    }
  }
  return text;
}

std::string letter(const std::string& name, Notation notation) {
  if (notation == Notation::latex) {
    if (name.size() == 1 && is_identifier(name)) return name;
    return (is_identifier(name) ? "\\mathit{" : "\\text{") + escape_for_latex(name) + "}";
  }
  return is_identifier(name) && !is_reserved(name) ? name : quote(name);
}

/// One of three spellings.
const char* choose(Notation notation, const char* ascii, const char* unicode, const char* latex) {
  switch (notation) {
    case Notation::ascii: return ascii;
    case Notation::unicode: return unicode;
    case Notation::latex: return latex;
  }
  return ascii;
}

/// An operator or operand without its arguments; of Y, `times` in a row.
std::string symbol(const Node& f, std::uint32_t times, const Alphabet& alphabet, Notation notation) {
  const auto pick = [&](const char* ascii, const char* unicode, const char* latex) {
    return std::string(choose(notation, ascii, unicode, latex));
  };
  const bool latex = notation == Notation::latex;
  switch (f.kind) {
    case Kind::false_: return pick("false", "⊥", "\\bot");
    case Kind::true_: return pick("true", "⊤", "\\top");
    case Kind::letter: return letter(alphabet.name(f.k), notation);
    case Kind::first: return pick("first", "first", "\\mathrm{first}");
    case Kind::modulo: {
      const std::string m = std::to_string(f.k);
      const std::string r = std::to_string(f.j);
      return latex ? "\\mathrm{MOD}_{" + m + "}^{" + r + "}" : "MOD(" + m + "," + r + ")";
    }
    case Kind::negation: return pick("!", "¬", "\\neg ");
    case Kind::previously: return pick("P", "P", "\\mathbf{P}");
    case Kind::yesterday:
      if (times == 1) return pick("Y", "Y", "\\mathbf{Y}");
      return latex ? "\\mathbf{Y}^{" + std::to_string(times) + "}" : "Y^" + std::to_string(times);
    case Kind::window:
      return pick("Y<=", "Y≤", "\\mathbf{Y}^{\\le ") + std::to_string(f.k) + (latex ? "}" : "");
    case Kind::counting_window:
      return pick("Y<=", "Y≤", "\\mathbf{Y}^{\\le ") + std::to_string(f.k) + pick(">=", "≥", "}_{\\ge ") +
             std::to_string(f.j) + (latex ? "}" : "");
    case Kind::historically: return pick("H", "H", "\\mathbf{H}");
    case Kind::once: return pick("O", "O", "\\mathbf{O}");
    case Kind::conjunction: return pick("&", "∧", "\\land");
    case Kind::disjunction: return pick("|", "∨", "\\lor");
    case Kind::exclusive_or: return pick("^", "⊕", "\\oplus");
    case Kind::implication: return pick("->", "→", "\\rightarrow");
    case Kind::equivalence: return pick("<->", "↔", "\\leftrightarrow");
    case Kind::since: return pick("S", "S", "\\mathbin{\\mathbf{S}}");
  }
  return "";
}

/// A formula that is still to be written, in brackets when it binds less tightly than `least`.
struct Part {
  Formula f;
  int least;
};

}  // namespace

std::string to_string(Formula f, const Alphabet& alphabet, Notation notation, std::uint64_t max_nodes) {
  if (f->size > max_nodes)
    throw std::length_error("to_string: the formula written out has more than " + std::to_string(max_nodes) +
                            " nodes");
  std::string text;
  std::vector<std::variant<Part, std::string>> rest{Part{f, 0}};  // what is still to be written, last first
  while (!rest.empty()) {
    const auto next = std::move(rest.back());
    rest.pop_back();
    if (const auto* literal = std::get_if<std::string>(&next)) {
      text += *literal;
      continue;
    }
    const auto [g, least] = std::get<Part>(next);
    const int tightness = binding(g->kind);
    if (tightness < least) {
      text += '(';
      rest.emplace_back(")");
    }
    if (g->kind == Kind::letter && g->k >= alphabet.size())
      throw std::invalid_argument("to_string: letter " + std::to_string(g->k) + " of " +
                                  std::to_string(alphabet.size()));
    switch (arity(g->kind)) {
      case 0: text += symbol(*g, 1, alphabet, notation); break;
      case 1: {
        std::uint32_t times = 1;
        Formula argument = g->left;
        if (g->kind == Kind::yesterday) {
          Formula end = argument;
          std::uint32_t run = 1;
          for (; end->kind == Kind::yesterday; end = end->left) ++run;
          if (run >= 3) times = run, argument = end;
        }
        const std::string sign = symbol(*g, times, alphabet, notation);
        text += sign;
        // Brackets stand close to a sign, but `Y^3 (a | b)` is easier to read than `Y^3(a | b)`.
        const bool bracket = binding(argument->kind) < prefix;
        const bool is_digit = sign.back() >= '0' && sign.back() <= '9';
        if (g->kind != Kind::negation && (is_digit || !bracket))
          text += notation == Notation::latex ? "\\," : " ";
        rest.emplace_back(Part{argument, prefix});
        break;
      }
      case 2:
        rest.emplace_back(Part{g->right, groups_right(g->kind) ? tightness : tightness + 1});
        rest.emplace_back(" " + symbol(*g, 1, alphabet, notation) + " ");
        rest.emplace_back(Part{g->left, groups_right(g->kind) ? tightness + 1 : tightness});
        break;
    }
  }
  return text;
}

}  // namespace logic
