#include "logic/types.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace logic {

std::string name(const WindowLogic& logic) {
  std::string operators;
  const auto add = [&](const std::string& text) { operators += (operators.empty() ? "" : ",") + text; };
  if (logic.previously) add("P");
  if (logic.window == 1) add("Y");
  if (logic.window > 1) add((logic.counting ? "#Y<=" : "Y<=") + std::to_string(logic.window));
  if (logic.modulus > 1) add("MOD(" + std::to_string(logic.modulus) + ")");
  return "LTL[" + operators + "]";
}

std::optional<WindowLogic> window_logic_of_name(std::string_view text) {
  constexpr std::string_view head = "LTL[";
  if (!text.starts_with(head) || !text.ends_with(']')) return std::nullopt;
  text = text.substr(head.size(), text.size() - head.size() - 1);
  const auto number = [](std::string_view digits) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > 1'000'000)
      return std::nullopt;
    return value;
  };
  WindowLogic logic;
  bool modulo = false;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (item == "P" && !logic.previously) {
      logic.previously = true;
    } else if (item.starts_with("MOD(") && item.ends_with(')') && !modulo) {
      const auto m = number(item.substr(4, item.size() - 5));
      if (!m) return std::nullopt;
      modulo = true;
      logic.modulus = *m;
    } else if (logic.window == 0) {
      const bool counting = item.starts_with('#');
      if (counting) item.remove_prefix(1);
      std::optional<std::uint32_t> k;
      if (item == "Y" && !counting) k = 1;
      if (item.starts_with("Y<=")) k = number(item.substr(3));
      if (item.starts_with("Y≤")) k = number(item.substr(std::string_view("Y≤").size()));
      if (!k) return std::nullopt;
      logic.window = *k;
      logic.counting = counting && *k > 1;
    } else {
      return std::nullopt;
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (!logic.previously && logic.window == 0) return std::nullopt;
  return logic;
}

bool belongs(Formula f, const WindowLogic& logic) {
  const auto belongs_itself = [&](const Node& node) {
    switch (node.kind) {
      case Kind::false_:
      case Kind::true_:
      case Kind::letter:
      case Kind::first:
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction:
      case Kind::exclusive_or:
      case Kind::implication:
      case Kind::equivalence: return true;
      case Kind::modulo: return node.k == 1 || node.k == logic.modulus;
      case Kind::previously:
      case Kind::historically:
      case Kind::once: return logic.previously;
      case Kind::yesterday: return logic.window == 1;
      case Kind::window: return node.k == logic.window;
      case Kind::counting_window: return logic.counting && node.k == logic.window;
      case Kind::since: return false;
    }
    return false;
  };
  const std::vector<Formula> parts = subformulas(f);
  return std::all_of(parts.begin(), parts.end(), [&](Formula g) { return belongs_itself(*g); });
}

std::size_t Types::Hash::operator()(const std::vector<std::uint32_t>& key) const {
  std::uint64_t h = key.size();
  for (const std::uint32_t item : key) {
    h = (h ^ item) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h;
}

Types::Types(const WindowLogic& logic, std::uint32_t depth)
    : logic_(logic), depth_(depth), tries_(1, Trie{0, 0}) {  // set 0 is empty
  if (logic.modulus == 0) throw std::invalid_argument("Types: modulus 0");
}

Types::Type Types::intern(Parts parts) {
  std::vector<std::uint32_t> key{parts.depth, parts.letter ? *parts.letter : none, parts.residue, parts.past};
  key.insert(key.end(), parts.window.begin(), parts.window.end());
  const auto [place, fresh] = numbers_.emplace(std::move(key), static_cast<Type>(parts_.size()));
  if (fresh) parts_.push_back(std::move(parts));
  return place->second;
}

Types::Set Types::trie(Set zeros, Set ones) {
  const auto [place, fresh] =
      trie_numbers_.emplace(std::uint64_t{zeros} << 32 | ones, static_cast<Set>(tries_.size()));
  if (fresh) tries_.push_back({zeros, ones});
  return place->second;
}

Types::Set Types::add(Set set, Type member) {
  struct Step {
    Trie node;
    bool one;
  };
  std::vector<Step> path;
  std::uint32_t bits = member;
  while (set != 0 && tries_[set].zeros != leaf) {
    path.push_back({tries_[set], (bits & 1) != 0});
    set = (bits & 1) != 0 ? tries_[set].ones : tries_[set].zeros;
    bits >>= 1;
  }
  Set result = trie(leaf, member);
  if (set == result) {
    // there already: what was walked through stays
  } else if (set != 0) {  // another leaf: branch where the members differ first
    const std::uint32_t other = tries_[set].ones >> path.size();
    std::vector<bool> common;
    std::uint32_t rest = bits ^ other;
    for (; (rest & 1) == 0; rest >>= 1) common.push_back((bits >> common.size() & 1) != 0);
    const bool one = (bits >> common.size() & 1) != 0;
    result = one ? trie(set, result) : trie(result, set);
    for (std::size_t i = common.size(); i-- > 0;) result = common[i] ? trie(0, result) : trie(result, 0);
  }
  for (std::size_t i = path.size(); i-- > 0;)
    result = path[i].one ? trie(path[i].node.zeros, result) : trie(result, path[i].node.ones);
  return result;
}

std::vector<Types::Type> Types::members(Set set) const {
  std::vector<Type> found;
  std::vector<Set> open{set};
  while (!open.empty()) {
    const Set s = open.back();
    open.pop_back();
    if (s == 0) continue;
    if (tries_[s].zeros == leaf) {
      found.push_back(tries_[s].ones);
    } else {
      open.push_back(tries_[s].zeros);
      open.push_back(tries_[s].ones);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A past is the position modulo m, then for each depth below depth() the types in the window, the oldest
// first and `none` in front where there are fewer than k, and the set of all types.

Types::Past Types::start() const {
  Past past(1 + std::size_t{depth_} * stride(), none);
  past[0] = 1 % logic_.modulus;
  if (logic_.previously)
    for (std::uint32_t r = 0; r < depth_; ++r) past[1 + r * stride() + logic_.window] = 0;
  return past;
}

std::vector<Types::Type> Types::at(const Past& past, std::optional<Letter> letter) {
  std::vector<Type> types{intern({0, letter, past[0], none, {}, 0})};
  for (std::uint32_t r = 0; r < depth_; ++r) {
    const std::uint32_t* seen = past.data() + 1 + r * stride();
    Parts parts{r + 1, letter, past[0], types.back(), {}, logic_.previously ? seen[logic_.window] : 0};
    for (std::uint32_t i = 0; i < logic_.window; ++i)
      if (seen[i] != none) parts.window.push_back(seen[i]);
    std::sort(parts.window.begin(), parts.window.end());
    if (!logic_.counting)
      parts.window.erase(std::unique(parts.window.begin(), parts.window.end()), parts.window.end());
    types.push_back(intern(std::move(parts)));
  }
  return types;
}

void Types::append(Past& past, std::span<const Type> types) {
  past[0] = (past[0] + 1) % logic_.modulus;
  for (std::uint32_t r = 0; r < depth_; ++r) {
    const auto seen = past.begin() + static_cast<std::ptrdiff_t>(1 + r * stride());
    if (logic_.window > 0) {
      std::copy(seen + 1, seen + logic_.window, seen);
      seen[logic_.window - 1] = types[r];
    }
    if (logic_.previously) seen[logic_.window] = add(seen[logic_.window], types[r]);
  }
}

}  // namespace logic
