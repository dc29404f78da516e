// From a program over values to weights over coordinates: what is dead goes, what lives gets a column.
//
// Time is counted in half layers: what is embedded is there at -1, the attention of layer l writes at 2l, its
// feed-forward block at 2l+1.  A value lives from the half that writes it until the block of the layer that
// reads it last, which clears it.  Columns for such intervals are given out in the order of their beginnings,
// the least free one first, which takes as many columns as values live together at most.
#include "bridge/program.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>

namespace bridge {

using transformer::Layer;
using transformer::Matrix;
using transformer::Model;

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();

// Far below any grid step, so that it disturbs no norm.
constexpr float norm_epsilon = 0x1p-30f;

class Assembler {
 public:
  Assembler(Program program, const AssembleOptions& options)
      : program_(std::move(program)),
        options_(options),
        begin_(program_.values.size(), never),
        end_(program_.values.size(), never),
        column_(program_.values.size(), no_column) {}

  Model run() {
    drop_dead_code();
    find_lives();
    give_columns();
    width_ = columns_.size();
    if (mirrored()) {
      width_ = std::max(width_, pairs());
      width_ *= 2;
    }
    check_size();
    return build();
  }

 private:
  bool mirrored() const { return options_.mirrors != Mirrors::none; }
  /// Whether the block of this layer puts every coordinate back to 0 or 1.
  bool restores(const Block& block) const {
    return options_.mirrors == Mirrors::relaxed &&
           std::any_of(block.heads.begin(), block.heads.end(),
                       [&](const Head& head) { return !program_.values[head.target].clean; });
  }

  // --- what is needed, and for how long -------------------------------------------------------------------

  void drop_dead_code() {
    std::vector<bool> needed(program_.values.size(), false);
    const auto read = [&](const Form& form) {
      for (const auto& term : form.terms) needed[term.first] = true;
    };
    const auto unneeded = [&](const std::pair<std::size_t, float>& output) { return !needed[output.first]; };
    read(program_.answer);
    for (auto block = program_.blocks.rbegin(); block != program_.blocks.rend(); ++block) {
      std::erase_if(block->constants, unneeded);
      for (Unit& unit : block->units) std::erase_if(unit.outputs, unneeded);
      std::erase_if(block->units, [](const Unit& unit) { return unit.outputs.empty(); });
      std::erase_if(block->cleanings, [&](const Cleaning& c) { return !needed[c.target]; });
      for (const Unit& unit : block->units) read(unit.input);
      for (const Cleaning& c : block->cleanings) needed[c.raw] = true;
      std::erase_if(block->heads, [&](const Head& head) { return !needed[head.target]; });
      for (const Head& head : block->heads) read(head.argument);
    }
    std::erase_if(program_.blocks, [](const Block& block) { return block.empty(); });
    std::erase_if(program_.positions, [&](const auto& position) { return !needed[position.first]; });
    drop_unwritten();
  }

  /// A value that nothing writes, as a function that is never true, is 0 and needs no coordinate.
  void drop_unwritten() {
    std::vector<bool> written(program_.values.size(), false);
    for (const std::size_t v : program_.letters) written[v] = true;
    for (const auto& position : program_.positions) written[position.first] = true;
    for (const Block& block : program_.blocks) {
      for (const Head& head : block.heads) written[head.target] = true;
      for (const Cleaning& c : block.cleanings) written[c.target] = true;
      for (const Unit& unit : block.units)
        for (const auto& output : unit.outputs) written[output.first] = true;
      for (const auto& constant : block.constants) written[constant.first] = true;
    }
    const auto keep_written = [&](Form& form) {
      std::erase_if(form.terms, [&](const auto& term) { return !written[term.first]; });
    };
    keep_written(program_.answer);
    for (Block& block : program_.blocks) {
      for (Head& head : block.heads) keep_written(head.argument);
      for (Unit& unit : block.units) keep_written(unit.input);
    }
  }

  void find_lives() {
    const auto write = [&](std::size_t v, std::int64_t time) {
      if (begin_[v] == never) begin_[v] = time;
    };
    const auto read = [&](std::size_t v, std::int64_t layer) {
      if (end_[v] != for_ever) end_[v] = std::max(end_[v], 2 * layer + 1);
    };
    const auto read_all = [&](const Form& form, std::int64_t layer) {
      for (const auto& term : form.terms) read(term.first, layer);
    };
    for (const std::size_t v : program_.letters) begin_[v] = -1;
    for (const auto& position : program_.positions) begin_[position.first] = -1;
    for (const auto& term : program_.answer.terms) end_[term.first] = for_ever;
    for (std::size_t l = 0; l < program_.blocks.size(); ++l) {
      const Block& block = program_.blocks[l];
      const auto layer = static_cast<std::int64_t>(l);
      for (const Head& head : block.heads) {
        read_all(head.argument, layer);
        write(head.target, 2 * layer);
      }
      for (const Cleaning& c : block.cleanings) {
        read(c.raw, layer);
        write(c.target, 2 * layer + 1);
      }
      for (const Unit& unit : block.units) {
        read_all(unit.input, layer);
        for (const auto& output : unit.outputs) write(output.first, 2 * layer + 1);
      }
      for (const auto& constant : block.constants) write(constant.first, 2 * layer + 1);
    }
  }

