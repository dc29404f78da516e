// The table of a Sampler holds the number A(m, q) of words of length m that lead from the state q to
// acceptance: A(0, q) is 0 or 1, A(m, q) the sum of A(m-1, qa) over the letters; k^m - A(m, q) words lead
// elsewhere.  One uniform number below A(n, start) is the rank of a word in the lexicographic order, and the
// word is read off the table, letter by letter.
//
// Near misses are counted in the same way on another graph.  Reading the result from left to right, a node
// is the state before the edit, or the pair of states of base and result after it.  Every path from the start
// to a final pair is one pair (base, edit).
#include "automata/sampler.hpp"

#include "automata/minimize.hpp"
#include "automata/state_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

namespace automata {
namespace {

using Number = boost::multiprecision::cpp_int;

/// A uniform number in [0, bound), bound >= 1.
Number below(const Number& bound, Random& random) {
  const Number largest = bound - 1;
  if (largest == 0) return 0;
  const std::size_t bits = msb(largest) + 1;
  std::vector<std::uint32_t> chunks((bits + 31) / 32);
  const std::uint32_t mask = bits % 32 == 0 ? 0xFFFFFFFF : (std::uint32_t{1} << bits % 32) - 1;
  Number number;
  do {  // fewer than two rounds on average
    for (auto& chunk : chunks) chunk = random();
    chunks.back() &= mask;
    import_bits(number, chunks.begin(), chunks.end(), 32, false);
  } while (number >= bound);
  return number;
}

double log2_of(const Number& number) {
  if (number == 0) return -std::numeric_limits<double>::infinity();
  const std::size_t bits = msb(number) + 1;
  const std::size_t shift = bits > 64 ? bits - 64 : 0;
  return std::log2(static_cast<double>(static_cast<std::uint64_t>(number >> shift))) +
         static_cast<double>(shift);
}

/// Throws unless `rows` numbers for each length fit: a number takes 48 bytes and its digits.
void require_memory(const char* function, double rows, std::size_t max_length, Letter letters,
                    std::size_t max_bytes) {
  const double lengths = static_cast<double>(max_length) + 1;
  const double bytes = rows * lengths * (48 + lengths * std::log2(letters) / 16);
  if (bytes > static_cast<double>(max_bytes))
    throw std::length_error(std::string(function) + ": tables for words up to length " +
                            std::to_string(max_length) + " would take about " +
                            std::to_string(static_cast<std::uint64_t>(bytes / (1 << 20))) +
                            " MiB, more than the limit of " + std::to_string(max_bytes >> 20) + " MiB");
}

void require_length(const char* function, std::size_t length, std::size_t max_length) {
  if (length > max_length)
    throw std::invalid_argument(std::string(function) + ": length " + std::to_string(length) +
                                " is above the maximum of " + std::to_string(max_length));
}

}  // namespace

// ---- Uniform words

struct Sampler::Tables {
  Dfa dfa;
  std::size_t max_length;
  std::vector<Number> accepted;  // A(m, q) in row m, column q
  std::vector<Number> powers;    // k^m

