// compile: a Transformer for the language, in a file.
#include "bridge/compile.hpp"

#include "bridge/verify.hpp"
#include "cli/commands.hpp"
#include "cli/decompiled.hpp"
#include "cli/find_formula.hpp"
#include "cli/json.hpp"
#include "cli/language.hpp"
#include "cli/model_file.hpp"
#include "cli/network.hpp"
#include "cli/output.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"
#include "cli/temporary.hpp"
#include "cli/words.hpp"
#include "logic/print.hpp"

#include <memory>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

/// A formula for the language in the logic asked for or in the first that has networks.
///
/// When there is none, says why on standard error, with `json` on standard output too, and returns the exit
/// status.
struct FormulaOrStatus {
  std::optional<Found> found;
  Status status = Status::done;
};
FormulaOrStatus formula_for(logic::Arena& arena, const automata::Language& language,
                            const std::optional<automata::Logic>& asked, bool json) {
  const auto logics = asked ? std::span<const automata::Logic>(&*asked, 1) : compile_order();
  const Search search = find_formula(arena, language.dfa, logics);
  if (search.found) return {search.found, Status::done};
  const automata::Membership& last = search.tried.back();
  const std::string logic(automata::name(last.logic));
  if (json) {
    nlohmann::ordered_json document{{"file", nullptr}, {"logic", nullptr}, {"formula", nullptr}};
    auto& classes = document["classes"] = nlohmann::ordered_json::array();
    for (const auto& answer : search.tried) classes.push_back(to_json(language, answer));
    print_json(document, 2);
  }
  if (!last.member) {
    complain("compile", logic + " is " + last.note);
    return {std::nullopt, Status::limit};
  }
  complain("compile", "no network: the language is not in " + logic +
                          (asked ? "" : ", nor in a smaller logic that has networks") + " (" +
                          explain(language, last.witness.value()) +
                          "); hindsight express looks for a formula in larger logics");
  return {std::nullopt, Status::no};
}

