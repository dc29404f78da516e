#include "cli/torch/commands.hpp"
#include "transformer/safetensors.hpp"
#include "transformer/torchscript.hpp"

#include <memory>
#include <string>

namespace cli {

namespace {

struct Paths {
  std::string in;
  std::string out;
};

/// A command with two file arguments that calls `convert(in, out)`.
template <class Convert>
void add_conversion(CLI::App& app, const char* name, const char* summary, Convert convert) {
  auto* command = app.add_subcommand(name, summary);
  const auto paths = std::make_shared<Paths>();
  command->add_option("IN", paths->in, "the file to read")->required();
  command->add_option("OUT", paths->out, "the file to write, as a whole or not at all")->required();
  command->callback([paths, convert] { convert(paths->in, paths->out); });
}

}  // namespace

void add_conversions(CLI::App& app) {
  using namespace transformer;
  add_conversion(
      app, "export", "Turn a .safetensors file into a TorchScript .pt file",
      [](const std::string& in, const std::string& out) { save_torchscript(load_safetensors(in), out); });
  add_conversion(
      app, "import", "Turn such a .pt file back into a .safetensors file",
      [](const std::string& in, const std::string& out) { save_safetensors(load_torchscript(in), out); });
}

}  // namespace cli
