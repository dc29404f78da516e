// Inputs of layers, queries of heads and pairs of key and value are numbered as they are met.  What is
// computed from them is kept in tables by these numbers, so that a position usually costs one look-up for
// each layer and one pass over the counts for each head.
//
// A run refers to pairs by their numbers, so when the memo has grown too large, a run moves to a new one and
// takes along the pairs it counts, and nothing else.
#include "transformer/exact_engine.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

namespace transformer {

namespace {

using Id = std::uint32_t;
constexpr Id none = std::numeric_limits<Id>::max();
constexpr Raw unknown = std::numeric_limits<Raw>::min();  // is no raw value of any format

/// Numbers vectors of one length in the order of their first appearance.
class Numbering {
 public:
  explicit Numbering(std::size_t length) : length_(length), slots_(16, none) {}

  std::size_t size() const { return size_; }
  std::span<const Raw> operator[](Id id) const { return {rows_.data() + id * length_, length_}; }

  /// The number of `row`; the next free one when it is new.
  Id number(std::span<const Raw> row) {
    assert(row.size() == length_);
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(row) & mask;
    for (; slots_[i] != none; i = (i + 1) & mask)
      if (std::equal(row.begin(), row.end(), rows_.data() + slots_[i] * length_)) return slots_[i];
    if (size_ >= none) throw std::length_error("ExactEngine: more than 2^32 different vectors");
    const auto id = static_cast<Id>(size_++);
    rows_.insert(rows_.end(), row.begin(), row.end());
    slots_[i] = id;
    if (2 * size_ > slots_.size()) grow();
    return id;
  }

 private:
  static std::size_t hash(std::span<const Raw> row) {
    std::uint64_t h = 0;
    for (const Raw x : row) {
      h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }

  void grow() {
    slots_.assign(2 * slots_.size(), none);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t id = 0; id < size_; ++id) {
      std::size_t i = hash((*this)[static_cast<Id>(id)]) & mask;
      while (slots_[i] != none) i = (i + 1) & mask;
      slots_[i] = static_cast<Id>(id);
    }
  }

  std::size_t length_;
  std::size_t size_ = 0;
  std::vector<Raw> rows_;
  std::vector<Id> slots_;
};

}  // namespace

struct ExactEngine::Memo {
  struct Head {
    explicit Head(std::size_t width) : queries(width), pairs(2 * width) {}
    Numbering queries;
    Numbering pairs;                       // key, then value
    std::vector<std::vector<Raw>> scores;  // by query, then by pair; as long as was needed, `unknown` inside
  };

  struct Layer {
    Layer(std::size_t width, std::size_t count, std::size_t head_width)
        : inputs(width), steps(1 + count * head_width), heads(count, Head(head_width)) {}
    Numbering inputs;
    std::vector<Id> query_of, pair_of;  // by input, then by head
    Numbering steps;                    // an input and all head outputs
    std::vector<Id> leads_to;           // by step: the input of the next layer
    std::vector<Head> heads;
  };

  explicit Memo(const RoundedModel& model_) : model(model_), starts(2), outputs(model_.width()) {
    layers.reserve(model.layers());
    for (std::size_t l = 0; l < model.layers(); ++l)
      layers.emplace_back(model.width(), model.heads(l), model.head_width(l));
    vector.resize(model.width());
  }

