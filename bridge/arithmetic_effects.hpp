// What an arithmetic does to a network: up to which length it is right, and where and how it first fails.
#pragma once

#include "automata/dfa.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bridge {

struct EffectOptions {
  /// Words of the families u v^n w are tried up to this length.
  std::size_t max_length = 1000;
  /// All words up to some length are tried, about so many.
  std::size_t short_words = std::size_t{1} << 13;
  /// States of the proof, where there is one.
  std::size_t max_states = 200'000;
};

enum class FailureKind {
  vanishing,   ///< all weights of a head became 0
  overflow,    ///< and that because their sum passed the largest number
  stagnation,  ///< a partial sum stopped growing
  order,       ///< the same terms from right to left have another sum
  rounding,    ///< none of these: the numbers are too coarse
};

/// `vanishing`, ...
std::string_view name(FailureKind kind);

/// Where a network leaves its formula on one word: the first layer in which a coordinate is wrong after the
/// feed-forward block, and the first position there.
struct Failure {
  FailureKind kind;
  std::size_t layer;                // from 0, as `hindsight trace` counts
  std::optional<std::size_t> head;  // likewise; none where no head writes the coordinate
  std::size_t position;             // from 1; the end marker's is the length plus 1
  std::string coordinate;
  double value;           // of the coordinate
  std::size_t attending;  // how many positions the head gave a numerator that is not 0, or sees if none has
};

struct Effect {
  bool proved = false;                // for words of every length, by bridge::verify
  std::size_t exhaustive_length = 0;  // otherwise: all words up to here were tried,
  std::size_t tested_length = 0;      // and families up to here
  std::optional<logic::Word>
      counterexample;              // the least word that fails when proved, else the shortest found
  bool model_accepts = false;      // the counterexample
  std::optional<Failure> failure;  // where the model's coordinates have names that say it
};

/// Compares `model`, in its declared arithmetic, with `language`.
///
/// In the reference arithmetic, and with local heads alone in every other, by bridge::verify, for words of
/// every length.  Otherwise, and past its limit, on all short words and on the families u v v v ... w with
/// |u|, |w| <= 1 and |v| <= 2: that is a search and no proof.  The model's max_length is not heeded, its
/// learned positions are.
///
/// Throws std::invalid_argument unless `model` is valid and the numbers of letters are the same.
Effect arithmetic_effect(const transformer::Model& model, const automata::Dfa& language,
                         const EffectOptions& options = {});

/// What a head that sees 1, 2, ..., `count` positions of equal score and value 1 puts out: 1 in the reals.
///
/// In O(count) or O(count^2) time, as transformer::Engine takes.
std::vector<double> averages_of_ones(const transformer::Arithmetic& arithmetic, std::size_t count);

}  // namespace bridge
