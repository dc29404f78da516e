// A file is the length of a JSON header (8 bytes, little-endian), the header, and the entries of all tensors.
// The format is described at https://github.com/huggingface/safetensors; what we put into it, in
// docs/model-files.md.
#include "transformer/safetensors.hpp"

#include "transformer/files.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace transformer {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Version 2 has names of coordinates for each layer; a model without any is written as version 1.
constexpr std::uint64_t newest_format = 2;
constexpr std::size_t longest_header = 100'000'000;  // the limit of the reference implementation
constexpr std::size_t deepest_json = 16;

[[noreturn]] void refuse(const std::string& what) {
  throw FileError(what);
}

/// `text` as JSON in which no object has a key twice and nothing is nested deeper than any model needs.
json parse_json(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;  // of the open objects and arrays
  const json::parser_callback_t check = [&](int, json::parse_event_t event, json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        keys.emplace_back();
        if (keys.size() > deepest_json)
          refuse(name + " is nested deeper than " + std::to_string(deepest_json) + " levels");
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end: keys.pop_back(); break;
      case json::parse_event_t::key:
        if (!keys.back().insert(parsed.get<std::string>()).second)
          refuse(name + " has the key " + parsed.dump() + " twice");
        break;
      case json::parse_event_t::value: break;
    }
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), check);
  } catch (const json::exception& error) {
    refuse(name + " is not JSON: " + error.what());
  }
}

/// A JSON value together with where it stands, for messages.
class Field {
 public:
  Field(const json& value, std::string name) : value_(&value), name_(std::move(name)) {}

  /// The entry of that key, which must be there.
  Field operator[](const std::string& key) const {
    if (!value_->is_object()) wrong("an object");
    const auto it = value_->find(key);
    if (it == value_->end()) refuse(name_ + " has no key \"" + key + "\"");
    return Field(*it, name_ + "." + key);
  }

  std::vector<Field> items() const {
    if (!value_->is_array()) wrong("an array");
    std::vector<Field> fields;
    fields.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i)
      fields.emplace_back((*value_)[i], name_ + "[" + std::to_string(i) + "]");
    return fields;
  }

  /// Throws unless this is an object with these keys and no others.
  void has_exactly(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) (*this)[key];
    for (const auto& [key, unused] : value_->items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        refuse(name_ + " has the unknown key \"" + key + "\"");
  }

  std::string text() const {
    if (!value_->is_string()) wrong("a string");
    return value_->get<std::string>();
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> list;
    for (const Field& item : items()) list.push_back(item.text());
    return list;
  }

  std::uint64_t natural(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const {
    if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > most)
      wrong(most == std::numeric_limits<std::uint64_t>::max() ? "a natural number"
                                                              : "one of 0, ..., " + std::to_string(most));
    return value_->get<std::uint64_t>();
  }

  float real() const {
    if (!value_->is_number() || std::abs(value_->get<double>()) > FLT_MAX) wrong("a 32-bit float");
    return static_cast<float>(value_->get<double>());
  }

  bool truth() const {
    if (!value_->is_boolean()) wrong("true or false");
    return value_->get<bool>();
  }

  /// Whether this is an object with that key.
  bool has(const std::string& key) const { return value_->is_object() && value_->contains(key); }

  bool is_null() const { return value_->is_null(); }

  /// The value with that name in `choices`.
  template <class Value>
  Value one_of(std::initializer_list<std::pair<const char*, Value>> choices) const {
    const std::string name = text();
    std::string names;
    for (const auto& [choice, value] : choices) {
      if (name == choice) return value;
      names += (names.empty() ? "\"" : ", \"") + std::string(choice) + "\"";
    }
    wrong("one of " + names);
  }

  [[noreturn]] void wrong(const std::string& wanted) const {
    std::string shown = value_->dump();
    if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
    refuse(name_ + " is " + shown + ", not " + wanted);
  }

 private:
  const json* value_;
  std::string name_;
};

Mask mask_of(const Field& field) {
  const std::string name = field.text();
  if (name == "global") return Mask::global();
  constexpr std::string_view prefix = "local-";
  std::uint64_t window = 0;
  if (name.starts_with(prefix) && name.size() <= prefix.size() + 10) {
    for (const char c : name.substr(prefix.size())) {
      if (c < '0' || c > '9') field.wrong("a mask");
      window = 10 * window + static_cast<std::uint64_t>(c - '0');
    }
  }
  if (window == 0 || window > std::numeric_limits<std::uint32_t>::max() ||
      to_string(Mask::local(static_cast<std::uint32_t>(window))) != name)
    field.wrong("a mask (\"global\", \"local-1\", \"local-2\", ...)");
  return Mask::local(static_cast<std::uint32_t>(window));
}

