// Breadth-first enumeration of state maps (Froidure and Pin, "Algorithms for computing finite semigroups",
// 1997, without its left Cayley graph): a map is stored once, in one flat array, and found again by hashing.
//
// The least word of an element is stored as its first letter and the element of the rest, whose least word is
// the rest of the least word: short-lex least words are closed under factors.  So products walk the right
// Cayley graph from left to right with no buffer.
#include "automata/semigroup.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace automata {

namespace {

std::uint32_t hash_of(std::span<const State> map) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const State q : map) {
    h = (h ^ q) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return static_cast<std::uint32_t>(h * 0xc4ceb9fe1a85ec53u >> 32);
}

}  // namespace

Semigroup::Semigroup(const Dfa& dfa, std::size_t max_elements)
    : Semigroup(dfa, max_elements, [](std::span<const State>) { return false; }) {}

Semigroup::Semigroup(const Dfa& dfa, std::size_t max_elements, const Visitor& wanted)
    : letters_(dfa.letters()), degree_(dfa.states()) {
  slots_.resize(64);
  const std::size_t limit = std::min(max_elements, max_entries / degree_);

  // Column a of the table is the map of the letter a; products gather from it.
  std::vector<State> columns(std::size_t{letters_} * degree_);
  for (State q = 0; q < degree_; ++q)
    for (Letter a = 0; a < letters_; ++a) columns[std::size_t{a} * degree_ + q] = dfa.next(q, a);

  std::vector<State> product(degree_);
  const auto add = [&](Letter first, Element suffix) {
    const std::size_t before = size();
    const Element x = intern(product);
    if (x < before) return x;
    if (before == limit)
      throw std::length_error("Semigroup: more than " + std::to_string(limit) + " elements on " +
                              std::to_string(degree_) + " states" +
                              (limit < max_elements ? " (as many as fit into 512 MiB)" : ""));
    first_letter_.push_back(first);
    suffix_.push_back(suffix);
    stopped_ = wanted(map(x));
    return x;
  };

  for (Letter a = 0; a < letters_ && !stopped_; ++a) {
    std::copy_n(columns.begin() + std::ptrdiff_t(std::size_t{a} * degree_), degree_, product.begin());
    generators_.push_back(add(a, none));
  }
  for (Element x = 0; x < size() && !stopped_; ++x) {
    for (Letter a = 0; a < letters_ && !stopped_; ++a) {
      const State* const column = columns.data() + std::size_t{a} * degree_;
      const State* const row = maps_.data() + std::size_t{x} * degree_;
      for (State q = 0; q < degree_; ++q) product[q] = column[row[q]];
      const Element suffix = suffix_[x] == none ? generators_[a] : right(suffix_[x], a);
      right_.push_back(add(first_letter_[x], suffix));
    }
  }

  std::vector<State> identity(degree_);
  for (State q = 0; q < degree_; ++q) identity[q] = q;
  has_identity_ = find(identity).has_value();
}

// The element of `map`; when it is new, its map is stored, and the caller stores the rest.
Semigroup::Element Semigroup::intern(const std::vector<State>& map) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(map);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const std::uint64_t slot = slots_[i];
    if (slot == 0) {
      slots_[i] = std::uint64_t{hash} << 32 | (size() + 1);
      maps_.insert(maps_.end(), map.begin(), map.end());
      return static_cast<Element>(size());
    }
    if (slot >> 32 != hash) continue;
    const auto x = static_cast<Element>(slot) - 1;
    if (std::equal(map.begin(), map.end(), maps_.begin() + std::ptrdiff_t(std::size_t{x} * degree_)))
      return x;
  }
}

void Semigroup::grow() {
  std::vector<std::uint64_t> slots(2 * slots_.size());
  const std::size_t mask = slots.size() - 1;
  for (const std::uint64_t slot : slots_) {
    if (slot == 0) continue;
    std::size_t i = (slot >> 32) & mask;
    while (slots[i] != 0) i = (i + 1) & mask;
    slots[i] = slot;
  }
  slots_ = std::move(slots);
}

std::optional<Semigroup::Element> Semigroup::find(std::span<const State> wanted) const {
  if (wanted.size() != degree_) return std::nullopt;
  const std::uint32_t hash = hash_of(wanted);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask; slots_[i] != 0; i = (i + 1) & mask) {
    if (slots_[i] >> 32 != hash) continue;
    const auto x = static_cast<Element>(slots_[i]) - 1;
    if (std::equal(wanted.begin(), wanted.end(), map(x).begin())) return x;
  }
  return std::nullopt;
}

Semigroup::Element Semigroup::multiply(Element x, Element y) const {
  for (; y != none; y = suffix_[y]) x = right(x, first_letter_[y]);
  return x;
}

Word Semigroup::least_word(Element x) const {
  Word word;
  for (; x != none; x = suffix_[x]) word.push_back(first_letter_[x]);
  return word;
}

Semigroup::Element Semigroup::of(std::span<const Letter> word) const {
  if (word.empty()) throw std::invalid_argument("Semigroup::of: the empty word");
  Element x = generator(word.front());
  for (const Letter a : word.subspan(1)) x = right(x, a);
  return x;
}

