// The compiler works in steps.  Step t is one attention layer, followed where needed by one layer without
// attention:
//
//   attention t      one head for each temporal operator whose argument is ready; it writes its raw output
//   feed-forward t   makes raw outputs 0 or 1, and computes Boolean functions ("fused")
//   late layer t     an attention-free layer for Boolean functions of several raw outputs of step t
//
// Boolean functions are handled as BDDs over atoms.  An atom is something whose value, 0 or 1, is a linear
// form of values of the program: a letter (one-hot), a MOD predicate (from the positional table), a head's
// output, or a Boolean function that has got a value of its own.  A function's disjoint cubes become hidden
// units.  The steps become a bridge::Program, from which bridge/assemble.cpp makes weights.  docs/compile.md
// has the invariants and the proofs.
#include "bridge/compile.hpp"

#include "bridge/angles.hpp"
#include "bridge/bdd.hpp"
#include "bridge/program.hpp"
#include "bridge/uniform.hpp"
#include "bridge/written_out.hpp"
#include "logic/print.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <exception>
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
using transformer::Mask;
using transformer::Model;

constexpr std::uint64_t max_cubes = 256;
constexpr std::uint32_t max_period = 65'536;

Form form_of(std::size_t value) {
  return {{{value, 1.0f}}, 0};
}

struct Atom {
  Form form;
  // When the value is there: 2t after feed-forward t, 2t+1 after late layer t, 0 from the start.
  int ready = 0;
  int step = 0;  // of a head: where its raw output can be read by the feed-forward block; 0 otherwise
  std::optional<std::size_t> raw = std::nullopt;  // that output, where it is not 0 or 1
};

struct Table {
  Bdd::Function function;
  std::size_t target;
};

struct Step {
  std::vector<Head> heads;
  std::vector<Cleaning> cleanings;
  std::vector<Unit> units;
  std::vector<Table> fused;
  std::vector<Table> late;
};

/// One way to compile.
struct Plan {
  Mirrors mirrors = Mirrors::none;
  bool spread = false;  // a step for each temporal operator, in the order that keeps few values
  bool eager = false;   // a value for each Boolean operator
};

class Compiler {
 public:
  Compiler(Formula f, const logic::Alphabet& alphabet, const CompileOptions& options, const Plan& plan)
      : alphabet_(alphabet),
        options_(options),
        plan_(plan),
        formula_(written_out(arena_, f)),
        uniform_(uniform_attention(options.arithmetic)) {
    check();
  }

