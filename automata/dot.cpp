// The grammar of DOT is read by Boost.Graph, which names no places in its errors, knows Unicode only between
// quotes and takes long tokens badly.  So the text is cut into tokens here, and Boost gets one in which each
// name is a short stand-in that tells where it comes from.  The place of an error in the grammar is the end
// of the shortest beginning of the token list that has it.
#include "automata/dot.hpp"

#include "automata/components.hpp"
#include "automata/digits.hpp"
#include "automata/named_nfa.hpp"
#include "logic/parse_error.hpp"
#include "logic/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/range/iterator_range.hpp>

namespace automata {
namespace {

constexpr std::size_t most_nested = 200;  // Boost's parser recurses for each subgraph
constexpr std::size_t most_copies = 100'000'000;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Token {
  std::string text;  // as Boost gets it
  std::size_t offset;
};

/// The attributes that are read; they keep their names.
constexpr std::array<std::string_view, 3> attributes{"label", "shape", "peripheries"};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    while (skip(), next_ < text_.size()) read_token();
    require_few_edges();
  }

  const std::vector<Token>& tokens() const { return tokens_; }

  /// The name that `stand_in` stands for.
  const std::string& name(std::string_view stand_in) const {
    std::size_t i = 0;
    std::from_chars(stand_in.data() + 1, stand_in.data() + stand_in.size(), i);
    return *names_.at(i);
  }

  struct Value {
    std::string text;  // escapes for Graphviz are still in it
    std::size_t offset;
  };
  /// The value of an attribute.
  const Value& value(std::string_view stand_in) const {
    std::size_t i = 0;
    std::from_chars(stand_in.data() + 1, stand_in.data() + stand_in.size(), i);
    return values_.at(i);
  }

 private:
  [[noreturn]] void throw_at(std::size_t offset, const std::string& message) const {
    throw logic::ParseError(text_, offset, message);
  }

  void skip() {
    while (next_ < text_.size()) {
      if (logic::is_space(text_[next_])) {
        ++next_;
      } else if (text_.substr(next_, 2) == "//" || (text_[next_] == '#' && is_line_start())) {
        next_ = std::min(text_.find('\n', next_), text_.size());
      } else if (text_.substr(next_, 2) == "/*") {
        const std::size_t end = text_.find("*/", next_ + 2);
        if (end == std::string_view::npos) throw_at(next_, "a comment that is not closed");
        next_ = end + 2;
      } else {
        return;
      }
    }
  }
  bool is_line_start() const { return next_ == 0 || text_[next_ - 1] == '\n'; }

  void read_token() {
    const std::size_t begin = next_;
    const char c = text_[begin];
    if (c == '"') return add_name(read_strings(), begin);
    if (is_name_start(c)) {
      while (next_ < text_.size() && (is_name_start(text_[next_]) || is_digit(text_[next_]))) ++next_;
      const std::string name(text_.substr(begin, next_ - begin));
      std::string lower = name;
      for (char& letter : lower)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
      if (lower == "strict") throw_at(begin, "a strict graph drops edges, so that it is no automaton");
      if (lower == "graph" && tokens_.empty()) throw_at(begin, "expected a digraph, found a graph");
      for (const std::string_view keyword : {"graph", "digraph", "node", "edge", "subgraph"})
        if (lower == keyword) return add(lower, begin);
      return add_name(name, begin);
    }
    const bool is_number =
        is_digit(c) || ((c == '-' || c == '.') && next_ + 1 < text_.size() &&
                        (is_digit(text_[next_ + 1]) || (c == '-' && text_[next_ + 1] == '.')));
    if (is_number) {
      ++next_;
      while (next_ < text_.size() && (is_digit(text_[next_]) || text_[next_] == '.')) ++next_;
      return add_name(std::string(text_.substr(begin, next_ - begin)), begin);
    }
    if (text_.substr(begin, 2) == "->") {
      next_ += 2;
      return add("->", begin);
    }
    if (c == '<') throw_at(begin, "HTML in labels is not read");
    if (std::string_view("{}[]=;,:").find(c) == std::string_view::npos)
      throw_at(begin, "expected a part of a digraph, found " + logic::found(text_, begin));
    ++next_;
    add(std::string(1, c), begin);
  }

  /// Strings with `+` between them, joined.  Of the escapes only \" and the backslash before a line end mean
  /// something to DOT; the others are for labels.
  std::string read_strings() {
    std::string value;
    while (true) {
      const std::size_t begin = next_++;
      while (true) {
        if (next_ >= text_.size()) throw_at(begin, "a string that is not closed");
        const char c = text_[next_++];
        if (c == '"') break;
        if (c == '\\' && next_ < text_.size()) {
          const char escaped = text_[next_++];
          if (escaped == '\n') continue;
          if (escaped != '"') value += c;
          value += escaped;
        } else {
          value += c;
        }
      }
      skip();
      if (next_ >= text_.size() || text_[next_] != '+') return value;
      ++next_;
      skip();
      if (next_ >= text_.size() || text_[next_] != '"')
        throw_at(next_, "expected a string behind '+', found " + logic::found(text_, next_));
    }
  }

