// arithmetic: up to which length the network of a formula is right in an arithmetic, and how it first fails.
#include "bridge/arithmetic_effects.hpp"
#include "bridge/compile.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/find_formula.hpp"
#include "cli/json.hpp"
#include "cli/language.hpp"
#include "cli/network.hpp"
#include "cli/output.hpp"
#include "cli/plot.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "logic/print.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

using transformer::Arithmetic;

/// One network in one arithmetic, or why there is none.
struct Row {
  Arithmetic arithmetic;
  std::string network;
  std::optional<bridge::Effect> effect;
  std::size_t layers = 0;
  std::optional<std::uint64_t> promised;  // up to which length the construction is proved; none: every length
  std::string refusal;
};

/// Fixed point for the weights of networks that are not made for `arithmetic`: of its own precision, or of
/// ten fraction bits.
transformer::FixedPoint nearest_reference(const Arithmetic& arithmetic) {
  if (arithmetic.is_floating_point()) return transformer::FixedPoint(10, 8);
  const auto format = arithmetic.fixed_point();
  return transformer::FixedPoint(format.fraction_bits(), std::max(8, format.integer_bits()));
}

/// The networks of the formula in an arithmetic: the one compiled for it; where it is not the reference, the
/// one compiled for fixed point; and where the formula has operators P, the one that spends one layer on
/// each, which is proved only for lengths up to N_max.
std::vector<Row> rows_for(logic::Formula f, const logic::Alphabet& alphabet, const automata::Dfa& language,
                          const Arithmetic& arithmetic, const bridge::EffectOptions& effect_options) {
  std::vector<Row> rows;
  std::optional<transformer::Model> first;
  const auto add = [&](const std::string& network, const bridge::CompileOptions& options, bool bounded) {
    Row row{arithmetic, network, std::nullopt, 0, std::nullopt, ""};
    try {
      transformer::Model model = bridge::compile(f, alphabet, options);
      if (bounded && !model.max_length) return;  // no P: the same network again
      row.promised = model.max_length;
      model.max_length.reset();
      model.arithmetic = arithmetic;
      if (first && *first == model) return;
      if (!first) first = model;
      row.layers = model.layers.size();
      row.effect = bridge::arithmetic_effect(model, language, effect_options);
    } catch (const std::invalid_argument& error) {
      row.refusal = error.what();
    }
    rows.push_back(std::move(row));
  };
  bridge::CompileOptions options;
  options.arithmetic = arithmetic;
  add("compiled", options, false);
  const transformer::FixedPoint reference = nearest_reference(arithmetic);
  options.arithmetic = reference;
  if (!arithmetic.is_reference()) add("reference weights", options, false);
  options.max_length = transformer::vanishing_count(reference);
  add("one-layer P", options, true);
  return rows;
}

std::string count_text(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : "none";
}

/// What is known of the lengths at which the network is right.
std::string right_text(const Row& row) {
  if (!row.effect) return "no network";
  const bridge::Effect& effect = *row.effect;
  if (effect.counterexample) {
    if (effect.counterexample->empty()) return "none";
    const bool sure = effect.proved || effect.counterexample->size() <= effect.exhaustive_length + 1;
    return (sure ? "up to " : "up to (tested) ") + std::to_string(effect.counterexample->size() - 1);
  }
  if (effect.proved) return "all, proved";
  if (row.network == "compiled" && !row.promised) return "all, by construction";
  std::string text = "up to (tested) " + std::to_string(effect.tested_length);
  if (row.network == "compiled") text += ", by construction " + std::to_string(*row.promised);
  return text;
}

/// The shortest failure, and where and how the network fails on it.
std::string failure_text(const logic::Alphabet& alphabet, const Row& row) {
  const bridge::Effect& effect = *row.effect;
  const std::size_t length = effect.counterexample->size();
  std::string text = fmt::format("{}, {}: {}", transformer::to_string(row.arithmetic), row.network,
                                 abridged(alphabet, *effect.counterexample, 20));
  if (length <= 20) text += fmt::format(" ({} letters)", length);  // else abridged says it
  if (!effect.failure) return text;
  const bridge::Failure& failure = *effect.failure;
  text += fmt::format(" fails by {} in layer {}", bridge::name(failure.kind), failure.layer);
  if (failure.head) text += fmt::format(", head {}, over {} positions", *failure.head, failure.attending);
  return text +
         fmt::format("; {} is {:.4g} at position {}", failure.coordinate, failure.value, failure.position);
}

