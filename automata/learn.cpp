// A state is known by its access word; the discrimination tree has a suffix at each inner node and a state at
// each leaf, and a word is sifted by asking for it with the suffixes on its way down.  Each word (access
// word of q, then a) is sifted to the state that letter a leads to from q.  On a counterexample w, the word
// (access word of the state after i letters, then the other letters of w) is in the language for i = 0 iff it
// is not for i = |w|; so for some i there is a change from i to i + 1, and the rest behind letter i + 1 tells
// apart what the tree had put into one leaf.
//
// The tree is that of Kearns & Vazirani, An Introduction to Computational Learning Theory (1994), chapter 8;
// the search is that of Rivest & Schapire, Inference of Finite Automata Using Homing Sequences (Inf. and
// Comp. 103, 1993); sifting many words at once, a state for each counterexample, is the observation pack of
// Howar, Active Learning of Interface Programs (2012).  Tests: Chow, Testing Software Design Modeled by
// Finite-State Machines (IEEE TSE 4, 1978), and Vasilevskii 1973.
#include "automata/learn.hpp"

#include "automata/interner.hpp"
#include "automata/minimize.hpp"
#include "automata/random.hpp"
#include "automata/state_words.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace automata {
namespace {

constexpr std::size_t batch_size = 4096;
constexpr std::size_t letters_for_each = 20;  // of the exhaustive words, on average
constexpr std::uint32_t uniform_purpose = 0x6c656101;
constexpr std::uint32_t walk_purpose = 0x6c656102;

struct LimitReached {};  // thrown and caught in this file

Word joined(const Word& x, std::span<const Letter> y) {
  Word word;
  word.reserve(x.size() + y.size());
  word.insert(word.end(), x.begin(), x.end());
  word.insert(word.end(), y.begin(), y.end());
  return word;
}

bool short_lex_less(std::span<const Letter> x, std::span<const Letter> y) {
  if (x.size() != y.size()) return x.size() < y.size();
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
}

/// What has been asked, so that nothing is asked twice and every answer stays.
class Answers {
 public:
  Answers(const Oracle& oracle, const LearnOptions& options) : oracle_(oracle), options_(options) {}

  /// The answer for each of `words`.  Throws LimitReached.
  std::vector<bool> operator()(std::span<const Word> words, bool testing, State states) {
    std::vector<std::uint32_t> ids;
    std::vector<Word> unknown;
    for (const Word& word : words) {
      const auto [id, is_new] = words_.intern(word);
      ids.push_back(id);
      if (is_new) unknown.push_back(word);
    }
    for (std::size_t begin = 0; begin < unknown.size();) {
      const std::size_t left = options_.max_queries - answers_.size();
      const std::size_t count = std::min({batch_size, unknown.size() - begin, left});
      if (count == 0 || (options_.go_on && !options_.go_on(answers_.size(), states))) throw LimitReached{};
      const std::span<const Word> batch(unknown.data() + begin, count);
      const std::vector<bool> answers = oracle_(batch);
      if (answers.size() != count) {
        throw std::invalid_argument("learn: the oracle gave " + std::to_string(answers.size()) +
                                    " answers for " + std::to_string(count) + " words");
      }
      answers_.insert(answers_.end(), answers.begin(), answers.end());
      for (const Word& word : batch) longest_ = std::max(longest_, word.size());
      if (testing) test_queries_ += count;
      begin += count;
    }
    std::vector<bool> result;
    result.reserve(ids.size());
    for (const auto id : ids) result.push_back(answers_[id]);
    return result;
  }

  bool operator()(const Word& word, bool testing, State states) {
    return (*this)(std::span(&word, 1), testing, states).front();
  }

  /// A word for which `dfa` is wrong: the one asked first.
  std::optional<Word> first_mismatch(const Dfa& dfa) const {
    for (std::uint32_t id = 0; id < answers_.size(); ++id)
      if (dfa.accepts(words_[id]) != answers_[id]) return Word(words_[id].begin(), words_[id].end());
    return std::nullopt;
  }

