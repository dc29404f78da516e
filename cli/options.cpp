#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace cli {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Command& command) : command_(command) { column_width(32); }

  std::string make_usage(const CLI::App*, std::string) const override {
    return "\nUsage: hindsight " + std::string(command_.name) + ' ' + std::string(command_.usage) + '\n';
  }

  std::string make_footer(const CLI::App*) const override {
    std::string text;
    if (!command_.notes.empty()) text += '\n' + std::string(command_.notes) + '\n';
    text += "\nExamples:\n";
    for (std::size_t begin = 0; begin < command_.examples.size();) {
      const std::size_t end = std::min(command_.examples.find('\n', begin), command_.examples.size());
      text += "  " + std::string(command_.examples.substr(begin, end - begin)) + '\n';
      begin = end + 1;
    }
    return text;
  }

 private:
  const Command& command_;
};

std::uint64_t parse_number(const std::string& name, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    std::string range = "at least " + std::to_string(least);
    if (most != std::numeric_limits<std::uint64_t>::max()) range += " and at most " + std::to_string(most);
    throw UsageError(name + ": expected a number " + range + ", found '" + text + "'");
  }
  return value;
}

}  // namespace

struct Options::Parser {
  Parser(const Command& command)
      : app(std::string(command.summary), "hindsight " + std::string(command.name)) {
    app.allow_extras();
    app.set_help_flag();
    app.formatter(std::make_shared<HelpFormatter>(command));
  }

  CLI::Option* add(const std::string& names, const std::string& placeholder, const std::string& help,
                   std::function<void(const std::string&)> set) {
    CLI::Option* option = app.add_option(names, help)->type_name(placeholder)->group(group);
    setters.emplace_back(option, std::move(set));
    return option;
  }

  CLI::App app;
  std::string group = "Options";
  std::vector<std::pair<CLI::Option*, std::function<void(const std::string&)>>> setters;
};

Options::Options(const Command& command) : parser_(std::make_unique<Parser>(command)) {}

Options::~Options() = default;

void Options::group(const std::string& title) {
  parser_->group = title;
}

void Options::flag(const std::string& names, bool& target, const std::string& help) {
  parser_->app.add_flag(names, target, help)->group(parser_->group);
}

void Options::text(const std::string& names, const std::string& placeholder,
                   std::optional<std::string>& target, const std::string& help) {
  parser_->add(names, placeholder, help, [&target](const std::string& value) { target = value; });
}

void Options::number(const std::string& names, const std::string& placeholder, std::uint64_t& target,
                     const std::string& help, std::uint64_t least, std::uint64_t most) {
  parser_->add(names, placeholder, help,
               [=, &target](const std::string& value) { target = parse_number(names, value, least, most); });
}

void Options::number(const std::string& names, const std::string& placeholder,
                     std::optional<std::uint64_t>& target, const std::string& help, std::uint64_t least,
                     std::uint64_t most) {
  parser_->add(names, placeholder, help,
               [=, &target](const std::string& value) { target = parse_number(names, value, least, most); });
}

void Options::choice(const std::string& names, const std::vector<std::string_view>& values,
                     std::optional<std::string>& target, const std::string& help) {
  std::string list;
  for (const auto value : values) list += (list.empty() ? "" : "|") + std::string(value);
  parser_->add(names, list, help, [=, &target](const std::string& value) {
    if (std::find(values.begin(), values.end(), value) == values.end())
      throw UsageError(names + ": '" + value + "' is none of " + list);
    target = value;
  });
}

std::vector<std::string> Options::parse(const std::vector<std::string>& arguments) {
  group("Options");
  flag("--json", json, "Print JSON");
  flag("--quiet", quiet, "No colour, no progress, no warnings");
  parser_->app.set_help_flag("-h,--help", "Print this help");
  std::vector<std::string> reversed;  // CLI11 takes the last argument first
  for (const auto& argument : arguments) {
    // CLI11 would take the argument after `--name=` as the value; an empty one is meant.
    if (argument.size() > 3 && argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      reversed.push_back(argument.substr(0, argument.size() - 1));
      reversed.emplace_back();
    } else {
      reversed.push_back(argument);
    }
  }
  std::reverse(reversed.begin(), reversed.end());
  try {
    parser_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    std::string text = parser_->app.help();
    for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    throw HelpRequested{text};
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  std::vector<std::string> positional = parser_->app.remaining();
  for (const auto& argument : positional)
    if (argument.size() > 1 && argument.front() == '-') throw UsageError("unknown option " + argument);
  for (const auto& [option, set] : parser_->setters)
    if (option->count() > 0) set(option->results().front());
  return positional;
}

void expect_no_words(const std::vector<std::string>& positional, const Arguments& arguments) {
  if (!positional.empty()) throw UsageError("unexpected argument '" + positional.front() + "'");
  if (arguments.after) throw UsageError("unexpected argument '--'");
}

}  // namespace cli
