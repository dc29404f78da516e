#include "bridge/attention.hpp"

#include "automata/interner.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <utility>

namespace bridge {
namespace {

using transformer::AttendedSum;
using transformer::Wide;
using Count = std::uint64_t;

/// What the keys and values of a head are to its queries.
///
/// Queries that give all keys the same scores, up to a constant, are one; so are keys that get the same score
/// from every query: a group.
class Scores {
 public:
  Scores(const transformer::RoundedModel& model, const HeadFeed& feed) : width_(feed.head_width) {
    const std::size_t pairs = feed.keys.size() / width_;
    const std::size_t queries = feed.queries.size() / width_;
    const auto row = [&](const std::vector<Raw>& rows, std::size_t i) {
      return std::span<const Raw>(rows.data() + i * width_, width_);
    };
    // Soft-max sees differences of scores alone, so each query's scores are taken from their maximum.
    std::map<std::vector<Raw>, std::size_t> known;
    std::vector<std::vector<Raw>> scores;
    for (std::size_t q = 0; q < queries; ++q) {
      std::vector<Raw> of_query(pairs);
      Raw most = std::numeric_limits<Raw>::min();
      for (std::size_t c = 0; c < pairs; ++c) {
        of_query[c] = model.score(row(feed.queries, q), row(feed.keys, c));
        most = std::max(most, of_query[c]);
      }
      for (Raw& s : of_query) s -= most;
      const auto [it, fresh] = known.emplace(of_query, scores.size());
      if (fresh) scores.push_back(std::move(of_query));
      query_.push_back(it->second);
    }
    queries_ = scores.size();
    std::map<std::vector<Raw>, std::size_t> group_of;
    for (std::size_t c = 0; c < pairs; ++c) {
      std::vector<Raw> of_key(queries_);
      for (std::size_t q = 0; q < queries_; ++q) of_key[q] = scores[q][c];
      group_.push_back(group_of.emplace(of_key, group_of.size()).first->second);
    }
    groups_ = group_of.size();
    scores_.resize(queries_ * groups_);
    for (const auto& [of_key, g] : group_of)
      for (std::size_t q = 0; q < queries_; ++q) scores_[q * groups_ + g] = of_key[q];
  }

  std::size_t queries() const { return queries_; }
  std::size_t groups() const { return groups_; }
  std::size_t width() const { return width_; }
  /// The one that stands for query i of the feed.
  std::size_t query(std::size_t i) const { return query_[i]; }
  /// The group of pair i of the feed.
  std::size_t group(std::size_t i) const { return group_[i]; }
  /// At most 0, and 0 for some group.
  Raw score(std::size_t query, std::size_t group) const { return scores_[query * groups_ + group]; }

 private:
  std::size_t width_;
  std::size_t queries_ = 0;
  std::size_t groups_ = 0;
  std::vector<std::size_t> query_, group_;
  std::vector<Raw> scores_;  // (queries, groups)
};

/// What a global head remembers of the past, cut down to what can still matter.
class GlobalMemory {
 public:
  GlobalMemory(const Scores& scores, transformer::FixedPoint format, const HeadFeed& feed)
      : scores_(scores),
        feed_(feed),
        format_(format),
        limit_(Count{1} << (2 * format.fraction_bits() + 1)),
        width_(scores.width()),
        blind_(scores.queries(), false) {
    // For each query and group: the largest maximum beside which the group still has weight, and how many of
    // it make the denominator so large then that no weight is left.
    const auto& table = transformer::exponential_table(format);
    for (std::size_t q = 0; q < scores.queries(); ++q) {
      std::vector<Raw> sorted;
      for (std::size_t g = 0; g < scores.groups(); ++g) sorted.push_back(scores.score(q, g));
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t g = 0; g < scores.groups(); ++g) {
        const Raw score = scores.score(q, g);
        const Raw reach = score + static_cast<Raw>(table.size()) - 1;
        const Raw most = *std::prev(std::upper_bound(sorted.begin(), sorted.end(), reach));
        const auto numerator = static_cast<Count>(table[static_cast<std::size_t>(most - score)]);
        reach_.push_back({most, (limit_ + numerator - 1) / numerator});
      }
    }
  }

