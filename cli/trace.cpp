// trace: what a model does with one word, beside the truth that its coordinates stand for.
#include "bridge/trace.hpp"

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/model_file.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "cli/trace_picture.hpp"
#include "cli/words.hpp"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using bridge::Half;
using bridge::TracedCoordinate;
using bridge::TracedHead;
using bridge::TraceStage;

const char* name_of(Half half) {
  switch (half) {
    case Half::input: return "input";
    case Half::attention: return "attention";
    case Half::feed_forward: return "feed-forward";
  }
  return "";
}

/// `text` without what would move a terminal's cursor.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

bool is_wrong(const TracedCoordinate& c, std::size_t n) {
  return std::find(c.wrong.begin(), c.wrong.end(), n) != c.wrong.end();
}

std::string to_text(const TraceView& view) {
  constexpr std::size_t unbroken = std::size_t{1} << 30;
  std::string text;
  for (const TraceStage* stage : view.stages) {
    text += '\n' + title(*stage) + '\n';
    for (std::size_t h = 0; h < stage->heads.size(); ++h) {
      const TracedHead& head = stage->heads[h];
      std::vector<std::vector<std::string>> rows;
      rows.push_back({"", "head " + std::to_string(h) + ", " + to_string(head.mask)});
      for (std::size_t m = 0; m + 1 < view.labels.size(); ++m) rows.back().push_back(view.labels[m]);
      for (const std::size_t n : view.positions) {
        rows.push_back({"", std::to_string(n) + " " + view.labels[n - 1]});
        for (std::size_t m = 1; m < n; ++m)
          rows.back().push_back(head.mask.sees(n, m) ? number(head.weights[n - 1][m - 1]) : "");
      }
      text += table(rows, unbroken);
    }
    std::vector<std::vector<std::string>> rows{{"", "", ""}};
    for (const std::size_t n : view.positions) rows.back().push_back(view.labels[n - 1]);
    rows.back().emplace_back("truth");
    for (const TracedCoordinate* c : view.coordinates(*stage)) {
      rows.push_back({"", std::to_string(c->index), printable(c->name)});
      std::string truth;
      for (const std::size_t n : view.positions) {
        rows.back().push_back(number(c->values[n - 1]) + (is_wrong(*c, n) ? "!" : ""));
        if (c->truth) truth += (*c->truth)[n - 1] ? '1' : '0';
      }
      rows.back().push_back(truth);
    }
    if (rows.size() > 1) text += table(rows, unbroken);
  }
  return text;
}

nlohmann::ordered_json to_json(const TraceView& view) {
  auto stages = nlohmann::ordered_json::array();
  for (const TraceStage* stage : view.stages) {
    nlohmann::ordered_json entry;
    entry["layer"] = nullptr;
    if (stage->half != Half::input) entry["layer"] = stage->layer;
    entry["half"] = name_of(stage->half);
    auto& heads = entry["heads"] = nlohmann::ordered_json::array();
    for (const TracedHead& head : stage->heads) {
      auto rows = nlohmann::ordered_json::array();
      for (const std::size_t n : view.positions) rows.push_back(head.weights[n - 1]);
      heads.push_back({{"mask", to_string(head.mask)}, {"weights", std::move(rows)}});
    }
    auto& coordinates = entry["coordinates"] = nlohmann::ordered_json::array();
    for (const TracedCoordinate* c : view.coordinates(*stage)) {
      nlohmann::ordered_json values, truth, wrong = nlohmann::ordered_json::array();
      for (const std::size_t n : view.positions) {
        values.push_back(c->values[n - 1]);
        if (c->truth) truth.push_back(bool((*c->truth)[n - 1]));
        if (is_wrong(*c, n)) wrong.push_back(n);
      }
      coordinates.push_back({{"index", c->index},
                             {"name", c->name},
                             {"values", std::move(values)},
                             {"truth", std::move(truth)},
                             {"wrong", std::move(wrong)}});
    }
    stages.push_back(std::move(entry));
  }
  return stages;
}

/// The word of the command line, which names exactly one.
logic::Word the_word(const logic::Alphabet& alphabet, const std::vector<std::string>& given) {
  std::optional<logic::Word> word;
  for_each_word(alphabet, given, {}, [&](const logic::Word& w, const std::string&) {
    if (word) throw UsageError("one word at a time");
    word = w;
  });
  return word.value();
}

