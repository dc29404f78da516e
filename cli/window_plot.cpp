#include "cli/window_plot.hpp"

#include "cli/svg.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace cli {
namespace {

constexpr std::array colours{"#1b6ca8", "#c1440e", "#2e8b57", "#7b3fa0"};

}  // namespace

std::string window_plot(const std::string& title, const std::vector<PlotSeries>& series) {
  std::set<std::uint32_t> windows;
  std::uint32_t deepest = 1;
  for (const PlotSeries& s : series) {
    for (const PlotPoint& point : s.points) {
      windows.insert(point.window);
      if (point.depth) deepest = std::max(deepest, *point.depth);
    }
  }
  constexpr int left = 90;
  constexpr int top = 60;
  constexpr int row = 40;                                  // of one depth
  constexpr int column = 130;                              // of one window
  const int base = top + row * static_cast<int>(deepest);  // depth 0
  const int width = left + column * static_cast<int>(windows.size()) + 150;
  const int height = base + 120;
  std::string svg;
  svg += svg_text(left, 22, title, "font-size=\"15\"");
  const int right = left + column * static_cast<int>(windows.size());
  const auto line = [&](int x1, int y1, int x2, int y2, const std::string& stroke) {
    svg += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                       stroke);
  };
  for (std::uint32_t d = 0; d <= deepest; ++d) {
    const int y = base - row * static_cast<int>(d);
    line(left, y, right, y, d == 0 ? "#333" : "#ddd");
    svg += svg_text(left - 10, y + 4, std::to_string(d), "text-anchor=\"end\"");
  }
  svg += svg_text(16, (top + base) / 2, "depth",
                  fmt::format("transform=\"rotate(-90 16 {})\" text-anchor=\"middle\"", (top + base) / 2));
  svg += svg_text(left - 10, base + 34, "not in", "text-anchor=\"end\"");
  svg += svg_text(left - 10, base + 62, "unknown", "text-anchor=\"end\"");
  int x0 = left;
  for (const std::uint32_t k : windows) {
    svg += svg_text(x0 + column / 2, base + 92, "k = " + std::to_string(k), "text-anchor=\"middle\"");
    for (std::size_t i = 0; i < series.size(); ++i) {
      const char* colour = colours[i % colours.size()];
      const int x = x0 + 20 + 30 * static_cast<int>(i);
      for (const PlotPoint& point : series[i].points) {
        if (point.window != k) continue;
        if (point.member == true && point.depth) {
          const int y = base - row * static_cast<int>(*point.depth);
          svg += fmt::format(
              "<circle cx=\"{}\" cy=\"{}\" r=\"6\" stroke=\"{}\" stroke-width=\"2\" fill=\"{}\"/>\n", x, y,
              colour, point.exact ? colour : "white");
          svg += svg_text(x, y - 10, point.label, "text-anchor=\"middle\" font-size=\"10\" fill=\"#555\"");
        } else {
          svg += svg_text(x, base + (point.member == false ? 34 : 62), point.member == false ? "×" : "?",
                          fmt::format("text-anchor=\"middle\" font-size=\"18\" fill=\"{}\"", colour));
        }
      }
    }
    x0 += column;
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    const int y = top + 20 * static_cast<int>(i);
    svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{}\"/>\n", right + 20, y,
                       colours[i % colours.size()]);
    svg += svg_text(right + 32, y + 4, series[i].name);
  }
  return svg_document(width, height, svg);
}

}  // namespace cli
