#include "cli/graphviz.hpp"

#include "cli/process.hpp"

namespace cli {

std::string draw_svg(std::string_view graph) {
  return pipe_through({"dot", {"-Tsvg"}, "svg is drawn by Graphviz", "graphviz"}, graph);
}

}  // namespace cli