Status run_trace(const Arguments& arguments) {
  std::optional<std::string> to;
  std::optional<std::uint64_t> layer;
  std::optional<std::uint64_t> position;
  TraceView view;
  bridge::TraceLimits limits;
  std::uint64_t max_numbers = limits.max_numbers;
  Options options(arguments.command);
  options.choice("--to", {"text", "json", "svg"}, to, "Print it in this format (text)");
  options.number("--layer", "L", layer, "Only this layer, from 0 as in the file", 0);
  options.number("--position", "N", position,
                 "Only this position, from 1; the end is behind the last letter");
  options.flag("--all", view.everything, "Also free coordinates, padding and mirrors");
  options.number("--max-numbers", "N", max_numbers, "Most values and weights to keep (20,000,000)");
  auto words = with_rest(options.parse(arguments.before), arguments);
  if (words.empty()) throw UsageError("no model file");
  if (options.json && to && to != "json") throw UsageError("--json and --to " + *to + " exclude each other");
  const ModelFile file(words.front());
  words.erase(words.begin());
  const transformer::Model& model = file.model();
  const logic::Alphabet alphabet(model.alphabet);
  const logic::Word word = the_word(alphabet, words);
  if (layer && *layer >= model.layers.size())
    throw InputError("--layer " + std::to_string(*layer) + ": the model has " +
                     std::to_string(model.layers.size()) + " layers, counted from 0");
  if (position && *position > word.size() + 1)
    throw InputError("--position " + std::to_string(*position) + ": the word has " +
                     std::to_string(word.size()) + " letters, and the end after them");
  limits.max_numbers = max_numbers;
  const bridge::Trace trace = bridge::trace(model, word, limits);

  for (const auto& stage : trace.stages)
    if (!layer || (stage.half != Half::input && stage.layer == *layer)) view.stages.push_back(&stage);
  if (position) {
    view.positions = {*position};
  } else {
    view.positions.resize(word.size() + 1);
    std::iota(view.positions.begin(), view.positions.end(), std::size_t{1});
  }
  for (const auto a : word) view.labels.push_back(alphabet.name(a));
  view.labels.emplace_back("end");

  const Status status = trace.disagreements == 0 ? Status::done : Status::no;
  if (options.json || to == "json") {
    nlohmann::ordered_json json;
    json["word"] = logic::to_string(alphabet, word);
    json["accepted"] = trace.accepted;
    json["logit"] = trace.logit;
    json["formula"] = nullptr;
    if (!model.source.empty()) json["formula"] = model.source;
    json["holds"] = nullptr;
    if (trace.holds) json["holds"] = *trace.holds;
    json["arithmetic"] = transformer::to_string(model.arithmetic);
    json["disagreements"] = trace.disagreements;
    json["labels"] = view.labels;
    json["positions"] = view.positions;
    json["stages"] = to_json(view);
    print_json(json, 2);
    return status;
  }
  std::string heading = readable(alphabet, word) + ": " + (trace.accepted ? "accepted" : "rejected") +
                        ", logit " + number(trace.logit);
  if (trace.holds) heading += std::string("; the formula ") + (*trace.holds ? "holds" : "does not hold");
  if (trace.holds)
    heading += trace.disagreements == 0 ? ", and all coordinates agree with it"
                                        : "; disagreements: " + std::to_string(trace.disagreements);
  if (to == "svg") {
    print(trace_picture(heading, view));
  } else {
    print(heading + '\n');
    if (!model.source.empty()) print("formula  " + printable(model.source) + '\n');
    print(to_text(view));
  }
  return status;
}

}  // namespace

const Command trace{
    .name = "trace",
    .summary = "What the model does with a word, beside what its coordinates stand for",
    .usage = "MODEL WORD",
    .notes =
        "After the input and after each half layer: every coordinate at every position and, where its name\n"
        "is a formula, the truth of that formula; a value that disagrees is marked with !.  For each head\n"
        "the weights that each position gives to earlier ones.  Exit status 1: something disagrees.",
    .examples =
        "hindsight trace ab.safetensors abab\n"
        "hindsight trace ab.safetensors abab --layer 0 --position 5\n"
        "hindsight trace ab.safetensors abab --to svg > abab.svg",
    .run = run_trace,
};

}  // namespace cli
