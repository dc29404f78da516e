#include "bridge/verify.hpp"

#include "automata/product.hpp"
#include "bridge/agreement.hpp"
#include "transformer/engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace bridge {
namespace {

/// The least counterexample of up to `length` letters, of the words that fit into the budget.
std::optional<logic::Word> short_counterexample(const transformer::Model& model,
                                                const automata::Dfa& language, std::uint64_t length) {
  constexpr std::uint64_t budget = std::uint64_t{1} << 18;
  std::uint64_t longest = 0, words = 1;
  while (longest < length && longest < 1000 && words * language.letters() <= budget) {
    words *= language.letters();
    ++longest;
  }
  return compare_all_words(model, static_cast<std::size_t>(longest), language).counterexample;
}

/// `model` with windows no wider than `letters`, which is the same for words of at most so many: no position
/// of theirs sees more.
transformer::Model narrowed(transformer::Model model, std::uint64_t letters) {
  for (transformer::Layer& layer : model.layers)
    for (transformer::Mask& mask : layer.masks)
      if (!mask.is_global() && mask.window() > letters)
        mask = transformer::Mask::local(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(letters)));
  return model;
}

}  // namespace

Verification verify(const transformer::Model& model, const automata::Dfa& language,
                    const DecompileOptions& options) {
  if (model.letters() != language.letters()) {
    throw std::invalid_argument("verify: a model over " + std::to_string(model.letters()) +
                                " letters and a language over " + std::to_string(language.letters()));
  }
  Verification result;
  result.longest_word = model.max_length;
  if (model.position_kind == transformer::PositionKind::learned) {
    const std::uint64_t longest = model.positions.rows - 1;
    result.longest_word = std::min(longest, result.longest_word.value_or(longest));
  }
  try {
    const Decompiled decompiled =
        decompile(result.longest_word ? narrowed(model, *result.longest_word) : model, options);
    result.explored_states = decompiled.explored_states;
    // The least difference is a shortest one: when it is too long, so are all.
    result.counterexample = automata::difference(decompiled.dfa, language);
    if (result.counterexample && result.longest_word && result.counterexample->size() > *result.longest_word)
      result.counterexample.reset();
  } catch (const StateLimit& limit) {
    result.explored_states = limit.explored_states();
    result.counterexample = short_counterexample(model, language, result.longest_word.value_or(UINT64_MAX));
    if (!result.counterexample) throw;
  }
  if (result.counterexample) {
    result.model_accepts = transformer::Engine(model).accepts(*result.counterexample);
    if (result.model_accepts == language.accepts(*result.counterexample)) {
      throw std::logic_error("verify: the engine refutes a counterexample of " +
                             std::to_string(result.counterexample->size()) +
                             " letters; this is a fault of hindsight, please report it");
    }
  }
  return result;
}

}  // namespace bridge