  /// The number of vector `x` among the inputs of layer l, or among the outputs when l is past the last.
  Id enter(std::size_t l, std::span<const Raw> x) {
    if (l == layers.size()) {
      const Id id = outputs.number(x);
      if (id < logits.size()) return id;
      words += x.size() + 3;
      logits.push_back(model.logit(x));
      return id;
    }
    Layer& layer = layers[l];
    const std::size_t known = layer.inputs.size();
    const Id id = layer.inputs.number(x);
    if (id < known) return id;
    const std::size_t heads = layer.heads.size();
    const std::size_t width = model.head_width(l);
    words += x.size() + heads + 3;
    std::vector<Raw> query(heads * width), key(heads * width), value(heads * width), pair(2 * width);
    model.project(l, x, query, key, value);
    for (std::size_t h = 0; h < heads; ++h) {
      Head& head = layer.heads[h];
      const std::size_t queries = head.queries.size(), pairs = head.pairs.size();
      layer.query_of.push_back(head.queries.number({query.data() + h * width, width}));
      std::copy_n(key.data() + h * width, width, pair.data());
      std::copy_n(value.data() + h * width, width, pair.data() + width);
      layer.pair_of.push_back(head.pairs.number(pair));
      head.scores.resize(head.queries.size());
      words += (head.queries.size() - queries) * (width + 5) + (head.pairs.size() - pairs) * (2 * width + 2);
    }
    return id;
  }

  /// The first layer's input for `a` with that position row.
  Id start(Letter a, std::size_t row) {
    const Raw key[] = {static_cast<Raw>(a), static_cast<Raw>(row)};
    const Id id = starts.number(key);
    if (id < start_inputs.size()) return start_inputs[id];
    words += 5;
    model.embed(a, row, vector);
    start_inputs.push_back(enter(0, vector));
    return start_inputs[id];
  }

  /// Where layer l leads from an input, by its number, and all head outputs behind it.
  Id finish(std::size_t l, std::span<const Raw> from) {
    Layer& layer = layers[l];
    const Id id = layer.steps.number(from);
    if (id < layer.leads_to.size()) return layer.leads_to[id];
    words += from.size() + 3;
    model.finish(l, layer.inputs[static_cast<Id>(from[0])], from.subspan(1), vector);
    layer.leads_to.push_back(enter(l + 1, vector));
    return layer.leads_to[id];
  }

  Raw score(Head& head, Id query, Id pair) {
    std::vector<Raw>& row = head.scores[query];
    if (pair >= row.size()) {
      words += head.pairs.size() - row.size();
      row.resize(head.pairs.size(), unknown);
    }
    if (row[pair] == unknown) row[pair] = model.score(head.queries[query], key_of(head, pair));
    return row[pair];
  }

  static std::span<const Raw> key_of(const Head& head, Id pair) {
    const auto row = head.pairs[pair];
    return row.first(row.size() / 2);
  }
  static std::span<const Raw> value_of(const Head& head, Id pair) {
    const auto row = head.pairs[pair];
    return row.last(row.size() / 2);
  }

  const RoundedModel& model;
  Numbering starts;  // letter, position row
  std::vector<Id> start_inputs;
  std::vector<Layer> layers;
  Numbering outputs;  // of the last layer
  std::vector<Raw> logits;
  std::size_t words = 0;  // about how many numbers are held
  std::size_t limit = 0;  // at how many it is dropped

  // Room to work in.
  std::vector<Raw> vector;
  std::vector<Raw> step;
  std::vector<Attended> attended;
};

/// What an engine and its runs have in common.
struct ExactEngine::Shared {
  std::shared_ptr<const RoundedModel> model;
  std::size_t memo_words;
  std::shared_ptr<Memo> memo;
  std::size_t attending = 0;  // no layer from here on has a head

  Shared(std::shared_ptr<const RoundedModel> model_, std::size_t memo_words_)
      : model(std::move(model_)), memo_words(memo_words_) {
    for (std::size_t l = 0; l < model->layers(); ++l)
      if (model->heads(l) != 0) attending = l + 1;
    renew();
  }

  void renew() {
    memo = std::make_shared<Memo>(*model);
    memo->limit = memo_words;
  }
};

struct ExactEngine::Run::State {
  struct Count {
    Id pair;
    std::uint64_t count;
  };

  /// The pairs a head sees, in the order of their numbers, and for a local head the window itself.
  struct Head {
    boost::container::small_vector<Count, 4> counts;
    boost::container::small_vector<Id, 4> window;  // a ring
    std::uint32_t oldest = 0;                      // where, once the ring is full