nlohmann::ordered_json to_json(const logic::Alphabet& alphabet, const Row& row) {
  nlohmann::ordered_json json;
  json["arithmetic"] = transformer::to_string(row.arithmetic);
  json["vanishing_count"] = nullptr;
  if (const auto count = transformer::vanishing_count(row.arithmetic)) json["vanishing_count"] = *count;
  json["network"] = row.network;
  if (!row.effect) {
    json["refused"] = row.refusal;
    return json;
  }
  const bridge::Effect& effect = *row.effect;
  json["layers"] = row.layers;
  if (row.network == "compiled") {
    json["proved_length"] = nullptr;  // null: every length
    if (row.promised) json["proved_length"] = *row.promised;
  }
  json["proved"] = effect.proved;
  json["exhaustive_length"] = nullptr;
  json["tested_length"] = nullptr;
  if (!effect.proved) {
    json["exhaustive_length"] = effect.exhaustive_length;
    json["tested_length"] = effect.tested_length;
  }
  json["counterexample"] = nullptr;
  json["length"] = nullptr;
  json["model_accepts"] = nullptr;
  json["failure"] = nullptr;  // also where trace cannot look into the arithmetic
  if (!effect.counterexample) return json;
  json["counterexample"] = logic::to_string(alphabet, *effect.counterexample);
  json["length"] = effect.counterexample->size();
  json["model_accepts"] = effect.model_accepts;
  if (effect.failure) {
    const bridge::Failure& failure = *effect.failure;
    auto& where = json["failure"];
    where["kind"] = std::string(bridge::name(failure.kind));
    where["layer"] = failure.layer;
    where["head"] = nullptr;
    if (failure.head) where["head"] = *failure.head;
    where["position"] = failure.position;
    where["coordinate"] = failure.coordinate;
    where["value"] = failure.value;
    where["attending"] = failure.attending;
  }
  return json;
}

/// What a head puts out that sees c positions of value 1, and where the networks first fail.
Plot plot_of(const std::string& title, const std::vector<Arithmetic>& arithmetics,
             const std::vector<Row>& rows, std::size_t most) {
  Plot plot;
  plot.title = "One head over positions of equal score, and where networks of " + title + " fail";
  plot.x_label = "positions of equal score that a head sees";
  plot.y_label = "output, where each has the value 1";
  plot.logarithmic_x = true;
  plot.levels = {0.5};
  for (const Arithmetic& arithmetic : arithmetics) {
    Curve curve{transformer::to_string(arithmetic), {}, false};
    const auto averages = bridge::averages_of_ones(arithmetic, most);
    for (std::size_t c = 1; c <= most; ++c) {
      // Every value of the short lengths, then a part of each doubling, but no step is left out.
      const double y = averages[c - 1];
      const bool step = c >= 2 && c < most && (averages[c - 2] != y || averages[c] != y);
      const bool edge =
          c >= 2 && c < most && std::abs(averages[c - 2] - y) + std::abs(averages[c] - y) > 0.02;
      if (c <= 64 || c == most || c % (c / 64 + 1) == 0 || edge || (step && c < 256))
        curve.points.emplace_back(static_cast<double>(c), y);
    }
    plot.curves.push_back(std::move(curve));
  }
  Curve failures{"a network fails from here", {}, true};
  for (const Row& row : rows) {
    if (!row.effect || !row.effect->failure || !row.effect->failure->head) continue;
    const std::size_t attending = row.effect->failure->attending;
    if (attending == 0 || attending > most) continue;
    const auto i = static_cast<std::size_t>(
        std::find(arithmetics.begin(), arithmetics.end(), row.arithmetic) - arithmetics.begin());
    const auto averages = bridge::averages_of_ones(arithmetics[i], attending);
    failures.points.emplace_back(static_cast<double>(attending), averages.back());
  }
  if (!failures.points.empty()) plot.curves.push_back(std::move(failures));
  return plot;
}

