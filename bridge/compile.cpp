// The compiler works in steps.  Step t is one attention layer, followed where needed by one layer without
// attention:
//
//   attention t      one head for each temporal operator whose argument is ready; it writes its raw output
//   feed-forward t   cleans raw outputs to 0 or 1 in place, and computes Boolean functions ("fused")
//   late layer t     an attention-free layer for Boolean functions of several raw outputs of step t
//
// Boolean functions are handled as BDDs over atoms.  An atom is something whose value, 0 or 1, is a linear
// form of the residual coordinates: a letter (its one-hot coordinate), a MOD predicate (a coordinate of the
// positional table), a head's output, or a Boolean function that has got a coordinate.  A function's disjoint
// cubes become hidden units.  docs/compile.md has the invariants and the proofs.
#include "bridge/compile.hpp"

#include "bridge/bdd.hpp"
#include "logic/print.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bridge {
namespace {

using logic::Formula;
using logic::Kind;
using transformer::Layer;
using transformer::Mask;
using transformer::Matrix;
using transformer::Model;

// Scores of -F: exp(-32) rounds to 0 on every grid with p <= 16 (needed: F >= (p+1) ln 2 + 1), and is
// harmless in floating point up to 10^9 positions.
constexpr float suppress = 32;
// A raw output is below 2, so this times the number of false literals switches it off.
constexpr float veto = 4;
constexpr std::uint64_t max_cubes = 256;
constexpr std::uint32_t max_period = 65'536;

/// constant + Σ weight · coordinate, with the value 0 or 1 on clean residuals.
struct Form {
  std::vector<std::pair<std::size_t, float>> terms;
  float constant = 0;

  Form negated() const {
    Form result{terms, 1 - constant};
    for (auto& term : result.terms) term.second = -term.second;
    return result;
  }
};

Form coordinate_form(std::size_t coordinate) {
  return {{{coordinate, 1.0f}}, 0};
}

struct Atom {
  Form form;
  // When the value is there: 2t after feed-forward t, 2t+1 after late layer t, 0 from the start.
  int ready = 0;
  int step = 0;          // of a head: where its raw output can be read by the feed-forward block; 0 otherwise
  bool inexact = false;  // the raw output is not 0 or 1, but 0 or in [1/2, 2)
};

struct Head {
  Mask mask;
  bool uniform;  // attends to every position it sees, instead of those where the argument holds
  Form argument;
  std::vector<std::pair<std::size_t, float>> targets;  // what its output is added to, and how often
};

struct Table {
  Bdd::Function function;
  std::size_t target;
};

/// Coordinate x, of either sign, becomes relu(slope·x + offset) - relu(slope·x + offset - 1): 1 for x >= 0,
/// and 0 for x <= -offset/slope.
struct Comparison {
  std::size_t coordinate;
  float slope;
  float offset;
};

struct Step {
  std::vector<Head> heads;
  std::vector<std::size_t> cleaned;  // coordinates with inexact raw outputs
  std::vector<Comparison> comparisons;
  std::vector<Table> fused;
  std::vector<Table> late;
};

/// A hidden layer under construction: units relu(form), each with what it adds to which coordinates.
struct Units {
  struct Unit {
    Form input;
    std::vector<std::pair<std::size_t, float>> outputs;
  };
  std::vector<Unit> units;
  std::vector<std::pair<std::size_t, float>> constants;

