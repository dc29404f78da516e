// JSON on standard output.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace cli {

/// Prints the document and the end of the line, indented by `indent`, on one line when that is -1.  Bytes
/// that are not UTF-8, as file names may have, are replaced by U+FFFD.
void print_json(const nlohmann::ordered_json& document, int indent = -1);

}  // namespace cli
