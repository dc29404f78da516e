#include "cli/plot.hpp"

#include "cli/process.hpp"

#include <cmath>

#include <fmt/format.h>

namespace cli {
namespace {

/// A string of gnuplot in which nothing is special.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

}  // namespace

std::string gnuplot_script(const Plot& plot) {
  std::string script =
      "set terminal svg size 840,460 noenhanced font 'sans-serif,13' background 'white'\n"
      "set encoding utf8\nset key outside right top reverse Left\nset grid back lc rgb '#dddddd'\n"
      "set border 3\nset tics nomirror\nset style data lines\n";
  script += "set title " + quoted(plot.title) + "\nset xlabel " + quoted(plot.x_label) + "\nset ylabel " +
            quoted(plot.y_label) + '\n';
  if (plot.logarithmic_x) script += "set logscale x 2\n";
  // Colours that stay apart for most readers (Okabe and Ito 2008), then again with other dashes.
  static constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
  for (const double level : plot.levels)
    script += fmt::format(
        "set arrow from graph 0, first {0:.9g} to graph 1, first {0:.9g} nohead dt 3 lc rgb "
        "'#555555'\n",
        level);
  std::string data;
  std::string command;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    data += fmt::format("$curve{} << EOD\n", i);
    for (const auto& [x, y] : curve.points)
      if (std::isfinite(x) && std::isfinite(y)) data += fmt::format("{:.9g} {:.9g}\n", x, y);
    data += "EOD\n";
    const std::string style =
        curve.marks ? std::string("points pt 7") : fmt::format("lines lw 2 dt {}", i / 6 + 1);
    command += fmt::format("{} $curve{} with {} lc rgb '{}' title {}", i == 0 ? "plot" : ",", i, style,
                           curve.marks ? "#000000" : colours[i % 6], quoted(curve.title));
  }
  return script + data + command + '\n';
}

std::string draw_plot(const Plot& plot) {
  return pipe_through({"gnuplot", {"-"}, "plots are drawn by gnuplot", "gnuplot-nox"}, gnuplot_script(plot));
}

}  // namespace cli