  void give_columns() {
    // A cleaned output takes over the column of the raw one, where the block can replace it.
    std::vector<std::size_t> raw_of(program_.values.size(), no_column);
    if (options_.exact_sums)
      for (const Block& block : program_.blocks)
        for (const Cleaning& c : block.cleanings) raw_of[c.target] = c.raw;
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < program_.values.size(); ++v)
      if (begin_[v] != never && (end_[v] != never || !options_.reuse)) order.push_back(v);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return begin_[x] < begin_[y]; });
    std::vector<std::size_t> free;  // ascending
    using Ending = std::pair<std::int64_t, std::size_t>;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings;
    const auto take = [&](std::size_t v, std::size_t column) {
      column_[v] = column;
      columns_[column].push_back(v);
      if (!options_.reuse || end_[v] == for_ever) return;
      endings.emplace(program_.values[v].clean || options_.exact_sums ? end_[v] : end_[v] + 1, v);
    };
    for (std::size_t i = 0; i < order.size();) {
      const std::int64_t now = begin_[order[i]];
      for (; !endings.empty() && endings.top().first <= now; endings.pop()) {
        const std::size_t column = column_[endings.top().second];
        free.insert(std::lower_bound(free.begin(), free.end(), column), column);
      }
      std::size_t last = i;
      while (last < order.size() && begin_[order[last]] == now) ++last;
      for (std::size_t k = i; k < last; ++k) {
        const std::size_t v = order[k];
        if (raw_of[v] == no_column) continue;
        const std::size_t column = column_[raw_of[v]];
        std::erase(free, column);
        take(v, column);
      }
      for (; i < last; ++i) {
        if (raw_of[order[i]] != no_column) continue;
        std::size_t column = columns_.size();
        if (free.empty()) {
          columns_.emplace_back();
        } else {
          column = free.front();
          free.erase(free.begin());
        }
        take(order[i], column);
      }
    }
    if (columns_.empty()) columns_.emplace_back();  // there is no network of width 0
    ending_.resize(program_.blocks.size());
    for (const std::size_t v : order)
      if (end_[v] != never && end_[v] != for_ever)
        ending_[static_cast<std::size_t>(end_[v] / 2)].push_back(v);
  }

  /// Whether the block at the end of v's life sets its coordinate to 0.
  bool is_cleared(std::size_t v) const {
    return end_[v] != for_ever && (!program_.values[v].clean || columns_[column_[v]].back() != v);
  }

  std::size_t pairs() const {
    std::size_t most = 0;
    const auto halves = 2 * static_cast<std::int64_t>(program_.blocks.size());
    std::vector<std::vector<std::size_t>> unclean(static_cast<std::size_t>(halves) + 1);
    for (std::size_t v = 0; v < program_.values.size(); ++v) {
      if (column_[v] == no_column || program_.values[v].clean) continue;
      for (std::int64_t time = begin_[v]; time < std::min(end_[v], halves); ++time)
        unclean[static_cast<std::size_t>(time + 1)].push_back(v);
    }
    for (const auto& together : unclean) {
      most = std::max(
          most, options_.mirrors == Mirrors::relaxed
                    ? 2 * together.size()
                    : pairs_for_identity(program_.values, together, options_.fraction_bits, norm_epsilon));
    }
    return most;
  }

  // --- weights --------------------------------------------------------------------------------------------

  // Without mirrors coordinate x is column x.  With mirrors, x is column 2x and 1 - x is column 2x+1.
  std::size_t place(std::size_t coordinate) const { return mirrored() ? 2 * coordinate : coordinate; }

  void write(Matrix& matrix, std::size_t coordinate, std::size_t c, float weight) const {
    matrix(place(coordinate), c) += weight;
    if (mirrored()) matrix(place(coordinate) + 1, c) -= weight;
  }

  void write(std::vector<float>& vector, std::size_t coordinate, float weight) const {
    vector[place(coordinate)] += weight;
    if (mirrored()) vector[place(coordinate) + 1] -= weight;
  }

  void read(Matrix& matrix, std::size_t r, const Form& form, float factor) const {
    for (const auto& [v, weight] : form.terms) matrix(r, place(column_[v])) += factor * weight;
  }

  /// The value that coordinate x holds from that time on, if any.
  std::optional<std::size_t> held(std::size_t x, std::int64_t time) const {
    if (x >= columns_.size()) return std::nullopt;
    const auto next = std::partition_point(columns_[x].begin(), columns_[x].end(),
                                           [&](std::size_t v) { return begin_[v] <= time; });
    if (next == columns_[x].begin()) return std::nullopt;
    const std::size_t v = *std::prev(next);
    return end_[v] > time || !is_cleared(v) ? std::optional(v) : std::nullopt;
  }

  /// The units of a block, with those that clean and clear; of coordinates, not of values.
  std::vector<Unit> units_of(const Block& block, std::int64_t layer) const {
    std::vector<Unit> units;
    const auto time = 2 * layer + 1;
    const auto subtract = [&](std::size_t x, bool below_zero) {
      units.push_back({{{{x, 1.0f}}, 0}, {{x, -1.0f}}});
      if (below_zero) units.push_back({{{{x, -1.0f}}, 0}, {{x, 1.0f}}});
    };
    if (restores(block)) {
      // Every coordinate to 0 where it is at most 0, and to 1 where it is at least 1/slope.
      assert(block.units.empty() && block.constants.empty());
      const float slope = restoring_slope();
      for (std::size_t x = 0; x < width_ / 2; ++x) {
        subtract(x, true);
        if (!held(x, time)) continue;
        units.push_back({{{{x, slope}}, 0}, {{x, 1.0f}}});
        units.push_back({{{{x, slope}}, -1}, {{x, -1.0f}}});
      }
      return units;
    }
    for (const Unit& unit : block.units) {
      units.push_back(unit);
      for (auto& term : units.back().input.terms) term.first = column_[term.first];
      for (auto& output : units.back().outputs) output.first = column_[output.first];
    }
    for (const Cleaning& c : block.cleanings)  // 1 - relu(1 - slope · raw)
      units.push_back({{{{column_[c.raw], -options_.slope}}, 1}, {{column_[c.target], -1.0f}}});
    for (const std::size_t v : ending_[static_cast<std::size_t>(layer)])
      if (is_cleared(v)) subtract(column_[v], program_.values[v].least < 0);
    return units;
  }

  float restoring_slope() const { return static_cast<float>(1 << std::min(3, options_.fraction_bits)); }

  transformer::LayerNorm identity_norm() const {
    transformer::LayerNorm norm;
    norm.gain.assign(width_, 0.5f);
    norm.bias.assign(width_, 0.5f);
    norm.epsilon = norm_epsilon;
    return norm;
  }

  Layer make_layer(const Block& block, std::int64_t index) const {
    const std::size_t heads = block.heads.size();
    Layer layer;
    layer.query = layer.key = layer.value = Matrix(heads, width_);
    layer.query_bias.assign(heads, 0);
    layer.key_bias = layer.value_bias = layer.query_bias;
    layer.output = Matrix(width_, heads);
    layer.output_bias.assign(width_, 0);
    for (std::size_t h = 0; h < heads; ++h) {
      const Head& head = block.heads[h];
      layer.masks.push_back(head.mask);
      if (!head.uniform) {  // score F·(ψ - 1)
        layer.query_bias[h] = options_.suppress;
        read(layer.key, h, head.argument, 1);
        layer.key_bias[h] = head.argument.constant - 1;
      }
      read(layer.value, h, head.argument, head.scale);
      layer.value_bias[h] = head.scale * head.argument.constant;
      write(layer.output, column_[head.target], h, 1);
      write(layer.output_bias, column_[head.target], head.offset);
    }
    const std::vector<Unit> units = units_of(block, index);
    layer.expand = Matrix(units.size(), width_);
    layer.expand_bias.assign(units.size(), 0);
    layer.contract = Matrix(width_, units.size());
    layer.contract_bias.assign(width_, 0);
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (const auto& [x, weight] : units[u].input.terms) layer.expand(u, place(x)) += weight;
      layer.expand_bias[u] = units[u].input.constant;
      for (const auto& [x, weight] : units[u].outputs) write(layer.contract, x, u, weight);
    }
    for (const auto& [v, weight] : block.constants) write(layer.contract_bias, column_[v], weight);
    if (!restores(block))
      for (const Cleaning& c : block.cleanings) write(layer.contract_bias, column_[c.target], 1);
    if (mirrored()) layer.attention_norm = layer.feed_forward_norm = identity_norm();
    layer.attention_coordinates = names_at(2 * index);
    layer.coordinates = names_at(2 * index + 1);
    return layer;
  }

  /// What each coordinate holds after that half layer.
  std::vector<std::string> names_at(std::int64_t time) const {
    std::vector<std::string> names;
    for (std::size_t x = 0; x < columns_.size(); ++x) {
      const auto v = held(x, time);
      const std::string name = v ? program_.values[*v].name : "(free)";
      names.push_back(name);
      if (mirrored()) names.push_back("1 - (" + name + ")");
    }
    while (names.size() < width_) names.push_back(names.size() % 2 == 0 ? "(padding)" : "1 - ((padding))");
    return names;
  }

  void check_size() const {
    std::size_t count = width_ * (program_.letters.size() + 2);
    if (!program_.positions.empty()) count += width_ * program_.positions.front().second.size();
    if (count <= options_.max_parameters) {
      for (std::size_t l = 0; l < program_.blocks.size() && count <= options_.max_parameters; ++l) {
        const Block& block = program_.blocks[l];
        count += width_ * (4 * block.heads.size() + 2 * units_of(block, static_cast<std::int64_t>(l)).size());
      }
    }
    if (count > options_.max_parameters) {
      throw std::length_error("compile: a network of at least " + std::to_string(count) +
                              " parameters, above the limit of " + std::to_string(options_.max_parameters));
    }
  }

  Model build() {
    Model model;
    model.norm_placement = options_.norm;
    model.coordinates = names_at(-1);
    const std::size_t letters = program_.letters.size();
    model.embedding = Matrix(letters + 1, width_);
    for (std::size_t row = 0; row <= letters; ++row) {
      for (std::size_t x = 1; mirrored() && x < width_; x += 2) model.embedding(row, x) = 1;
      if (row == letters || column_[program_.letters[row]] == no_column) continue;
      const std::size_t x = place(column_[program_.letters[row]]);
      model.embedding(row, x) += 1;
      if (mirrored()) model.embedding(row, x + 1) -= 1;
    }
    if (!program_.positions.empty()) {
      model.position_kind = transformer::PositionKind::periodic;
      model.positions = Matrix(program_.positions.front().second.size(), width_);
      for (const auto& [v, entries] : program_.positions) {
        const std::size_t x = place(column_[v]);
        for (std::size_t n = 0; n < entries.size(); ++n) {
          model.positions(n, x) += entries[n];
          if (mirrored()) model.positions(n, x + 1) -= entries[n];
        }
      }
    }
    std::vector<std::string> names = model.coordinates;
    for (std::size_t l = 0; l < program_.blocks.size(); ++l) {
      Layer layer = make_layer(program_.blocks[l], static_cast<std::int64_t>(l));
      if (layer.attention_coordinates == names && layer.coordinates == names) {
        layer.attention_coordinates.clear();
        layer.coordinates.clear();
      } else {
        names = layer.coordinates;
      }
      model.layers.push_back(std::move(layer));
    }
    if (options_.norm == transformer::NormPlacement::pre) model.final_norm = identity_norm();
    model.readout.assign(width_, 0);
    for (const auto& [v, weight] : program_.answer.terms) model.readout[place(column_[v])] += 2 * weight;
    model.readout_bias = 2 * program_.answer.constant - 1;
    return model;
  }

  Program program_;
  const AssembleOptions& options_;
  std::vector<std::int64_t> begin_;  // of each value's life
  std::vector<std::int64_t> end_;
  std::vector<std::size_t> column_;                // of each value
  std::vector<std::vector<std::size_t>> ending_;   // the values whose life ends with each layer
  std::vector<std::vector<std::size_t>> columns_;  // the values of each column, one after the other
  std::size_t width_ = 0;
};

}  // namespace