  /// The short-lex least one.
  std::optional<Word> least_mismatch(const Dfa& dfa) const {
    std::optional<std::uint32_t> least;
    for (std::uint32_t id = 0; id < answers_.size(); ++id)
      if ((!least || short_lex_less(words_[id], words_[*least])) && dfa.accepts(words_[id]) != answers_[id])
        least = id;
    if (!least) return std::nullopt;
    return Word(words_[*least].begin(), words_[*least].end());
  }

  std::size_t queries() const { return answers_.size(); }
  std::size_t test_queries() const { return test_queries_; }
  std::size_t longest() const { return longest_; }

 private:
  const Oracle& oracle_;
  const LearnOptions& options_;
  Interner<Letter> words_;
  std::vector<bool> answers_;  // of the words with the numbers 0, 1, ...; the last words may have none
  std::size_t test_queries_ = 0;
  std::size_t longest_ = 0;
};

/// The discrimination tree, and the automaton that it gives.
class Tree {
 public:
  Tree(Letter letters, Answers& answers, State max_states)
      : letters_(letters), answers_(answers), max_states_(max_states), nodes_(1) {
    nodes_[0].is_leaf = false;  // the empty suffix
    add_state({}, 0, answers_(Word{}, false, 0));
    close();
  }

  Dfa dfa() const { return Dfa(letters_, 0, next_, accepting_); }
  State states() const { return static_cast<State>(access_.size()); }

  /// One more state, from a word for which dfa() is wrong.
  void refine(const Word& word) {
    const bool truth = answers_(word, false, states());
    std::vector<State> path{0};
    for (const Letter a : word) path.push_back(next_[path.back() * letters_ + a]);
    assert(accepting_[path.back()] != truth);
    const auto rest = [&](std::size_t i) { return std::span(word).subspan(i); };
    std::size_t low = 0;  // as the word itself
    std::size_t high = word.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      const bool same = answers_(joined(access_[path[middle]], rest(middle)), false, states()) == truth;
      (same ? low : high) = middle;
    }
    Word access = access_[path[low]];
    access.push_back(word[low]);
    split(path[high], Word(rest(high).begin(), rest(high).end()), std::move(access), truth);
    close();
  }

 private:
  struct Node {
    bool is_leaf = true;
    State state = 0;                      // of a leaf
    Word suffix;                          // of an inner node
    std::optional<std::size_t> child[2];  // of an inner node: where the word with the suffix is out, in
  };
  struct Sifting {
    std::size_t transition;  // the place in next_
    std::size_t node;
  };

  void add_state(Word access, std::size_t parent, bool side) {
    if (states() >= max_states_) throw LimitReached{};
    nodes_[parent].child[side ? 1 : 0] = nodes_.size();
    nodes_.emplace_back().state = states();
    leaf_.push_back(nodes_.size() - 1);
    accepting_.push_back(answers_(access, false, states()));
    access_.push_back(std::move(access));
    for (Letter a = 0; a < letters_; ++a) {
      siftings_.push_back({next_.size(), 0});
      next_.push_back(0);
    }
  }

  /// The words that were sifted to state q are told apart by `suffix`; `access` with it is in the language
  /// iff `side`, the access word of q is on the other side.
  void split(State q, Word suffix, Word access, bool side) {
    if (states() >= max_states_) throw LimitReached{};
    const std::size_t inner = leaf_[q];
    nodes_[inner].is_leaf = false;
    nodes_[inner].suffix = std::move(suffix);
    nodes_[inner].child[side ? 0 : 1] = nodes_.size();
    leaf_[q] = nodes_.size();
    nodes_.emplace_back().state = q;
    for (std::size_t i = 0; i < next_.size(); ++i)
      if (next_[i] == q) siftings_.push_back({i, inner});
    add_state(std::move(access), inner, side);
  }