  Model run() {
    place_letters_and_moduli();
    for (const Formula f : order()) {
      Bdd::Function g = function_of(f);
      if (plan_.eager && logic::arity(f->kind) == 2) g = variable(atom_of(g, f));
      functions_[f->id] = g;
    }
    program_.answer = atoms_[atom_of(functions_.at(formula_->id), formula_)].form;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Step& s = steps_[i];
      Block block{std::move(s.heads), std::move(s.cleanings), std::move(s.units), {}};
      for (const Table& table : s.fused) add_table(block, table, static_cast<int>(i) + 1);
      program_.blocks.push_back(std::move(block));
      Block late;
      for (const Table& table : s.late) add_table(late, table, 0);
      program_.blocks.push_back(std::move(late));
    }
    AssembleOptions options;
    if (normed()) options.fraction_bits = options_.arithmetic.fixed_point().fraction_bits();
    options.suppress = uniform_.suppress;
    options.exact_sums = uniform_.exact_sums;
    options.norm = options_.norm;
    options.mirrors = plan_.mirrors;
    options.slope = slope();
    options.reuse = options_.reuse_coordinates;
    options.max_parameters = options_.max_parameters;
    Model model = assemble(std::move(program_), options);
    model.alphabet = alphabet_.names();
    model.arithmetic = options_.arithmetic;
    if (length_matters_) model.max_length = bound();
    return model;
  }

 private:
  // --- what must hold -------------------------------------------------------------------------------------

  void check() {
    const auto& arithmetic = options_.arithmetic;
    const bool reference = arithmetic.is_reference();
    if (normed() && !reference) {
      throw std::invalid_argument(
          "compile: layer norm is proven harmless in fixed point with rounded weights, not in " +
          to_string(arithmetic));
    }
    if (normed() && arithmetic.fixed_point().fraction_bits() < 1) {
      throw std::invalid_argument(
          "compile: layer norm needs at least 1 fraction bit, since its gain is 1/2, not 0");
    }
    std::uint64_t period = 1;
    for (const Formula f : logic::subformulas(formula_)) {
      if (f->kind == Kind::letter && f->k >= alphabet_.size()) {
        throw std::invalid_argument("compile: letter " + std::to_string(f->k) + " of an alphabet of " +
                                    std::to_string(alphabet_.size()));
      }
      if (f->kind == Kind::counting_window && arithmetic.is_floating_point() && !counts_well(f->k)) {
        throw std::invalid_argument(
            "compile: counting in a window of " + std::to_string(f->k) +
            " positions is not proven right in " + to_string(arithmetic) +
            ", whose averages are too coarse; take more mantissa bits or fixed point");
      }
      if (f->kind == Kind::counting_window && arithmetic.is_fixed_point() && !reference) {
        throw std::invalid_argument(
            "compile: counting windows in fixed point are proven right with rounded weights, not in " +
            to_string(arithmetic));
      }
      if ((f->kind == Kind::window || f->kind == Kind::counting_window) && vanishes(f->k)) {
        if (!bound()) {
          throw std::invalid_argument(
              "compile: a window of " + std::to_string(f->k) + " positions in " + to_string(arithmetic) +
              ": attention over more than " + std::to_string(*uniform_.lasting) +
              " equal scores may round to zero; take more bits, or bound the length of words");
        }
        length_matters_ = true;
      }
      if (f->kind == Kind::modulo && options_.positions == PositionTable::angles &&
          arithmetic.is_floating_point())
        throw std::invalid_argument("compile: MOD by angles is for fixed point, not for " +
                                    to_string(arithmetic));
      if (f->kind == Kind::modulo && (period = std::lcm(period, std::uint64_t{f->k})) > max_period) {
        throw std::length_error("compile: the moduli have a common period of " + std::to_string(period) +
                                ", above the limit of " + std::to_string(max_period));
      }
    }
  }

  bool normed() const { return plan_.mirrors != Mirrors::none; }

  // --- atoms and their functions --------------------------------------------------------------------------

  std::size_t new_value(Value value) {
    program_.values.push_back(std::move(value));
    return program_.values.size() - 1;
  }

  std::size_t new_atom(Atom atom) {
    atoms_.push_back(std::move(atom));
    return atoms_.size() - 1;
  }

  std::string name_of(Formula f) {
    if (f->size <= longest_name) return logic::to_string(f, alphabet_);
    if (numbers_.empty()) {
      const auto all = arguments_first(formula_);
      for (std::size_t i = 0; i < all.size(); ++i) numbers_[all[i]->id] = i;
    }
    return "subformula " + std::to_string(numbers_.at(f->id));
  }

  /// The subformulas, arguments first; where values are to be few, the argument that needs more of them
  /// before the other (Sethi and Ullman 1970).
  std::vector<Formula> order() const {
    if (!plan_.spread && !plan_.eager) return logic::subformulas(formula_);
    std::unordered_map<std::uint32_t, std::size_t> need;
    for (const Formula f : logic::subformulas(formula_)) {
      const std::size_t x = f->left ? need.at(f->left->id) : 0;
      const std::size_t y = f->right ? need.at(f->right->id) : 0;
      const std::size_t both = f->right && x == y ? x + 1 : std::max(x, y);
      need[f->id] = logic::is_temporal(f->kind) ? std::max<std::size_t>(1, both) : both;
    }
    return arguments_first(formula_, [&](Formula f) { return need.at(f->right->id) > need.at(f->left->id); });
  }

  void place_letters_and_moduli() {
    for (logic::Letter a = 0; a < alphabet_.size(); ++a) {
      program_.letters.push_back(new_value({logic::to_string(arena_.letter(a), alphabet_)}));
      new_atom({form_of(program_.letters.back())});
    }
    std::vector<Formula> moduli;
    for (const Formula f : logic::subformulas(formula_))
      if (f->kind == Kind::modulo) moduli.push_back(f);
    if (moduli.empty()) return;
    for (const Formula f : moduli) period_ = std::lcm(period_, std::size_t{f->k});
    if (period_ > options_.max_parameters) {
      throw std::length_error("compile: a positional table of " + std::to_string(period_) +
                              " rows, above the limit of " + std::to_string(options_.max_parameters) +
                              " parameters");
    }
    for (const Formula f : moduli) {
      if (options_.positions == PositionTable::angles) {
        if (f->k > 1) modulus_atom_[f->id] = modulus_by_angles(f);
        continue;
      }
      const std::size_t value = new_value({name_of(f)});
      std::vector<float> column(period_, 0.0f);
      for (std::size_t n = f->j; n < period_; n += f->k) column[n] = 1;
      program_.positions.emplace_back(value, std::move(column));
      modulus_atom_[f->id] = new_atom({form_of(value)});
    }
  }

  /// The atom of n = r mod m, from the angle of n: one hidden unit, as docs/compile.md has it.
  std::size_t modulus_by_angles(Formula f) {
    const auto format = options_.arithmetic.fixed_point();
    const AngleTable& table = angles_.try_emplace(f->k, f->k, format, normed()).first->second;
    const auto separation = table.separate(f->j);
    if (!separation) {
      throw std::invalid_argument(
          "compile: " + name_of(f) + " by angles with " + std::to_string(format.fraction_bits()) +
          " fraction bits" + (normed() ? " under layer norm" : "") +
          ": rounded, the cosine and sine of residue " + std::to_string(f->j) +
          " are not separated from those of the others by any threshold; the moduli that certainly are go up "
          "to " +
          std::to_string(proven_angle_modulus(format, normed())) + "; take more fraction bits, or a table");
    }
    auto [known, added] = angle_values_.try_emplace(f->k);
    if (added) {
      for (const bool sine : {false, true}) {
        const std::string name = std::string(sine ? "sin" : "cos") + "(2*pi*n/" + std::to_string(f->k) + ")";
        const std::size_t value =
            new_value({normed() ? "(1 + " + name + ")/2" : name, false, normed() ? 0.f : -1.f, 1});
        std::vector<float> column(period_);
        for (std::uint32_t n = 0; n < period_; ++n) column[n] = table.entry(n % f->k, sine);
        program_.positions.emplace_back(value, std::move(column));
        (sine ? known->second.second : known->second.first) = value;
      }
    }
    const auto [cosine, sine] = known->second;
    const std::size_t target = new_value({name_of(f)});
    step(1).units.push_back({{{{cosine, separation->cosine}, {sine, separation->sine}}, separation->bias},
                             {{target, separation->scale}}});
    return new_atom({form_of(target), 2});
  }

  /// Literals of a cube: every partial sum of them and a constant must be exact.
  std::size_t max_support() const { return std::min<std::size_t>(40, uniform_.integers / 2); }

  Bdd::Function variable(std::size_t atom) { return bdd_.variable(static_cast<Bdd::Variable>(atom)); }

  Bdd::Function function_of(Formula f) {
    switch (f->kind) {
      case Kind::false_: return Bdd::false_;
      case Kind::true_: return Bdd::true_;
      case Kind::letter: return variable(f->k);
      case Kind::modulo: return f->k == 1 ? Bdd::true_ : variable(modulus_atom_.at(f->id));
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
      case Kind::since: break;  // not in what is written out
    }
    assert(false);
    return Bdd::false_;
  }

  /// f.left op f.right; an operand gets a value of its own where the function would become too large.
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

  /// An atom with the value of `g`: an old one, a linear form of one-hot values, or a new value whose table
  /// is put into the first block that can compute it.
  std::size_t atom_of(Bdd::Function g, Formula named) {
    if (const auto found = atom_of_.find(g); found != atom_of_.end()) return found->second;
    const auto support = bdd_.support(g);
    const auto letters = static_cast<Bdd::Variable>(alphabet_.size());
    if (support.empty() || support.back() < letters) return atom_of_[g] = new_atom(letter_set(g, support));
    if (support.size() == 1) {
      const Atom& only = atoms_[support[0]];
      if (bdd_.at(g, support[0])) return atom_of_[g] = support[0];
      return atom_of_[g] = new_atom({only.form.negated(), only.ready});
    }
    const std::size_t target = new_value({name_of(named)});
    return atom_of_[g] = new_atom({form_of(target), place({g, target})});
  }

  /// A union of letters, and perhaps the end marker, is linear in the one-hot coordinates.
  Atom letter_set(Bdd::Function g, const std::vector<Bdd::Variable>& support) const {
    const float at_end = bdd_.at(g, std::nullopt) ? 1 : 0;
    Atom atom{{{}, at_end}};
    for (const Bdd::Variable a : support) {
      const float difference = (bdd_.at(g, a) ? 1.0f : 0.0f) - at_end;
      if (difference != 0) atom.form.terms.emplace_back(program_.letters[a], difference);
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
      const auto raw = std::count_if(support.begin(), support.end(),
                                     [&](auto v) { return atoms_[v].step == t && atoms_[v].raw; });
      if (inputs_there && raw <= 1 && !(plan_.mirrors == Mirrors::relaxed && has_raw_outputs())) {
        step(t).fused.push_back(table);
        return 2 * t;
      }
      if (latest <= 2 * t) {
        step(t).late.push_back(table);
        return 2 * t + 1;
      }
    }
  }

  /// Whether any head of the network has an output that is not 0 or 1; with relaxed mirrors these disturb
  /// everything in their layer.
  bool has_raw_outputs() const {
    const auto all = logic::subformulas(formula_);
    return std::any_of(all.begin(), all.end(), [](Formula f) {
      return f->kind == Kind::previously || (f->kind == Kind::window && f->k > 2);
    });
  }

  Step& step(int t) {
    if (steps_.size() < static_cast<std::size_t>(t)) steps_.resize(t);
    return steps_[t - 1];
  }

  /// The step whose attention can read what is ready then, for a new head.
  int after(int ready) const {
    const int first = ready / 2 + 1;
    return plan_.spread ? std::max(first, static_cast<int>(steps_.size()) + 1) : first;
  }

  /// The atom of a new head's output.
  std::size_t head(Mask mask, std::size_t argument, int t, const std::string& name) {
    const Form form = atoms_[argument].form;
    // One or two positions get the weights 1, or 1/2 and 1/2.
    if (!mask.is_global() && mask.window() <= 2) {
      const std::size_t target = new_value({name});
      step(t).heads.push_back({mask, false, form, 1, 0, target});
      return new_atom({form_of(target), 2 * t, t});
    }
    const std::size_t raw = new_value({name + " (raw)", false, 0, normed() ? 1.0f : 2.0f});
    const std::size_t target = new_value({name});
    step(t).heads.push_back({mask, false, form, normed() ? 0.5f : uniform_.scale, 0, raw});
    step(t).cleanings.push_back({raw, target});
    return new_atom({form_of(target), 2 * t, t, raw});
  }

  Bdd::Function window(Formula f, std::uint32_t width) {
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    return variable(head(Mask::local(width), argument, after(atoms_[argument].ready), name_of(f)));
  }

  Bdd::Function previously(Formula f) {
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const int t = after(atoms_[argument].ready);
    if (!uniform_.lasting || bound()) {
      length_matters_ = uniform_.lasting.has_value();
      return variable(head(Mask::global(), argument, t, name_of(f)));
    }
    const auto near = variable(head(Mask::global(), argument, t, name_of(f) + " (near)"));
    const Bdd::Function again = bdd_.conjunction(near, variable(argument));
    const std::size_t both = new_value({name_of(f) + " (again)"});
    const std::size_t marks = new_atom({form_of(both), place({again, both})});
    const auto far = variable(head(Mask::global(), marks, after(atoms_[marks].ready), name_of(f) + " (far)"));
    return bdd_.disjunction(near, far);
  }

  bool vanishes(std::uint64_t positions) const { return uniform_.lasting && positions > *uniform_.lasting; }

  /// The length of words up to which no head attends to so many positions that its output may vanish, where
  /// the network is made for such words only; none where it is right for every length.
  std::optional<std::uint64_t> bound() const {
    if (options_.max_length && !vanishes(*options_.max_length)) return options_.max_length;
    return uniform_.sharp ? std::nullopt : uniform_.lasting;
  }

  /// The atom that holds at position 1 alone, by the heads that windows of this width have anyway.
  std::size_t first_position(std::uint32_t width, Formula named) {
    if (const auto known = first_.find(width); known != first_.end()) return known->second;
    const std::size_t later =
        head(Mask::local(width), atom_of(Bdd::true_, named), plan_.spread ? after(0) : 1,
             "position > 1 (local-" + std::to_string(width) + ")");
    return first_[width] = atom_of(bdd_.negation(variable(later)), named);
  }

  /// At least j of the last k.  With c hits among the W positions seen and u = rnd(1/W), the averages of the
  /// argument, of "true" and of "position 1" are c·u, W·u, and u or 0; see Lemma 4 of docs/compile.md.
  Bdd::Function counting_window(Formula f) {
    if (!options_.arithmetic.is_fixed_point()) return rounded_counting_window(f);
    const Mask mask = Mask::local(f->k);
    const auto format = options_.arithmetic.reference("compile");
    std::uint32_t width = f->k;
    if (vanishes(f->k)) {  // every word fits into the window
      width = static_cast<std::uint32_t>(bound().value());
      if (f->j > width) return Bdd::false_;
    }
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const std::size_t first = first_position(f->k, f);
    const int t = after(std::max(atoms_[argument].ready, atoms_[first].ready));
    const auto k = static_cast<float>(width);
    const auto j = static_cast<float>(f->j);
    const auto unit = static_cast<float>(format.to_double(round_quotient(format.one(), width, format)));
    float slope = 2;
    while (slope * std::min(unit, 1 / k) < 2) slope *= 2;
    // Under a norm averages are written as a - 1/2, which is nearer to the mean, and `first` is not scaled by
    // j.
    const float middle = normed() ? 0.5f : 0;
    const float first_slope = normed() ? slope * j : slope;
    // Clamped, the two relus of a comparison would be equal: what enters them must stay in range.
    const float range = static_cast<float>(1 << format.integer_bits());
    if (8 * (k - j) + 2 >= range || 4 * k >= range || std::max(2 * slope + 2, first_slope) >= range) {
      throw std::invalid_argument("compile: counting to " + std::to_string(f->j) + " in a window of " +
                                  std::to_string(f->k) + " with " + std::to_string(format.fraction_bits()) +
                                  " fraction bits takes a wider integer range than 2^" +
                                  std::to_string(format.integer_bits()));
    }
    const auto average = [&](const std::string& what, Form argument_form, float scale) {
      const std::size_t value =
          new_value({name_of(f) + " (" + what + ")", false, -middle, 2 * scale - middle});
      step(t).heads.push_back({mask, true, std::move(argument_form), scale, -middle, value});
      return value;
    };
    const std::size_t hits = average("hits", atoms_[argument].form, 1);
    const std::size_t seen = average("seen", atoms_[atom_of(Bdd::true_, f)].form, 1);
    const std::size_t start = average("start seen", atoms_[first].form, normed() ? 1 : j);
    const std::size_t full = new_value({name_of(f) + " (full window)", false});
    const std::size_t partial = new_value({name_of(f) + " (short window)"});
    const std::size_t target = new_value({name_of(f)});
    // relu(input) - relu(input - 1)
    const auto compare = [&](Form input, std::size_t result) {
      step(t).units.push_back({input, {{result, 1.0f}}});
      input.constant -= 1;
      step(t).units.push_back({std::move(input), {{result, -1.0f}}});
    };
    compare({{{hits, 4 * k}, {seen, -4 * j}}, 2 + 4 * (k - j) * middle}, full);
    compare({{{hits, slope}, {start, -first_slope}}, 1.5f + (slope - first_slope) * middle}, partial);
    const auto x = variable(new_atom({form_of(full), 2 * t}));
    const auto y = variable(new_atom({form_of(partial), 2 * t}));
    // One cube, relu(x + y + later - 2): right although x may be a fraction where y is 0.
    const auto all = bdd_.conjunction(bdd_.conjunction(x, y), bdd_.negation(variable(first)));
    return variable(new_atom({form_of(target), place({all, target})}));
  }

  /// The same in floating point, where averages are off by a few roundings: both comparisons say whether they
  /// fail, with 0 for "no" and 1 or more for "yes", so that nothing needs to be 1 exactly (Lemma 8).
  Bdd::Function rounded_counting_window(Formula f) {
    const Mask mask = Mask::local(f->k);
    const std::size_t argument = atom_of(functions_.at(f->left->id), f->left);
    const std::size_t first = first_position(f->k, f);
    const int t = after(std::max(atoms_[argument].ready, atoms_[first].ready));
    const auto k = static_cast<float>(f->k);
    const auto j = static_cast<float>(f->j);
    const auto slope = static_cast<float>(counting_slope(f->k));
    const auto average = [&](const std::string& what, Form argument_form) {
      const std::size_t value = new_value({name_of(f) + " (" + what + ")", false, 0, 2});
      step(t).heads.push_back({mask, true, std::move(argument_form), 1, 0, value});
      return value;
    };
    const std::size_t hits = average("hits", atoms_[argument].form);
    const std::size_t seen = average("seen", atoms_[atom_of(Bdd::true_, f)].form);
    const std::size_t start = average("start seen", atoms_[first].form);
    const auto fails = [&](const std::string& what, Form input) {
      const std::size_t value = new_value({name_of(f) + " (" + what + " fails)", false, 0, 16 * k});
      step(t).units.push_back({std::move(input), {{value, 1.0f}}});
      return variable(new_atom({form_of(value).negated(), 2 * t}));
    };
    const auto x = fails("full window", {{{seen, 4 * j}, {hits, -4 * k}}, -1});
    const auto y = fails("short window", {{{start, slope * j}, {hits, -slope}}, -0.5f});
    const std::size_t target = new_value({name_of(f)});
    const auto all = bdd_.conjunction(bdd_.conjunction(x, y), bdd_.negation(variable(first)));
    return variable(new_atom({form_of(target), place({all, target})}));
  }

  /// S of Lemma 8: a power of two, at least 5k.
  static double counting_slope(std::uint32_t k) { return std::exp2(std::ceil(std::log2(5.0 * k))); }

  /// Whether Lemma 8 holds for windows of width k.
  bool counts_well(std::uint32_t width) const {
    const auto format = options_.arithmetic.floating_point();
    const double k = width;
    const double u = std::ldexp(1.0, -(format.mantissa_bits() + 1));
    const double off = std::pow(1 + u, k) - 1;  // an average, relative to the unit
    const double slope = counting_slope(width);
    return k <= static_cast<double>(uniform_.integers) && !vanishes(width) &&
           1 / k >= format.least_normal() && slope * k <= format.largest() &&
           8 * k * (1 + u) * off + 4 * u * (8 * k + 2) * (1 + off) <= 1 &&
           2 * slope * (1 + u) * off + 4 * u * (2 * slope + 1) * (1 + off) <= 0.5 &&
           2 * k * off + 8 * k * u <= 0.25;
  }

  // --- hidden units ---------------------------------------------------------------------------------------

  /// Raw outputs that are not 0 are at least 1/slope.
  float slope() const {
    if (!normed()) return uniform_.slope;
    return options_.arithmetic.fixed_point().fraction_bits() == 1 ? 2.0f : 4.0f;
  }

  /// Adds [g] to the value `target`, which is 0.  `t` is the step whose raw outputs are read, 0 for none.
  void add_table(Block& block, const Table& table, int t) {
    for (const auto& cube : bdd_.cubes(table.function, static_cast<Bdd::Variable>(alphabet_.size()))) {
      Form all{{}, 1};  // 1 where all literals but the raw one hold, otherwise at most 0
      std::optional<std::pair<std::size_t, bool>> raw;
      for (const auto& [v, positive] : cube) {
        const Atom& atom = atoms_[v];
        if (t != 0 && atom.step == t && atom.raw) {
          raw.emplace(*atom.raw, positive);
          continue;
        }
        const Form form = positive ? atom.form : atom.form.negated();
        all.terms.insert(all.terms.end(), form.terms.begin(), form.terms.end());
        all.constant += form.constant - 1;
      }
      const bool always = all.terms.empty() && all.constant == 1;
      if (!raw || raw->second) {
        if (always) {
          block.constants.emplace_back(table.target, 1.0f);
        } else {
          block.units.push_back({all, {{table.target, 1.0f}}});
        }
      }
      if (raw) {  // where the cube holds and the raw output is 0
        all.terms.emplace_back(raw->first, -slope());
        block.units.push_back({std::move(all), {{table.target, raw->second ? -1.0f : 1.0f}}});
      }
    }
  }

  const logic::Alphabet& alphabet_;
  const CompileOptions& options_;
  const Plan plan_;
  logic::Arena arena_;
  Formula formula_;
  const UniformAttention uniform_;

  Program program_;
  Bdd bdd_;
  std::vector<Atom> atoms_;  // atom i is variable i
  std::vector<Step> steps_;
  std::size_t period_ = 1;
  std::unordered_map<std::uint32_t, std::size_t> modulus_atom_;
  std::map<std::uint32_t, AngleTable> angles_;                                 // by modulus
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> angle_values_;  // cosine and sine
  std::unordered_map<std::uint32_t, Bdd::Function> functions_;
  std::unordered_map<std::uint32_t, std::size_t>
      numbers_;  // of the subformulas, where they are used as names
  std::unordered_map<Bdd::Function, std::size_t> atom_of_;
  std::map<std::uint32_t, std::size_t> first_;  // by window width
  bool length_matters_ = false;
};