bool Semigroup::is_idempotent(Element x) const {
  const auto f = map(x);
  return std::all_of(f.begin(), f.end(), [&](State q) { return f[q] == q; });
}

Semigroup::Element Semigroup::omega(Element x) const {
  return is_idempotent(x) ? x : find(idempotent_power(map(x))).value();
}

std::vector<State> idempotent_power(std::span<const State> map) {
  // On a cycle the idempotent power e is the identity.  Off the cycles e = x·(x^-1 of the cycle): since
  // q·e = (q·x)·x^(n-1) for some n with x^n = e, it is the predecessor, on its cycle, of (q·x)·e.
  const auto n = static_cast<State>(map.size());
  constexpr auto unknown = static_cast<State>(-1);
  std::vector<State> result(n, unknown), before(n, unknown), path;
  std::vector<bool> seen(n, false);
  for (State start = 0; start < n; ++start) {
    path.clear();
    State q = start;
    for (; !seen[q]; q = map[q]) {
      seen[q] = true;
      path.push_back(q);
    }
    if (result[q] == unknown) {  // the path has met itself: a new cycle through q
      State p = q;
      do {
        result[p] = p;
        before[map[p]] = p;
        p = map[p];
      } while (p != q);
    }
    for (; !path.empty(); path.pop_back())
      if (result[path.back()] == unknown) result[path.back()] = before[result[map[path.back()]]];
  }
  return result;
}

std::optional<Word> least_word_where(const Dfa& dfa,
                                     const std::function<bool(std::span<const State>)>& wanted,
                                     std::size_t max_elements) {
  const Semigroup semigroup(dfa, max_elements, wanted);
  if (!semigroup.stopped_) return std::nullopt;
  return semigroup.least_word(static_cast<Semigroup::Element>(semigroup.size() - 1));
}

std::optional<Stability> stability(const Semigroup& semigroup, std::uint64_t max_index) {
  using Set = std::vector<Semigroup::Element>;  // ascending
  std::vector<bool> mark(semigroup.size(), false);
  const auto step = [&](const Set& set) {
    Set result;
    for (const auto x : set) {
      for (Letter a = 0; a < semigroup.letters(); ++a) {
        const auto y = semigroup.right(x, a);
        if (!mark[y]) result.push_back(y);
        mark[y] = true;
      }
    }
    for (const auto y : result) mark[y] = false;
    std::sort(result.begin(), result.end());
    return result;
  };

  Set once;  // the maps of the words of length i, and twice: of length 2i
  for (Letter a = 0; a < semigroup.letters(); ++a) once.push_back(semigroup.generator(a));
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  Set twice = step(once);
  for (std::uint64_t i = 1; i <= max_index; ++i) {
    if (once == twice) return Stability{i, std::move(once)};
    once = step(once);
    twice = step(step(twice));
  }
  return std::nullopt;
}

namespace {

using Element = Semigroup::Element;
using Part = std::vector<Element>;

Part elements_of(const Semigroup& s, std::span<const Element> part) {
  if (!part.empty()) return Part(part.begin(), part.end());
  Part all(s.size());
  for (Element x = 0; x < s.size(); ++x) all[x] = x;
  return all;
}

// x R y in T means x = y, or xt = y and yu = x for some t and u in T.
bool has_trivial_r(const Semigroup& s, const Part& part) {
  std::vector<std::vector<Element>> ideals;  // xT, ascending
  std::vector<std::uint32_t> place(s.size());
  for (const Element x : part) {
    place[x] = static_cast<std::uint32_t>(ideals.size());
    auto& ideal = ideals.emplace_back();
    for (const Element t : part) ideal.push_back(s.multiply(x, t));
    std::sort(ideal.begin(), ideal.end());
    ideal.erase(std::unique(ideal.begin(), ideal.end()), ideal.end());
  }
  for (const Element x : part) {
    for (const Element y : ideals[place[x]]) {
      const auto& back = ideals[place[y]];
      if (y != x && std::binary_search(back.begin(), back.end(), x)) return false;
    }
  }
  return true;
}

}  // namespace

bool is_definite(const Semigroup& s, std::span<const Element> part) {
  const Part t = elements_of(s, part);
  for (const Element e : t) {
    if (!s.is_idempotent(e)) continue;
    if (!std::all_of(t.begin(), t.end(), [&](Element x) { return s.multiply(x, e) == e; })) return false;
  }
  return true;
}

bool is_r_trivial(const Semigroup& s, std::span<const Element> part) {
  return has_trivial_r(s, elements_of(s, part));
}

bool is_locally_r_trivial(const Semigroup& s, std::span<const Element> part) {
  const Part t = elements_of(s, part);
  for (const Element e : t) {
    if (!s.is_idempotent(e)) continue;
    Part local;
    for (const Element x : t) local.push_back(s.multiply(s.multiply(e, x), e));
    std::sort(local.begin(), local.end());
    local.erase(std::unique(local.begin(), local.end()), local.end());
    if (!has_trivial_r(s, local)) return false;
  }
  return true;
}

bool is_aperiodic(const Semigroup& s, std::span<const Element> part) {
  const Part t = elements_of(s, part);
  return std::all_of(t.begin(), t.end(), [&](Element x) {
    const Element e = s.omega(x);
    return s.multiply(e, x) == e;
  });
}

}  // namespace automata
