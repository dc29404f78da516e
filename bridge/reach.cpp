// The states are pairs (t, u): the word has as many letters as t says, and u are the last of them, as many as
// there are up to the reach R.  t = 0, ..., R - 1 are those lengths themselves; from R on there is one t
// without positions, one for each row of a periodic table, and with learned positions one for each length
// that has one. The word 0...0 u of t letters stands for all of (t, u).
#include "bridge/reach.hpp"

#include "automata/minimize.hpp"
#include "transformer/engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bridge {
namespace {

using automata::Letter;
using automata::State;
using transformer::Engine;
using transformer::PositionKind;

/// f(run, number) for `run` and all words of up to `length` letters read behind it, in the order of the
/// numbers among the words of that length; `run` has read `depth` of them.
template <class Function>
void for_each_word(const Engine::Run& run, Letter letters, std::size_t length, Function f) {
  struct Frame {
    Engine::Run run;
    std::uint64_t number;
    Letter next;
  };
  std::vector<Frame> frames{{run, 0, 0}};
  f(frames.back().run, 0, frames.back().number);
  while (!frames.empty()) {
    Frame& top = frames.back();
    if (frames.size() > length || top.next == letters) {
      frames.pop_back();
      continue;
    }
    Frame deeper{top.run, top.number * letters + top.next, 0};
    deeper.run.read(top.next++);
    frames.push_back(std::move(deeper));
    f(frames.back().run, frames.size() - 1, frames.back().number);
  }
}

}  // namespace

std::optional<std::uint64_t> reach(const transformer::Model& model) {
  std::uint64_t letters = 0;
  for (const auto& layer : model.layers) {
    std::uint64_t widest = 0;
    for (const auto mask : layer.masks) {
      if (mask.is_global()) return std::nullopt;
      widest = std::max<std::uint64_t>(widest, mask.window());
    }
    letters += widest;
  }
  return letters;
}

ReachAutomaton automaton_within_reach(const transformer::Model& model, std::size_t max_states,
                                      const std::function<void(std::size_t words)>& visited) {
  const auto back = reach(model);
  if (!back) throw std::invalid_argument("automaton_within_reach: a global head");
  max_states = std::min<std::size_t>(max_states, UINT32_MAX - 1);  // they are numbered with 32 bits
  const auto letters = static_cast<Letter>(model.letters());
  const bool learned = model.position_kind == PositionKind::learned;
  std::uint64_t lengths = *back + 1;  // how many t there are
  if (model.position_kind == PositionKind::periodic) lengths = *back + model.positions.rows;
  if (learned) lengths = model.positions.rows;

  // first[t] is the number of state (t, 0...0); there are size[t] with that t.
  std::vector<std::size_t> first, size;
  std::size_t states = learned ? 1 : 0;  // a last one for words without positions
  for (std::uint64_t t = 0; t < lengths; ++t) {
    const std::size_t more = t == 0 ? 1 : t > *back ? size.back() : size.back() * letters;
    first.push_back(t == 0 ? 0 : first.back() + size.back());
    size.push_back(more);
    states += more;
    if (states > max_states) {
      throw std::length_error("the last " + std::to_string(*back) + " letters matter, over " +
                              std::to_string(letters) + " letters, and more than " +
                              std::to_string(max_states) + " words would have to be run");
    }
  }

  std::vector<bool> accepting(states, false);
  std::size_t words = 0;
  const auto run_here = [&](Engine::Run run, std::size_t t, std::uint64_t number) {
    accepting[first[t] + static_cast<std::size_t>(number)] = run.accepts();
    if (++words % 4096 == 0 && visited) visited(words);
  };
  const Engine engine(model);
  const auto whole = static_cast<std::size_t>(std::min<std::uint64_t>(*back, lengths - 1));
  for_each_word(engine.start(), letters, whole, run_here);
  Engine::Run padded = engine.start();
  for (std::size_t t = whole + 1; t < lengths; ++t) {
    padded.read(0);
    for_each_word(padded, letters, whole,
                  [&](const Engine::Run& run, std::size_t depth, std::uint64_t number) {
                    if (depth == whole) run_here(run, t, number);
                  });
  }

  std::vector<State> next;
  next.reserve(states * letters);
  for (std::size_t t = 0; t < lengths; ++t) {
    const bool last = t + 1 == lengths;
    const std::size_t then = !last ? t + 1 : learned ? t : static_cast<std::size_t>(*back);
    for (std::size_t u = 0; u < size[t]; ++u)
      for (Letter a = 0; a < letters; ++a)
        next.push_back(
            static_cast<State>(last && learned ? states - 1 : first[then] + (u * letters + a) % size[then]));
  }
  if (learned) next.insert(next.end(), letters, static_cast<State>(states - 1));
  return {automata::minimize(automata::Dfa(letters, 0, std::move(next), std::move(accepting))), words};
}

}  // namespace bridge