  void add(Form input, std::vector<std::pair<std::size_t, float>> outputs) {
    units.push_back({std::move(input), std::move(outputs)});
  }
};

/// The formula with first, H and O written out, in an arena of its own.
Formula normalize(logic::Arena& arena, Formula f) {
  const auto used = logic::fragment(f);
  const auto has_position = [&] {
    const Formula top = arena.constant(true);
    if (used.yesterday || (used.window == 0 && !used.previously)) return arena.yesterday(top);
    if (used.window > 0) return arena.window(top, used.window);
    return arena.previously(top);
  };
  std::unordered_map<std::uint32_t, Formula> image;
  for (const Formula g : logic::subformulas(f)) {
    const Formula x = g->left ? image.at(g->left->id) : Formula{};
    const Formula y = g->right ? image.at(g->right->id) : Formula{};
    Formula result;
    switch (g->kind) {
      case Kind::first: result = arena.negation(has_position()); break;
      case Kind::historically: result = arena.negation(arena.previously(arena.negation(x))); break;
      case Kind::once: result = arena.disjunction(x, arena.previously(x)); break;
      case Kind::since:
        throw std::invalid_argument(
            "compile: the formula uses S, which attention with global and local masks cannot compute in "
            "fixed "
            "precision; `express` finds an equivalent formula without S where there is one");
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::modulo:
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence:
      case Kind::previously:
      case Kind::yesterday:
      case Kind::window:
      case Kind::counting_window: result = arena.make(g->kind, g->k, g->j, x, y); break;
    }
    image[g->id] = result;
  }
  return image.at(f->id);
}

class Compiler {
 public:
  Compiler(Formula f, const logic::Alphabet& alphabet, const CompileOptions& options)
      : alphabet_(alphabet), options_(options), source_(f), formula_(normalize(arena_, f)) {
    check();
  }

  Model run() {
    place_letters_and_moduli();
    for (const Formula f : logic::subformulas(formula_)) functions_[f->id] = function_of(f);
    const std::size_t answer = atom_of(functions_.at(formula_->id), formula_);
    return build(atoms_[answer].form);
  }

 private:
  // --- what must hold -------------------------------------------------------------------------------------

  void check() const {
    const auto& format = options_.arithmetic;
    if (format.integer_bits() < 6) {
      throw std::invalid_argument("compile: scores of -32 need an integer range of at least 2^6, not 2^" +
                                  std::to_string(format.integer_bits()));
    }
    const std::uint64_t widest = transformer::vanishing_count(format);
    std::uint64_t period = 1;
    bool counting = false;
    for (const Formula f : logic::subformulas(formula_)) {
      if (f->kind == Kind::letter && f->k >= alphabet_.size()) {
        throw std::invalid_argument("compile: letter " + std::to_string(f->k) + " of an alphabet of " +
                                    std::to_string(alphabet_.size()));
      }
      if (f->kind == Kind::window || f->kind == Kind::counting_window) {
        counting = counting || f->kind == Kind::counting_window;
        if (f->k > widest) {
          throw std::invalid_argument("compile: a window of " + std::to_string(f->k) + " positions with " +
                                      std::to_string(format.fraction_bits()) +
                                      " fraction bits: attention over more than " + std::to_string(widest) +
                                      " equal scores rounds to zero; take more fraction bits");
        }
      }
      if (f->kind == Kind::modulo && (period = std::lcm(period, std::uint64_t{f->k})) > max_period) {
        throw std::length_error("compile: the moduli have a common period of " + std::to_string(period) +
                                ", above the limit of " + std::to_string(max_period));
      }
    }
    if (options_.norm == transformer::NormPlacement::none) return;
    if (options_.norm == transformer::NormPlacement::pre) {
      throw std::invalid_argument(
          "compile: with pre-norm the feed-forward block never sees a raw attention output, only its image "
          "under the norm, and cannot clear it; take post-norm");
    }
    if (format.fraction_bits() < 2 || format.fraction_bits() > 12) {
      throw std::invalid_argument("compile: layer norm needs 2 to 12 fraction bits, not " +
                                  std::to_string(format.fraction_bits()));
    }
    if (counting) {
      throw std::invalid_argument(
          "compile: counting windows compare averages to the last bit, which layer norm disturbs");
    }
  }

  // --- atoms and their functions --------------------------------------------------------------------------

  std::size_t new_coordinate(std::string name) {
    names_.push_back(std::move(name));
    return names_.size() - 1;
  }

  std::size_t new_atom(Atom atom) {
    atoms_.push_back(std::move(atom));
    return atoms_.size() - 1;
  }

  std::string name_of(Formula f) {
    return f->size <= 60 ? logic::to_string(f, alphabet_) : "subformula " + std::to_string(f->id);
  }

  void place_letters_and_moduli() {
    for (logic::Letter a = 0; a < alphabet_.size(); ++a)
      new_atom({coordinate_form(new_coordinate(alphabet_.name(a)))});
    for (const Formula f : logic::subformulas(formula_)) {
      if (f->kind != Kind::modulo) continue;
      moduli_.push_back(f);
      modulus_atom_[f->id] = new_atom({coordinate_form(new_coordinate(name_of(f)))});
    }
  }