  void add(std::string text, std::size_t offset) {
    if (text == "{" && ++depth_ > most_nested)
      throw_at(offset, "more than " + std::to_string(most_nested) + " subgraphs inside each other");
    if (text == "}" && depth_ > 0) --depth_;
    if (text == "[") in_list_ = true;
    if (text == "]") in_list_ = false;
    tokens_.push_back({std::move(text), offset});
  }

  void add_name(const std::string& name, std::size_t offset) {
    if (!tokens_.empty() && tokens_.back().text == "=") {
      tokens_.push_back({"v" + std::to_string(values_.size()), offset});
      values_.push_back({name, offset});
      return;
    }
    skip();
    const bool has_value = next_ < text_.size() && text_[next_] == '=';
    if (in_list_ && !has_value)
      throw_at(next_, "expected '=' behind the name of an attribute, found " + logic::found(text_, next_));
    if (has_value && std::find(attributes.begin(), attributes.end(), name) != attributes.end()) {
      tokens_.push_back({name, offset});
      return;
    }
    const auto [entry, is_new] = numbers_.try_emplace(name, numbers_.size());
    if (is_new) names_.push_back(&entry->first);
    tokens_.push_back({"n" + std::to_string(entry->second), offset});
  }

  /// Boost reads edges between whole subgraphs, of which a short text can hold very many; here they may only
  /// lead to a plain list of nodes.  For each subgraph it copies the nodes that are there.
  void require_few_edges() const {
    std::size_t groups = 0;
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string& text = tokens_[i].text;
      if (text == "{") ++groups;
      if (text.front() == 'n') ++nodes;
      if (text != "->") continue;
      if (i > 0 && (tokens_[i - 1].text == "}" || (i > 1 && tokens_[i - 2].text == "subgraph")))
        throw_at(tokens_[i].offset, "an edge from a subgraph is not read");
      if (i + 1 == tokens_.size()) continue;
      if (tokens_[i + 1].text == "subgraph")
        throw_at(tokens_[i + 1].offset, "an edge to a subgraph is not read");
      if (tokens_[i + 1].text != "{") continue;
      for (std::size_t j = i + 2; j < tokens_.size() && tokens_[j].text != "}"; ++j) {
        const char c = tokens_[j].text.front();
        if (c != 'n' && c != ';')
          throw_at(tokens_[j].offset, "an edge leads to a node or to a list of nodes between braces");
      }
    }
    if (groups * nodes > most_copies)
      throw std::length_error("read_dot: " + std::to_string(groups) + " groups of nodes for " +
                              std::to_string(nodes) + " names are too many");
  }

  std::string_view text_;
  std::size_t next_ = 0;
  std::vector<Token> tokens_;
  std::size_t depth_ = 0;
  bool in_list_ = false;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<const std::string*> names_;
  std::vector<Value> values_;
};