std::vector<Plan> plans(Formula f, const CompileOptions& options) {
  const auto used = logic::fragment(f);
  std::vector<Mirrors> mirrors;
  switch (options.norm) {
    case transformer::NormPlacement::none: mirrors = {Mirrors::none}; break;
    case transformer::NormPlacement::pre: mirrors = {Mirrors::identity}; break;
    case transformer::NormPlacement::post:
      mirrors = {Mirrors::identity};
      if (!used.counting && !(used.modulo && options.positions == PositionTable::angles))
        mirrors.insert(mirrors.begin(), Mirrors::relaxed);
      break;
  }
  std::vector<Plan> all;
  for (const Mirrors m : mirrors) {
    all.push_back({m, false, false});
    if (options.minimize == Minimize::depth) continue;
    all.push_back({m, false, true});
    all.push_back({m, true, false});
    all.push_back({m, true, true});
  }
  return all;
}

}  // namespace

Model compile(Formula f, const logic::Alphabet& alphabet, const CompileOptions& options) {
  std::optional<Model> best;
  std::exception_ptr failure;
  for (const Plan& plan : plans(f, options)) {
    try {
      Model model = Compiler(f, alphabet, options, plan).run();
      const auto cost = [](const Model& m) { return std::pair(m.width(), m.layers.size()); };
      if (!best || cost(model) < cost(*best)) best = std::move(model);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (!best) std::rethrow_exception(failure);
  if (f->size <= 100'000) best->source = logic::to_string(f, alphabet);
  transformer::validate(*best);
  return std::move(*best);
}

}  // namespace bridge