const char* name_of(PositionKind kind) {
  switch (kind) {
    case PositionKind::none: return "none";
    case PositionKind::periodic: return "periodic";
    case PositionKind::learned: return "learned";
  }
  return "";
}

const char* name_of(NormPlacement placement) {
  switch (placement) {
    case NormPlacement::none: return "none";
    case NormPlacement::post: return "post";
    case NormPlacement::pre: return "pre";
  }
  return "";
}

ordered_json json_of(const Arithmetic& arithmetic) {
  ordered_json document;
  if (arithmetic.is_fixed_point()) {
    document["kind"] = "fixed-point";
    document["fraction_bits"] = arithmetic.fixed_point().fraction_bits();
    document["integer_bits"] = arithmetic.fixed_point().integer_bits();
    if (!arithmetic.is_reference()) document["attention"] = name(arithmetic.rule());
    return document;
  }
  const FloatFormat format = arithmetic.floating_point();
  document["kind"] = "floating-point";
  document["exponent_bits"] = format.exponent_bits();
  document["mantissa_bits"] = format.mantissa_bits();
  document["subnormals"] = format.has_subnormals();
  document["infinities"] = format.has_infinities();
  document["attention"] = name(arithmetic.rule());
  document["order"] = name(arithmetic.order());
  return document;
}

Arithmetic arithmetic_in(const Field& field) {
  enum class Kind { fixed_point, floating_point };
  const Kind kind = field["kind"].one_of<Kind>(
      {{"fixed-point", Kind::fixed_point}, {"floating-point", Kind::floating_point}});
  const auto rule = [&] {
    return field["attention"].one_of<AttentionRule>(
        {{"rounded-weights", AttentionRule::rounded_weights},
         {"rounded-quotient", AttentionRule::rounded_quotient},
         {"clamped-denominator", AttentionRule::clamped_denominator},
         {"partial-sums", AttentionRule::partial_sums}});
  };
  // No arithmetic has more of any bits than fp32 has of mantissa; each constructor says its own bound.
  const auto bits = [&](const char* key) { return static_cast<int>(field[key].natural(23)); };
  try {
    switch (kind) {
      case Kind::fixed_point: {
        const FixedPoint format(bits("fraction_bits"), bits("integer_bits"));
        if (!field.has("attention")) {  // the reference
          field.has_exactly({"kind", "fraction_bits", "integer_bits"});
          return format;
        }
        field.has_exactly({"kind", "fraction_bits", "integer_bits", "attention"});
        return Arithmetic(format, rule());
      }
      case Kind::floating_point: {
        field.has_exactly(
            {"kind", "exponent_bits", "mantissa_bits", "subnormals", "infinities", "attention", "order"});
        const auto order = field["order"].one_of<SumOrder>({{"exact", SumOrder::exact},
                                                            {"left-to-right", SumOrder::left_to_right},
                                                            {"pairwise", SumOrder::pairwise}});
        return Arithmetic(FloatFormat(bits("exponent_bits"), bits("mantissa_bits"),
                                      field["subnormals"].truth(), field["infinities"].truth()),
                          rule(), order);
      }
    }
  } catch (const std::invalid_argument& error) {
    field.wrong(std::string("a format that exists (") + error.what() + ")");
  }
  return Arithmetic();
}

/// Calls matrix(name, m) or vector(name, v) for each tensor of a model, const or not, in the order of the
/// file.
template <class AnyModel, class OnMatrix, class OnVector>
void for_each_tensor(AnyModel& model, OnMatrix matrix, OnVector vector) {
  const auto affine = [&](const std::string& name, auto& weight, auto& bias) {
    matrix(name + ".weight", weight);
    vector(name + ".bias", bias);
  };
  const auto norm = [&](const std::string& name, auto& maybe) {
    if (!maybe) return;
    vector(name + ".weight", maybe->gain);
    vector(name + ".bias", maybe->bias);
  };
  matrix("embedding", model.embedding);
  if (model.position_kind != PositionKind::none) matrix("positions", model.positions);
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    auto& layer = model.layers[l];
    const std::string name = "layers." + std::to_string(l);
    affine(name + ".query", layer.query, layer.query_bias);
    affine(name + ".key", layer.key, layer.key_bias);
    affine(name + ".value", layer.value, layer.value_bias);
    affine(name + ".output", layer.output, layer.output_bias);
    norm(name + ".attention_norm", layer.attention_norm);
    affine(name + ".expand", layer.expand, layer.expand_bias);
    affine(name + ".contract", layer.contract, layer.contract_bias);
    norm(name + ".feed_forward_norm", layer.feed_forward_norm);
  }
  norm("final_norm", model.final_norm);
  vector("readout.weight", model.readout);
}