std::size_t pairs_for_identity(const std::vector<Value>& values, const std::vector<std::size_t>& unclean,
                               int fraction_bits, float epsilon) {
  // With D pairs, n of them unclean, the norm is x -> 1/2 + f (x - 1/2) with f = 1/√(1 + 4δ) and
  // -n/(4D) <= δ <= excess/D + epsilon; it is the identity when |f - 1| · radius < 2^-(p+1).
  double excess = 0;
  double radius = 0.5;
  for (const std::size_t v : unclean) {
    const double far = std::max(std::abs(values[v].least - 0.5), std::abs(values[v].most - 0.5));
    radius = std::max(radius, far);
    excess += std::max(0.0, far * far - 0.25);
  }
  const double room = std::ldexp(1.0, -(fraction_bits + 1)) / radius;
  const double least = static_cast<double>(unclean.size()) / (1 - 1 / ((1 + room) * (1 + room)));
  const double most = 4 * excess / (1 / ((1 - room) * (1 - room)) - 1 - 4 * static_cast<double>(epsilon));
  // One more than the least whole number that is large enough: far more than what doubles lose.
  return unclean.empty() ? 1 : static_cast<std::size_t>(std::max(least, most)) + 2;
}

Model assemble(Program program, const AssembleOptions& options) {
  return Assembler(std::move(program), options).run();
}

}  // namespace bridge
