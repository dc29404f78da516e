// Whatever the text, read_dot returns a language that survives writing and reading, or throws as documented.
#include "fuzz/format.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_format("dot", fuzz::as_text(data, size));
  return 0;
}
