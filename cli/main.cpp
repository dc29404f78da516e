// The program `hindsight`: finds the command, runs it, and turns what is thrown into an exit status.
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "transformer/safetensors.hpp"

#include <algorithm>
#include <csignal>
#include <new>
#include <system_error>

namespace {

using namespace cli;

std::string help() {
  std::vector<std::vector<std::string>> commands;
  std::string examples;
  for (const Command* command : all_commands) {
    commands.push_back({"  " + std::string(command->name), std::string(command->summary)});
    examples += "  " + std::string(command->examples.substr(0, command->examples.find('\n'))) + '\n';
  }
  return "hindsight: what attention patterns can express, decided, compiled and checked\n\n"
         "Usage: hindsight COMMAND [OPTIONS]\n\n"
         "Commands (each explains itself with --help):\n" +
         table(commands) + "\nExamples:\n" + examples +
         "\nOptions:\n  -h, --help     Print this help\n  --version      Print the version\n\n"
         "Exit status: 0 done or yes, 1 no, 2 bad input or usage, 3 a limit was reached or undecided.\n";
}

Status dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print(help());
    return Status::bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print(help());
    return Status::done;
  }
  if (name == "--version") {
    print("hindsight " HINDSIGHT_VERSION "\n");
    return Status::done;
  }
  const auto command = std::find_if(all_commands.begin(), all_commands.end(),
                                    [&](const Command* c) { return c->name == name; });
  if (command == all_commands.end()) {
    complain("", "there is no command '" + name + "'; see hindsight --help");
    return Status::bad_input;
  }
  const auto cut = std::find(arguments.begin() + 1, arguments.end(), "--");
  Arguments rest{**command, {arguments.begin() + 1, cut}, std::nullopt};
  if (cut != arguments.end()) rest.after.emplace(cut + 1, arguments.end());
  try {
    return (*command)->run(rest);
  } catch (const HelpRequested& request) {
    print(request.text);
    return Status::done;
  } catch (const UsageError& error) {
    complain(name, std::string(error.what()) + "\nsee hindsight " + name + " --help");
    return Status::bad_input;
  } catch (const std::length_error& error) {
    flush();
    complain(name, std::string("a limit was reached: ") + error.what());
    return Status::limit;
  } catch (const std::bad_alloc&) {
    complain(name, "out of memory");
    return Status::limit;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write to a closed pipe then fails, and is handled as any other
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const std::string name = arguments.empty() ? "" : arguments.front();
  try {
    const Status status = dispatch(arguments);
    flush();
    return static_cast<int>(status);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::broken_pipe) complain(name, error.what());
  } catch (const std::exception& error) {
    complain(name, error.what());
  } catch (...) {
    complain(name, "unknown error");
  }
  return static_cast<int>(Status::bad_input);
}