  /// How many words of length m lead from q to that side.
  Number count(State q, Side side, std::size_t m) const {
    const Number& inside = accepted[m * dfa.states() + q];
    return side == Side::inside ? inside : Number(powers[m] - inside);
  }
};

Sampler::Sampler(Dfa dfa, std::size_t max_length, std::size_t max_bytes) {
  require_memory("Sampler", static_cast<double>(dfa.states()) + 1, max_length, dfa.letters(), max_bytes);
  auto tables = std::make_shared<Tables>(Tables{std::move(dfa), max_length, {}, {}});
  const Dfa& machine = tables->dfa;
  const std::size_t states = machine.states();
  auto& table = tables->accepted;
  table.resize(states * (max_length + 1));
  tables->powers.assign(1, 1);
  for (State q = 0; q < states; ++q) table[q] = machine.is_accepting(q) ? 1 : 0;
  for (std::size_t m = 1; m <= max_length; ++m) {
    for (State q = 0; q < states; ++q) {
      Number& sum = table[m * states + q];
      for (Letter a = 0; a < machine.letters(); ++a) sum += table[(m - 1) * states + machine.next(q, a)];
    }
    tables->powers.push_back(tables->powers.back() * machine.letters());
  }
  tables_ = std::move(tables);
}

const Dfa& Sampler::dfa() const {
  return tables_->dfa;
}

std::size_t Sampler::max_length() const {
  return tables_->max_length;
}

std::string Sampler::count(Side side, std::size_t length) const {
  require_length("Sampler", length, max_length());
  return tables_->count(dfa().start(), side, length).str();
}

double Sampler::log2_count(Side side, std::size_t length) const {
  require_length("Sampler", length, max_length());
  return log2_of(tables_->count(dfa().start(), side, length));
}

bool Sampler::has_words(Side side, std::size_t length) const {
  require_length("Sampler", length, max_length());
  return tables_->count(dfa().start(), side, length) != 0;
}

std::optional<Word> Sampler::uniform(Side side, std::size_t length, Random& random) const {
  return uniform_from(dfa().start(), side, length, random);
}

std::optional<Word> Sampler::uniform_from(State from, Side side, std::size_t length, Random& random) const {
  require_length("Sampler", length, max_length());
  if (from >= dfa().states())
    throw std::invalid_argument("Sampler: there is no state " + std::to_string(from) + " among " +
                                std::to_string(dfa().states()));
  const Number total = tables_->count(from, side, length);
  if (total == 0) return std::nullopt;
  Number rank = below(total, random);
  Word word;
  word.reserve(length);
  State q = from;
  for (std::size_t m = length; m-- > 0;) {
    for (Letter a = 0;; ++a) {
      const Number here = tables_->count(dfa().next(q, a), side, m);
      if (rank < here) {
        word.push_back(a);
        q = dfa().next(q, a);
        break;
      }
      rank -= here;
    }
  }
  return word;
}

// ---- Near misses

Word apply_edit(const Edit& edit, std::span<const Letter> word) {
  Word result(word.begin(), word.end());
  const auto at = static_cast<std::ptrdiff_t>(edit.position);
  const std::size_t end = word.size() + (edit.kind == Edit::Kind::insertion ? 1 : 0);
  if (edit.position >= end)
    throw std::invalid_argument("apply_edit: position " + std::to_string(edit.position) +
                                " in a word of length " + std::to_string(word.size()));
  switch (edit.kind) {
    case Edit::Kind::substitution:
      if (result[edit.position] == edit.letter)
        throw std::invalid_argument("apply_edit: position " + std::to_string(edit.position) +
                                    " holds letter " + std::to_string(edit.letter) + " already");
      result[edit.position] = edit.letter;
      break;
    case Edit::Kind::insertion: result.insert(result.begin() + at, edit.letter); break;
    case Edit::Kind::deletion: result.erase(result.begin() + at); break;
  }
  return result;
}

namespace {

/// The graph of the opening comment.  Nodes below `states` are the states before the edit.
struct EditGraph {
  enum class Step { copy, substitute, insert, remove };
  struct Edge {
    std::uint32_t to;
    Step step;
    Letter base;    // the letter of the base; not used by insert
    Letter result;  // the letter of the result; not used by remove
  };
  std::vector<std::vector<Edge>> edges;
  std::vector<std::pair<State, State>> pairs;  // of node `states` + i
};

EditGraph edit_graph(const Dfa& dfa, const NearMissOptions& options) {
  using Step = EditGraph::Step;
  const State states = dfa.states();
  const Letter letters = dfa.letters();
  EditGraph graph;
  graph.edges.resize(states);
  std::unordered_map<std::uint64_t, std::uint32_t> ids;
  const auto add = [&](std::size_t from, State p, State q, Step step, Letter base, Letter result) {
    if (p == q) return;  // the two runs have met: no difference is left
    const auto [place, is_new] =
        ids.emplace((std::uint64_t{p} << 32) | q, static_cast<std::uint32_t>(states + graph.pairs.size()));
    if (is_new) {
      graph.pairs.emplace_back(p, q);
      graph.edges.emplace_back();
    }
    graph.edges[from].push_back({place->second, step, base, result});
  };
  for (State q = 0; q < states; ++q) {
    for (Letter a = 0; a < letters; ++a) graph.edges[q].push_back({dfa.next(q, a), Step::copy, a, a});
    for (Letter a = 0; a < letters && options.substitutions; ++a)
      for (Letter b = 0; b < letters; ++b)
        if (a != b) add(q, dfa.next(q, a), dfa.next(q, b), Step::substitute, a, b);
    for (Letter b = 0; b < letters && options.insertions; ++b) add(q, q, dfa.next(q, b), Step::insert, 0, b);
    for (Letter a = 0; a < letters && options.deletions; ++a) add(q, dfa.next(q, a), q, Step::remove, a, 0);
  }
  for (std::size_t i = 0; i < graph.pairs.size(); ++i) {
    const auto [p, q] = graph.pairs[i];
    for (Letter a = 0; a < letters; ++a) add(states + i, dfa.next(p, a), dfa.next(q, a), Step::copy, a, a);
  }
  return graph;
}

}  // namespace

struct NearMissSampler::Tables {
  Dfa dfa;
  std::size_t max_length;
  bool stratified;
  EditGraph graph;
  std::vector<State> strata;    // the final states that some result has; one entry where not stratified
  std::vector<Number> numbers;  // for each length, then each stratum, then each node