  /// Recalls what store() wrote.
  void load(std::span<const std::uint64_t> stored) {
    std::fill(blind_.begin(), blind_.end(), false);
    entries_.clear();
    for (std::size_t i = 0; i < stored.size();) {
      if (stored[i] >= scores_.groups()) {
        blind_[stored[i++] - scores_.groups()] = true;
        continue;
      }
      Entry& entry = entries_.emplace_back();
      entry.group = stored[i++];
      entry.count = stored[i++];
      for (std::size_t j = 0; j < width_; ++j) entry.sum.push_back(static_cast<Raw>(stored[i++]));
    }
  }

  void store(std::vector<std::uint64_t>& into) const {
    for (const Entry& entry : entries_) {
      into.push_back(entry.group);
      into.push_back(entry.count);
      for (const Raw x : entry.sum) into.push_back(static_cast<std::uint64_t>(x));
    }
    for (std::size_t q = 0; q < blind_.size(); ++q)
      if (blind_[q]) into.push_back(scores_.groups() + q);
  }

  void see(std::size_t pair) {
    const std::size_t group = scores_.group(pair);
    const Raw* value = feed_.values.data() + pair * width_;
    auto it =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.group >= group; });
    if (it == entries_.end() || it->group != group)
      it = entries_.insert(it, Entry{group, 0, std::vector<Raw>(width_, 0)});
    ++it->count;
    for (std::size_t j = 0; j < width_; ++j) it->sum[j] += value[j];
    forget();
  }

  void attend(std::size_t query, std::span<Raw> output) {
    attended_.clear();
    if (!blind_[query])
      for (const Entry& e : entries_)
        attended_.push_back({scores_.score(query, e.group), e.count, e.sum.data()});
    transformer::attend(attended_, format_, output);
  }

 private:
  struct Entry {
    std::size_t group;
    Count count;           // at least 1
    std::vector<Raw> sum;  // of the values; 0 where the count has reached the number from which it stands
  };
  struct Reach {
    Raw most;
    Count enough;
  };

  /// Drops what no query can tell any more, now and after any further letters.
  void forget() {
    std::vector<Raw> most(scores_.queries());
    for (std::size_t q = 0; q < scores_.queries(); ++q) {
      if (blind_[q]) continue;
      most[q] = std::numeric_limits<Raw>::min();
      for (const Entry& e : entries_) most[q] = std::max(most[q], scores_.score(q, e.group));
      if (most[q] != 0) continue;  // a greater maximum may come, and numerators shrink
      const auto& table = transformer::exponential_table(format_);
      Wide total = 0;
      for (const Entry& e : entries_) {
        const auto below = static_cast<std::size_t>(-scores_.score(q, e.group));
        if (below < table.size()) total += static_cast<Wide>(table[below]) * static_cast<Wide>(e.count);
      }
      blind_[q] = total >= static_cast<Wide>(limit_);
    }
    std::erase_if(entries_, [&](Entry& e) {
      Count enough = 0;
      for (std::size_t q = 0; q < scores_.queries(); ++q) {
        if (blind_[q]) continue;
        const Reach& reach = reach_[q * scores_.groups() + e.group];
        if (reach.most >= most[q]) enough = std::max(enough, reach.enough);
      }
      if (e.count >= enough) {
        e.count = enough;
        std::fill(e.sum.begin(), e.sum.end(), 0);
      }
      return e.count == 0;
    });
  }

  const Scores& scores_;
  const HeadFeed& feed_;
  transformer::FixedPoint format_;
  Count limit_;  // a denominator from which on every weight is 0
  std::size_t width_;
  std::vector<Reach> reach_;  // (queries, groups)
  std::vector<bool> blind_;   // queries to which every weight is 0, for good
  std::vector<Entry> entries_;
  std::vector<AttendedSum> attended_;
};