    void add(Id pair) {
      auto it = counts.begin();
      if (counts.size() <= 8) {
        while (it != counts.end() && it->pair < pair) ++it;
      } else {
        it = std::lower_bound(it, counts.end(), pair, [](const Count& c, Id id) { return c.pair < id; });
      }
      if (it != counts.end() && it->pair == pair) {
        ++it->count;
      } else {
        counts.insert(it, Count{pair, 1});
      }
    }

    void remove(Id pair) {
      const auto it = std::lower_bound(counts.begin(), counts.end(), pair,
                                       [](const Count& c, Id id) { return c.pair < id; });
      if (--it->count == 0) counts.erase(it);
    }

    void see(Id pair, Mask mask) {
      if (mask.is_global()) return add(pair);
      if (window.size() < mask.window()) {
        window.push_back(pair);
        return add(pair);
      }
      Id& last = window[oldest];
      if (++oldest == mask.window()) oldest = 0;
      if (last == pair) return;
      remove(std::exchange(last, pair));
      add(pair);
    }
  };

  std::shared_ptr<Shared> shared;
  std::shared_ptr<Memo> memo;
  std::uint64_t length = 0;
  boost::container::small_vector<Head, 4> heads;  // of the first layer, of the second, ...

  explicit State(std::shared_ptr<Shared> shared_) : shared(std::move(shared_)), memo(shared->memo) {
    std::size_t count = 0;
    for (std::size_t l = 0; l < shared->model->layers(); ++l) count += shared->model->heads(l);
    heads.resize(count);
  }

  /// Sees to it that the memo is the engine's and has room.
  void settle() {
    if (memo == shared->memo && memo->words <= memo->limit) return;
    if (memo == shared->memo) shared->renew();
    move_to(shared->memo);
  }

  void move_to(const std::shared_ptr<Memo>& target) {
    Head* head = heads.data();
    const std::size_t before = target->words;
    for (std::size_t l = 0; l < target->layers.size(); ++l) {
      for (std::size_t h = 0; h < target->layers[l].heads.size(); ++h, ++head) {
        const Memo::Head& old = memo->layers[l].heads[h];
        Memo::Head& now = target->layers[l].heads[h];
        std::vector<std::pair<Id, Id>> renamed;  // sorted by the old number, as the counts are
        for (Count& c : head->counts) {
          const auto row = old.pairs[c.pair];
          const std::size_t known = now.pairs.size();
          const Id id = now.pairs.number(row);
          if (now.pairs.size() > known) target->words += row.size() + 2;
          renamed.emplace_back(c.pair, id);
          c.pair = id;
        }
        for (Id& pair : head->window)
          pair = std::lower_bound(renamed.begin(), renamed.end(), std::pair<Id, Id>(pair, 0))->second;
        std::sort(head->counts.begin(), head->counts.end(),
                  [](const Count& x, const Count& y) { return x.pair < y.pair; });
      }
    }
    // What a run cannot do without does not count against the limit, or it might move at every letter.
    target->limit += target->words - before;
    memo = target;
  }

  /// What the heads of layer l put out at an input, behind its number: memo->step.
  void attend_all(std::size_t l, Id input, const Head* head) {
    Memo::Layer& layer = memo->layers[l];
    const std::size_t count = layer.heads.size();
    const std::size_t width = shared->model->head_width(l);
    auto& step = memo->step;
    step.resize(1 + count * width);
    step[0] = static_cast<Raw>(input);
    for (std::size_t h = 0; h < count; ++h) {
      Memo::Head& known = layer.heads[h];
      const std::span<Raw> output(step.data() + 1 + h * width, width);
      const auto& counts = head[h].counts;
      if (counts.size() == 1 && counts.front().count == 1) {  // one position has all the weight
        const auto value = Memo::value_of(known, counts.front().pair);
        std::copy(value.begin(), value.end(), output.begin());
        continue;
      }
      const Id query = layer.query_of[input * count + h];
      memo->attended.clear();
      for (const Count& c : counts)
        memo->attended.push_back(
            {memo->score(known, query, c.pair), c.count, Memo::value_of(known, c.pair).data()});
      attend(memo->attended, shared->model->arithmetic(), shared->model->rule(), output);
    }
  }

