#include "cli/network.hpp"

#include "cli/words.hpp"
#include "transformer/safetensors.hpp"

#include <nlohmann/json.hpp>

namespace cli {

std::size_t head_count(const transformer::Model& model) {
  std::size_t heads = 0;
  for (const auto& layer : model.layers) heads += layer.heads();
  return heads;
}

std::string describe(const transformer::Arithmetic& arithmetic) {
  if (arithmetic.is_fixed_point()) {
    const transformer::FixedPoint format = arithmetic.fixed_point();
    return "fixed point, " + std::to_string(format.fraction_bits()) + " fraction bits, " +
           std::to_string(format.integer_bits()) + " integer bits" +
           (arithmetic.is_reference() ? "" : ", " + std::string(transformer::name(arithmetic.rule())));
  }
  const transformer::FloatFormat format = arithmetic.floating_point();
  return "floating point, " + std::to_string(format.exponent_bits()) + " exponent bits, " +
         std::to_string(format.mantissa_bits()) + " mantissa bits" +
         (format.has_subnormals() ? "" : ", no subnormals") +
         (format.has_infinities() ? "" : ", no infinities") + ", " +
         std::string(transformer::name(arithmetic.rule())) + ", sums " +
         std::string(transformer::name(arithmetic.order()));
}

transformer::Arithmetic read_arithmetic(const std::string& option, const std::string& text) {
  try {
    return transformer::arithmetic_of(text);
  } catch (const std::invalid_argument& error) {
    throw InputError(option + ": " + error.what());
  }
}

std::vector<transformer::Arithmetic> read_arithmetics(const std::string& option, const std::string& text) {
  try {
    return transformer::arithmetics_of(text);
  } catch (const std::invalid_argument& error) {
    throw InputError(option + ": " + error.what());
  }
}

nlohmann::ordered_json to_json(const transformer::Model& model) {
  nlohmann::ordered_json json;
  json["layers"] = model.layers.size();
  json["heads"] = head_count(model);
  json["width"] = model.width();
  json["parameters"] = transformer::parameter_count(model);
  json["arithmetic"] = nlohmann::ordered_json::parse(transformer::arithmetic_json(model.arithmetic));
  json["max_length"] = nullptr;
  if (model.max_length) json["max_length"] = *model.max_length;
  auto& masks = json["masks"] = nlohmann::ordered_json::array();  // of each layer
  for (const auto& layer : model.layers) {
    auto& names = masks.emplace_back(nlohmann::ordered_json::array());
    for (const auto mask : layer.masks) names.push_back(transformer::to_string(mask));
  }
  return json;
}

EngineAgreement check_agreement(const transformer::Model& model, const automata::Dfa& language,
                                std::size_t budget, Companion* companion,
                                const std::filesystem::path& directory) {
  const auto sample = bridge::agreement_words(model, budget);
  EngineAgreement agreement;
  agreement.exact = bridge::compare_exact(model, sample, language);
  if (companion != nullptr) {
    const auto path = directory / "model.safetensors";
    transformer::save_safetensors(model, path);
    const auto affordable = bridge::within_squares(sample, 100'000'000);  // seconds on global heads
    agreement.torch = bridge::compare(affordable, companion->accepts(path, {}, affordable.words), language);
    std::filesystem::remove(path);
  }
  return agreement;
}

nlohmann::ordered_json to_json(const logic::Alphabet& alphabet,
                               const std::optional<bridge::Agreement>& agreement) {
  if (!agreement) return nullptr;
  nlohmann::ordered_json json;
  json["words"] = agreement->words;
  json["exhaustive_length"] = agreement->exhaustive_length;
  json["longest"] = agreement->longest;
  json["counterexample"] = nullptr;
  if (agreement->counterexample)
    json["counterexample"] = logic::to_string(alphabet, *agreement->counterexample);
  return json;
}

std::string describe(const logic::Alphabet& alphabet, const bridge::Agreement& agreement) {
  if (agreement.counterexample) return "disagrees on " + readable(alphabet, *agreement.counterexample);
  return "agrees on " + std::to_string(agreement.words) + " words: all up to " +
         std::to_string(agreement.exhaustive_length) + " letters, the longest of " +
         std::to_string(agreement.longest);
}

}  // namespace cli