/// The pairs of one group and one value are one kind: for each pair, the number of its kind.
struct Kinds {
  std::vector<std::size_t> of;     // by pair
  std::vector<std::size_t> first;  // a pair of each kind

  Kinds(const Scores& scores, const HeadFeed& feed) {
    const std::size_t width = feed.head_width;
    std::map<std::vector<Raw>, std::size_t> known;
    for (std::size_t i = 0; i < feed.keys.size() / width; ++i) {
      std::vector<Raw> key(feed.values.begin() + static_cast<std::ptrdiff_t>(i * width),
                           feed.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      key.push_back(static_cast<Raw>(scores.group(i)));
      const auto [it, fresh] = known.emplace(std::move(key), first.size());
      if (fresh) first.push_back(i);
      of.push_back(it->second);
    }
  }
};

/// The window of a local head: pairs of group and value, from the oldest to the last, 0 where there is none.
class LocalMemory {
 public:
  LocalMemory(const Scores& scores, transformer::FixedPoint format, transformer::AttentionRule rule,
              std::uint32_t window, const HeadFeed& feed, const Kinds& kinds)
      : scores_(scores), format_(format), rule_(rule), window_(window), feed_(feed), width_(scores.width()) {
    for (const std::size_t kind : kinds.of) kind_.push_back(kinds.first[kind]);
    // A group beside which another has no weight, to any query.
    const auto reach = static_cast<Raw>(transformer::exponential_table(format).size());
    hidden_by_.resize(scores.groups() * scores.groups());
    for (std::size_t g = 0; g < scores.groups(); ++g) {
      for (std::size_t h = 0; h < scores.groups(); ++h) {
        bool hidden = true;
        for (std::size_t q = 0; q < scores.queries() && hidden; ++q)
          hidden = scores.score(q, h) - scores.score(q, g) >= reach;
        hidden_by_[g * scores.groups() + h] = hidden;
      }
    }
  }

  void load(std::span<const std::uint64_t> stored) { pairs_.assign(stored.begin(), stored.end()); }

  void store(std::vector<std::uint64_t>& into) const {
    into.insert(into.end(), pairs_.begin(), pairs_.end());
  }

  void see(std::size_t pair) {
    if (pairs_.size() == window_) pairs_.erase(pairs_.begin());
    const std::size_t kind = kind_[pair];
    for (std::uint64_t& older : pairs_)
      if (older != 0 && hidden_by_[scores_.group(older - 1) * scores_.groups() + scores_.group(kind)])
        older = 0;
    pairs_.push_back(kind + 1);
    pairs_.erase(pairs_.begin(), std::find_if(pairs_.begin(), pairs_.end(), [](auto p) { return p != 0; }));
  }

  void attend(std::size_t query, std::span<Raw> output) {
    attended_.clear();
    for (const std::uint64_t pair : pairs_)
      if (pair != 0)
        attended_.push_back(
            {scores_.score(query, scores_.group(pair - 1)), 1, feed_.values.data() + (pair - 1) * width_});
    transformer::attend(attended_, format_, rule_, output);
  }

