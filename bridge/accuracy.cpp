#include "bridge/accuracy.hpp"

#include "automata/product.hpp"
#include "automata/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace bridge {
namespace {

using automata::Dfa;
using automata::Letter;
using automata::Side;
using logic::Word;

constexpr std::size_t batch_size = 4096;
constexpr std::size_t longest_period = 6;
constexpr std::size_t most_factors = 12;
constexpr automata::State most_paired_states = 1000;  // near misses need pairs of states
constexpr std::uint32_t purpose = 0x61677200;         // of Random; the kind is added

enum Kind : std::uint32_t { uniform, near_miss, periodic, one_occurrence };
constexpr std::uint32_t kinds = 4;

/// f(), or none where a table would be too large.
template <class Function>
auto within_memory(Function f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

/// Draws the words of one length.
class Drawer {
 public:
  Drawer(const Dfa& language, const AccuracyOptions& options)
      : options_(options), uniform_(language, options.longest, options.max_bytes) {
    for (const Side side : {Side::inside, Side::outside}) {
      for (const bool stratified : {true, false}) {
        automata::NearMissOptions near;
        near.stratified = stratified;
        near.max_bytes = options.max_bytes;
        auto& misses = near_misses_[index(side)];
        if (misses || language.states() > most_paired_states) continue;
        misses =
            within_memory([&] { return automata::NearMissSampler(language, side, options.longest, near); });
      }
    }
    std::vector<Word> factors;
    for (Letter a = 0; a < language.letters(); ++a) factors.push_back({a});
    for (Letter a = 0; a < language.letters(); ++a)
      for (Letter b = 0; b < language.letters(); ++b) factors.push_back({a, b});
    if (factors.size() > most_factors) factors.resize(most_factors);
    for (const Word& factor : factors) {
      const Dfa once = automata::exactly_occurring(factor, language.letters());
      for (const Side side : {Side::inside, Side::outside}) {
        auto sampler = within_memory([&] {
          const auto operation = side == Side::inside ? automata::BooleanOperation::intersection
                                                      : automata::BooleanOperation::difference;
          return automata::Sampler(automata::combine(once, language, operation), options.longest,
                                   options.max_bytes / (2 * most_factors));
        });
        if (sampler) once_[index(side)].push_back(std::move(*sampler));
      }
    }
  }

  std::vector<Word> draw(std::size_t length) const {
    std::vector<Word> words;
    for (std::size_t i = 0; i < options_.samples; ++i) {
      Side side = i % 2 == 0 ? Side::inside : Side::outside;
      if (!uniform_.has_words(side, length)) side = side == Side::inside ? Side::outside : Side::inside;
      const auto kind = static_cast<Kind>(i / 2 % kinds);
      auto word = draw(kind, side, length, i);
      if (!word) word = draw(uniform, side, length, i);
      words.push_back(std::move(*word));
    }
    return words;
  }

 private:
  static std::size_t index(Side side) { return side == Side::inside ? 0 : 1; }

  std::optional<Word> draw(Kind kind, Side side, std::size_t length, std::size_t i) const {
    automata::Random random(options_.seed, purpose + kind, (std::uint64_t{length} << 32) + i);
    switch (kind) {
      case uniform: return uniform_.uniform(side, length, random);
      case near_miss: {
        const auto& misses = near_misses_[index(side)];
        if (!misses) return std::nullopt;
        auto miss = misses->sample(length, random);
        if (!miss) return std::nullopt;
        return std::move(miss->word);
      }
      case periodic: return automata::random_periodic_word(uniform_, side, length, longest_period, random);
      case one_occurrence: {
        const auto& samplers = once_[index(side)];
        if (samplers.empty()) return std::nullopt;
        return samplers[random.below(samplers.size())].uniform(Side::inside, length, random);
      }
    }
    return std::nullopt;
  }

  const AccuracyOptions& options_;
  automata::Sampler uniform_;
  std::optional<automata::NearMissSampler> near_misses_[2];  // for each side
  std::vector<automata::Sampler> once_[2];                   // words with one occurrence of a factor
};

bool short_lex_less(const Word& x, const Word& y) {
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

class Comparison {
 public:
  Comparison(const Answers& answers, const Dfa& language, const AccuracyOptions& options)
      : answers_(answers), language_(language), options_(options) {}

  Accuracy run() {
    const std::size_t all = std::min(options_.exhaustive_length, options_.longest);
    for (std::size_t length = 0; length <= all; ++length) {
      begin(length, true);
      Word word(length, 0);
      bool more = true;
      while (more) {
        std::vector<Word> words;
        while (more && words.size() < batch_size) {
          words.push_back(word);
          more = next(word);
        }
        compare(words);
      }
    }
    if (options_.longest > all && options_.samples > 0) {
      const Drawer drawer(language_, options_);
      for (std::size_t length = all + 1; length <= options_.longest; length += options_.step) {
        begin(length, false);
        compare(drawer.draw(length));
        if (options_.longest - length < options_.step) break;
      }
    }
    for (const auto& [length, exhaustive, words, right] : result_.lengths) {
      if (right < words) break;
      result_.perfect_length = length;
    }
    if (result_.counterexample && result_.counterexample->size() > all) shrink(*result_.counterexample);
    return std::move(result_);
  }

 private:
  void begin(std::size_t length, bool exhaustive) {
    if (options_.progress) options_.progress(length);
    result_.lengths.push_back({length, exhaustive, 0, 0});
  }

  bool next(Word& word) const {
    for (std::size_t i = word.size(); i-- > 0;) {
      if (++word[i] < language_.letters()) return true;
      word[i] = 0;
    }
    return false;
  }

  /// Which of the words have a wrong answer.
  std::vector<bool> wrong(const std::vector<Word>& words) const {
    std::vector<bool> wrong = answers_(words);
    if (wrong.size() != words.size()) {
      throw std::invalid_argument("accuracy: " + std::to_string(wrong.size()) + " answers for " +
                                  std::to_string(words.size()) + " words");
    }
    for (std::size_t i = 0; i < words.size(); ++i) wrong[i] = wrong[i] != language_.accepts(words[i]);
    return wrong;
  }

  void compare(const std::vector<Word>& words) {
    const std::vector<bool> failed = wrong(words);
    LengthAccuracy& here = result_.lengths.back();
    here.words += words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!failed[i])
        ++here.right;
      else if (!result_.counterexample || short_lex_less(words[i], *result_.counterexample))
        result_.counterexample = words[i];
    }
  }

  /// Takes letters out of a wrong word, one at a time, as long as some such word is wrong.
  void shrink(Word& word) const {
    while (!word.empty()) {
      std::vector<Word> shorter;
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (i > 0 && word[i] == word[i - 1]) continue;  // the same word
        shorter.push_back(word);
        shorter.back().erase(shorter.back().begin() + static_cast<std::ptrdiff_t>(i));
      }
      const std::vector<bool> failed = wrong(shorter);
      const Word* least = nullptr;
      for (std::size_t i = 0; i < shorter.size(); ++i)
        if (failed[i] && (least == nullptr || shorter[i] < *least)) least = &shorter[i];
      if (least == nullptr) return;
      word = Word(*least);
    }
  }

  const Answers& answers_;
  const Dfa& language_;
  const AccuracyOptions& options_;
  Accuracy result_;
};

}  // namespace

Accuracy accuracy(const Answers& answers, const Dfa& language, const AccuracyOptions& options) {
  if (options.step == 0) throw std::invalid_argument("accuracy: steps of 0 letters");
  return Comparison(answers, language, options).run();
}

Interval wilson_interval(std::uint64_t right, std::uint64_t words) {
  if (words == 0) return {0, 1};
  constexpr double z = 1.959963984540054;  // the 97.5 % quantile of the normal distribution
  const double n = static_cast<double>(words);
  const double p = static_cast<double>(right) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {right == 0 ? 0 : std::max(0.0, middle - half), right == words ? 1 : std::min(1.0, middle + half)};
}

}  // namespace bridge