  /// Literals of a cube: vetoing all of them must stay in the integer range.
  std::size_t max_support() const {
    const auto range = std::size_t{1} << options_.arithmetic.integer_bits();
    return std::min<std::size_t>(40, range / static_cast<std::size_t>(veto) - 1);
  }

  Bdd::Function variable(std::size_t atom) { return bdd_.variable(static_cast<Bdd::Variable>(atom)); }

  Bdd::Function function_of(Formula f) {
    switch (f->kind) {
      case Kind::false_: return Bdd::false_;
      case Kind::true_: return Bdd::true_;
      case Kind::letter: return variable(f->k);
      case Kind::modulo: return variable(modulus_atom_.at(f->id));
      case Kind::negation: return bdd_.negation(functions_.at(f->left->id));
      case Kind::conjunction: return combine({false, false, false, true}, f);
      case Kind::disjunction: return combine({false, true, true, true}, f);
      case Kind::exclusive_or: return combine({false, true, true, false}, f);
      case Kind::implication: return combine({true, true, false, true}, f);
      case Kind::equivalence: return combine({true, false, false, true}, f);
      case Kind::previously: return previously(f);
      case Kind::yesterday: return window(f, 1);
      case Kind::window: return window(f, f->k);
      case Kind::counting_window: return counting_window(f);
      case Kind::first:
      case Kind::historically:
      case Kind::once:
      case Kind::since: break;  // written out by normalize
    }
    assert(false);
    return Bdd::false_;
  }

  /// f.left op f.right; an operand gets a coordinate of its own where the function would become too large.
  Bdd::Function combine(const std::array<bool, 4>& table, Formula f) {
    const auto too_large = [&](Bdd::Function g) {
      return bdd_.support(g).size() > max_support() || bdd_.paths(g, max_cubes + 1) > max_cubes ||
             bdd_.paths(bdd_.negation(g), max_cubes + 1) > max_cubes;
    };
    Bdd::Function x = functions_.at(f->left->id);
    Bdd::Function y = functions_.at(f->right->id);
    Bdd::Function result = bdd_.apply(table, x, y);
    if (!too_large(result)) return result;
    const bool left_first = bdd_.support(x).size() >= bdd_.support(y).size();
    for (const bool left : {left_first, !left_first}) {
      const Formula operand = left ? f->left : f->right;
      (left ? x : y) = functions_[operand->id] = variable(atom_of(functions_.at(operand->id), operand));
      result = bdd_.apply(table, x, y);
      if (!too_large(result)) break;
    }
    return result;
  }

  /// Whether atom `a` can be read by feed-forward block t.
  bool readable(const Atom& a, int t) const { return a.ready < 2 * t || a.step == t; }

  /// An atom with the value of `g`: an old one, a linear form of one-hot coordinates, or a new coordinate
  /// whose table is put into the first block that can compute it.
  std::size_t atom_of(Bdd::Function g, Formula named) {
    if (const auto found = atom_of_.find(g); found != atom_of_.end()) return found->second;
    const auto support = bdd_.support(g);
    const auto letters = static_cast<Bdd::Variable>(alphabet_.size());
    if (support.empty() || support.back() < letters) return atom_of_[g] = new_atom(letter_set(g, support));
    if (support.size() == 1) {
      const Atom& only = atoms_[support[0]];
      if (bdd_.at(g, support[0])) return atom_of_[g] = support[0];
      return atom_of_[g] = new_atom({only.form.negated(), only.ready, 0, false});
    }
    const std::size_t target = new_coordinate(name_of(named));
    return atom_of_[g] = new_atom({coordinate_form(target), place({g, target}), 0, false});
  }

  /// A union of letters, and perhaps the end marker, is linear in the one-hot coordinates.
  Atom letter_set(Bdd::Function g, const std::vector<Bdd::Variable>& support) const {
    const float at_end = bdd_.at(g, std::nullopt) ? 1 : 0;
    Atom atom{{{}, at_end}};
    for (const Bdd::Variable a : support) {
      const float difference = (bdd_.at(g, a) ? 1.0f : 0.0f) - at_end;
      if (difference != 0) atom.form.terms.emplace_back(a, difference);
    }
    return atom;
  }