Status run_compile(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> output;
  std::optional<std::string> logic_name;
  std::optional<std::string> norm;
  std::optional<std::string> positions;
  std::optional<std::string> minimize;
  bool keep_coordinates = false;
  std::optional<std::string> arithmetic;
  std::optional<std::uint64_t> fraction_bits;
  std::optional<std::uint64_t> integer_bits;
  std::uint64_t check_words = 100'000;
  bool no_check = false;
  bool prove = false;
  bridge::CompileOptions compile_options;
  Options options(arguments.command);
  language_options.add_to(options);
  options.text("-o,--output", "FILE", output, "Where the weights go: FILE.safetensors or FILE.pt");
  options.text("--logic", "NAME", logic_name, "Compile a formula of this logic: LTL[Y], LTL[P,Y], ...");
  options.number("--fraction-bits", "P", fraction_bits, "Fraction bits of the arithmetic (4)", 0, 16);
  options.number("--integer-bits", "I", integer_bits, "Integer bits of the arithmetic (8)", 1, 16);
  options.text("--arithmetic", "NAME", arithmetic,
               "The arithmetic: fixed(4,8), bf16, e4m3/exact, ... (docs/arithmetic.md)");
  options.number("--max-length", "N", compile_options.max_length,
                 "For words of at most N letters, which makes P one layer", 0);
  options.choice("--norm", {"none", "post", "pre"}, norm, "Layer norm (none)");
  options.choice("--positions", {"table", "angles"}, positions,
                 "MOD from a table of its values, or of cosines and sines (table)");
  options.choice("--minimize", {"depth", "width"}, minimize, "Few layers or few coordinates (depth)");
  options.flag("--keep-coordinates", keep_coordinates, "Use no coordinate for two things");
  options.number("--max-parameters", "N", compile_options.max_parameters, "Largest network (10,000,000)");
  options.number("--check-words", "N", check_words, "Words on which agreement is checked (100,000)", 1,
                 10'000'000);
  options.flag("--no-check", no_check, "Check no agreement");
  options.flag("--verify", prove, "Prove agreement for words of every length, as hindsight verify does");
  expect_no_words(options.parse(arguments.before), arguments);
  if (!output) throw UsageError("where to? give -o FILE");
  const std::filesystem::path path = *output;
  const auto format = model_format(path);
  if (!format) throw UsageError("-o " + path.string() + ": the name must end in .safetensors or .pt");
  if (std::filesystem::is_directory(path)) throw InputError(path.string() + ": is a directory");
  if (format == ModelFormat::torchscript && !has_companion())
    throw InputError("-o " + path.string() +
                     ": this build has no LibTorch companion, which writes .pt; use .safetensors");
  std::optional<automata::Logic> asked;
  if (logic_name) {
    asked = automata::logic_of_name(*logic_name);
    if (!asked) throw InputError("--logic: no logic '" + *logic_name + "'; see hindsight classify --help");
    if (asked == automata::Logic::s || asked == automata::Logic::s_mod)
      throw InputError("--logic: no attention pattern with these masks computes S");
  }
  if (arithmetic && (fraction_bits || integer_bits))
    throw UsageError("--arithmetic and --fraction-bits, --integer-bits exclude each other");
  compile_options.arithmetic = arithmetic
                                   ? transformer::arithmetic_of(*arithmetic)
                                   : transformer::FixedPoint(static_cast<int>(fraction_bits.value_or(4)),
                                                             static_cast<int>(integer_bits.value_or(8)));
  if (norm == "post") compile_options.norm = transformer::NormPlacement::post;
  if (norm == "pre") compile_options.norm = transformer::NormPlacement::pre;
  if (positions == "angles") compile_options.positions = bridge::PositionTable::angles;
  if (minimize == "width") compile_options.minimize = bridge::Minimize::width;
  compile_options.reuse_coordinates = !keep_coordinates;

  const Source source(language_options);
  const logic::Alphabet alphabet = source.alphabet();
  std::optional<automata::Language> language;
  const auto the_language = [&]() -> const automata::Language& {
    if (!language) language = source.language(alphabet);
    return *language;
  };
  logic::Arena arena;
  logic::Formula f;
  if (source.is_formula() && !asked) {
    f = source.formula(arena, alphabet);
  } else {
    const auto [found, status] = formula_for(arena, the_language(), asked, options.json);
    if (!found) return status;
    f = found->formula;
  }
  const transformer::Model model = bridge::compile(f, alphabet, compile_options);

  const TemporaryDirectory directory;
  std::optional<EngineAgreement> agreement;
  std::optional<bridge::Verification> proof;
  const std::string logic_of_formula = logic::name(logic::fragment(f));
  const auto to_document = [&](const std::optional<std::string>& file) {  // none: nothing is written
    nlohmann::ordered_json json = to_json(model);
    json["file"] = nullptr;
    if (file) json["file"] = *file;
    json["alphabet"] = alphabet.names();
    json["logic"] = logic_of_formula;
    json["formula"] = logic::to_string(f, alphabet);
    json["exact"] = to_json(alphabet, agreement ? std::optional(agreement->exact) : std::nullopt);
    json["torch"] = to_json(alphabet, agreement ? agreement->torch : std::nullopt);
    json["verified_states"] = nullptr;
    if (proof && !proof->counterexample) json["verified_states"] = proof->explored_states;
    return json;
  };
  if (!no_check) {
    std::unique_ptr<Companion> companion;
    if (has_companion()) companion = std::make_unique<Companion>();
    agreement = check_agreement(model, the_language().dfa, check_words, companion.get(), directory.path());
    if (!agreement->agrees()) {
      complain("compile",
               "nothing is written: the network and the language differ (exact engine " +
                   describe(alphabet, agreement->exact) +
                   (agreement->torch ? "; LibTorch " + describe(alphabet, *agreement->torch) : "") + ")");
      if (options.json) print_json(to_document(std::nullopt), 2);
      return Status::no;
    }
  }
  if (prove) {
    Progress progress(options.quiet);
    proof =
        bridge::verify(model, the_language().dfa, decompile_options(language_options.max_states, progress));
    if (proof->counterexample) {
      complain("compile", "nothing is written: the network and the language differ on " +
                              abridged(alphabet, *proof->counterexample));
      if (options.json) print_json(to_document(std::nullopt), 2);
      return Status::no;
    }
  }
  write_model(model, path, *format);

  if (options.json) {
    print_json(to_document(path.string()), 2);
    return Status::done;
  }
  std::vector<std::vector<std::string>> rows{
      {"file", path.string()},
      {"formula", logic::to_string(f, alphabet)},
      {"logic", logic_of_formula},
      {"layers", std::to_string(model.layers.size())},
      {"heads", std::to_string(head_count(model))},
      {"width", std::to_string(model.width())},
      {"parameters", std::to_string(transformer::parameter_count(model))},
      {"arithmetic", describe(model.arithmetic)},
      {"lengths", model.max_length ? "at most " + std::to_string(*model.max_length) : "all"}};
  if (agreement) {
    rows.push_back({"exact engine", describe(alphabet, agreement->exact)});
    rows.push_back(
        {"LibTorch", agreement->torch ? describe(alphabet, *agreement->torch) : "not in this build"});
  } else {
    rows.push_back({"agreement", "not checked"});
  }
  if (proof) {
    const auto bound = proof->longest_word;
    rows.push_back(
        {"verified", "for words of " +
                         (bound ? "up to " + std::to_string(*bound) + " letters" : "every length") + " (" +
                         std::to_string(proof->explored_states) + " states)"});
  }
  print(table(rows));
  return Status::done;
}

}  // namespace

const Command compile{
    .name = "compile",
    .summary = "A Transformer for the language, checked, in a file",
    .usage = "LANG -o FILE",
    .notes =
        "A formula is compiled as it is; any other language in the first of LTL[Y], LTL[P], LTL[P,Y],\n"
        "LTL[Y,MOD], LTL[P,MOD], LTL[P,Y,MOD] that holds it, as hindsight express finds it.  Exit\n"
        "status 1: in none of them, or the network failed its check (then nothing is written).\n"
        "LANG is exactly one of --regex, --formula (each also with -file), --dfa, --language and --model.",
    .examples =
        "hindsight compile --regex '(ab)*' -o ab.safetensors\n"
        "hindsight compile --formula 'Y<=3 a' --alphabet ab --fraction-bits 3 -o window.safetensors\n"
        "hindsight compile --language starts-a --arithmetic e4m3 -o starts.safetensors\n"
        "hindsight compile --language dyck-2 --positions angles --minimize width -o dyck.safetensors\n"
        "hindsight compile --regex '(ab)*' --fraction-bits 8 --verify -o proved.safetensors",
    .run = run_compile,
};

}  // namespace cli
