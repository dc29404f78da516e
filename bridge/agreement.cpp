#include "bridge/agreement.hpp"

#include "transformer/engine.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

namespace bridge {
namespace {

using logic::Letter;
using logic::Word;

constexpr std::uint64_t default_vanishing = 256;  // for arithmetics in which attention never vanishes
constexpr std::uint64_t squares_of_slow_engines = 20'000'000;
constexpr std::size_t letters_for_each = 20;  // on average: over one letter words get long before many

bool short_lex_less(const Word& x, const Word& y) {
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

std::size_t longest_word(const transformer::Model& model) {
  std::uint64_t longest = model.max_length.value_or(UINT64_MAX);
  if (model.position_kind == transformer::PositionKind::learned)
    longest = std::min<std::uint64_t>(longest, model.positions.rows - 1);
  return static_cast<std::size_t>(std::min<std::uint64_t>(longest, SIZE_MAX));
}

void append_all_words(WordSample& sample, Letter letters, std::size_t longest, std::size_t budget) {
  sample.words.push_back({});
  std::size_t begin = 0;
  std::size_t spent = 0;
  while (sample.exhaustive_length < longest) {
    const std::size_t end = sample.words.size();
    const std::size_t more = (end - begin) * letters;
    if (more > budget - std::min(budget, end) && sample.exhaustive_length > 0) return;
    spent += more * (sample.exhaustive_length + 1);
    if (spent > budget * letters_for_each && sample.exhaustive_length > 0) return;
    for (; begin < end; ++begin) {
      for (Letter a = 0; a < letters; ++a) {
        Word word = sample.words[begin];
        word.push_back(a);
        sample.words.push_back(std::move(word));
      }
    }
    ++sample.exhaustive_length;
  }
}

Word block(Letter a, std::size_t n) {
  return Word(n, a);
}

void check_letters(const char* function, const transformer::Model& model, const automata::Dfa& language) {
  if (model.letters() == language.letters()) return;
  throw std::invalid_argument(std::string(function) + ": a model over " + std::to_string(model.letters()) +
                              " letters and a language over " + std::to_string(language.letters()));
}

}  // namespace

WordSample agreement_words(const transformer::Model& model, std::size_t budget, std::size_t letters_beyond) {
  const auto letters = static_cast<Letter>(model.letters());
  const std::size_t longest = longest_word(model);
  WordSample sample;
  append_all_words(sample, letters, longest, budget);

  std::vector<Word> beyond;
  std::size_t spent = 0;
  const auto add = [&](Word word) {
    if (word.size() <= sample.exhaustive_length || word.size() > longest) return;
    if (spent + word.size() > letters_beyond) return;
    spent += word.size();
    beyond.push_back(std::move(word));
  };
  const auto vanishing = transformer::vanishing_count(model.arithmetic).value_or(default_vanishing);
  const auto full = static_cast<std::size_t>(std::min<std::uint64_t>(vanishing, letters_beyond));
  std::vector<std::size_t> counts;
  for (const std::size_t n : {full, 2 * full + 1})
    for (const std::size_t shift : {0, 1, 2, 3})
      if (n + shift > 1) counts.push_back(n + shift - 1);
  std::mt19937 random(1);
  for (const std::size_t n : counts) {
    for (Letter a = 0; a < letters; ++a) {
      add(block(a, n));
      for (Letter b = 0; b < letters; ++b) {
        if (b == a) continue;
        Word word = block(a, n);
        word.push_back(b);
        add(word);
        word.insert(word.begin(), b);
        add(word);
        word.pop_back();
        add(std::move(word));
        Word alternating;
        for (std::size_t i = 0; i < n; ++i) alternating.push_back(i % 2 == 0 ? a : b);
        add(std::move(alternating));
        Word drawn(n);
        for (auto& letter : drawn) letter = static_cast<Letter>(random() % letters);
        add(std::move(drawn));
      }
    }
  }
  std::sort(beyond.begin(), beyond.end(), short_lex_less);
  beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
  sample.words.insert(sample.words.end(), beyond.begin(), beyond.end());
  return sample;
}

WordSample within_squares(WordSample sample, std::uint64_t squares) {
  const auto first_too_many = std::find_if(sample.words.begin(), sample.words.end(), [&](const Word& word) {
    if (word.size() <= sample.exhaustive_length) return false;
    const std::uint64_t square = std::uint64_t{word.size()} * word.size();
    if (square > squares) return true;
    squares -= square;
    return false;
  });
  sample.words.erase(first_too_many, sample.words.end());
  return sample;
}

Agreement compare(const WordSample& sample, const std::vector<bool>& accepted,
                  const automata::Dfa& language) {
  if (accepted.size() != sample.words.size()) {
    throw std::invalid_argument("compare: " + std::to_string(accepted.size()) + " answers for " +
                                std::to_string(sample.words.size()) + " words");
  }
  Agreement result;
  result.exhaustive_length = sample.exhaustive_length;
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    const Word& word = sample.words[i];
    ++result.words;
    result.longest = std::max(result.longest, word.size());
    if (!result.counterexample && accepted[i] != language.accepts(word)) result.counterexample = word;
  }
  return result;
}

std::vector<bool> answers(const transformer::Model& model, const WordSample& sample) {
  const transformer::Engine engine(model);
  std::vector<bool> accepted;
  accepted.reserve(sample.words.size());
  // The words are in short-lex order, so a word often begins as the one before: runs of prefixes are kept.
  std::vector<transformer::Engine::Run> runs{engine.start()};
  Word last;
  for (const Word& word : sample.words) {
    if (word.size() > sample.exhaustive_length) {
      accepted.push_back(engine.accepts(word));
      continue;
    }
    const auto same = static_cast<std::size_t>(
        std::mismatch(word.begin(), word.begin() + std::min(word.size(), last.size()), last.begin()).first -
        word.begin());
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(same) + 1, runs.end());
    for (std::size_t i = same; i < word.size(); ++i) {
      runs.push_back(runs.back());
      runs.back().read(word[i]);
    }
    accepted.push_back(runs.back().accepts());
    last = word;
  }
  return accepted;
}

