// The numbers of the network before layer l, l = 0, 1, ..., as machines, one for each coordinate of the
// residual stream that something later reads: what enters (letter and position), then for each layer its
// heads, and the block behind them. Only those machines are combined that a number depends on by weights
// other than 0, and each result is minimised before it is used, so that what a layer does not tell apart is
// one state from there on.
#include "bridge/decompile.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "bridge/agreement.hpp"
#include "bridge/attention.hpp"
#include "bridge/reach.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace bridge {
namespace {

using transformer::NormPlacement;
using transformer::PositionKind;
using transformer::RoundedModel;
using Part = RoundedModel::Part;

/// Whether a number is read, at letters and at the end marker.
struct Reading {
  bool at_letters = false;
  bool at_end = false;

  bool any() const { return at_letters || at_end; }
  Reading& operator|=(Reading other) {
    at_letters = at_letters || other.at_letters;
    at_end = at_end || other.at_end;
    return *this;
  }
};

/// What a number behind a layer depends on.
struct Needs {
  std::vector<std::size_t> coordinates;  // before the layer, ascending
  std::vector<std::size_t> columns;      // of the heads' outputs, ascending
  friend auto operator<=>(const Needs&, const Needs&) = default;
};

std::vector<std::size_t> all_up_to(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

std::vector<std::size_t> sorted(const std::set<std::size_t>& set) {
  return {set.begin(), set.end()};
}

Needs needs_of(const RoundedModel& model, std::size_t layer, std::size_t coordinate) {
  const bool normed = model.norm_placement() != NormPlacement::none;
  const auto hidden = model.inputs(layer, Part::contract, coordinate);
  if (model.norm_placement() == NormPlacement::post || (normed && !hidden.empty()))
    return {all_up_to(model.width()), all_up_to(model.attention_width(layer))};
  std::set<std::size_t> coordinates{coordinate};
  for (const std::size_t h : hidden)
    for (const std::size_t i : model.inputs(layer, Part::expand, h)) coordinates.insert(i);
  std::set<std::size_t> columns;
  for (const std::size_t i : coordinates)
    for (const std::size_t c : model.inputs(layer, Part::output, i)) columns.insert(c);
  return {sorted(coordinates), sorted(columns)};
}

/// The coordinates that rows of `part` depend on.
void add_inputs(const RoundedModel& model, std::size_t layer, Part part, std::size_t row,
                std::set<std::size_t>& coordinates) {
  if (model.norm_placement() == NormPlacement::pre) {
    for (const std::size_t i : all_up_to(model.width())) coordinates.insert(i);
    return;
  }
  for (const std::size_t i : model.inputs(layer, part, row)) coordinates.insert(i);
}

/// What is read of each layer, found from the read-out backwards.
struct Plan {
  struct Layer {
    std::vector<Reading> coordinates;  // before the layer
    std::vector<Reading> columns;      // of the heads' outputs
    std::vector<Needs> needs;          // of the coordinates behind it
  };
  std::vector<Layer> layers;
  std::vector<Reading> last;  // coordinates behind the last layer

  explicit Plan(const RoundedModel& model) : layers(model.layers()), last(model.width()) {
    for (const std::size_t i : model.readout_inputs()) last[i].at_end = true;
    const std::vector<Reading>* behind = &last;
    for (std::size_t l = layers.size(); l-- > 0;) {
      Layer& layer = layers[l];
      layer.coordinates.resize(model.width());
      layer.columns.resize(model.attention_width(l));
      layer.needs.resize(model.width());
      for (std::size_t i = 0; i < model.width(); ++i) {
        if (!(*behind)[i].any()) continue;
        layer.needs[i] = needs_of(model, l, i);
        for (const std::size_t j : layer.needs[i].coordinates) layer.coordinates[j] |= (*behind)[i];
        for (const std::size_t c : layer.needs[i].columns) layer.columns[c] |= (*behind)[i];
      }
      for (std::size_t h = 0; h < model.heads(l); ++h) {
        const Reading read = head(model, l, h);
        if (!read.any()) continue;
        for (std::size_t j = 0; j < model.head_width(l); ++j) {
          const std::size_t row = h * model.head_width(l) + j;
          std::set<std::size_t> queried, kept;
          add_inputs(model, l, Part::query, row, queried);
          add_inputs(model, l, Part::key, row, kept);
          add_inputs(model, l, Part::value, row, kept);
          for (const std::size_t i : queried) layer.coordinates[i] |= read;
          for (const std::size_t i : kept) layer.coordinates[i] |= {.at_letters = true, .at_end = false};
        }
      }
      behind = &layer.coordinates;
    }
  }

  Reading head(const RoundedModel& model, std::size_t l, std::size_t h) const {
    Reading read;
    for (std::size_t j = 0; j < model.head_width(l); ++j)
      read |= layers[l].columns[h * model.head_width(l) + j];
    return read;
  }
};

/// Numbers vectors of numbers, and keeps them row after row.
class Rows {
 public:
  explicit Rows(std::size_t width) : interner_(width), key_(width) {}

  std::uint32_t number(std::span<const Raw> row) {
    std::copy(row.begin(), row.end(), key_.begin());
    const auto [number, fresh] = interner_.intern(key_);
    if (fresh) rows_.insert(rows_.end(), row.begin(), row.end());
    return number;
  }

  const std::vector<Raw>& rows() const { return rows_; }

 private:
  automata::Interner<std::uint64_t> interner_;
  std::vector<std::uint64_t> key_;
  std::vector<Raw> rows_;
};

/// A function of outputs, looked up where it has been computed.
template <class Function>
class Memo {
 public:
  explicit Memo(Function f) : f_(std::move(f)) {}

  std::uint32_t operator()(Outputs outputs, bool at_marker) {
    key_.assign(outputs.begin(), outputs.end());
    key_.push_back(at_marker ? 1 : 0);
    const auto [number, fresh] = known_.intern(key_);
    if (fresh) results_.push_back(f_(outputs, at_marker));
    return results_[number];
  }

 private:
  Function f_;
  automata::Interner<std::uint32_t> known_;
  std::vector<std::uint32_t> key_;
  std::vector<std::uint32_t> results_;
};

RoundedModel rounded(const transformer::Model& model) {
  using transformer::AttentionRule;
  return RoundedModel(model, {AttentionRule::rounded_weights, AttentionRule::rounded_quotient,
                              AttentionRule::clamped_denominator});
}

class Decompiler {
 public:
  Decompiler(const transformer::Model& model, const DecompileOptions& options)
      : model_(rounded(model)),
        plan_(model_),
        letters_(static_cast<Letter>(model_.letters())),
        options_(options),
        budget_(options.max_states, [this](std::size_t states) { report(states); }) {}

  automata::Dfa run() {
    try {
      return explore();
    } catch (const std::length_error& error) {
      throw StateLimit("decompile: " + step_ + ": " + error.what(), explored());
    }
  }

  std::size_t explored() const { return budget_.states(); }

 private:
  automata::Dfa explore() {
    begin("the input");
    enter();
    for (std::size_t l = 0; l < model_.layers(); ++l) {
      const std::string layer = "layer " + std::to_string(l);  // counted from 0, as in the file
      heads_.assign(model_.heads(l), {});
      groups_ = groups(l);
      for (const std::size_t h : by_window(l)) {
        begin(layer + ", head " + std::to_string(h));
        attend(l, h);
      }
      begin(layer + ", behind the heads");
      finish(l);
    }
    begin("the read-out");
    return read_out();
  }

  void begin(std::string step) {
    step_ = std::move(step);
    report(budget_.states());
  }

  void report(std::size_t states) const {
    if (options_.progress) options_.progress(step_, states);
  }

  /// What is read of the coordinates before layer l, or behind the last.
  const std::vector<Reading>& reading(std::size_t l) const {
    return l == model_.layers() ? plan_.last : plan_.layers[l].coordinates;
  }

  /// The machines of letter and position.
  void enter() {
    // State n has read n letters, modulo the rows of a periodic table.
    const std::size_t rows =
        model_.position_kind() == PositionKind::none ? 1 : std::max<std::size_t>(1, model_.position_rows());
    const bool ends = model_.position_kind() == PositionKind::learned;
    Transducer machine;
    machine.letters = letters_;
    machine.width = model_.width();
    Rows values(machine.width);
    std::vector<Raw> x(machine.width);
    for (std::size_t n = 0; n < rows; ++n) {
      budget_.spend(machine.width);
      for (Letter a = 0; a <= letters_; ++a) {
        const bool too_long = ends && a < letters_ && n + 1 == rows;
        if (!too_long) model_.embed(a, model_.position_row(n + 1), x);
        machine.output.push_back(too_long ? Transducer::unread : values.number(x));
        if (a < letters_) machine.next.push_back(static_cast<State>(ends ? n + 1 : (n + 1) % rows));
      }
    }
    if (ends) {
      machine.end = static_cast<State>(rows);
      machine.next.insert(machine.next.end(), letters_, machine.end);
      machine.output.insert(machine.output.end(), std::size_t{letters_} + 1, Transducer::unread);
    }
    machine.values = values.rows();
    if (ends) length_ = project(machine, 0, false, false);
    coordinates_ = split(machine, all_up_to(model_.width()), reading(0));
  }

  /// A machine for each coordinate that is read; column c of `machine` is coordinate `columns[c]`.
  std::vector<Transducer> split(const Transducer& machine, const std::vector<std::size_t>& columns,
                                const std::vector<Reading>& read) const {
    std::vector<Transducer> result(model_.width());
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (const Reading r = read[columns[c]]; r.any())
        result[columns[c]] = project(machine, c, r.at_letters, r.at_end);
    return result;
  }

  /// The machine of head h of layer l: heads_[h].
  void attend(std::size_t l, std::size_t h) {
    const Reading read = plan_.head(model_, l, h);
    if (!read.any()) return;
    const std::size_t width = model_.head_width(l), from = h * width;
    std::set<std::size_t> inputs;
    for (std::size_t row = from; row < from + width; ++row)
      for (const Part part : {Part::query, Part::key, Part::value}) add_inputs(model_, l, part, row, inputs);
    const std::vector<std::size_t> needed = sorted(inputs);
    std::vector<const Transducer*> parts;
    for (const std::size_t i : needed) parts.push_back(&coordinates_[i]);

    Rows queries(width), pairs(2 * width), outputs(2);
    const std::size_t all = model_.attention_width(l);
    std::vector<Raw> x(model_.width(), 0), query(all), key(all), value(all), pair(2 * width);
    Memo combine([&](Outputs ids, bool at_marker) {
      for (std::size_t i = 0; i < needed.size(); ++i)
        // What only queries depend on may be unread at letters, and then no query there is.
        x[needed[i]] = ids[i] == Transducer::unread ? 0 : parts[i]->value(ids[i])[0];
      model_.project(l, x, query, key, value);
      const bool asks = at_marker ? read.at_end : read.at_letters;
      if (at_marker && !asks) return Transducer::unread;
      Raw output[2] = {0, 0};
      if (asks) output[0] = queries.number({query.data() + from, width});
      if (!at_marker) {
        std::copy_n(key.begin() + static_cast<std::ptrdiff_t>(from), width, pair.begin());
        for (std::size_t j = 0; j < width; ++j)
          pair[width + j] = plan_.layers[l].columns[from + j].any() ? value[from + j] : 0;
        output[1] = pairs.number(pair);
      }
      return outputs.number(output);
    });
    HeadFeed feed;
    feed.machine =
        product(letters_, parts, budget_, [&](Outputs ids, Letter a) { return combine(ids, a == letters_); });
    feed.machine.width = 2;
    feed.machine.values = outputs.rows();
    feed.machine = minimize(feed.machine);
    feed.head_width = width;
    feed.queries = queries.rows();
    for (std::size_t i = 0; i < pairs.rows().size(); ++i)
      (i % (2 * width) < width ? feed.keys : feed.values).push_back(pairs.rows()[i]);
    heads_[h] =
        head_machine(model_, model_.masks(l)[h], feed, read.at_letters, read.at_end, budget_,
                     [&](std::span<const Raw> outputs_of_head) { return told_apart(l, h, outputs_of_head); });
  }

  /// Numbers behind a layer that depend on the same ones.
  struct Group {
    Needs needs;
    std::vector<std::size_t> members;
    std::vector<std::size_t> heads;
  };

  std::vector<Group> groups(std::size_t l) const {
    const std::vector<Reading>& read = reading(l + 1);
    std::map<Needs, std::vector<std::size_t>> together;
    for (std::size_t i = 0; i < model_.width(); ++i)
      if (read[i].any()) together[plan_.layers[l].needs[i]].push_back(i);
    std::vector<Group> result;
    for (auto& [needs, members] : together) {
      Group& group = result.emplace_back(Group{needs, std::move(members), {}});
      for (const std::size_t c : needs.columns)
        if (const std::size_t h = c / model_.head_width(l); group.heads.empty() || group.heads.back() != h)
          group.heads.push_back(h);
    }
    return result;
  }

  /// The heads of layer l, those of wide windows last: what others put out is known by then.
  std::vector<std::size_t> by_window(std::size_t l) const {
    std::vector<std::size_t> heads = all_up_to(model_.heads(l));
    std::stable_sort(heads.begin(), heads.end(), [&](std::size_t g, std::size_t h) {
      return model_.masks(l)[g].window() < model_.masks(l)[h].window();
    });
    return heads;
  }

  /// Distinguish for head h of layer l: outputs are alike when they lead to the same numbers behind the
  /// layer, whatever else they come together with.
  std::vector<std::uint32_t> told_apart(std::size_t l, std::size_t h, std::span<const Raw> outputs) {
    const std::size_t width = model_.head_width(l);
    Rows distinct(width);
    std::vector<std::uint32_t> number;  // of each output among the distinct ones
    for (std::size_t i = 0; i < outputs.size(); i += width)
      number.push_back(distinct.number(outputs.subspan(i, width)));
    const std::size_t count = distinct.rows().size() / width;
    std::vector<std::uint32_t> class_of(count, 0);
    for (const Group& group : groups_) {
      if (std::find(group.heads.begin(), group.heads.end(), h) == group.heads.end()) continue;
      // What the rest can be: the coordinates together, and any output of each other head.
      std::vector<const Transducer*> parts;
      for (const std::size_t i : group.needs.coordinates) parts.push_back(&coordinates_[i]);
      automata::Interner<std::uint32_t> contexts(parts.size());
      product(letters_, parts, budget_, [&](Outputs ids, Letter) {
        if (std::find(ids.begin(), ids.end(), Transducer::unread) == ids.end()) contexts.intern(ids);
        return Transducer::unread;
      });
      double work = static_cast<double>(contexts.size()) * static_cast<double>(count);
      std::vector<std::size_t> others;
      for (const std::size_t other : group.heads) {
        if (other == h) continue;
        others.push_back(other);
        work *= static_cast<double>(heads_[other].values.size() / width);  // 0 while it has no machine
      }
      if (work == 0 || work > 200'000) return number;

      std::vector<Raw> x(model_.width(), 0), attended(model_.attention_width(l), 0), y(model_.width());
      std::vector<std::size_t> chosen(others.size(), 0);
      std::vector<std::uint64_t> row;
      for (std::uint32_t context = 0; context < contexts.size();) {
        for (std::size_t i = 0; i < parts.size(); ++i)
          x[group.needs.coordinates[i]] = parts[i]->value(contexts[context][i])[0];
        for (std::size_t i = 0; i < others.size(); ++i) {
          const auto value = heads_[others[i]].value(static_cast<std::uint32_t>(chosen[i]));
          std::copy(value.begin(), value.end(),
                    attended.begin() + static_cast<std::ptrdiff_t>(others[i] * width));
        }
        automata::Interner<std::uint64_t> finer;
        for (std::size_t o = 0; o < count; ++o) {
          std::copy_n(distinct.rows().begin() + static_cast<std::ptrdiff_t>(o * width), width,
                      attended.begin() + static_cast<std::ptrdiff_t>(h * width));
          model_.finish(l, x, attended, y);
          row.assign(1, class_of[o]);
          for (const std::size_t i : group.members) row.push_back(static_cast<std::uint64_t>(y[i]));
          class_of[o] = finer.intern(row).first;
        }
        std::size_t i = 0;  // the next choice, or the next context
        while (i < others.size() && ++chosen[i] == heads_[others[i]].values.size() / width) chosen[i++] = 0;
        if (i == others.size()) ++context;
      }
    }
    for (std::uint32_t& n : number) n = class_of[n];
    return number;
  }

  /// The machines of the coordinates behind layer l, from those before it and from its heads.
  void finish(std::size_t l) {
    const std::vector<Reading>& read = reading(l + 1);
    std::vector<Transducer> result(model_.width());
    const std::size_t width = model_.head_width(l);
    for (const auto& [needs, members, heads] : groups_) {
      std::vector<const Transducer*> parts;
      for (const std::size_t i : needs.coordinates) parts.push_back(&coordinates_[i]);
      for (const std::size_t h : heads) parts.push_back(&heads_[h]);

      Reading any;
      for (const std::size_t i : members) any |= read[i];
      Rows outputs(members.size());
      std::vector<Raw> x(model_.width(), 0), attended(model_.attention_width(l), 0), y(model_.width()),
          row(members.size());
      Memo combine([&, &needs = needs, &members = members, &heads = heads](Outputs ids, bool at_marker) {
        if (!(at_marker ? any.at_end : any.at_letters)) return Transducer::unread;
        std::size_t part = 0;
        for (const std::size_t i : needs.coordinates) {
          x[i] = parts[part]->value(ids[part])[0];
          ++part;
        }
        for (const std::size_t h : heads) {
          const auto output = parts[part]->value(ids[part]);
          std::copy(output.begin(), output.end(), attended.begin() + static_cast<std::ptrdiff_t>(h * width));
          ++part;
        }
        model_.finish(l, x, attended, y);
        for (std::size_t m = 0; m < members.size(); ++m) row[m] = y[members[m]];
        return outputs.number(row);
      });
      Transducer machine = product(letters_, parts, budget_,
                                   [&](Outputs ids, Letter a) { return combine(ids, a == letters_); });
      machine.width = members.size();
      machine.values = outputs.rows();
      machine = minimize(machine);
      std::vector<Transducer> each = split(machine, members, read);
      for (const std::size_t i : members) result[i] = std::move(each[i]);
    }
    coordinates_ = std::move(result);
  }

  automata::Dfa read_out() {
    const std::vector<std::size_t> needed = model_.readout_inputs();
    std::vector<const Transducer*> parts;
    for (const std::size_t i : needed) parts.push_back(&coordinates_[i]);
    if (length_.states() > 0) parts.push_back(&length_);
    std::vector<Raw> x(model_.width(), 0);
    Memo combine([&](Outputs ids, bool at_marker) -> std::uint32_t {
      if (!at_marker) return 0;
      for (std::size_t i = 0; i < needed.size(); ++i) x[needed[i]] = parts[i]->value(ids[i])[0];
      return model_.logit(x) > 0 ? 1 : 0;
    });
    const Transducer machine =
        product(letters_, parts, budget_, [&](Outputs ids, Letter a) { return combine(ids, a == letters_); });
    std::vector<bool> accepting;
    for (State q = 0; q < machine.states(); ++q) accepting.push_back(machine.output_of(q, letters_) == 1);
    return automata::minimize(automata::Dfa(letters_, 0, machine.next, std::move(accepting)));
  }

  RoundedModel model_;
  Plan plan_;
  Letter letters_;
  const DecompileOptions& options_;
  Budget budget_;
  std::string step_;
  Transducer length_;                    // counts letters, where learned positions end; otherwise no state
  std::vector<Transducer> coordinates_;  // before the present layer
  std::vector<Transducer> heads_;        // of the present layer
  std::vector<Group> groups_;            // behind the present layer
};

}  // namespace

namespace {

std::optional<std::uint64_t> longest_word(const transformer::Model& model) {
  if (model.position_kind != PositionKind::learned) return std::nullopt;
  return model.positions.rows - 1;
}

/// Where the order of positions may matter, a window is decided by all its contents.
Decompiled decompile_by_words(const transformer::Model& model, const DecompileOptions& options) {
  try {
    auto [dfa, words] = automaton_within_reach(model, options.max_states, [&](std::size_t words_so_far) {
      if (options.progress) options.progress("words within reach", words_so_far);
    });
    return {std::move(dfa), words, longest_word(model)};
  } catch (const std::length_error& error) {
    throw StateLimit(std::string("decompile: ") + error.what(), 0);  // refused before any word was read
  }
}

}  // namespace

Decompiled decompile(const transformer::Model& model, const DecompileOptions& options) {
  transformer::validate(model);
  const transformer::Arithmetic& arithmetic = model.arithmetic;
  if (!arithmetic.is_reference() && !reach(model)) {
    throw std::invalid_argument(
        "decompile: a global head in " + to_string(arithmetic) +
        ", where the language need not be regular; with global heads only fixed point with the rule "
        "rounded-weights is decided");
  }
  if (!arithmetic.is_fixed_point() || arithmetic.rule() == transformer::AttentionRule::partial_sums)
    return decompile_by_words(model, options);
  Decompiler decompiler(model, options);
  automata::Dfa dfa = decompiler.run();
  const Agreement agreement = compare_exact(model, agreement_words(model, 300, 20'000), dfa);
  if (agreement.counterexample) {
    throw std::logic_error("decompile: the automaton and the exact engine differ on a word of " +
                           std::to_string(agreement.counterexample->size()) +
                           " letters; this is a fault of hindsight, please report it");
  }
  return {std::move(dfa), decompiler.explored(), longest_word(model)};
}

}  // namespace bridge
