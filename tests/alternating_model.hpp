// (ab)* as a Transformer, set by hand: w is in (ab)* iff no position has an a after an a, or a b not after an
// a, and the last letter is not an a; that is !P bad & !Y a with bad = (a & Y a) | (b & !Y a).
//
// The construction is the one of docs/compile.md, written out here once more without the compiler.
#pragma once

#include "transformer/model.hpp"

#include <cmath>
#include <initializer_list>

namespace tests {

/// For at least 1 fraction bit.  Without `second_look`, P has one layer only, and the network is wrong as
/// soon as more bad positions share the attention than the arithmetic allows.
inline transformer::Model alternating_model(transformer::FixedPoint arithmetic = transformer::FixedPoint{4,
                                                                                                         8},
                                            bool second_look = true) {
  using namespace transformer;
  enum Coordinate : std::size_t { one, a, b, after_a, bad, seen, seen_here, rejected, width };
  Model model;
  model.alphabet = {"a", "b"};
  model.coordinates = {"1", "a", "b", "Y a", "bad", "seen", "bad & seen", "P bad"};
  model.source = "!P((a & Y a) | (b & !Y a)) & !Y a";
  model.arithmetic = arithmetic;
  model.embedding = Matrix(3, width);
  for (const std::size_t row : {0, 1, 2}) model.embedding(row, one) = 1;
  model.embedding(0, a) = model.embedding(1, b) = 1;
  model.readout.assign(width, 0.0f);
  model.readout[after_a] = model.readout[rejected] = -1;
  model.readout_bias = 0.5f;

  const auto far = static_cast<float>(std::ceil((arithmetic.fraction_bits() + 1) * std::log(2.0)) + 1);
  // One head that averages `what` over the positions where it holds, into `to`.
  const auto layer = [&](Mask mask, Coordinate what, Coordinate to) {
    Layer l;
    l.masks = {mask};
    l.query = l.key = l.value = Matrix(1, width);
    l.query_bias = l.key_bias = l.value_bias = {0};
    l.query(0, one) = far;
    l.key(0, what) = 1;
    l.key(0, one) = -1;
    l.value(0, what) = 1;
    l.output = Matrix(width, 1);
    l.output(to, 0) = 1;
    l.output_bias.assign(width, 0.0f);
    l.contract_bias.assign(width, 0.0f);
    return l;
  };
  struct Term {
    Coordinate of;
    float factor;
  };
  struct Unit {
    std::vector<Term> terms;
    float bias;
    std::vector<Term> to;
  };
  const auto hidden = [&](Layer& l, const std::vector<Unit>& units) {
    l.expand = Matrix(units.size(), width);
    l.contract = Matrix(width, units.size());
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (const Term& t : units[u].terms) l.expand(u, t.of) = t.factor;
      l.expand_bias.push_back(units[u].bias);
      for (const Term& t : units[u].to) l.contract(t.of, u) = t.factor;
    }
    model.layers.push_back(l);
  };

  Layer previous = layer(Mask::local(1), a, after_a);
  hidden(previous, {{{{after_a, 1}}, 0, {{after_a, 1}}},  // thr(x) - x, here and below
                    {{{after_a, 1}}, -0.5f, {{after_a, -2}}},
                    {{{after_a, 1}, {a, 2}}, -2, {{bad, 2}}},
                    {{{after_a, 1}, {a, 2}}, -2.5f, {{bad, -2}}},
                    {{{b, 1}}, 0, {{bad, 1}}},
                    {{{after_a, 1}, {b, 2}}, -2, {{bad, -2}}},
                    {{{after_a, 1}, {b, 2}}, -2.5f, {{bad, 2}}}});
  if (!second_look) {
    Layer once = layer(Mask::global(), bad, rejected);
    hidden(once, {{{{rejected, 1}}, 0, {{rejected, 1}}}, {{{rejected, 1}}, -0.5f, {{rejected, -2}}}});
    return model;
  }
  Layer first = layer(Mask::global(), bad, seen);
  hidden(first, {{{{seen, 1}}, 0, {{seen, 1}}},
                 {{{seen, 1}}, -0.5f, {{seen, -2}}},
                 {{{seen, 1}, {bad, 2}}, -2, {{seen_here, 2}}},
                 {{{seen, 1}, {bad, 2}}, -2.5f, {{seen_here, -2}}}});
  Layer second = layer(Mask::global(), seen_here, rejected);
  hidden(second, {{{{rejected, 1}}, 0, {{rejected, -1}}},
                  {{{rejected, 1}, {seen, 0.5f}}, 0, {{rejected, 2}}},
                  {{{rejected, 1}, {seen, 0.5f}}, -0.5f, {{rejected, -2}}}});
  return model;
}

/// Whether `word` is in (ab)*.
template <class Word>
bool is_alternating(const Word& word) {
  for (std::size_t n = 0; n < word.size(); ++n)
    if (word[n] != n % 2) return false;
  return word.size() % 2 == 0;
}

}  // namespace tests