constexpr const char* readout_bias_name = "readout.bias";

std::uint64_t read_little_endian(const char* bytes, int count) {
  std::uint64_t x = 0;
  for (int i = count; i-- > 0;) x = x << 8 | static_cast<unsigned char>(bytes[i]);
  return x;
}

void write_little_endian(std::string& bytes, std::uint64_t x, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(x >> (8 * i) & 0xff);
}

struct Extent {
  std::string name;
  std::vector<std::size_t> shape;
  std::uint64_t begin, end;
};

Extent extent_of(const std::string& name, const json& value, std::size_t data_size) {
  const Field field(value, "tensor " + json(name).dump());
  field.has_exactly({"dtype", "shape", "data_offsets"});
  if (field["dtype"].text() != "F32") field["dtype"].wrong("\"F32\"");
  Extent extent{name, {}, 0, 0};
  std::uint64_t bytes = 4;
  for (const Field& dimension : field["shape"].items()) {
    extent.shape.push_back(dimension.natural());
    if (__builtin_mul_overflow(bytes, extent.shape.back(), &bytes)) field["shape"].wrong("a size that fits");
  }
  const Field offsets = field["data_offsets"];
  const auto ends = offsets.items();
  if (ends.size() != 2) offsets.wrong("two offsets");
  extent.begin = ends[0].natural();
  extent.end = ends[1].natural();
  if (extent.begin > extent.end) offsets.wrong("in order");
  if (extent.end > data_size) offsets.wrong("within the " + std::to_string(data_size) + " bytes of data");
  if (extent.end - extent.begin != bytes)
    offsets.wrong(std::to_string(bytes) + " bytes apart, as the shape says");
  return extent;
}

}  // namespace

std::string metadata_json(const Model& model) {
  validate(model);
  const bool layer_names = std::any_of(model.layers.begin(), model.layers.end(),
                                       [](const Layer& layer) { return !layer.coordinates.empty(); });
  ordered_json layers = ordered_json::array();
  const auto epsilon = [](const std::optional<LayerNorm>& norm) {
    return norm ? ordered_json(static_cast<double>(norm->epsilon)) : ordered_json();
  };
  for (const Layer& layer : model.layers) {
    ordered_json masks = ordered_json::array();
    for (const Mask mask : layer.masks) masks.push_back(to_string(mask));
    layers.push_back({{"masks", masks},
                      {"head_width", layer.head_width()},
                      {"attention_norm_epsilon", epsilon(layer.attention_norm)},
                      {"feed_forward_norm_epsilon", epsilon(layer.feed_forward_norm)}});
    if (!layer_names) continue;
    layers.back()["attention_coordinates"] = layer.attention_coordinates;
    layers.back()["coordinates"] = layer.coordinates;
  }
  return ordered_json{{"format", layer_names ? 2 : 1},
                      {"alphabet", model.alphabet},
                      {"position", name_of(model.position_kind)},
                      {"norm", name_of(model.norm_placement)},
                      {"final_norm_epsilon", epsilon(model.final_norm)},
                      {"layers", layers},
                      {"arithmetic", json_of(model.arithmetic)},
                      {"max_length", model.max_length ? ordered_json(*model.max_length) : ordered_json()},
                      {"coordinates", model.coordinates},
                      {"source", model.source}}
      .dump();
}

std::string arithmetic_json(const Arithmetic& arithmetic) {
  return json_of(arithmetic).dump();
}

std::vector<NamedTensor> named_tensors(const Model& model) {
  validate(model);
  std::vector<NamedTensor> tensors;
  for_each_tensor(
      model,
      [&](const std::string& name, const Matrix& m) {
        tensors.push_back({name, {m.rows, m.columns}, m.entries});
      },
      [&](const std::string& name, const std::vector<float>& v) {
        tensors.push_back({name, {v.size()}, v});
      });
  tensors.push_back({readout_bias_name, {1}, {model.readout_bias}});
  return tensors;
}