  /// Puts a table into the first feed-forward block that can compute it; returns when its value is ready.
  int place(const Table& table) {
    const auto support = bdd_.support(table.function);
    int latest = 0;
    for (const auto v : support) latest = std::max(latest, atoms_[v].ready);
    for (int t = std::max(1, latest / 2);; ++t) {
      const bool inputs_there =
          std::all_of(support.begin(), support.end(), [&](auto v) { return readable(atoms_[v], t); });
      const auto inexact = std::count_if(support.begin(), support.end(),
                                         [&](auto v) { return atoms_[v].step == t && atoms_[v].inexact; });
      if (inputs_there && inexact <= 1 && !(normed() && has_inexact_heads())) {
        step(t).fused.push_back(table);
        return 2 * t;
      }
      if (latest <= 2 * t) {
        step(t).late.push_back(table);
        return 2 * t + 1;
      }
    }
  }

  bool normed() const { return options_.norm != transformer::NormPlacement::none; }

  /// Whether any head of the network has an inexact output; under a norm these disturb everything in their
  /// layer.
  bool has_inexact_heads() const {
    const auto all = logic::subformulas(formula_);
    return std::any_of(all.begin(), all.end(), [](Formula f) {
      return f->kind == Kind::previously || (f->kind == Kind::window && f->k > 2);
    });
  }

  Step& step(int t) {
    if (steps_.size() < static_cast<std::size_t>(t)) steps_.resize(t);
    return steps_[t - 1];
  }

  /// The atom of a new head's output.
  std::size_t head(Mask mask, bool uniform, std::size_t argument, int t, bool inexact, std::string name) {
    const std::size_t target = new_coordinate(std::move(name));
    step(t).heads.push_back({mask, uniform, atoms_[argument].form, {{target, 1.0f}}});
    if (inexact) step(t).cleaned.push_back(target);
    return new_atom({coordinate_form(target), 2 * t, t, inexact});
  }

  /// The step whose attention can read what is ready then.
  static int after(int ready) { return ready / 2 + 1; }

  Bdd::Function window(Formula f, std::uint32_t width) {
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const bool inexact = width > 2;
    return variable(
        head(Mask::local(width), false, argument, after(atoms_[argument].ready), inexact, name_of(f)));
  }

  Bdd::Function previously(Formula f) {
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const int t = after(atoms_[argument].ready);
    if (bounded()) {
      length_matters_ = true;
      return variable(head(Mask::global(), false, argument, t, true, name_of(f)));
    }
    const auto near = variable(head(Mask::global(), false, argument, t, true, name_of(f) + " (near)"));
    const std::size_t both = new_coordinate(name_of(f) + " (again)");
    const Bdd::Function again = bdd_.conjunction(near, variable(argument));
    const std::size_t marks = new_atom({coordinate_form(both), place({again, both}), 0, false});
    const auto far =
        variable(head(Mask::global(), false, marks, after(atoms_[marks].ready), true, name_of(f) + " (far)"));
    return bdd_.disjunction(near, far);
  }

  bool bounded() const {
    return options_.max_length && *options_.max_length <= transformer::vanishing_count(options_.arithmetic);
  }

  /// The atom that holds at position 1 alone, by the heads that windows of this width have anyway.
  std::size_t first_position(std::uint32_t width, Formula named) {
    if (const auto known = first_.find(width); known != first_.end()) return known->second;
    const std::size_t later = head(Mask::local(width), false, atom_of(Bdd::true_, named), 1, width > 2,
                                   "position > 1 (local-" + std::to_string(width) + ")");
    return first_[width] = atom_of(bdd_.negation(variable(later)), named);
  }

