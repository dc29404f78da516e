#include "transformer/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace transformer {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("validate: " + what);
}

std::string shape(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check_entries(const std::string& name, const std::vector<float>& entries) {
  const auto wrong = std::find_if(entries.begin(), entries.end(), [](float x) { return !std::isfinite(x); });
  if (wrong != entries.end())
    refuse(name + " has " + std::to_string(*wrong) + " at entry " + std::to_string(wrong - entries.begin()));
}

void check(const std::string& name, const Matrix& matrix, std::size_t rows, std::size_t columns) {
  if (matrix.rows != rows || matrix.columns != columns)
    refuse(name + " is " + shape(matrix.rows, matrix.columns) + ", not " + shape(rows, columns));
  // Divided rather than multiplied, so that no shape overflows.
  const std::size_t size = matrix.entries.size();
  if (rows == 0 || columns == 0 ? size != 0 : size % columns != 0 || size / columns != rows)
    refuse(name + " is " + shape(rows, columns) + " but has " + std::to_string(size) + " entries");
  check_entries(name, matrix.entries);
}

void check(const std::string& name, const std::vector<float>& vector, std::size_t size) {
  if (vector.size() != size)
    refuse(name + " has " + std::to_string(vector.size()) + " entries, not " + std::to_string(size));
  check_entries(name, vector);
}

void check(const std::string& name, const std::optional<LayerNorm>& norm, bool wanted, std::size_t width) {
  if (norm.has_value() != wanted)
    refuse(name + (wanted ? " is missing" : " is present") + ", against the norm placement");
  if (!norm) return;
  check(name + ".gain", norm->gain, width);
  check(name + ".bias", norm->bias, width);
  if (!std::isfinite(norm->epsilon) || norm->epsilon <= 0)
    refuse(name + ".epsilon is " + std::to_string(norm->epsilon) + ", not a positive number");
}

/// Whether `text` is UTF-8 as RFC 3629 defines it.
bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                                                             : 4;
    if (lead >= 0x80 && (lead < 0xc2 || lead > 0xf4)) return false;
    if (text.size() - i < length) return false;
    for (std::size_t j = 1; j < length; ++j)
      if ((byte(i + j) & 0xc0) != 0x80) return false;
    if ((lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xed && byte(i + 1) >= 0xa0) ||
        (lead == 0xf0 && byte(i + 1) < 0x90) || (lead == 0xf4 && byte(i + 1) >= 0x90))
      return false;
    i += length;
  }
  return true;
}

void check_text(const std::string& name, const std::string& text) {
  if (!is_utf8(text)) refuse(name + " is not UTF-8");
}

void check(const std::vector<std::string>& alphabet) {
  if (alphabet.empty()) refuse("alphabet is empty");
  for (std::size_t a = 0; a < alphabet.size(); ++a) {
    const auto name = "alphabet[" + std::to_string(a) + "]";
    if (alphabet[a].empty()) refuse(name + " is empty");
    check_text(name, alphabet[a]);
    if (std::any_of(alphabet[a].begin(), alphabet[a].end(),
                    [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      refuse(name + " has a control character");
  }
  auto sorted = alphabet;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse("alphabet has \"" + *twice + "\" twice");
}

void check_names(const std::string& name, const std::vector<std::string>& names, std::size_t width) {
  if (!names.empty() && names.size() != width)
    refuse(name + " has " + std::to_string(names.size()) + " names, not " + std::to_string(width));
  for (std::size_t i = 0; i < names.size(); ++i) check_text(name + "[" + std::to_string(i) + "]", names[i]);
}

void check(const std::string& name, const Layer& layer, std::size_t width, bool norms) {
  const std::size_t heads = layer.heads();
  const std::size_t rows = layer.value.rows;
  if (heads == 0 ? rows != 0 : rows == 0 || rows % heads != 0)
    refuse(name + ".value has " + std::to_string(rows) + " rows, which do not split over " +
           std::to_string(heads) + " heads");
  check(name + ".query", layer.query, rows, width);
  check(name + ".key", layer.key, rows, width);
  check(name + ".value", layer.value, rows, width);
  check(name + ".query_bias", layer.query_bias, rows);
  check(name + ".key_bias", layer.key_bias, rows);
  check(name + ".value_bias", layer.value_bias, rows);
  check(name + ".output", layer.output, width, rows);
  check(name + ".output_bias", layer.output_bias, width);
  const std::size_t hidden = layer.hidden();
  check(name + ".expand", layer.expand, hidden, width);
  check(name + ".expand_bias", layer.expand_bias, hidden);
  check(name + ".contract", layer.contract, width, hidden);
  check(name + ".contract_bias", layer.contract_bias, width);
  check(name + ".attention_norm", layer.attention_norm, norms, width);
  check(name + ".feed_forward_norm", layer.feed_forward_norm, norms, width);
  check_names(name + ".attention_coordinates", layer.attention_coordinates, width);
  check_names(name + ".coordinates", layer.coordinates, width);
}

}  // namespace

void validate(const Model& model) {
  check(model.alphabet);
  const std::size_t width = model.width();
  if (width == 0) refuse("embedding has no columns");
  check("embedding", model.embedding, model.letters() + 1, width);
  const bool positions = model.position_kind != PositionKind::none;
  if (positions && model.positions.rows == 0) refuse("positions has no rows");
  check("positions", model.positions, positions ? model.positions.rows : 0, positions ? width : 0);
  const bool norms = model.norm_placement != NormPlacement::none;
  for (std::size_t l = 0; l < model.layers.size(); ++l)
    check("layers[" + std::to_string(l) + "]", model.layers[l], width, norms);
  check("final_norm", model.final_norm, model.norm_placement == NormPlacement::pre, width);
  check("readout", model.readout, width);
  check_entries("readout_bias", {model.readout_bias});
  check_names("coordinates", model.coordinates, width);
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    const Layer& layer = model.layers[l];
    const std::string name = "layers[" + std::to_string(l) + "]";
    if (layer.coordinates.empty() != layer.attention_coordinates.empty())
      refuse(name + " has names after one of its halves only");
    if (!layer.coordinates.empty() && model.coordinates.empty())
      refuse(name + ".coordinates is present, but the model's coordinates have no names");
  }
  check_text("source", model.source);
}

std::size_t parameter_count(const Model& model) {
  const auto norm_size = [](const std::optional<LayerNorm>& norm) {
    return norm ? norm->gain.size() + norm->bias.size() : 0;
  };
  std::size_t count = model.embedding.entries.size() + model.positions.entries.size() +
                      norm_size(model.final_norm) + model.readout.size() + 1;
  for (const Layer& layer : model.layers) {
    for (const auto* matrix :
         {&layer.query, &layer.key, &layer.value, &layer.output, &layer.expand, &layer.contract})
      count += matrix->entries.size();
    for (const auto* vector : {&layer.query_bias, &layer.key_bias, &layer.value_bias, &layer.output_bias,
                               &layer.expand_bias, &layer.contract_bias})
      count += vector->size();
    count += norm_size(layer.attention_norm) + norm_size(layer.feed_forward_norm);
  }
  return count;
}

}  // namespace transformer
