// Plots by gnuplot, which is started for them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cli {

struct Curve {
  std::string title;
  std::vector<std::pair<double, double>> points;
  bool marks = false;  // points instead of a line
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool logarithmic_x = false;
  std::vector<double> levels;  // horizontal lines
  std::vector<Curve> curves;
};

/// The text that gnuplot draws it from.
std::string gnuplot_script(const Plot& plot);

/// The plot as SVG.
///
/// gnuplot is found in PATH and gets the script through a pipe.  Throws InputError when there is none or it
/// fails, std::system_error when it cannot be talked to.
std::string draw_plot(const Plot& plot);

}  // namespace cli