  /// At least j of the last k.  With c hits among the W positions seen and u = rnd(1/W), the averages of the
  /// argument, of "position 1" and of "true" are c·u, u or 0, and W·u; see Lemma 4 of docs/compile.md.
  Bdd::Function counting_window(Formula f) {
    const Mask mask = Mask::local(f->k);
    const auto& format = options_.arithmetic;
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const std::size_t first = first_position(f->k, f);
    const int t = after(std::max(atoms_[argument].ready, atoms_[first].ready));
    const auto k = static_cast<float>(f->k);
    const auto j = static_cast<float>(f->j);
    const auto unit = static_cast<float>(format.to_double(round_quotient(format.one(), f->k, format)));
    float slope = 2;
    while (slope * std::min(unit, 1 / k) < 2) slope *= 2;
    // Clamped, the two relus of a comparison would be equal: what enters them must stay in range.
    const float range = static_cast<float>(1 << format.integer_bits());
    if (8 * (k - j) + 2 >= range || 2 * slope + 2 >= range || k >= range) {
      throw std::invalid_argument("compile: counting to " + std::to_string(f->j) + " in a window of " +
                                  std::to_string(f->k) + " with " + std::to_string(format.fraction_bits()) +
                                  " fraction bits takes a wider integer range than 2^" +
                                  std::to_string(format.integer_bits()));
    }
    const std::size_t full = new_coordinate(name_of(f) + " (full window)");
    const std::size_t short_ = new_coordinate(name_of(f) + " (short window)");
    const std::size_t target = new_coordinate(name_of(f));
    step(t).heads.push_back({mask, true, atoms_[argument].form, {{full, k}, {short_, 1}}});
    step(t).heads.push_back({mask, true, atoms_[atom_of(Bdd::true_, f)].form, {{full, -j}}});
    step(t).heads.push_back({mask, true, atoms_[first].form, {{short_, -j}}});
    step(t).comparisons.push_back({full, 4, 2});
    step(t).comparisons.push_back({short_, slope, 1.5f});
    const auto x = variable(new_atom({coordinate_form(full), 2 * t, 0, false}));
    const auto y = variable(new_atom({coordinate_form(short_), 2 * t, 0, false}));
    // One cube, relu(x + y + later - 2): right although x may be a fraction where y is 0.
    const auto all = bdd_.conjunction(bdd_.conjunction(x, y), bdd_.negation(variable(first)));
    return variable(new_atom({coordinate_form(target), place({all, target}), 0, false}));
  }

  // --- weights --------------------------------------------------------------------------------------------

  // thr(x) = slope · (relu(x) - relu(x - 1/slope)) sends 0 to 0 and [1/slope, ∞) to 1.
  float slope() const { return options_.arithmetic.fraction_bits() == 0 ? 1.0f : 2.0f; }

  /// Adds [g] to coordinate `target`, which holds 0.  `t` is the step whose raw outputs are read, 0 for none.
  void add_table(Units& units, const Table& table, int t) {
    for (const auto& cube : bdd_.cubes(table.function, static_cast<Bdd::Variable>(alphabet_.size()))) {
      Form sum;  // how many literals are true, without the inexact one
      std::optional<std::pair<Form, bool>> raw;
      float literals = 0;
      for (const auto& [v, positive] : cube) {
        const Atom& atom = atoms_[v];
        if (t != 0 && atom.step == t && atom.inexact) {
          raw.emplace(atom.form, positive);
          continue;
        }
        const Form form = positive ? atom.form : atom.form.negated();
        sum.terms.insert(sum.terms.end(), form.terms.begin(), form.terms.end());
        sum.constant += form.constant;
        literals += 1;
      }
      if (!raw || !raw->second) {
        if (literals == 0) {
          units.constants.emplace_back(table.target, 1.0f);
        } else {
          Form all = sum;
          all.constant -= literals - 1;
          units.add(all, {{table.target, 1.0f}});
        }
      }
      if (raw) {
        Form input = raw->first;  // raw - veto · (literals that are false)
        for (const auto& [coordinate, weight] : sum.terms)
          input.terms.emplace_back(coordinate, veto * weight);
        input.constant += veto * (sum.constant - literals);
        const float sign = raw->second ? slope() : -slope();
        units.add(input, {{table.target, sign}});
        input.constant -= 1 / slope();
        units.add(input, {{table.target, -sign}});
      }
    }
  }

  /// Replaces raw outputs by 0 or 1 in place.
  void add_cleaning(Units& units, const Step& step) const {
    for (const std::size_t x : step.cleaned) {
      Form input = coordinate_form(x);
      if (slope() != 1) units.add(input, {{x, slope() - 1}});
      input.constant = -1 / slope();
      units.add(input, {{x, -slope()}});
    }
    for (const Comparison& c : step.comparisons) {
      Form input{{{c.coordinate, c.slope}}, c.offset};
      units.add(input, {{c.coordinate, 1.0f}});
      input.constant -= 1;
      units.add(input, {{c.coordinate, -1.0f}});
      units.add(coordinate_form(c.coordinate), {{c.coordinate, -1.0f}});
      units.add({{{c.coordinate, -1.0f}}, 0}, {{c.coordinate, 1.0f}});
    }
  }

