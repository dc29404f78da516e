#include "cli/window_answer.hpp"

#include "cli/output.hpp"
#include "cli/reason.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using automata::BisimilarPair;
using automata::Language;
using automata::WindowMembership;

/// `a(ba)^N b`.
std::string pattern(const Language& language, const BisimilarPair::Side& side) {
  const auto word = [&](const automata::Word& x) { return x.empty() ? "" : abridged(language.alphabet, x); };
  const std::string gap = language.alphabet.has_single_characters() ? "" : " ";
  std::string text = word(side.access) + (side.access.empty() ? "" : gap) + "(" + word(side.period) + ")^N";
  if (!side.tail.empty()) text += ' ' + word(side.tail);
  return text;
}

nlohmann::ordered_json to_json(const Language& language, const BisimilarPair::Side& side) {
  const auto word = [&](const automata::Word& x) { return logic::to_string(language.alphabet, x); };
  return {{"access", word(side.access)},
          {"period", word(side.period)},
          {"tail", word(side.tail)},
          {"period_classes", side.period_classes},
          {"tail_classes", side.tail_classes}};
}

nlohmann::ordered_json to_json(const Language& language, const BisimilarPair& pair) {
  nlohmann::ordered_json json{{"in", to_json(language, pair.in)}, {"out", to_json(language, pair.out)}};
  auto& replays = json["replay"] = nlohmann::ordered_json::array();
  for (std::uint32_t depth = 0; depth <= 3; ++depth) {
    const std::uint64_t periods = periods_for_depth(pair, depth);
    replays.push_back({{"depth", depth},
                       {"in", logic::to_string(language.alphabet, unroll(pair.in, periods))},
                       {"out", logic::to_string(language.alphabet, unroll(pair.out, periods))}});
  }
  return json;
}

}  // namespace

std::string explain(const Language& language, const WindowMembership& answer) {
  if (answer.witness) return answer.note + ": " + explain(language, *answer.witness);
  if (answer.pair) {
    return pattern(language, answer.pair->in) + " is in the language and " +
           pattern(language, answer.pair->out) +
           " is not, for every N; for each depth r no formula of depth r tells them apart when N is large (" +
           std::to_string(periods_for_depth(*answer.pair, 1)) + " for r = 1, " +
           std::to_string(periods_for_depth(*answer.pair, 2)) + " for r = 2, and so on)";
  }
  return answer.note;
}

std::string short_reason(const Language& language, const WindowMembership& answer) {
  if (answer.pair) return pattern(language, answer.pair->in) + " | " + pattern(language, answer.pair->out);
  return answer.note;
}

nlohmann::ordered_json to_json(const Language& language, const WindowMembership& answer) {
  nlohmann::ordered_json json;
  json["name"] = name(answer.logic);
  json["member"] = nullptr;
  if (answer.member) json["member"] = *answer.member;
  json["formula"] = nullptr;
  json["size"] = nullptr;
  if (answer.formula) {
    json["formula"] = logic::to_string(*answer.formula, language.alphabet);
    json["size"] = (*answer.formula)->size;
  }
  json["depth"] =
      answer.formula ? nlohmann::ordered_json((*answer.formula)->depth) : nlohmann::ordered_json();
  json["depth_at_least"] = answer.depth;
  json["exact"] = answer.exact;
  json["alike"] = nullptr;
  if (answer.alike) {
    json["alike"] = {{"in", logic::to_string(language.alphabet, answer.alike->first)},
                     {"out", logic::to_string(language.alphabet, answer.alike->second)}};
  }
  json["witness"] = nullptr;
  if (answer.witness) json["witness"] = to_json(language, *answer.witness);
  json["pair"] = nullptr;
  if (answer.pair) json["pair"] = to_json(language, *answer.pair);
  json["note"] = answer.note;
  return json;
}

Status express_in_window(const Language& language, const logic::WindowLogic& logic, logic::Notation notation,
                         const automata::WindowLimits& limits, bool json) {
  if (logic.modulus != 1)
    throw InputError("--logic: " + name(logic) +
                     ": MOD is not combined with windows here; see hindsight separate");
  logic::Arena arena;
  const WindowMembership answer = decide(arena, language.dfa, logic, limits);
  if (answer.formula) {
    const logic::Formula f = *answer.formula;
    const std::string text = logic::to_string(f, language.alphabet, notation, limits.max_size);
    if (json) {
      print(nlohmann::ordered_json{{"logic", name(logic)},
                                   {"formula", text},
                                   {"depth", f->depth},
                                   {"size", f->size},
                                   {"least_depth", answer.exact}}
                .dump(2) +
            '\n');
    } else {
      print(table(
          {{"logic", name(logic)},
           {"formula", text},
           {"depth", std::to_string(f->depth) + (answer.exact ? " (the least)" : " (perhaps not the least)")},
           {"size", std::to_string(f->size)}},
          SIZE_MAX));
    }
    return Status::done;
  }
  if (json) {
    nlohmann::ordered_json document{
        {"logic", nullptr}, {"formula", nullptr}, {"depth", nullptr}, {"size", nullptr}};
    document["classes"] = nlohmann::ordered_json::array({to_json(language, answer)});
    print(document.dump(2) + '\n');
  }
  if (answer.member != false) {
    complain("express", name(logic) + (answer.member ? ": " : " is undecided: ") + answer.note);
    return Status::limit;
  }
  if (!json) {
    print("not in " + name(logic) + '\n');
    for (const auto& line : wrap(name(logic) + ": " + explain(language, answer), 100)) print(line + '\n');
  }
  return Status::no;
}

}  // namespace cli
