#include "cli/reason.hpp"

#include "cli/words.hpp"

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using automata::Dfa;
using automata::Language;
using automata::Logic;
using automata::Witness;
using automata::Word;

Word join(std::initializer_list<Word> parts) {
  Word all;
  for (const Word& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Word power(const Word& word, std::uint64_t times) {
  Word all;
  all.reserve(word.size() * times);
  for (std::uint64_t i = 0; i < times; ++i) all.insert(all.end(), word.begin(), word.end());
  return all;
}

/// `word` as often as it takes to be as long as `other`.
Word stretched(const Word& word, const Word& other) {
  return word.empty() ? Word{} : power(word, other.size() / word.size());
}

std::pair<Word, Word> pair(const Witness& w, std::uint64_t i) {
  switch (w.logic) {
    case Logic::y:
    case Logic::y_mod: {
      const Word loops = power(w.loop, i);
      return {join({w.access_p, loops, w.suffix}), join({w.access_q, loops, w.suffix})};
    }
    case Logic::p: {
      const Word rounds = power(join({w.to_q, w.to_p}), i);
      return {join({w.access_p, rounds, w.suffix}), join({w.access_p, rounds, w.to_q, w.suffix})};
    }
    case Logic::p_mod: {
      const Word rounds = power(join({w.to_q, w.to_p}), i);
      return {join({w.access_p, rounds, stretched(w.loop, w.to_q), w.suffix}),
              join({w.access_p, rounds, w.to_q, w.suffix})};
    }
    case Logic::py:
    case Logic::py_mod: {
      const Word loops = power(w.loop, i);
      const Word rounds = power(join({loops, w.to_q, loops, w.to_p}), i);
      const Word more = w.logic == Logic::py ? Word{} : join({stretched(w.loop, w.to_q), loops});
      return {join({w.access_p, rounds, loops, more, w.suffix}),
              join({w.access_p, rounds, loops, w.to_q, loops, w.suffix})};
    }
    case Logic::s:
    case Logic::s_mod: {
      const Word loops = power(w.loop, i * w.period);
      return {join({w.access_p, loops, w.logic == Logic::s ? Word{} : w.rest, w.suffix}),
              join({w.access_p, loops, w.loop, w.suffix})};
    }
  }
  return {};
}

/// An upper bound on the letters of pair(w, i).
double letters_of_pair(const Witness& w, double i) {
  const double around = static_cast<double>(w.to_q.size() + w.to_p.size());
  const double loop = static_cast<double>(w.loop.size());
  const double ends = static_cast<double>(w.access_p.size() + w.access_q.size() + w.suffix.size() +
                                          w.rest.size() + w.loop.size());
  return 2 *
         (ends + (i + 1) * (around + 2 * (i + 1) * loop) + (i * static_cast<double>(w.period) + 1) * loop);
}

}  // namespace

std::vector<Replayed> replay_words(const Dfa& dfa, const Witness& witness, std::size_t max_letters) {
  std::vector<Replayed> words;
  for (std::uint64_t i = 0; i <= 2; ++i) {
    if (letters_of_pair(witness, static_cast<double>(i)) > static_cast<double>(max_letters)) break;
    auto [u, v] = pair(witness, i);
    const bool in_u = dfa.accepts(u);
    const bool in_v = dfa.accepts(v);
    if (in_u == in_v) throw std::logic_error("replay_words: a pair is not told apart by the automaton");
    words.push_back({std::move(u), in_u});
    words.push_back({std::move(v), in_v});
  }
  return words;
}

std::string explain(const Language& language, const Witness& w) {
  const auto word = [&](const Word& x) { return abridged(language.alphabet, x); };
  const auto [u, v] = pair(w, 0);
  const bool in_u = language.dfa.accepts(u);
  const std::string ends =
      "; yet " + word(in_u ? u : v) + " is in the language and " + word(in_u ? v : u) + " is not";
  const std::string states = "after " + word(w.access_p) + " and after " + word(w.access_q);
  const std::string there = word(w.to_q) + " leads from the one to the other, " + word(w.to_p) + " back";
  const std::string loops = word(w.loop) + " changes nothing";
  const std::string cycle = "after " + word(w.access_p) + ", " + word(w.loop) + " once changes the state, " +
                            std::to_string(w.period) + " times does not";
  switch (w.logic) {
    case Logic::y: return states + ", " + loops + ends;
    case Logic::y_mod: return states + " (equally long), " + loops + ends;
    case Logic::p: return states + ", " + there + ends;
    case Logic::p_mod:
      return states + ", " + there + ", in step with the loops " + word(w.loop) + " and " + word(w.rest) +
             ends;
    case Logic::py: return states + ", " + loops + ", " + there + ends;
    case Logic::py_mod: return states + ", " + loops + ", " + there + ", in step with it" + ends;
    case Logic::s: return cycle + ends;
    case Logic::s_mod: return cycle + ", and the equally long " + word(w.rest) + " never does" + ends;
  }
  return {};
}

nlohmann::ordered_json to_json(const Language& language, const Witness& w) {
  const auto word = [&](const Word& x) { return logic::to_string(language.alphabet, x); };
  nlohmann::ordered_json json;
  json["p"] = w.p;
  json["q"] = w.q;
  json["access_p"] = word(w.access_p);
  json["access_q"] = word(w.access_q);
  json["loop"] = word(w.loop);
  json["to_q"] = word(w.to_q);
  json["to_p"] = word(w.to_p);
  json["rest"] = word(w.rest);
  json["period"] = w.period;
  json["suffix"] = word(w.suffix);
  json["replay"] = nlohmann::ordered_json::array();
  for (const auto& [x, accepted] : replay_words(language.dfa, w))
    json["replay"].push_back({{"word", word(x)}, {"accepted", accepted}});
  return json;
}

nlohmann::ordered_json to_json(const Language& language, const automata::Membership& membership) {
  nlohmann::ordered_json json;
  json["name"] = automata::name(membership.logic);
  json["member"] = nullptr;
  if (membership.member) json["member"] = *membership.member;
  json["witness"] = nullptr;
  if (membership.witness) json["witness"] = to_json(language, *membership.witness);
  json["note"] = membership.note;
  return json;
}

namespace {

/// u^v = u^ with ω for the powers.
std::string pretty(std::string_view equation) {
  std::string text;
  for (const char c : equation) text += c == '^' ? "^ω" : std::string(1, c);
  return text;
}

}  // namespace

std::string explain(const Language& language, const automata::ClassMembership& membership) {
  const automata::Failure& f = membership.failure.value();
  const auto word = [&](const Word& x) { return abridged(language.alphabet, x); };
  if (!f.in || !f.out)
    return "after " + word(f.prefix) + ", " + word(f.values.front().second) + " can be repeated, and with " +
           word(f.suffix) + " behind it the word is always " + (f.in ? "in" : "out of") + " the language";
  std::string values;
  for (const auto& [variable, value] : f.values)
    values += (values.empty() ? "" : ", ") + std::string(1, variable) + " = " + word(value);
  const bool own = f.language_class == membership.language_class;
  return (own ? "" : membership.note + ": ") + pretty(f.equation) + " fails for " + values + ": " +
         word(*f.in) + " is in the language and " + word(*f.out) + " is not";
}

nlohmann::ordered_json to_json(const Language& language, const automata::ClassMembership& membership) {
  const auto word = [&](const Word& x) { return logic::to_string(language.alphabet, x); };
  const auto word_or_null = [&](const std::optional<Word>& x) {
    return x ? nlohmann::ordered_json(word(*x)) : nlohmann::ordered_json();
  };
  const auto& description = automata::describe(membership.language_class);
  nlohmann::ordered_json json;
  json["name"] = description.name;
  json["member"] = nullptr;
  if (membership.member) json["member"] = *membership.member;
  json["witness"] = nullptr;
  if (membership.failure) {
    const automata::Failure& f = *membership.failure;
    auto& witness = json["witness"];
    witness["class"] = automata::name(f.language_class);
    witness["equation"] = pretty(f.equation);
    witness["words"] = nlohmann::ordered_json::object();
    for (const auto& [variable, value] : f.values) witness["words"][std::string(1, variable)] = word(value);
    witness["prefix"] = word(f.prefix);
    witness["suffix"] = word(f.suffix);
    witness["exponent"] = f.exponent;
    witness["in"] = word_or_null(f.in);
    witness["out"] = word_or_null(f.out);
    auto& replay = witness["replay"] = nlohmann::ordered_json::array();
    if (f.in && f.out) {
      replay.push_back({{"word", word(*f.in)}, {"accepted", true}});
      replay.push_back({{"word", word(*f.out)}, {"accepted", false}});
    } else {  // the loop 0, 1 and 2 times
      for (std::uint64_t i = 0; i <= 2; ++i)
        replay.push_back({{"word", word(join({f.prefix, power(f.values.front().second, i), f.suffix}))},
                          {"accepted", f.in.has_value()}});
    }
  }
  json["note"] = membership.note;
  json["meaning"] = description.meaning;
  if (!description.logic.empty()) json["logic"] = description.logic;
  json["algebra"] = description.algebra;
  json["source"] = description.source;
  return json;
}

std::string explain(const Language& language, const automata::InseparablePair& pair, std::uint64_t depth) {
  const auto word = [&](const Word& x) { return abridged(language.alphabet, x); };
  return "No formula of depth " + std::to_string(depth) + " tells " + word(pair.in) + " (in) from " +
         word(pair.out) + " (out)" + (pair.checked ? ", checked by types" : "");
}

nlohmann::ordered_json to_json(const Language& language, const automata::InseparablePair& pair,
                               std::uint64_t depth, std::uint64_t modulus) {
  nlohmann::ordered_json json;
  json["depth"] = depth;
  json["modulus"] = modulus;
  json["in"] = logic::to_string(language.alphabet, pair.in);
  json["out"] = logic::to_string(language.alphabet, pair.out);
  json["checked"] = pair.checked.has_value();
  return json;
}

}  // namespace cli