  std::size_t nodes() const { return graph.edges.size(); }
  std::size_t row(std::size_t length, std::size_t stratum) const {
    return (length * strata.size() + stratum) * nodes();
  }
  /// How many pairs have a result of that length in that stratum.
  const Number& total(std::size_t length, std::size_t stratum) const {
    return numbers[row(length, stratum) + dfa.start()];
  }
};

NearMissSampler::NearMissSampler(Dfa dfa, Side side, std::size_t max_length, const NearMissOptions& options) {
  if (!options.substitutions && !options.insertions && !options.deletions)
    throw std::invalid_argument("NearMissSampler: no kind of edit is allowed");
  auto tables = std::make_shared<Tables>(Tables{std::move(dfa), max_length, options.stratified, {}, {}, {}});
  const Dfa& machine = tables->dfa;
  const State states = machine.states();
  tables->graph = edit_graph(machine, options);
  const auto& graph = tables->graph;
  const auto is_final = [&](const std::pair<State, State>& pair) {
    return machine.is_accepting(pair.first) != machine.is_accepting(pair.second) &&
           machine.is_accepting(pair.second) == (side == Side::inside);
  };
  std::vector<std::size_t> stratum_of(states, 0);
  if (options.stratified) {
    std::vector<bool> occurs(states, false);
    for (const auto& pair : graph.pairs)
      if (is_final(pair)) occurs[pair.second] = true;
    for (State q = 0; q < states; ++q) {
      if (!occurs[q]) continue;
      stratum_of[q] = tables->strata.size();
      tables->strata.push_back(q);
    }
  } else {
    tables->strata.push_back(0);
  }
  const std::size_t strata = tables->strata.size();
  const std::size_t nodes = tables->nodes();
  require_memory("NearMissSampler", static_cast<double>(nodes) * static_cast<double>(strata), max_length,
                 machine.letters(), options.max_bytes);

  auto& numbers = tables->numbers;
  numbers.resize((max_length + 1) * strata * nodes);
  for (std::size_t length = 0; length <= max_length; ++length) {
    for (std::size_t stratum = 0; stratum < strata; ++stratum) {
      const std::size_t row = tables->row(length, stratum);
      // Pairs before states: a deletion leads from a state to a pair without a letter of the result.
      for (std::size_t i = nodes; i-- > 0;) {
        Number& sum = numbers[row + i];
        if (length == 0 && i >= states) {
          const auto& pair = graph.pairs[i - states];
          sum = is_final(pair) && stratum_of[pair.second] == stratum ? 1 : 0;
        }
        for (const auto& edge : graph.edges[i]) {
          if (edge.step == EditGraph::Step::remove)
            sum += numbers[row + edge.to];
          else if (length > 0)
            sum += numbers[tables->row(length - 1, stratum) + edge.to];
        }
      }
    }
  }
  tables_ = std::move(tables);
}

std::string NearMissSampler::count(std::size_t length) const {
  require_length("NearMissSampler", length, tables_->max_length);
  Number total = 0;
  for (std::size_t stratum = 0; stratum < tables_->strata.size(); ++stratum)
    total += tables_->total(length, stratum);
  return total.str();
}

std::string NearMissSampler::count(std::size_t length, State final_state) const {
  require_length("NearMissSampler", length, tables_->max_length);
  if (!tables_->stratified || final_state >= tables_->dfa.states())
    throw std::invalid_argument("NearMissSampler: no count for the final state " +
                                std::to_string(final_state));
  for (std::size_t stratum = 0; stratum < tables_->strata.size(); ++stratum)
    if (tables_->strata[stratum] == final_state) return tables_->total(length, stratum).str();
  return "0";
}

std::optional<NearMiss> NearMissSampler::sample(std::size_t length, Random& random) const {
  require_length("NearMissSampler", length, tables_->max_length);
  std::vector<std::size_t> possible;
  for (std::size_t stratum = 0; stratum < tables_->strata.size(); ++stratum)
    if (tables_->total(length, stratum) != 0) possible.push_back(stratum);
  if (possible.empty()) return std::nullopt;
  const std::size_t stratum = possible[random.below(possible.size())];
  Number rank = below(tables_->total(length, stratum), random);

  const State states = tables_->dfa.states();
  NearMiss miss;
  std::size_t node = tables_->dfa.start();
  while (miss.word.size() < length || node < states) {
    for (const auto& edge : tables_->graph.edges[node]) {
      const bool removes = edge.step == EditGraph::Step::remove;
      if (!removes && miss.word.size() == length) continue;
      const std::size_t rest = length - miss.word.size() - (removes ? 0 : 1);
      const Number& here = tables_->numbers[tables_->row(rest, stratum) + edge.to];
      if (rank >= here) {
        rank -= here;
        continue;
      }
      switch (edge.step) {
        case EditGraph::Step::copy: break;
        case EditGraph::Step::substitute:
          miss.edit = {Edit::Kind::substitution, miss.base.size(), edge.result};
          break;
        case EditGraph::Step::insert:
          miss.edit = {Edit::Kind::insertion, miss.base.size(), edge.result};
          break;
        case EditGraph::Step::remove: miss.edit = {Edit::Kind::deletion, miss.base.size(), 0}; break;
      }
      if (edge.step != EditGraph::Step::insert) miss.base.push_back(edge.base);
      if (!removes) miss.word.push_back(edge.result);
      node = edge.to;
      break;
    }
  }
  return miss;
}

// ---- Boundary words

std::vector<Word> boundary_words(const Dfa& dfa, std::size_t max_words) {
  if (minimize(dfa) != dfa) throw std::invalid_argument("boundary_words: the automaton is not minimal");
  const State states = dfa.states();
  const std::vector<Word> access = access_words(dfa);
  const std::vector<Word> suffixes = separating_words(dfa);
  const double count =
      static_cast<double>(states) * (1.0 + dfa.letters()) * static_cast<double>(suffixes.size());
  if (count > static_cast<double>(max_words))
    throw std::length_error("boundary_words: more than " + std::to_string(max_words) + " words for " +
                            std::to_string(states) + " states and " + std::to_string(suffixes.size()) +
                            " suffixes");
  std::vector<Word> words;
  for (const Word& prefix : access) {
    for (Letter a = 0; a <= dfa.letters(); ++a) {
      Word start = prefix;
      if (a < dfa.letters()) start.push_back(a);
      for (const Word& suffix : suffixes) {
        words.push_back(start);
        words.back().insert(words.back().end(), suffix.begin(), suffix.end());
      }
    }
  }
  std::sort(words.begin(), words.end(),
            [](const Word& x, const Word& y) { return x.size() != y.size() ? x.size() < y.size() : x < y; });
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// ---- Periodic words

Word periodic_word(std::span<const Letter> u, std::span<const Letter> v, std::size_t r,
                   std::span<const Letter> w) {
  Word word(u.begin(), u.end());
  for (std::size_t i = 0; i < r; ++i) word.insert(word.end(), v.begin(), v.end());
  word.insert(word.end(), w.begin(), w.end());
  return word;
}

std::optional<Word> random_periodic_word(const Sampler& sampler, Side side, std::size_t length,
                                         std::size_t max_period, Random& random) {
  if (max_period == 0) throw std::invalid_argument("random_periodic_word: max_period is 0");
  if (!sampler.has_words(side, length)) return std::nullopt;
  const Dfa& dfa = sampler.dfa();
  const auto draw = [&](std::size_t letters) {
    Word word(letters);
    for (auto& a : word) a = static_cast<Letter>(random.below(dfa.letters()));
    return word;
  };
  const std::size_t longest = std::min(max_period, std::max<std::size_t>(length / 2, 1));
  constexpr int tries = 10'000;
  for (int i = 0; i < tries; ++i) {
    const std::size_t period = 1 + random.below(longest);
    const Word v = draw(period);
    const std::size_t tail = random.below(std::min(period, length) + 1);
    const Word u = draw((length - tail) % period);
    Word word = periodic_word(u, v, (length - tail) / period, {});
    const auto w = sampler.uniform_from(dfa.run(dfa.start(), word), side, tail, random);
    if (!w) continue;
    word.insert(word.end(), w->begin(), w->end());
    return word;
  }
  return std::nullopt;
}

// ---- Occurrences of a factor

Dfa exactly_occurring(std::span<const Letter> factor, Letter letters, std::size_t times) {
  if (factor.empty()) throw std::invalid_argument("exactly_occurring: the factor is empty");
  for (const Letter a : factor)
    if (a >= letters)
      throw std::invalid_argument("exactly_occurring: letter " + std::to_string(a) + " among " +
                                  std::to_string(letters));
  // The automaton of Knuth, Morris and Pratt: state i has read the longest suffix that is the prefix of
  // length i, and `border` is where the automaton stands after all letters of that prefix but the first.
  const std::size_t size = factor.size();
  std::vector<std::size_t> step((size + 1) * letters, 0);
  std::size_t border = 0;
  for (std::size_t i = 0; i <= size; ++i) {
    for (Letter a = 0; a < letters; ++a)
      step[i * letters + a] = i < size && factor[i] == a ? i + 1 : i == 0 ? 0 : step[border * letters + a];
    if (i > 0 && i < size) border = step[border * letters + factor[i]];
  }
  const std::size_t layers = times + 2;  // how often it has occurred, up to times + 1
  if (layers > std::numeric_limits<State>::max() / (size + 1))
    throw std::length_error("exactly_occurring: too many states for a factor of length " +
                            std::to_string(size) + " that occurs " + std::to_string(times) + " times");
  std::vector<State> next;
  std::vector<bool> accepting;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (std::size_t i = 0; i <= size; ++i) {
      accepting.push_back(layer == times);
      for (Letter a = 0; a < letters; ++a) {
        const std::size_t to = step[i * letters + a];
        const std::size_t count = std::min(layer + (to == size ? 1 : 0), times + 1);
        next.push_back(static_cast<State>(count * (size + 1) + to));
      }
    }
  }
  return minimize(Dfa(letters, 0, std::move(next), std::move(accepting)));
}

}  // namespace automata
