// The companion program `hindsight-torch`: what needs LibTorch, so that `hindsight` starts without loading
// it.
#include "cli/torch/commands.hpp"

#include <dlfcn.h>
#include <exception>
#include <iostream>
#include <malloc.h>
#include <new>
#include <stdexcept>
#include <string>

#include <ATen/Parallel.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace {

/// LibTorch returns its buffers to the system and maps them anew at every step unless told otherwise; keeping
/// them halves the time of small models.
void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

void use_threads(int threads) {
  at::set_num_threads(threads);
  // OpenBLAS has threads of its own, of which LibTorch knows nothing.
  using SetThreads = void (*)(int);
  if (auto* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<SetThreads>(symbol)(threads);
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory();
  CLI::App app{"hindsight-torch: the part of hindsight that computes with LibTorch", "hindsight-torch"};
  app.set_version_flag("--version", "hindsight-torch " HINDSIGHT_VERSION);
  int threads = 1;
  app.add_option("--threads", threads, "threads of LibTorch; one process per core with one thread is fastest")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.require_subcommand(1);
  app.fallthrough();
  app.parse_complete_callback([&] { use_threads(threads); });
  app.footer("Example: hindsight-torch export m.safetensors m.pt");
  cli::add_serve(app);
  cli::add_conversions(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    // Torch's messages go on with a trace of our own functions.
    const std::string message = error.what();
    std::cerr << "hindsight-torch: " << message.substr(0, message.find('\n')) << '\n';
    const bool limit = dynamic_cast<const std::length_error*>(&error) != nullptr ||
                       dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return limit ? 3 : 2;
  }
}