  /// Sifts all words that wait for it, a level of the tree at a time.
  void close() {
    while (!siftings_.empty()) {
      std::vector<Word> words;
      for (const auto& [transition, node] : siftings_) {
        Word word = access_[transition / letters_];
        word.push_back(static_cast<Letter>(transition % letters_));
        words.push_back(joined(word, nodes_[node].suffix));
      }
      const std::vector<bool> sides = answers_(words, false, states());
      std::vector<Sifting> now;
      now.swap(siftings_);
      for (std::size_t i = 0; i < now.size(); ++i) {
        auto [transition, node] = now[i];
        if (!nodes_[node].child[sides[i] ? 1 : 0]) {  // only at the root: the first word on this side
          Word access = access_[transition / letters_];
          access.push_back(static_cast<Letter>(transition % letters_));
          add_state(std::move(access), node, sides[i]);
        }
        node = *nodes_[node].child[sides[i] ? 1 : 0];
        if (nodes_[node].is_leaf)
          next_[transition] = nodes_[node].state;
        else
          siftings_.push_back({transition, node});
      }
    }
  }

  Letter letters_;
  Answers& answers_;
  State max_states_;
  std::vector<Node> nodes_;  // the root first
  std::vector<Word> access_;
  std::vector<std::size_t> leaf_;
  std::vector<bool> accepting_;
  std::vector<State> next_;
  std::vector<Sifting> siftings_;
};

/// The greatest length up to which there are at most `words` words, with twenty letters each on average.
std::optional<std::size_t> exhaustive_length(Letter letters, std::size_t words) {
  if (words == 0) return std::nullopt;
  std::size_t length = 0;
  std::size_t of_this_length = 1;
  std::size_t total = 1;
  std::size_t total_letters = 0;
  while (of_this_length <= (words - total) / letters) {
    of_this_length *= letters;
    total_letters += of_this_length * (length + 1);
    if (total_letters / letters_for_each > words) break;
    total += of_this_length;
    ++length;
  }
  return length;
}

/// Counts through the words of one length in the order of the letters; false after the last.
bool next_word(Word& word, Letter letters) {
  for (std::size_t i = word.size(); i-- > 0;) {
    if (++word[i] < letters) return true;
    word[i] = 0;
  }
  return false;
}

class Learner {
 public:
  Learner(Letter letters, const Oracle& oracle, const LearnOptions& options)
      : letters_(letters), options_(options), answers_(oracle, options) {}

  Learned run() {
    try {
      Tree tree(letters_, answers_, options_.max_states);
      while (true) {
        result_.emplace(Learned{.dfa = minimize(tree.dfa())});
        auto word = answers_.first_mismatch(result_->dfa);
        if (!word) {
          word = failed_test();
          if (word) ++counterexamples_;
        }
        if (!word) break;
        tree.refine(*word);
      }
      result_->complete = true;
    } catch (const LimitReached&) {
      if (!result_) {
        throw std::length_error("learn: ended after " + std::to_string(answers_.queries()) +
                                " queries, before the first automaton");
      }
      result_->refuted_by = answers_.least_mismatch(result_->dfa);
    }
    result_->queries = answers_.queries();
    result_->test_queries = answers_.test_queries();
    result_->longest_query = answers_.longest();
    result_->counterexamples = counterexamples_;
    return std::move(*result_);
  }

 private:
  /// The first test that the present automaton fails; notes in the result what it passes.
  std::optional<Word> failed_test() {
    const Dfa& dfa = result_->dfa;
    if (auto word = failed_exhaustive_test()) return word;
    const std::vector<Word> access = access_words(dfa);
    const std::vector<Word> suffixes = separating_words(dfa);
    if (auto word = failed_boundary_test(access, suffixes, 0)) return word;
    if (auto word = failed_boundary_test(access, suffixes, 1)) return word;
    if (auto word = failed_random_test(access, suffixes)) return word;
    for (std::size_t length = 2; length <= std::size_t{options_.extra_states} + 1; ++length)
      if (auto word = failed_boundary_test(access, suffixes, length)) return word;
    return std::nullopt;
  }

  std::optional<Word> failed_exhaustive_test() {
    const auto longest = exhaustive_length(letters_, options_.exhaustive_words);
    if (!longest) return std::nullopt;
    if (!exhausted_) {
      for (std::size_t length = 0; length <= *longest; ++length) {
        Word word(length, 0);
        do {
          tests_.push_back(word);
          if (auto failed = flush(batch_size)) return failed;
        } while (next_word(word, letters_));
      }
      if (auto failed = flush(1)) return failed;
    }
    exhausted_ = true;  // from now on the answers hold them all
    result_->exhaustive_length = longest;
    return std::nullopt;
  }