struct Node {
  std::string name;   // stand-ins, all of them
  std::string label;  // which says nothing
  std::string shape;
  std::string peripheries;
};
struct Edge {
  std::string label;
  std::string shape;  // these two mean nothing on an edge
  std::string peripheries;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Node, Edge>;

/// Reads the first `count` tokens; none where that succeeds, otherwise what Boost says.
std::optional<std::string> read_tokens(const std::vector<Token>& tokens, std::size_t count, Graph& graph) {
  std::string text;
  bool is_open = false;  // the graph itself
  for (std::size_t i = 0; i < count; ++i) {
    if (tokens[i].text == "{") {
      // Boost 1.74 knows groups of nodes only behind the word that may be left out.
      const bool has_word =
          i > 0 && (tokens[i - 1].text == "subgraph" || (i > 1 && tokens[i - 2].text == "subgraph"));
      if (is_open && !has_word) text += "subgraph ";
      is_open = true;
    }
    (text += tokens[i].text) += ' ';
  }
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("node_id", get(&Node::name, graph));
  properties.property("label", get(&Node::label, graph));
  properties.property("shape", get(&Node::shape, graph));
  properties.property("peripheries", get(&Node::peripheries, graph));
  properties.property("label", get(&Edge::label, graph));
  properties.property("shape", get(&Edge::shape, graph));
  properties.property("peripheries", get(&Edge::peripheries, graph));
  try {
    boost::read_graphviz(text, graph, properties);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

/// The token at which Boost's parser gives up.
std::size_t find_error(const std::vector<Token>& tokens) {
  const auto is_cut = [&](std::size_t count) {  // whether the first `count` tokens lack nothing but an end
    Graph graph;
    const auto error = read_tokens(tokens, count, graph);
    return !error || error->find("<eof>") != std::string::npos;
  };
  std::size_t good = 0;
  std::size_t bad = tokens.size() + 1;  // which is the end itself
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (middle <= tokens.size() && is_cut(middle) ? good : bad) = middle;
  }
  return bad - 1;
}

/// Takes apart the label of an edge: what stands between commas and line breaks.
class Label {
 public:
  Label(std::string_view text, const Lexer::Value& value) : text_(text), offset_(value.offset) {
    // Graphviz's escapes first.  Its line breaks become commas, since no letter has one in its name.
    for (std::size_t i = 0; i < value.text.size(); ++i) {
      char c = value.text[i];
      if (c == '\\') {
        c = ++i < value.text.size() ? value.text[i] : '\0';
        if (c == 'n' || c == 'l' || c == 'r')
          c = '\n';
        else if (c != '\\')
          fail("a backslash in a label stands before a backslash or one of n, l, r");
      }
      label_ += c;
    }
    while (!label_.empty() && logic::is_space(label_.back())) label_.pop_back();
    skip();
  }

  bool is_empty() const { return label_.empty(); }

  /// Calls take(name) for each letter and take(nullopt) for ε.
  template <class Take>
  void for_each(Take take) {
    while (true) {
      if (next_ < label_.size() && label_[next_] == '\'') {
        try {
          auto quoted = logic::read_quoted(label_, next_);
          next_ = quoted.end;
          take(std::optional<std::string>(std::move(quoted.name)));
        } catch (const logic::ParseError& error) {
          fail(error.message());
        }
        skip_blanks();
      } else {
        std::size_t end = std::min(label_.find_first_of(",\n", next_), label_.size());
        const std::size_t separator = end;
        while (end > next_ && logic::is_space(label_[end - 1])) --end;
        const std::string name = label_.substr(next_, end - next_);
        if (name.empty()) fail("a letter is missing");
        if (name.find('\'') != std::string::npos)
          fail("a letter with a quote in its name is quoted, as in 'don\\'t'");
        take(name == epsilon ? std::nullopt : std::optional<std::string>(name));
        next_ = separator;
      }
      if (next_ >= label_.size()) return;
      if (label_[next_] != ',' && label_[next_] != '\n') fail("expected a comma behind a quoted letter");
      ++next_;
      skip();
    }
  }

  static constexpr std::string_view epsilon = "ε";

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw logic::ParseError(text_, offset_, "in the label of an edge: " + message);
  }
  void skip() {
    while (next_ < label_.size() && logic::is_space(label_[next_])) ++next_;
  }
  void skip_blanks() {
    while (next_ < label_.size() && label_[next_] == ' ') ++next_;
  }

  std::string_view text_;
  std::size_t offset_;
  std::string label_;
  std::size_t next_ = 0;
};

/// `text` inside a quoted string of DOT.
void append_escaped(std::string& dot, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') dot += '\\';
    dot += c;
  }
}

std::string listed(const std::string& name) {
  const bool is_plain = name.find_first_of(", '") == std::string::npos && name != Label::epsilon;
  return is_plain ? name : logic::quote(name);
}

/// What the two ways of writing differ in: attributes behind the label, with a comma before them.
struct Style {
  std::function<std::string(State)> node;
  std::function<std::string(State, State)> edge;
  bool entities = false;  // whether & begins an entity, as it does where Graphviz draws
};

std::string write(const Language& language, const Style& style) {
  const Dfa& dfa = language.dfa;
  std::vector<std::string> names;
  for (const std::string& name : language.alphabet.names()) {
    std::string& text = names.emplace_back();
    for (const char c : listed(name)) {
      if (c == '&' && style.entities)
        text += "&amp;";
      else
        append_escaped(text, std::string_view(&c, 1));
    }
  }

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
    dot += '"';
    if (dfa.is_accepting(q)) dot += ", shape=doublecircle";
    (dot += style.node(q)) += "];\n";
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
        dot += names[letters[i][n]];
      }
      dot += '"';
      (dot += style.edge(q, targets[i])) += "];\n";
    }
  }
  dot += "}\n";
  return dot;
}

}  // namespace

