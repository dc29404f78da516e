// The trade-off between width of the window and depth of the formula, as a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// One answer: a logic of the series with that window.
struct PlotPoint {
  std::uint32_t window;
  std::optional<bool> member;
  std::optional<std::uint32_t> depth;  // of the formula
  bool exact;                          // whether it is the least
  std::string label;                   // beside the mark
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
};

/// SVG: the window to the right, the depth upwards; below the axis what is not in the logic (×) or unknown
/// (?).
std::string window_plot(const std::string& title, const std::vector<PlotSeries>& series);

}  // namespace cli