Model model_of(const std::string& metadata, const std::vector<NamedTensor>& tensors) {
  const json document = parse_json(metadata, "metadata \"hindsight\"");
  const Field root(document, "metadata \"hindsight\"");
  const std::uint64_t format = root["format"].natural();
  if (format < 1 || format > newest_format)
    root["format"].wrong("one of the versions that this program reads, 1 to " +
                         std::to_string(newest_format));
  root.has_exactly({"format", "alphabet", "position", "norm", "final_norm_epsilon", "layers", "arithmetic",
                    "max_length", "coordinates", "source"});
  Model model;
  model.alphabet = root["alphabet"].texts();
  model.position_kind = root["position"].one_of<PositionKind>({{"none", PositionKind::none},
                                                               {"periodic", PositionKind::periodic},
                                                               {"learned", PositionKind::learned}});
  model.norm_placement = root["norm"].one_of<NormPlacement>(
      {{"none", NormPlacement::none}, {"post", NormPlacement::post}, {"pre", NormPlacement::pre}});
  const auto norm = [](const Field& epsilon, bool wanted) -> std::optional<LayerNorm> {
    if (epsilon.is_null() == wanted) epsilon.wrong(wanted ? "a number" : "null, against the norm");
    if (!wanted) return std::nullopt;
    return LayerNorm{{}, {}, epsilon.real()};
  };
  const bool norms = model.norm_placement != NormPlacement::none;
  std::vector<std::pair<std::uint64_t, Field>> head_widths;
  for (const Field& field : root["layers"].items()) {
    Layer& layer = model.layers.emplace_back();
    if (format == 1) {
      field.has_exactly({"masks", "head_width", "attention_norm_epsilon", "feed_forward_norm_epsilon"});
    } else {
      field.has_exactly({"masks", "head_width", "attention_norm_epsilon", "feed_forward_norm_epsilon",
                         "attention_coordinates", "coordinates"});
      layer.attention_coordinates = field["attention_coordinates"].texts();
      layer.coordinates = field["coordinates"].texts();
    }
    for (const Field& mask : field["masks"].items()) layer.masks.push_back(mask_of(mask));
    layer.attention_norm = norm(field["attention_norm_epsilon"], norms);
    layer.feed_forward_norm = norm(field["feed_forward_norm_epsilon"], norms);
    head_widths.emplace_back(field["head_width"].natural(), field["head_width"]);
  }
  model.final_norm = norm(root["final_norm_epsilon"], model.norm_placement == NormPlacement::pre);
  model.arithmetic = arithmetic_in(root["arithmetic"]);
  if (!root["max_length"].is_null()) model.max_length = root["max_length"].natural();
  model.coordinates = root["coordinates"].texts();
  model.source = root["source"].text();

  std::map<std::string_view, const NamedTensor*> unused;
  for (const NamedTensor& tensor : tensors)
    if (!unused.emplace(tensor.name, &tensor).second)
      refuse("tensor " + json(tensor.name).dump() + " is there twice");
  const auto take = [&](const std::string& name, std::size_t dimensions) -> const NamedTensor& {
    const auto it = unused.find(name);
    if (it == unused.end()) refuse("tensor \"" + name + "\" is missing");
    const NamedTensor& tensor = *it->second;
    if (tensor.shape.size() != dimensions)
      refuse("tensor \"" + name + "\" has " + std::to_string(tensor.shape.size()) + " dimensions, not " +
             std::to_string(dimensions));
    std::size_t size = 1;
    for (const std::size_t dimension : tensor.shape)
      if (__builtin_mul_overflow(size, dimension, &size)) refuse("tensor \"" + name + "\" is too large");
    if (size != tensor.entries.size())
      refuse("tensor \"" + name + "\" has " + std::to_string(tensor.entries.size()) + " entries, not " +
             std::to_string(size));
    unused.erase(it);
    return tensor;
  };
  for_each_tensor(
      model,
      [&](const std::string& name, Matrix& m) {
        const NamedTensor& tensor = take(name, 2);
        m.rows = tensor.shape[0];
        m.columns = tensor.shape[1];
        m.entries = tensor.entries;
      },
      [&](const std::string& name, std::vector<float>& v) { v = take(name, 1).entries; });
  const NamedTensor& bias = take(readout_bias_name, 1);
  if (bias.entries.size() != 1)
    refuse(std::string("tensor \"") + readout_bias_name + "\" has " + std::to_string(bias.entries.size()) +
           " entries, not 1");
  model.readout_bias = bias.entries.front();
  if (!unused.empty())
    refuse("tensor " + json(std::string(unused.begin()->first)).dump() + " is no part of the model");

  try {
    validate(model);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  for (std::size_t l = 0; l < model.layers.size(); ++l)
    if (head_widths[l].first != model.layers[l].head_width())
      head_widths[l].second.wrong(std::to_string(model.layers[l].head_width()) + ", as the tensors say");
  return model;
}

std::string to_safetensors(const Model& model) {
  const auto tensors = named_tensors(model);
  ordered_json header;
  header["__metadata__"]["hindsight"] = metadata_json(model);
  std::size_t offset = 0;
  for (const NamedTensor& tensor : tensors) {
    const std::size_t end = offset + 4 * tensor.entries.size();
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the entries are aligned in the file
  std::string bytes;
  bytes.reserve(8 + text.size() + offset);
  write_little_endian(bytes, text.size(), 8);
  bytes += text;
  for (const NamedTensor& tensor : tensors)
    for (const float x : tensor.entries) write_little_endian(bytes, std::bit_cast<std::uint32_t>(x), 4);
  return bytes;
}

namespace {

Model read(std::span<const char> bytes) {
  if (bytes.size() < 8) refuse("a file of " + std::to_string(bytes.size()) + " bytes has no header");
  const std::uint64_t length = read_little_endian(bytes.data(), 8);
  if (length > bytes.size() - 8)
    refuse("a header of " + std::to_string(length) + " bytes in a file of " + std::to_string(bytes.size()));
  if (length > longest_header)
    refuse("a header of " + std::to_string(length) + " bytes is longer than " +
           std::to_string(longest_header));
  const std::string_view text(bytes.data() + 8, length);
  if (text.empty() || text.front() != '{') refuse("the header does not begin with {");
  const json header = parse_json(text, "the header");
  const auto data = bytes.subspan(8 + length);

  std::optional<std::string> metadata;
  std::vector<Extent> extents;
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") {
      extents.push_back(extent_of(name, value, data.size()));
      continue;
    }
    if (!value.is_object()) Field(value, name).wrong("an object");
    for (const auto& [key, entry] : value.items()) {
      const std::string content = Field(entry, name + "." + key).text();
      if (key == "hindsight") metadata = content;
    }
  }
  if (!metadata) refuse("there is no metadata \"hindsight\"");
  std::sort(extents.begin(), extents.end(), [](const Extent& x, const Extent& y) {
    return std::tie(x.begin, x.end, x.name) < std::tie(y.begin, y.end, y.name);
  });
  std::uint64_t reached = 0;
  std::vector<NamedTensor> tensors;
  for (Extent& extent : extents) {
    if (extent.begin != reached)
      refuse("tensor " + json(extent.name).dump() + " begins at offset " + std::to_string(extent.begin) +
             (extent.begin < reached ? ", inside the one before, which ends at "
                                     : ", behind a hole that begins at ") +
             std::to_string(reached));
    reached = extent.end;
  }
  if (reached != data.size())
    refuse("the tensors end at offset " + std::to_string(reached) + " of " + std::to_string(data.size()) +
           " bytes of data");
  for (Extent& extent : extents) {
    std::vector<float> entries((extent.end - extent.begin) / 4);
    for (std::size_t i = 0; i < entries.size(); ++i)
      entries[i] = std::bit_cast<float>(
          static_cast<std::uint32_t>(read_little_endian(data.data() + extent.begin + 4 * i, 4)));
    tensors.push_back({std::move(extent.name), std::move(extent.shape), std::move(entries)});
  }
  return model_of(*metadata, tensors);
}

}  // namespace

Model from_safetensors(std::span<const char> bytes) {
  try {
    return read(bytes);
  } catch (const FileError& error) {
    throw FileError(std::string("safetensors: ") + error.what());
  }
}

void save_safetensors(const Model& model, const std::filesystem::path& path) {
  write_file(path, to_safetensors(model));
}

Model load_safetensors(const std::filesystem::path& path) {
  try {
    return from_safetensors(read_file(path));
  } catch (const FileError& error) {
    throw FileError(path.string() + ": " + error.what());
  }
}

}  // namespace transformer
