#include "cli/trace_picture.hpp"

#include "cli/svg.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace cli {

using bridge::Half;
using bridge::TracedCoordinate;
using bridge::TracedHead;
using bridge::TraceStage;

std::vector<const TracedCoordinate*> TraceView::coordinates(const TraceStage& stage) const {
  std::vector<const TracedCoordinate*> shown;
  for (const TracedCoordinate& c : stage.coordinates) {
    const bool idle = c.name == "(free)" || c.name == "(padding)" || c.name.starts_with("1 - (");
    if (everything || !idle || !c.wrong.empty()) shown.push_back(&c);
  }
  return shown;
}

std::string title(const TraceStage& stage) {
  switch (stage.half) {
    case Half::input: return "input";
    case Half::attention: return "layer " + std::to_string(stage.layer) + " attention";
    case Half::feed_forward: return "layer " + std::to_string(stage.layer) + " feed-forward";
  }
  return "";
}

std::string number(double x) {
  return fmt::format("{}", x);
}

namespace {

constexpr int cell = 30;
constexpr int line = 20;
constexpr int margin = 16;

/// White for 0, blue for 1 and above, orange below 0; grey for what is no number.
std::string fill(double x) {
  if (std::isnan(x)) return "#bbbbbb";
  const double strength = std::min(1.0, std::abs(x));
  const auto mix = [&](int full) { return static_cast<int>(255 - strength * (255 - full)); };
  return x < 0 ? fmt::format("#{:02x}{:02x}{:02x}", mix(0xd9), mix(0x77), mix(0x30))
               : fmt::format("#{:02x}{:02x}{:02x}", mix(0x4a), mix(0x90), mix(0xd0));
}

/// At most four characters wide: a picture rounds, the text does not.
std::string brief(double x) {
  std::string text = fmt::format("{:.2f}", x);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  if (text.starts_with("0.")) text.erase(0, 1);
  if (text.starts_with("-0.")) text.erase(1, 1);
  return text == "-0" ? "0" : text;
}

std::string number_cell(int x, int y, double value, const std::string& stroke) {
  return svg_rectangle(x, y, cell, line, fmt::format("fill=\"{}\" stroke=\"{}\"", fill(value), stroke)) +
         svg_text(x + cell / 2, y + 14, brief(value), "text-anchor=\"middle\" font-size=\"10\"");
}

/// A label of a row or column, cut to what has room.
std::string label(int x, int y, const std::string& text, const std::string& rest) {
  std::string shown = text;
  if (display_width(shown) > 4) {  // whole characters
    std::size_t end = 0;
    for (int taken = 0; end < shown.size() && taken < 3; ++taken) do
        ++end;
      while (end < shown.size() && (static_cast<unsigned char>(shown[end]) & 0xC0u) == 0x80u);
    shown = shown.substr(0, end) + "…";
  }
  return svg_text(x, y, shown, rest);
}

}  // namespace

std::string trace_picture(const std::string& heading, const TraceView& view) {
  const auto& positions = view.positions;
  const int columns = static_cast<int>(positions.size());
  const int seen = static_cast<int>(view.labels.size()) - 1;  // the positions that can be attended to
  int names = 100;
  for (const TraceStage* stage : view.stages)
    for (const TracedCoordinate* c : view.coordinates(*stage))
      names = std::max(names, 7 * static_cast<int>(display_width(c->name)) + 40);
  std::string body = svg_text(margin, 24, heading, "font-size=\"15\"");
  int y = 40;
  int width = margin + 9 * static_cast<int>(display_width(heading)) + margin;
  for (const TraceStage* stage : view.stages) {
    body += svg_text(margin, y + 16, title(*stage), "font-weight=\"bold\"");
    y += 26;
    // Heat maps, side by side: row n shows where position n looks.
    int x = margin;
    for (std::size_t h = 0; h < stage->heads.size(); ++h) {
      const TracedHead& head = stage->heads[h];
      const int left = x + 36;
      body += svg_text(x, y + 12, "head " + std::to_string(h) + ", " + to_string(head.mask));
      for (int m = 0; m < seen; ++m)
        body += label(left + cell * m + cell / 2, y + 30, view.labels[static_cast<std::size_t>(m)],
                      "text-anchor=\"middle\" fill=\"#555\"");
      for (int i = 0; i < columns; ++i) {
        const std::size_t n = positions[static_cast<std::size_t>(i)];
        const int top = y + 36 + line * i;
        body += label(left - 6, top + 14, view.labels[n - 1], "text-anchor=\"end\" fill=\"#555\"");
        for (int m = 0; m < seen; ++m) {
          const auto position = static_cast<std::size_t>(m) + 1;
          if (head.mask.sees(n, position)) {
            body += number_cell(left + cell * m, top, head.weights[n - 1][position - 1], "#ddd");
          } else {
            body += svg_rectangle(left + cell * m, top, cell, line, "fill=\"#f4f4f4\" stroke=\"#eee\"");
          }
        }
      }
      x = std::max(left + cell * seen, x + 130) + 24;
    }
    width = std::max(width, x);
    if (!stage->heads.empty()) y += 36 + line * columns + 16;
    // Coordinates below: one row each, one column for each position.
    const auto coordinates = view.coordinates(*stage);
    const int left = margin + names;
    for (int i = 0; i < columns; ++i)
      body +=
          label(left + cell * i + cell / 2, y + 10, view.labels[positions[static_cast<std::size_t>(i)] - 1],
                "text-anchor=\"middle\" fill=\"#555\"");
    y += 16;
    for (const TracedCoordinate* c : coordinates) {
      const std::string name = c->name.empty() ? "" : "  " + c->name;
      body += svg_text(margin, y + 14, std::to_string(c->index) + name);
      for (int i = 0; i < columns; ++i) {
        const std::size_t n = positions[static_cast<std::size_t>(i)];
        body += number_cell(left + cell * i, y, c->values[n - 1], "#ddd");
      }
      for (int i = 0; i < columns; ++i) {  // over the grid
        const std::size_t n = positions[static_cast<std::size_t>(i)];
        if (std::find(c->wrong.begin(), c->wrong.end(), n) != c->wrong.end())
          body += svg_rectangle(left + cell * i, y, cell, line,
                                "fill=\"none\" stroke=\"#d00000\" stroke-width=\"2.5\"");
      }
      y += line;
    }
    width = std::max(width, left + cell * columns + margin);
    y += 18;
  }
  return svg_document(width, y + margin, body);
}

}  // namespace cli
