// Pictures by Graphviz, which is started for them.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// What `dot -Tsvg` makes of `graph`.
///
/// The program is found in PATH and gets the text through a pipe.  Throws InputError when there is none or it
/// fails, std::system_error when it cannot be talked to.
std::string draw_svg(std::string_view graph);

}  // namespace cli