  /// Under post-norm: every coordinate to 0 or 1, from at most 1/4 and at least 1/2.
  static void add_recleaning(Units& units, std::size_t coordinates) {
    for (std::size_t x = 0; x < coordinates; ++x) {
      Form input = coordinate_form(x);
      units.add(input, {{x, -1.0f}});
      units.add({{{x, -1.0f}}, 0}, {{x, 1.0f}});
      input.constant = -0.25f;
      units.add(input, {{x, 4.0f}});
      input.constant = -0.5f;
      units.add(input, {{x, -4.0f}});
    }
  }

  // Without norm coordinate x is column x.  With norm, x is column 2x and 1 - x is column 2x+1.
  std::size_t column(std::size_t x) const { return normed() ? 2 * x : x; }

  void write(Matrix& matrix, std::size_t coordinate, std::size_t c, float weight) const {
    matrix(column(coordinate), c) += weight;
    if (normed()) matrix(column(coordinate) + 1, c) -= weight;
  }

  void write(std::vector<float>& vector, std::size_t coordinate, float weight) const {
    vector[column(coordinate)] += weight;
    if (normed()) vector[column(coordinate) + 1] -= weight;
  }

  void read(Matrix& matrix, std::size_t r, const Form& form, float factor) const {
    for (const auto& [coordinate, weight] : form.terms) matrix(r, column(coordinate)) += factor * weight;
  }

  transformer::LayerNorm identity_norm(std::size_t width) const {
    transformer::LayerNorm norm;
    norm.gain.assign(width, std::sqrt(0.25f + norm.epsilon));
    norm.bias.assign(width, 0.5f);
    return norm;
  }

  Layer make_layer(const std::vector<Head>& heads, const Units& units, std::size_t width) const {
    Layer layer;
    layer.query = layer.key = layer.value = Matrix(heads.size(), width);
    layer.query_bias.assign(heads.size(), 0);
    layer.key_bias = layer.value_bias = layer.query_bias;
    layer.output = Matrix(width, heads.size());
    layer.output_bias.assign(width, 0);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const Head& head = heads[h];
      layer.masks.push_back(head.mask);
      if (!head.uniform) {  // score F·(ψ - 1)
        layer.query_bias[h] = suppress;
        read(layer.key, h, head.argument, 1);
        layer.key_bias[h] = head.argument.constant - 1;
      }
      read(layer.value, h, head.argument, 1);
      layer.value_bias[h] = head.argument.constant;
      for (const auto& [coordinate, weight] : head.targets) write(layer.output, coordinate, h, weight);
    }
    layer.expand = Matrix(units.units.size(), width);
    layer.expand_bias.assign(units.units.size(), 0);
    layer.contract = Matrix(width, units.units.size());
    layer.contract_bias.assign(width, 0);
    for (std::size_t u = 0; u < units.units.size(); ++u) {
      read(layer.expand, u, units.units[u].input, 1);
      layer.expand_bias[u] = units.units[u].input.constant;
      for (const auto& [coordinate, weight] : units.units[u].outputs)
        write(layer.contract, coordinate, u, weight);
    }
    for (const auto& [coordinate, weight] : units.constants) write(layer.contract_bias, coordinate, weight);
    if (normed()) layer.attention_norm = layer.feed_forward_norm = identity_norm(width);
    return layer;
  }

  /// Mirrored pairs under a norm: at least 8 for each inexact output of a layer (docs/compile.md).
  std::size_t pairs() const {
    std::size_t most = 0;
    for (const Step& s : steps_) most = std::max(most, s.cleaned.size());
    return std::max(names_.size(), 8 * most);
  }

  void check_size(std::size_t width) const {
    std::size_t count = width * (alphabet_.size() + 2);
    for (const Step& s : steps_) count += 4 * width * s.heads.size();
    std::size_t units = 0;
    for (const Step& s : steps_)
      units += 3 * (s.cleaned.size() + s.comparisons.size() + s.fused.size() + s.late.size());
    count += 2 * width * units;
    if (count > options_.max_parameters) {
      throw std::length_error("compile: a network of at least " + std::to_string(count) +
                              " parameters, above the limit of " + std::to_string(options_.max_parameters));
    }
  }

