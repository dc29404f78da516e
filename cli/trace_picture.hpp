// A trace as a picture: for each layer the weights of its heads as heat maps, and its coordinates below.
#pragma once

#include "bridge/trace.hpp"

#include <string>
#include <vector>

namespace cli {

/// Which part of a trace is shown.
struct TraceView {
  std::vector<const bridge::TraceStage*> stages;
  std::vector<std::size_t> positions;  // from 1
  std::vector<std::string> labels;     // of all positions: the letters and `end`
  bool everything = false;             // also coordinates that hold nothing, padding and mirrors

  /// The coordinates of a stage that are to be shown.
  std::vector<const bridge::TracedCoordinate*> coordinates(const bridge::TraceStage& stage) const;
};

/// `input`, `layer 0 attention`, `layer 0 feed-forward`.
std::string title(const bridge::TraceStage& stage);

/// The shortest decimal that is the number.
std::string number(double x);

/// SVG, with numbers in the cells, and a red frame around each value that disagrees with its name.
std::string trace_picture(const std::string& title, const TraceView& view);

}  // namespace cli
