#include "logic/types.hpp"

#include "logic/semantics.hpp"
#include "tests/catch.hpp"
#include "tests/words.hpp"

#include <map>
#include <set>
#include <string>

using logic::Types;
using logic::WindowLogic;
using logic::Word;

namespace {

std::vector<WindowLogic> some_logics() {
  std::vector<WindowLogic> all;
  for (const bool p : {false, true}) {
    for (const std::uint32_t k : {0u, 1u, 2u, 3u, 4u}) {
      if (!p && k == 0) continue;
      for (const std::uint32_t m : {1u, 2u, 3u}) {
        all.push_back({p, k, false, m});
        if (k >= 2) all.push_back({p, k, true, m});
      }
    }
  }
  return all;
}

/// The definition, with the whole type written out: the oracle.
std::string type(const WindowLogic& logic, const Word& word, std::size_t n, std::uint32_t depth) {
  std::string text = n <= word.size() ? std::to_string(word[n - 1]) : "end";
  text += "/" + std::to_string(n % logic.modulus);
  if (depth == 0) return text;
  std::multiset<std::string> window;
  std::set<std::string> past;
  for (std::size_t m = 1; m < n; ++m) {
    if (m + logic.window >= n) window.insert(type(logic, word, m, depth - 1));
    if (logic.previously) past.insert(type(logic, word, m, depth - 1));
  }
  if (!logic.counting) {
    const std::set<std::string> once(window.begin(), window.end());
    window = std::multiset<std::string>(once.begin(), once.end());
  }
  text += "(";
  for (const auto& t : window) text += t + " ";
  text += ";";
  for (const auto& t : past) text += t + " ";
  return text + ")";
}

/// The types of the end of `word`, of all depths.
std::vector<Types::Type> end_types(Types& types, const Word& word) {
  Types::Past past = types.start();
  for (const auto a : word) {
    const auto found = types.at(past, a);
    types.append(past, found);
  }
  return types.at(past, std::nullopt);
}

}  // namespace

TEST_CASE("names of window logics", "[logic][types]") {
  for (const auto& logic : some_logics()) {
    CAPTURE(name(logic));
    CHECK(logic::window_logic_of_name(name(logic)) == logic);
  }
  CHECK(name(WindowLogic{true, 3, true, 2}) == "LTL[P,#Y<=3,MOD(2)]");
  CHECK(logic::window_logic_of_name("LTL[MOD(2), Y<=1, P]") == WindowLogic{true, 1, false, 2});
  CHECK(logic::window_logic_of_name("LTL[Y≤7]") == WindowLogic{false, 7, false, 1});
  CHECK(logic::window_logic_of_name("LTL[#Y<=1]") == WindowLogic{false, 1, false, 1});
  for (const auto* bad : {"", "LTL[]", "LTL[S]", "LTL[P", "LTL[P,]", "LTL[P,P]", "LTL[Y,Y<=2]", "LTL[Y<=0]",
                          "LTL[#Y]", "LTL[Y<=]", "LTL[Y<=2x]", "LTL[Y<=99999999999]", "LTL[MOD(2)]",
                          "LTL[P,MOD(0)]", "LTL[P,MOD(2),MOD(3)]", "LTL[P,MOD]", "LTL[p]"}) {
    CAPTURE(bad);
    CHECK(!logic::window_logic_of_name(bad));
  }
}

TEST_CASE("membership of formulas in window logics", "[logic][types]") {
  logic::Arena arena;
  const auto a = arena.letter(0);
  const WindowLogic p3{true, 3, false, 1};
  const WindowLogic counting3{false, 3, true, 2};
  CHECK(belongs(arena.window(a, 3), p3));
  CHECK(belongs(arena.historically(arena.once(a)), p3));
  CHECK(belongs(arena.first(), p3));
  CHECK(!belongs(arena.window(a, 2), p3));
  CHECK(!belongs(arena.yesterday(a), p3));
  CHECK(!belongs(arena.window(a, 3, 2), p3));
  CHECK(!belongs(arena.since(a, a), p3));
  CHECK(!belongs(arena.modulo(2, 0), p3));
  CHECK(belongs(arena.window(arena.modulo(2, 0), 3, 2), counting3));
  CHECK(!belongs(arena.previously(a), counting3));
  CHECK(!belongs(arena.modulo(3, 0), counting3));
  CHECK(belongs(arena.yesterday(a), WindowLogic{false, 1, false, 1}));
}

TEST_CASE("types agree with the definition written out", "[logic][types]") {
  for (const auto& logic : some_logics()) {
    Types types(logic, 3);
    const std::size_t length = logic.modulus == 1 ? 6 : 4;
    std::vector<std::map<std::string, Types::Type>> number(4);
    std::vector<std::set<Types::Type>> used(4);
    for (const Word& word : tests::words_up_to(2, length)) {
      const auto found = end_types(types, word);
      REQUIRE(found.size() == 4);
      for (std::uint32_t r = 0; r <= 3; ++r) {
        const auto text = type(logic, word, word.size() + 1, r);
        const auto [place, fresh] = number[r].emplace(text, found[r]);
        used[r].insert(found[r]);
        if (place->second == found[r]) continue;
        CAPTURE(name(logic), word, r, text);
        FAIL("equal types with different numbers");
      }
    }
    for (std::uint32_t r = 0; r <= 3; ++r) {
      CAPTURE(name(logic), r);
      CHECK(used[r].size() == number[r].size());
    }
  }
}

TEST_CASE("sets of types", "[logic][types]") {
  // a word whose past holds many types, in two orders of coming
  Types types({true, 0, false, 1}, 1);
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Types::Past x = types.start();
    Types::Past y = types.start();
    std::vector<Types::Type> members;
    for (std::uint32_t i = tests::below(random, 20); i-- > 0;)
      members.push_back(tests::below(random, 1u << 31));
    for (const auto t : members) types.append(x, std::vector{t, t});
    std::shuffle(members.begin(), members.end(), random);
    for (const auto t : members) types.append(y, std::vector{t, t});
    if (!members.empty()) types.append(y, std::vector{members[0], members[0]});
    CAPTURE(round, members);
    CHECK(x == y);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    CHECK(types.members(types.parts(types.at(x, std::nullopt)[1]).past) == members);
    if (members.empty()) continue;
    types.append(y, std::vector{members[0] ^ 1u << 20, 0u});
    CHECK(x != y);
  }
}