  Model build(const Form& answer) {
    const std::size_t coordinates = normed() ? pairs() : names_.size();
    const std::size_t width = normed() ? 2 * coordinates : coordinates;
    check_size(width);
    Model model;
    model.alphabet = alphabet_.names();
    model.norm_placement = options_.norm;
    model.arithmetic = options_.arithmetic;
    if (length_matters_) model.max_length = options_.max_length;
    if (source_->size <= 100'000) model.source = logic::to_string(source_, alphabet_);
    names_.resize(coordinates, "padding");
    for (const auto& name : names_) {
      model.coordinates.push_back(name);
      if (normed()) model.coordinates.push_back("1 - (" + name + ")");
    }

    model.embedding = Matrix(alphabet_.size() + 1, width);
    for (std::size_t row = 0; row <= alphabet_.size(); ++row) {
      for (std::size_t x = 0; normed() && x < coordinates; ++x) model.embedding(row, column(x) + 1) = 1;
      if (row == alphabet_.size()) continue;
      model.embedding(row, column(row)) += 1;
      if (normed()) model.embedding(row, column(row) + 1) -= 1;
    }
    place_positions(model, width);

    std::size_t parameters = 0;
    const auto append = [&](Layer layer) {
      parameters += 2 * width * layer.hidden() + 4 * width * layer.heads();
      if (parameters > options_.max_parameters) {
        throw std::length_error("compile: more than " + std::to_string(options_.max_parameters) +
                                " parameters");
      }
      model.layers.push_back(std::move(layer));
    };
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& s = steps_[i];
      Units units;
      if (normed() && !s.cleaned.empty()) {
        add_recleaning(units, coordinates);
      } else {
        add_cleaning(units, s);
      }
      for (const Table& table : s.fused) add_table(units, table, static_cast<int>(i) + 1);
      append(make_layer(s.heads, units, width));
      if (s.late.empty()) continue;
      Units late;
      for (const Table& table : s.late) add_table(late, table, 0);
      append(make_layer({}, late, width));
    }

    model.readout.assign(width, 0);
    for (const auto& [coordinate, weight] : answer.terms) model.readout[column(coordinate)] += 2 * weight;
    model.readout_bias = 2 * answer.constant - 1;
    return model;
  }

  void place_positions(Model& model, std::size_t width) const {
    if (moduli_.empty()) return;
    std::size_t period = 1;
    for (const Formula f : moduli_) period = std::lcm(period, std::size_t{f->k});
    if (period * width > options_.max_parameters) {
      throw std::length_error("compile: a positional table of " + std::to_string(period) + " rows and " +
                              std::to_string(width) + " columns, above the limit of " +
                              std::to_string(options_.max_parameters) + " parameters");
    }
    model.position_kind = transformer::PositionKind::periodic;
    model.positions = Matrix(period, width);
    for (const Formula f : moduli_) {
      const std::size_t coordinate = atoms_[modulus_atom_.at(f->id)].form.terms[0].first;
      for (std::size_t n = f->j; n < period; n += f->k) {
        model.positions(n, column(coordinate)) = 1;
        if (normed()) model.positions(n, column(coordinate) + 1) = -1;
      }
    }
  }

  const logic::Alphabet& alphabet_;
  const CompileOptions& options_;
  logic::Arena arena_;
  Formula source_;
  Formula formula_;

  Bdd bdd_;
  std::vector<Atom> atoms_;  // atom i is variable i
  std::vector<std::string> names_;
  std::vector<Step> steps_;
  std::vector<Formula> moduli_;
  std::unordered_map<std::uint32_t, std::size_t> modulus_atom_;
  std::unordered_map<std::uint32_t, Bdd::Function> functions_;
  std::unordered_map<Bdd::Function, std::size_t> atom_of_;
  std::map<std::uint32_t, std::size_t> first_;  // by window width
  bool length_matters_ = false;
};

}  // namespace

Model compile(Formula f, const logic::Alphabet& alphabet, const CompileOptions& options) {
  Model model = Compiler(f, alphabet, options).run();
  transformer::validate(model);
  return model;
}

}  // namespace bridge
