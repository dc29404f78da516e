// monoid: the syntactic monoid, Green's relations, the egg-box picture.
#include "automata/green.hpp"
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/svg.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using automata::EggBox;
using Element = automata::Semigroup::Element;

struct Monoid {
  const automata::Language& language;
  automata::Semigroup semigroup;
  automata::Green green;

  /// The least word, with a star where the element is idempotent.
  std::string label(Element x) const {
    const auto word = automata::least_word(semigroup, green, x);
    return readable(language.alphabet, word) + (green.idempotent[x] ? "*" : "");
  }
  std::string label(const std::vector<Element>& cell) const {
    std::string text;
    for (const Element x : cell) text += (text.empty() ? "" : ", ") + label(x);
    return text;
  }
};

std::string title(std::size_t number, const EggBox& box) {
  return "D" + std::to_string(number) + ": " + std::to_string(box.rows.size()) + " x " +
         std::to_string(box.columns.size()) +
         (box.cells.front().size() == 1 ? "" : ", H-classes of " + std::to_string(box.cells.front().size())) +
         (box.regular ? "" : ", not regular");
}

std::string to_text(const Monoid& monoid) {
  std::string text;
  std::size_t number = 0;
  for (const EggBox& box : automata::egg_boxes(monoid.green)) {
    text += '\n' + title(++number, box) + '\n';
    std::vector<std::vector<std::string>> rows(box.rows.size());
    for (std::size_t i = 0; i < box.rows.size(); ++i) {
      rows[i].emplace_back();  // indents
      for (std::size_t j = 0; j < box.columns.size(); ++j) rows[i].push_back(monoid.label(box.cell(i, j)));
    }
    text += table(rows, std::size_t{1} << 30);
  }
  return text;
}

nlohmann::ordered_json to_json(const Monoid& monoid) {
  auto boxes = nlohmann::ordered_json::array();
  for (const EggBox& box : automata::egg_boxes(monoid.green)) {
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < box.rows.size(); ++i) {
      auto row = nlohmann::ordered_json::array();
      for (std::size_t j = 0; j < box.columns.size(); ++j) {
        auto cell = nlohmann::ordered_json::array();
        for (const Element x : box.cell(i, j)) {
          const auto word = automata::least_word(monoid.semigroup, monoid.green, x);
          cell.push_back({{"word", logic::to_string(monoid.language.alphabet, word)},
                          {"idempotent", bool(monoid.green.idempotent[x])}});
        }
        row.push_back(std::move(cell));
      }
      rows.push_back(std::move(row));
    }
    boxes.push_back({{"regular", box.regular},
                     {"rows", box.rows.size()},
                     {"columns", box.columns.size()},
                     {"cells", std::move(rows)}});
  }
  return boxes;
}

/// One table for each D-class, one below the other; group H-classes are shaded.
std::string to_svg(const Monoid& monoid) {
  constexpr std::size_t character = 8, line = 24, gap = 36, margin = 16;
  std::ostringstream body;
  std::size_t y = margin, width = 240;
  std::size_t number = 0;
  for (const EggBox& box : automata::egg_boxes(monoid.green)) {
    body << "<text class=\"title\" x=\"" << margin << "\" y=\"" << y + 14 << "\">" << title(++number, box)
         << "</text>\n";
    width = std::max(width, 2 * margin + character * title(number, box).size());
    y += line;
    std::vector<std::size_t> widths(box.columns.size(), 3 * character);
    for (std::size_t i = 0; i < box.rows.size(); ++i)
      for (std::size_t j = 0; j < box.columns.size(); ++j)
        widths[j] = std::max(widths[j], character * (display_width(monoid.label(box.cell(i, j))) + 2));
    for (std::size_t i = 0; i < box.rows.size(); ++i, y += line) {
      std::size_t x = margin;
      for (std::size_t j = 0; j < box.columns.size(); ++j) {
        const auto& cell = box.cell(i, j);
        body << "<rect" << (monoid.green.group[monoid.green.h.of[cell.front()]] ? " class=\"group\"" : "")
             << " x=\"" << x << "\" y=\"" << y << "\" width=\"" << widths[j] << "\" height=\"" << line
             << "\"/><text x=\"" << x + character << "\" y=\"" << y + 16 << "\">"
             << svg_escaped(monoid.label(cell)) << "</text>\n";
        x += widths[j];
      }
      width = std::max(width, x + margin);
    }
    y += gap - line;
  }
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << y + margin
      << "\" viewBox=\"0 0 " << width << ' ' << y + margin << "\">\n"
      << "<style>text { font: 13px monospace } .title { font-weight: bold }\n"
      << "rect { fill: white; stroke: black } .group { fill: #d0e4f5 }</style>\n"
      << "<rect width=\"100%\" height=\"100%\" style=\"stroke: none\"/>\n"
      << body.str() << "</svg>\n";
  return svg.str();
}

