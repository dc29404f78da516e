// convert: an automaton or a model from one file format to another.
#include "automata/nfa.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/formats.hpp"
#include "cli/json.hpp"
#include "cli/model_file.hpp"
#include "cli/network.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "logic/alphabet.hpp"
#include "logic/parse_error.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

Status convert_model(const Options& options, const std::string& in, const std::string& out,
                     ModelFormat format) {
  const ModelFile file(in);
  write_model(file.model(), out, format);
  if (options.json) {
    nlohmann::ordered_json json = to_json(file.model());
    json["from"] = std::filesystem::path(in).extension().string().substr(1);
    json["to"] = std::filesystem::path(out).extension().string().substr(1);
    print_json(json);
  } else if (!options.quiet) {
    print(out + ": " + std::to_string(file.model().layers.size()) + " layers, " +
          std::to_string(head_count(file.model())) + " heads, width " + std::to_string(file.model().width()) +
          '\n');
  }
  return Status::done;
}

Status run_convert(const Arguments& arguments) {
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::optional<std::string> letters;
  std::uint64_t max_states = automata::default_max_states;
  Options options(arguments.command);
  options.choice("--from", readable_formats(), from, "Format of IN, instead of the file's extension");
  options.choice("--to", writable_formats(), to, "Format of OUT, instead of the file's extension");
  options.text("--alphabet", "LETTERS", letters,
               "The letters in their order, abc or open,close: others may not occur");
  options.number("--max-states", "N", max_states, "Stop at an automaton of more states (1,000,000)");
  const auto files = options.parse(arguments.before);
  if (arguments.after) throw UsageError("unexpected argument '--'");
  if (files.size() != 2)
    throw UsageError("expected two files, IN and OUT, found " + std::to_string(files.size()));
  const std::string& in = files[0];
  const std::string& out = files[1];
  if (const auto format = model_format(in); format || model_format(out)) {
    for (const std::string& name : files)
      if (!model_format(name))
        throw UsageError(name +
                         " is no model file (.safetensors or .pt), as the other one is; hindsight "
                         "compile makes a model for a language");
    if (from || to || letters) throw UsageError("--from, --to and --alphabet are for automata");
    return convert_model(options, in, out, *model_format(out));
  }
  if (options.json && out == "-")
    throw UsageError("--json has no place beside the automaton on standard output");

  const std::string source = format_of(in, in, from, "", readable_formats());
  const std::string target = format_of(out, out, to, "", writable_formats());
  std::optional<logic::Alphabet> alphabet;
  if (letters) {
    try {
      alphabet = logic::parse_alphabet(*letters);
    } catch (const logic::ParseError& error) {
      throw InputError(std::string("--alphabet: ") + error.what());
    }
  }
  const automata::Language language = read_automaton(in, in, source, alphabet, max_states);
  const std::string text = write_automaton(language, target);
  if (out == "-") {
    print(text);
    return Status::done;
  }
  write_file(out, text);
  if (options.json) {
    nlohmann::ordered_json json;
    json["from"] = source;
    json["to"] = target;
    json["states"] = language.dfa.states();
    json["alphabet"] = language.alphabet.names();
    print_json(json);
  } else if (!options.quiet) {
    print(out + ": " + std::to_string(language.dfa.states()) + " states, " +
          std::to_string(language.dfa.letters()) + " letters\n");
  }
  return Status::done;
}

}  // namespace

const Command convert{
    .name = "convert",
    .summary = "An automaton or a model from one file format to another",
    .usage = "IN OUT [--from FORMAT] [--to FORMAT]",
    .notes =
        "Formats: att (AT&T and OpenFst text), dot (Graphviz), json, hoa (Hanoi omega-automata, read on "
        "finite\n"
        "words), mata; and svg, a picture drawn by Graphviz.  They go by the files' extensions; - is "
        "standard\n"
        "input or output.  What is written is the minimal complete automaton.\n"
        "Models: .safetensors and TorchScript's .pt, by the files' extensions.",
    .examples =
        "hindsight convert learned.dot learned.hoa\n"
        "hindsight convert - picture.svg --from att <ends.att\n"
        "hindsight convert ab.safetensors ab.pt",
    .run = run_convert,
};

}  // namespace cli