  void read(Letter a) {
    const RoundedModel& model = *shared->model;
    if (a >= model.letters())
      throw std::invalid_argument("ExactEngine::Run::read: letter " + std::to_string(a) + " of " +
                                  std::to_string(model.letters()));
    if (length >= model.longest_word())
      throw std::length_error("ExactEngine::Run::read: the positions end after " + std::to_string(length) +
                              " letters");
    settle();
    ++length;
    // A letter matters to what follows only by the pairs it leaves behind, so the last layer that attends is
    // entered and not finished.
    if (shared->attending == 0) return;
    Id input = memo->start(a, model.position_row(length));
    Head* head = heads.data();
    for (std::size_t l = 0;; ++l) {
      const auto& masks = model.masks(l);
      if (l + 1 < shared->attending) attend_all(l, input, head);
      const Id* pairs = memo->layers[l].pair_of.data() + input * masks.size();
      for (std::size_t h = 0; h < masks.size(); ++h) head[h].see(pairs[h], masks[h]);
      if (l + 1 == shared->attending) return;
      head += masks.size();
      input = memo->finish(l, memo->step);
    }
  }

  Raw logit() {
    const RoundedModel& model = *shared->model;
    settle();
    Id input = memo->start(static_cast<Letter>(model.letters()), model.position_row(length + 1));
    const Head* head = heads.data();
    for (std::size_t l = 0; l < model.layers(); ++l) {
      attend_all(l, input, head);
      head += model.heads(l);
      input = memo->finish(l, memo->step);
    }
    return memo->logits[input];
  }
};

ExactEngine::ExactEngine(const Model& model, std::size_t memo_words)
    : shared_(std::make_shared<Shared>(
          std::make_shared<const RoundedModel>(
              model, std::initializer_list<AttentionRule>{AttentionRule::rounded_weights,
                                                          AttentionRule::rounded_quotient,
                                                          AttentionRule::clamped_denominator}),
          memo_words)) {}
ExactEngine::ExactEngine(const ExactEngine& other)
    : shared_(std::make_shared<Shared>(other.shared_->model, other.shared_->memo_words)) {}
ExactEngine& ExactEngine::operator=(const ExactEngine& other) {
  return *this = ExactEngine(other);
}
ExactEngine::ExactEngine(ExactEngine&&) noexcept = default;
ExactEngine& ExactEngine::operator=(ExactEngine&&) noexcept = default;
ExactEngine::~ExactEngine() = default;

ExactEngine::Run ExactEngine::start() const {
  return Run(std::make_unique<Run::State>(shared_));
}

bool ExactEngine::accepts(std::span<const Letter> word) const {
  Run run = start();
  for (const Letter a : word) run.read(a);
  return run.accepts();
}

const RoundedModel& ExactEngine::model() const {
  return *shared_->model;
}

ExactEngine::Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExactEngine::Run::Run(const Run& other) : state_(std::make_unique<State>(*other.state_)) {}
ExactEngine::Run& ExactEngine::Run::operator=(const Run& other) {
  if (state_) {
    *state_ = *other.state_;
  } else {
    state_ = std::make_unique<State>(*other.state_);
  }
  return *this;
}
ExactEngine::Run::Run(Run&&) noexcept = default;
ExactEngine::Run& ExactEngine::Run::operator=(Run&&) noexcept = default;
ExactEngine::Run::~Run() = default;

void ExactEngine::Run::read(Letter a) {
  state_->read(a);
}
Raw ExactEngine::Run::logit() {
  return state_->logit();
}
std::uint64_t ExactEngine::Run::length() const {
  return state_->length;
}

}  // namespace transformer