  /// An access word, then `length` letters, then a word that separates states: the part of the W-method that
  /// the next extra state needs.
  std::optional<Word> failed_boundary_test(const std::vector<Word>& access, const std::vector<Word>& suffixes,
                                           std::size_t length) {
    if (length > 1 && result_->exact_up_to_states != result_->dfa.states() + length - 2) return std::nullopt;
    double count = static_cast<double>(access.size()) * static_cast<double>(suffixes.size());
    for (std::size_t i = 0; i < length; ++i) count *= letters_;
    if (count > static_cast<double>(options_.max_queries - answers_.queries())) return std::nullopt;
    for (const Word& prefix : access) {
      Word middle(length, 0);
      do {
        const Word begin = joined(prefix, middle);
        for (const Word& suffix : suffixes) {
          tests_.push_back(joined(begin, suffix));
          if (auto failed = flush(batch_size)) return failed;
        }
      } while (next_word(middle, letters_));
    }
    if (auto failed = flush(1)) return failed;
    if (length > 0) result_->exact_up_to_states = result_->dfa.states() + static_cast<State>(length) - 1;
    return std::nullopt;
  }

  std::optional<Word> failed_random_test(const std::vector<Word>& access, const std::vector<Word>& suffixes) {
    for (std::size_t i = 0; i < options_.random_words; ++i) {
      tests_.push_back(i % 2 == 0 ? uniform_word(i) : walk(i, access, suffixes));
      if (auto failed = flush(batch_size)) return failed;
    }
    if (auto failed = flush(1)) return failed;
    result_->random_words = options_.random_words;
    return std::nullopt;
  }

  Word uniform_word(std::size_t i) const {
    Random random(options_.seed, uniform_purpose, i);
    Word word(random.below(options_.random_length + 1));
    for (Letter& a : word) a = static_cast<Letter>(random.below(letters_));
    return word;
  }

  Word walk(std::size_t i, const std::vector<Word>& access, const std::vector<Word>& suffixes) const {
    const Dfa& dfa = result_->dfa;
    Random random(options_.seed, walk_purpose, i);
    auto q = static_cast<State>(random.below(dfa.states()));
    Word word = access[q];
    std::vector<Letter> choices;
    for (auto left = random.below(options_.random_length + 1); left > 0; --left) {
      choices.clear();
      for (Letter a = 0; a < letters_; ++a)
        if (!is_sink(dfa.next(q, a))) choices.push_back(a);
      const Letter a = choices.empty() ? static_cast<Letter>(random.below(letters_))
                                       : choices[random.below(choices.size())];
      word.push_back(a);
      q = dfa.next(q, a);
    }
    return joined(word, suffixes[random.below(suffixes.size())]);
  }

  bool is_sink(State q) const {
    for (Letter a = 0; a < letters_; ++a)
      if (result_->dfa.next(q, a) != q) return false;
    return true;
  }

  /// Once there are `enough` tests: the first of them that fails.
  std::optional<Word> flush(std::size_t enough) {
    if (tests_.size() < enough) return std::nullopt;
    std::vector<Word> tests;
    tests.swap(tests_);
    const std::vector<bool> truth = answers_(tests, true, result_->dfa.states());
    for (std::size_t i = 0; i < tests.size(); ++i)
      if (result_->dfa.accepts(tests[i]) != truth[i]) return std::move(tests[i]);
    return std::nullopt;
  }

  Letter letters_;
  const LearnOptions& options_;
  Answers answers_;
  std::optional<Learned> result_;  // the last automaton, with what is known of it
  std::vector<Word> tests_;
  bool exhausted_ = false;
  std::size_t counterexamples_ = 0;
};

}  // namespace

Learned learn(Letter letters, const Oracle& oracle, const LearnOptions& options) {
  if (letters == 0) throw std::invalid_argument("learn: no letters");
  return Learner(letters, oracle, options).run();
}

}  // namespace automata