Language read_dot(std::string_view text, const std::optional<logic::Alphabet>& alphabet,
                  std::size_t max_states) {
  NamedNfa nfa(text, alphabet);
  const Lexer lexer(text);
  const std::vector<Token>& tokens = lexer.tokens();
  Graph graph;
  if (read_tokens(tokens, tokens.size(), graph)) {
    const std::size_t at = find_error(tokens);
    const std::size_t offset = at < tokens.size() ? tokens[at].offset : text.size();
    throw logic::ParseError(text, offset, "this is no digraph: unexpected " + logic::found(text, offset));
  }

  const auto value = [&](const std::string& stand_in) {
    return stand_in.empty() ? std::string() : lexer.value(stand_in).text;
  };
  const auto nodes = num_vertices(graph);
  std::vector<bool> is_entry(nodes);
  std::vector<State> state(nodes);
  for (std::size_t v = 0; v < nodes; ++v) {
    const std::string shape = value(graph[v].shape);
    is_entry[v] = shape == "none" || shape == "point" || shape == "plaintext" ||
                  lexer.name(graph[v].name).starts_with("__start");
    if (is_entry[v]) continue;
    state[v] = nfa.new_state();
    if (shape == "doublecircle" || value(graph[v].peripheries) == "2") nfa.set_accepting(state[v]);
  }
  const auto place_of = [&](const std::string& from) {
    const auto is_source = [&](const Token& token) {
      return token.text == from && &token != &tokens.back() && (&token + 1)->text == "->";
    };
    const auto found = std::find_if(tokens.begin(), tokens.end(), is_source);
    return found == tokens.end() ? text.size() : found->offset;
  };
  bool has_initial = false;
  for (const auto edge : boost::make_iterator_range(edges(graph))) {
    const auto from = source(edge, graph);
    const auto to = target(edge, graph);
    const std::string& label = graph[edge].label;
    const std::string names = "the edge from " + logic::quote(lexer.name(graph[from].name)) + " to " +
                              logic::quote(lexer.name(graph[to].name));
    const auto fail = [&](const std::string& message) {
      const auto offset = label.empty() ? place_of(graph[from].name) : lexer.value(label).offset;
      throw logic::ParseError(text, offset, message);
    };
    std::optional<Label> letters;
    if (!label.empty()) letters.emplace(text, lexer.value(label));
    const bool is_empty = !letters || letters->is_empty();
    if (is_entry[to]) fail(names + " leads to a node that only marks initial states");
    if (is_entry[from]) {
      if (!is_empty) fail(names + " marks an initial state, so that it has no letters");
      nfa.set_initial(state[to]);
      has_initial = true;
      continue;
    }
    if (is_empty) fail(names + " has no label (an ε-move has the label ε)");
    letters->for_each([&](const std::optional<std::string>& name) {
      std::optional<Letter> a;
      if (name) a = nfa.letter(*name, lexer.value(label).offset);
      nfa.add_move(state[from], a, state[to]);
    });
  }
  if (!has_initial)
    throw logic::ParseError(
        text, text.size(),
        "no initial state: an edge leads to it from __start0 or from a node of shape none");
  return nfa.finish(NamedNfa::Order::by_name, max_states);
}

std::string to_dot(const Language& language) {
  const auto nothing = [](auto...) { return std::string(); };
  return write(language, {nothing, nothing, false});
}

std::string to_picture(const Language& language) {
  const Dfa& dfa = language.dfa;
  constexpr std::array<const char*, 8> colours{"#cfe2f3", "#d9ead3", "#fff2cc", "#f4cccc",
                                               "#d9d2e9", "#fce5cd", "#d0e0e3", "#ead1dc"};
  std::vector<const char*> colour(dfa.states(), nullptr);
  std::vector<bool> is_live(dfa.states(), false);
  const std::vector<Component> sorted = components(dfa);
  for (auto component = sorted.rbegin(); component != sorted.rend(); ++component) {
    bool live = false;
    for (const State q : component->states) {
      live = live || dfa.is_accepting(q);
      for (Letter a = 0; a < dfa.letters(); ++a) live = live || is_live[dfa.next(q, a)];
    }
    for (const State q : component->states) is_live[q] = live;
  }
  std::size_t next = 0;
  for (const auto& component : sorted) {
    if (component.period == 0 || !is_live[component.states.front()]) continue;
    for (const State q : component.states) colour[q] = colours[next % colours.size()];
    ++next;
  }
  return write(language, {[&](State q) {
                            if (!is_live[q])
                              return std::string(", color=\"#b0b0b0\", fontcolor=\"#b0b0b0\", style=dashed");
                            if (colour[q] == nullptr) return std::string();
                            return std::string(", style=filled, fillcolor=\"") + colour[q] + '"';
                          },
                          [&](State from, State to) {
                            return is_live[from] && is_live[to]
                                       ? std::string()
                                       : std::string(", color=\"#c8c8c8\", fontcolor=\"#b0b0b0\"");
                          },
                          true});
}

}  // namespace automata