Status run_arithmetic(const Arguments& arguments) {
  LanguageOptions language_options;
  std::optional<std::string> list;
  std::optional<std::string> plot_file;
  std::uint64_t max_length = 1200;
  std::uint64_t short_words = 1 << 13;
  std::uint64_t most_states = 200'000;
  Options options(arguments.command);
  language_options.add_to(options);
  options.group("Arithmetics");
  options.text("--arithmetics", "LIST", list,
               "With commas: fixed(4,8),bf16,... (fixed(2,8), fixed(4,8), fixed(6,8), bf16, fp16, e4m3)");
  options.number("--max-length", "N", max_length, "Longest word that is tried where there is no proof (1200)",
                 1, 100'000);
  options.number("--short-words", "N", short_words, "All words up to a length are tried, about N (8192)", 1,
                 10'000'000);
  options.number("--prove-states", "N", most_states, "States of a proof (200,000)");
  options.text("--plot", "FILE", plot_file, "What a head puts out as positions become many: FILE.svg");
  expect_no_words(options.parse(arguments.before), arguments);
  if (plot_file && !plot_file->ends_with(".svg"))
    throw UsageError("--plot " + *plot_file + ": the name must end in .svg");
  const auto arithmetics =
      read_arithmetics("--arithmetics", list.value_or("fixed(2,8),fixed(4,8),fixed(6,8),bf16,fp16,e4m3"));

  const Source source(language_options);
  const logic::Alphabet alphabet = source.alphabet();
  const automata::Language language = source.language(alphabet);
  logic::Arena arena;
  logic::Formula f;
  if (source.is_formula()) {
    f = source.formula(arena, alphabet);
  } else {
    const Search search = find_formula(arena, language.dfa, compile_order());
    if (!search.found) {
      const automata::Membership& last = search.tried.back();
      if (!last.member) {
        complain("arithmetic", std::string(automata::name(last.logic)) + " is " + last.note);
        return Status::limit;
      }
      complain("arithmetic", "no network: the language is in no logic that has networks (" +
                                 explain(language, last.witness.value()) + ")");
      return Status::no;
    }
    f = search.found->formula;
  }

  bridge::EffectOptions effect_options;
  effect_options.max_length = static_cast<std::size_t>(max_length);
  effect_options.short_words = static_cast<std::size_t>(short_words);
  effect_options.max_states = static_cast<std::size_t>(most_states);
  std::vector<Row> rows;
  for (const Arithmetic& arithmetic : arithmetics)
    for (Row& row : rows_for(f, alphabet, language.dfa, arithmetic, effect_options))
      rows.push_back(std::move(row));
  if (std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row.effect.has_value(); }))
    throw InputError(rows.front().refusal);
  const std::string formula = logic::to_string(f, alphabet);
  if (plot_file)
    write_file(*plot_file,
               draw_plot(plot_of(formula, arithmetics, rows, static_cast<std::size_t>(max_length))));

  if (options.json) {
    nlohmann::ordered_json json;
    json["formula"] = formula;
    json["alphabet"] = alphabet.names();
    auto& results = json["results"] = nlohmann::ordered_json::array();
    for (const Row& row : rows) results.push_back(to_json(alphabet, row));
    print_json(json, 2);
    return Status::done;
  }
  print("formula  " + formula + "\n\n");
  std::vector<std::vector<std::string>> cells{
      {"arithmetic", "N_max", "network", "layers", "right for lengths"}};
  std::string details;
  for (const Row& row : rows) {
    cells.push_back({transformer::to_string(row.arithmetic),
                     count_text(transformer::vanishing_count(row.arithmetic)), row.network,
                     row.effect ? std::to_string(row.layers) : "", right_text(row)});
    if (!row.effect)
      details += transformer::to_string(row.arithmetic) + ": " + row.refusal + '\n';
    else if (row.effect->counterexample)
      details += failure_text(alphabet, row) + '\n';
  }
  print(table(cells));
  if (!details.empty()) print('\n' + details);
  return Status::done;
}

}  // namespace

const Command arithmetic_effects{
    .name = "arithmetic",
    .summary = "Up to which length is the network right in an arithmetic, and how does it fail?",
    .usage = "LANG [--arithmetics LIST]",
    .notes =
        "For each arithmetic: N_max, the number of equally scored positions at which attention vanishes, "
        "the\n"
        "compiled network, and the one that spends a single layer on each P.  In fixed point with rounded\n"
        "weights the answer is proved for every length; otherwise it is the shortest failure that a search "
        "of\n"
        "all short words and of words u v v v ... w found (docs/arithmetic-effects.md).\n"
        "LANG is exactly one of --regex, --formula, --dfa, --language and --model.",
    .examples =
        "hindsight arithmetic --formula 'P(b & P a)' --alphabet ab\n"
        "hindsight arithmetic --formula 'P a' --alphabet ab --arithmetics 'fixed(3,8),e5m2/partial-sums' "
        "--plot average.svg",
    .run = run_arithmetic,
};

}  // namespace cli