 private:
  const Scores& scores_;
  transformer::FixedPoint format_;
  transformer::AttentionRule rule_;
  std::size_t window_;
  const HeadFeed& feed_;
  std::size_t width_;
  std::vector<std::size_t> kind_;  // the first pair of the same group and value
  std::vector<bool> hidden_by_;    // (groups, groups)
  std::vector<std::uint64_t> pairs_;
  std::vector<transformer::Attended> attended_;
};

/// How many multisets of at most `size` things of `kinds` kinds there are; `most` where there are more.
std::size_t multisets(std::size_t kinds, std::size_t size, std::size_t most) {
  Wide count = 1;  // binomial(size + kinds, kinds)
  for (std::size_t i = 1; i <= kinds; ++i) {
    count = count * static_cast<Wide>(size + i) / static_cast<Wide>(i);
    if (count >= static_cast<Wide>(most)) return most;
  }
  return static_cast<std::size_t>(count);
}

/// A wide window with few kinds of positions, of whose outputs not much is told apart.
///
/// After a word u the state is the function that gives for each multiset r of at most k positions the class
/// of the output for a window that holds r and, before it, the last k - |r| positions of u.  Two words have
/// equal functions if and only if nothing behind the head can ever tell them apart, so there are no more
/// states than there must be, where windows themselves are exponentially many.
class WideWindow {
 public:
  static bool is_wide(const Kinds& kinds, std::uint32_t window) {
    double windows = 1;
    for (std::uint32_t i = 0; i < window && windows <= 4096; ++i)
      windows *= static_cast<double>(kinds.first.size());
    return windows > 4096 && multisets(kinds.first.size(), window, 20'000) < 20'000;
  }

  WideWindow(const Scores& scores, transformer::FixedPoint format, transformer::AttentionRule rule,
             std::uint32_t window, const HeadFeed& feed, Kinds kinds, const Distinguish& distinguish,
             Budget& budget)
      : kinds_(std::move(kinds)), width_(feed.head_width), queries_(scores.queries()) {
    // All multisets, and what one position more makes of each.
    const std::size_t all = kinds_.first.size();
    automata::Interner<std::uint64_t> multisets(all);
    std::vector<std::uint64_t> counts(all, 0);
    std::vector<std::uint32_t> more;  // (multisets, kinds)
    std::vector<bool> full;
    multisets.intern(counts);
    for (std::uint32_t r = 0; r < multisets.size(); ++r) {
      std::copy_n(multisets[r].begin(), all, counts.begin());
      std::uint64_t size = 0;
      for (const std::uint64_t count : counts) size += count;
      full.push_back(size == window);
      for (std::size_t c = 0; c < all; ++c) {
        ++counts[c];
        more.push_back(full.back() ? r : multisets.intern(counts).first);
        --counts[c];
      }
    }

    // The class of the outputs to all queries for each of them.
    std::vector<Raw> outputs;  // (multisets, queries, head_width)
    std::vector<Raw> output(width_);
    std::vector<transformer::Attended> attended;
    for (std::uint32_t r = 0; r < multisets.size(); ++r) {
      for (std::size_t q = 0; q < queries_; ++q) {
        attended.clear();
        for (std::size_t c = 0; c < all; ++c)
          if (const std::uint64_t count = multisets[r][c]; count > 0)
            attended.push_back({scores.score(q, scores.group(kinds_.first[c])), count,
                                feed.values.data() + kinds_.first[c] * width_});
        transformer::attend(attended, format, rule, output);
        outputs.insert(outputs.end(), output.begin(), output.end());
      }
    }
    const std::vector<std::uint32_t> class_of = distinguish(outputs);
    automata::Interner<std::uint32_t> labels(queries_);
    std::vector<std::uint32_t> label;  // by multiset
    for (std::uint32_t r = 0; r < multisets.size(); ++r) {
      const auto [number, fresh] = labels.intern(std::span(class_of).subspan(r * queries_, queries_));
      label.push_back(number);
      const auto from = outputs.begin() + static_cast<std::ptrdiff_t>(r * queries_ * width_);
      if (fresh) outputs_.insert(outputs_.end(), from, from + static_cast<std::ptrdiff_t>(queries_ * width_));
    }

    automata::Interner<std::uint32_t> functions(label.size());
    functions.intern(label);
    budget.spend(label.size());
    std::vector<std::uint32_t> then(label.size());
    for (std::uint32_t f = 0; f < functions.size(); ++f) {
      label_.push_back(functions[f][0]);
      for (std::size_t c = 0; c < all; ++c) {
        const auto now = functions[f];
        for (std::size_t r = 0; r < then.size(); ++r) then[r] = full[r] ? label[r] : now[more[r * all + c]];
        const auto [number, fresh] = functions.intern(then);
        if (fresh) budget.spend(then.size());
        next_.push_back(number);
      }
    }
  }

  void load(std::span<const std::uint64_t> stored) { now_ = stored.empty() ? 0 : stored.front(); }

  void store(std::vector<std::uint64_t>& into) const {
    if (now_ != 0) into.push_back(now_);
  }

  void see(std::size_t pair) { now_ = next_[now_ * kinds_.first.size() + kinds_.of[pair]]; }

  void attend(std::size_t query, std::span<Raw> output) const {
    const std::size_t from = (label_[now_] * queries_ + query) * width_;
    std::copy_n(outputs_.begin() + static_cast<std::ptrdiff_t>(from), width_, output.begin());
  }

 private:
  Kinds kinds_;
  std::size_t width_;
  std::size_t queries_;
  std::vector<Raw> outputs_;          // (labels, queries, head_width)
  std::vector<std::uint32_t> label_;  // by state
  std::vector<std::uint64_t> next_;   // (states, kinds)
  std::uint64_t now_ = 0;
};

/// All that `memory` can come to, beside the states of the machine that feeds it.
template <class Memory>
Transducer explore(const Scores& scores, const HeadFeed& feed, Memory memory, bool at_letters, bool at_end,
                   Budget& budget) {
  const Transducer& feeder = feed.machine;
  Transducer result;
  result.letters = feeder.letters;
  result.width = feed.head_width;
  automata::Interner<std::uint64_t> states;
  automata::Interner<std::uint64_t> outputs(feed.head_width);
  std::vector<std::uint64_t> now{0}, then, output_key(feed.head_width);
  std::vector<Raw> output(feed.head_width);
  const auto visit = [&](std::span<const std::uint64_t> state) {
    const auto [number, fresh] = states.intern(state);
    if (fresh) budget.spend(state.size() + 2 * feeder.letters + 1);
    return number;
  };
  visit(now);
  for (State q = 0; q < states.size(); ++q) {
    now.assign(states[q].begin(), states[q].end());
    const auto fed = static_cast<State>(now.front());
    if (fed == feeder.end) {
      result.end = q;
      result.next.insert(result.next.end(), feeder.letters, q);
      result.output.insert(result.output.end(), std::size_t{feeder.letters} + 1, Transducer::unread);
      continue;
    }
    const auto remembered = std::span<const std::uint64_t>(now).subspan(1);
    for (Letter a = 0; a <= feeder.letters; ++a) {
      const bool at_marker = a == feeder.letters;
      const std::uint32_t fed_output = feeder.output_of(fed, a);
      memory.load(remembered);
      if ((at_marker ? at_end : at_letters) && fed_output != Transducer::unread) {
        memory.attend(scores.query(static_cast<std::size_t>(feeder.value(fed_output)[0])), output);
        std::copy(output.begin(), output.end(), output_key.begin());
        const auto [number, fresh] = outputs.intern(output_key);
        if (fresh) result.values.insert(result.values.end(), output.begin(), output.end());
        result.output.push_back(number);
      } else {
        result.output.push_back(Transducer::unread);
      }
      if (at_marker) continue;
      then.assign(1, feeder.next_of(fed, a));
      if (then.front() != feeder.end) {
        memory.see(static_cast<std::size_t>(feeder.value(fed_output)[1]));
        memory.store(then);
      }
      result.next.push_back(visit(then));
    }
  }
  return minimize(result);
}

}  // namespace

Transducer head_machine(const transformer::RoundedModel& model, transformer::Mask mask, const HeadFeed& feed,
                        bool at_letters, bool at_end, Budget& budget, const Distinguish& distinguish) {
  const Scores scores(model, feed);
  const transformer::FixedPoint format = model.arithmetic();
  if (mask.is_global()) {
    assert(model.rule() == transformer::AttentionRule::rounded_weights);
    return explore(scores, feed, GlobalMemory(scores, format, feed), at_letters, at_end, budget);
  }
  Kinds kinds(scores, feed);
  if (WideWindow::is_wide(kinds, mask.window())) {
    return explore(
        scores, feed,
        WideWindow(scores, format, model.rule(), mask.window(), feed, std::move(kinds), distinguish, budget),
        at_letters, at_end, budget);
  }
  return explore(scores, feed, LocalMemory(scores, format, model.rule(), mask.window(), feed, kinds),
                 at_letters, at_end, budget);
}

}  // namespace bridge