Agreement compare_all_words(const transformer::Model& model, std::size_t length,
                            const automata::Dfa& language) {
  check_letters("compare_all_words", model, language);
  const transformer::Engine engine(model);
  Agreement result;
  if (model.position_kind == transformer::PositionKind::learned)
    length = std::min(length, model.positions.rows - 1);
  result.exhaustive_length = length;
  // Depth first, letters in order: prefixes[n] has read the first n letters of `word`.  Of two
  // counterexamples of one length the less one comes first, so the last one found is the least.
  std::size_t limit = length;  // of the words that are still of interest
  std::vector<transformer::Engine::Run> prefixes{engine.start()};
  std::vector<automata::State> states{language.start()};
  Word word;
  const auto compare_here = [&] {
    ++result.words;
    result.longest = std::max(result.longest, word.size());
    if (prefixes[word.size()].accepts() == language.is_accepting(states[word.size()])) return;
    result.counterexample = word;
    limit = word.size() == 0 ? 0 : word.size() - 1;
  };
  compare_here();
  Letter next = 0;  // to be read behind `word`
  while (true) {
    const std::size_t n = word.size();
    if (n < limit && next < language.letters()) {
      if (prefixes.size() == n + 1) {
        prefixes.push_back(prefixes[n]);
        states.push_back(0);
      } else if (next + 1 == language.letters()) {
        std::swap(prefixes[n + 1], prefixes[n]);  // nobody needs that prefix any more
      } else {
        prefixes[n + 1] = prefixes[n];
      }
      prefixes[n + 1].read(next);
      states[n + 1] = language.next(states[n], next);
      word.push_back(next);
      next = 0;
      compare_here();
    } else {
      if (n == 0) return result;
      next = word.back() + 1;
      word.pop_back();
    }
  }
}

Agreement compare_exact(const transformer::Model& model, const WordSample& sample,
                        const automata::Dfa& language) {
  check_letters("compare_exact", model, language);
  if (!transformer::Engine(model).counts()) {
    const WordSample cut = within_squares(sample, squares_of_slow_engines);
    return compare(cut, answers(model, cut), language);
  }
  return compare(sample, answers(model, sample), language);
}

}  // namespace bridge