Status run_monoid(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> to;
  std::uint64_t max_elements = 1'000'000, max_picture = 2'000;
  Options options(arguments.command);
  language_options.add_to(options);
  options.group("Options");
  options.choice("--to", {"text", "svg", "json"}, to, "Print it in this format (text)");
  options.number("--max-elements", "N", max_elements, "Largest transition semigroup to build (1,000,000)", 1,
                 std::uint64_t{1} << 32);
  options.number("--max-picture", "N", max_picture, "Largest monoid whose elements are all shown (2,000)");
  expect_no_words(options.parse(arguments.before), arguments);
  if (options.json && to && *to != "json") throw UsageError("--json and --to " + *to);

  const automata::Language language = read_language(language_options);
  automata::Semigroup semigroup(language.dfa, max_elements);
  automata::Green green = automata::green(semigroup);
  const Monoid monoid{language, std::move(semigroup), std::move(green)};
  const auto& g = monoid.green;
  const bool picture = g.elements() <= max_picture;
  const std::string too_large = "no picture: " + std::to_string(g.elements()) + " elements are more than " +
                                std::to_string(max_picture) + " (--max-picture)";
  if (options.json || to == "json") {
    nlohmann::ordered_json json;
    json["alphabet"] = language.alphabet.names();
    json["states"] = language.dfa.states();
    json["elements"] = g.elements();
    json["idempotents"] = g.idempotents();
    json["r_classes"] = g.r.count;
    json["l_classes"] = g.l.count;
    json["j_classes"] = g.j.count;
    json["h_classes"] = g.h.count;
    json["regular_j_classes"] = std::count(g.regular.begin(), g.regular.end(), true);
    json["d_classes"] = picture ? to_json(monoid) : nlohmann::ordered_json();
    print(json.dump(2) + '\n');
    return Status::done;
  }
  if (to == "svg") {
    if (!picture) throw std::length_error(too_large);
    print(to_svg(monoid));
    return Status::done;
  }
  print(std::to_string(g.elements()) + " elements, " + std::to_string(g.idempotents()) +
        " idempotents (*); classes: R " + std::to_string(g.r.count) + ", L " + std::to_string(g.l.count) +
        ", J = D " + std::to_string(g.j.count) + ", H " + std::to_string(g.h.count) + '\n');
  print(picture ? to_text(monoid) : too_large + '\n');
  return Status::done;
}

}  // namespace

const Command monoid{
    .name = "monoid",
    .summary = "The syntactic monoid: Green's relations and the egg-box picture",
    .usage = "LANG [--to FORMAT]",
    .notes =
        "One block for each D-class, none below a later one in the J-order; rows are R-classes, columns\n"
        "L-classes.  Elements are written as their least words, idempotents with a star.\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.",
    .examples =
        "hindsight monoid --regex '(ab)*'\n"
        "hindsight monoid --language dyck:2 --to svg > dyck.svg",
    .run = run_monoid,
};

}  // namespace cli
