// sample: words of a language or of its complement, for training and testing.
#include "automata/minimize.hpp"
#include "automata/product.hpp"
#include "automata/sampler.hpp"
#include "cli/commands.hpp"
#include "cli/language.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "logic/parse_error.hpp"

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

namespace cli {
namespace {

using automata::Side;

struct SampleOptions {
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> count;
  std::uint64_t seed = 1;
  bool outside = false;
  bool total = false;
  std::optional<std::string> kind;
  std::optional<std::string> edits;
  std::optional<std::string> exactly_one;
  std::optional<std::uint64_t> max_period;
  std::optional<std::string> prefix;
  std::optional<std::string> period;
  std::optional<std::string> suffix;

  Side side() const { return outside ? Side::outside : Side::inside; }
};

// The purposes of Random.  They are part of what a seed means, so they never change.
enum Purpose : std::uint32_t { uniform_purpose = 1, near_miss_purpose = 2, periodic_purpose = 3 };

logic::Word read_word(const logic::Alphabet& alphabet, const char* option, const std::string& text) {
  try {
    return logic::parse_word(alphabet, text);
  } catch (const logic::ParseError& error) {
    throw InputError(std::string(option) + ", character " + std::to_string(error.column()) + ": " +
                     error.message());
  }
}

automata::NearMissOptions near_miss_options(const std::optional<std::string>& edits) {
  automata::NearMissOptions options;
  if (!edits) return options;
  options.substitutions = *edits == "substitution" || *edits == "any";
  options.insertions = *edits == "insertion" || *edits == "any";
  options.deletions = *edits == "deletion" || *edits == "any";
  return options;
}

std::string_view name_of(automata::Edit::Kind kind) {
  switch (kind) {
    case automata::Edit::Kind::substitution: return "substitution";
    case automata::Edit::Kind::insertion: return "insertion";
    case automata::Edit::Kind::deletion: return "deletion";
  }
  return "";
}

class Printer {
 public:
  Printer(const logic::Alphabet& alphabet, bool json) : alphabet_(alphabet), json_(json) {}

  void print_word(const logic::Word& word) {
    ++printed_;
    print(json_ ? "{\"word\":" + json_string(logic::to_string(alphabet_, word)) + "}\n"
                : readable(alphabet_, word) + '\n');
  }

  void print_near_miss(const automata::NearMiss& miss) {
    if (!json_) return print_word(miss.word);
    ++printed_;
    nlohmann::ordered_json line{{"word", logic::to_string(alphabet_, miss.word)},
                                {"base", logic::to_string(alphabet_, miss.base)},
                                {"edit", name_of(miss.edit.kind)},
                                {"position", miss.edit.position}};
    if (miss.edit.kind != automata::Edit::Kind::deletion) line["letter"] = alphabet_.name(miss.edit.letter);
    print(line.dump() + '\n');
  }

  std::uint64_t printed() const { return printed_; }

 private:
  const logic::Alphabet& alphabet_;
  bool json_;
  std::uint64_t printed_ = 0;
};

/// Throws UsageError where an option was given that the kind does not use.
void require_fitting(const SampleOptions& given, const std::string& kind) {
  const auto only_for = [&](bool is_given, const char* option,
                            std::initializer_list<std::string_view> kinds) {
    if (is_given && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      throw UsageError(std::string(option) + " does not go with --kind " + kind);
  };
  only_for(given.edits.has_value(), "--edits", {"near-miss"});
  only_for(given.max_period.has_value(), "--max-period", {"periodic"});
  for (const auto& [option, value] :
       {std::pair{"--prefix", &given.prefix}, std::pair{"--period", &given.period},
        std::pair{"--suffix", &given.suffix}})
    only_for(value->has_value(), option, {"periodic"});
  only_for(given.length.has_value(), "--length", {"uniform", "near-miss", "periodic"});
  only_for(given.total, "--total", {"uniform", "near-miss", "boundary"});
  only_for(given.exactly_one.has_value(), "--exactly-one", {"uniform"});
  if (!given.length && kind != "boundary") throw UsageError("--length is missing");
  if (!given.period && (given.prefix || given.suffix))
    throw UsageError("--prefix and --suffix go with --period");
  if (given.period && given.max_period) throw UsageError("--period and --max-period exclude each other");
  if (given.total && given.count) throw UsageError("--total and --count exclude each other");
}

Status run_sample(const Arguments& arguments) {
  LanguageOptions language_options;
  SampleOptions given;
  Options options(arguments.command);
  language_options.add_to(options);
  options.group("Options");
  options.number("--length", "N", given.length, "The length of the words", 0, 1'000'000);
  options.number("--count", "M", given.count, "How many words (default 10; all for boundary and --period)");
  options.number("--seed", "S", given.seed, "The seed (default 1)", 0);
  options.flag("--outside", given.outside, "Words that are not in the language");
  options.choice("--kind", {"uniform", "near-miss", "periodic", "boundary"}, given.kind,
                 "How they are drawn (default uniform)");
  options.choice("--edits", {"substitution", "insertion", "deletion", "any"}, given.edits,
                 "For near-miss: the edits that are allowed (default substitution)");
  options.text("--exactly-one", "WORD", given.exactly_one,
               "For uniform: only words in which this factor occurs exactly once");
  options.number("--max-period", "P", given.max_period, "For periodic: the longest period (default 4)");
  options.text("--period", "V", given.period, "For periodic: the words U V^r W up to the length");
  options.text("--prefix", "U", given.prefix, "With --period");
  options.text("--suffix", "W", given.suffix, "With --period");
  options.flag("--total", given.total, "Print how many words (near misses: pairs) there are instead");
  expect_no_words(options.parse(arguments.before), arguments);
  const std::string kind = given.kind.value_or("uniform");
  require_fitting(given, kind);

  const auto [alphabet, dfa] = read_language(language_options);
  const Side side = given.side();
  const std::size_t length = given.length.value_or(0);
  const std::uint64_t count = given.count.value_or(10);
  const auto print_total = [&](const std::string& total) {
    print(options.json ? "{\"total\":" + json_string(total) + "}\n" : total + '\n');
    return Status::done;
  };
  const auto none = [&](const std::string& what) {
    complain("sample", what);
    return Status::no;
  };
  const std::string where = given.outside ? "outside the language" : "in the language";
  Printer printer(alphabet, options.json);

  if (kind == "boundary") {
    std::vector<logic::Word> words;
    for (auto& word : automata::boundary_words(dfa))
      if (dfa.accepts(word) != given.outside) words.push_back(std::move(word));
    if (given.total) return print_total(std::to_string(words.size()));
    for (const auto& word : words)
      if (printer.printed() < given.count.value_or(words.size())) printer.print_word(word);
    return words.empty() ? none("no boundary word is " + where) : Status::done;
  }
  if (given.period) {
    const auto u = read_word(alphabet, "--prefix", given.prefix.value_or(""));
    const auto v = read_word(alphabet, "--period", *given.period);
    const auto w = read_word(alphabet, "--suffix", given.suffix.value_or(""));
    if (v.empty()) throw UsageError("--period: the word is empty");
    for (std::size_t r = 0; u.size() + r * v.size() + w.size() <= length; ++r) {
      if (given.count && printer.printed() == *given.count) break;
      const auto word = automata::periodic_word(u, v, r, w);
      if (dfa.accepts(word) != given.outside) printer.print_word(word);
    }
    return printer.printed() == 0
               ? none("no such word up to length " + std::to_string(length) + " is " + where)
               : Status::done;
  }
  if (kind == "near-miss") {
    const automata::NearMissSampler sampler(dfa, side, length, near_miss_options(given.edits));
    if (given.total) return print_total(sampler.count(length));
    for (std::uint64_t i = 0; i < count; ++i) {
      automata::Random random(given.seed, near_miss_purpose, i);
      const auto miss = sampler.sample(length, random);
      if (!miss)
        return none("no word of length " + std::to_string(length) + " that is " + where +
                    " is one edit from the other side");
      printer.print_near_miss(*miss);
    }
    return Status::done;
  }
  if (kind == "periodic") {
    const automata::Sampler sampler(dfa, length);
    for (std::uint64_t i = 0; i < count; ++i) {
      automata::Random random(given.seed, periodic_purpose, i);
      const auto word =
          automata::random_periodic_word(sampler, side, length, given.max_period.value_or(4), random);
      if (!word) return none("no periodic word of length " + std::to_string(length) + " was found " + where);
      printer.print_word(*word);
    }
    return Status::done;
  }
  automata::Dfa drawn_from = given.outside ? automata::complement(dfa) : dfa;
  if (given.exactly_one) {
    const auto factor = read_word(alphabet, "--exactly-one", *given.exactly_one);
    if (factor.empty()) throw UsageError("--exactly-one: the word is empty");
    drawn_from =
        automata::minimize(automata::combine(drawn_from, automata::exactly_occurring(factor, alphabet.size()),
                                             automata::BooleanOperation::intersection));
  }
  const automata::Sampler sampler(std::move(drawn_from), length);
  if (given.total) return print_total(sampler.count(Side::inside, length));
  for (std::uint64_t i = 0; i < count; ++i) {
    automata::Random random(given.seed, uniform_purpose, i);
    const auto word = sampler.uniform(Side::inside, length, random);
    if (!word) return none("no such word of length " + std::to_string(length) + " is " + where);
    printer.print_word(*word);
  }
  return Status::done;
}

}  // namespace

const Command sample{
    .name = "sample",
    .summary = "Random words in a language or outside",
    .usage = "LANG --length N [--count M] [--outside] [--kind KIND] [--seed S]",
    .notes =
        "Kinds: uniform draws among all words of the length, by exact counting; near-miss draws a word that\n"
        "one edit took over the border of the language (with --outside: out of it), its final states "
        "equally\n"
        "often; periodic draws words u v^r w with a short v; boundary prints the words that tell the "
        "language\n"
        "from all with no more states.  The i-th word depends on the language, the options and the seed "
        "alone.\n"
        "Exit status 1: there is no such word.",
    .examples =
        "hindsight sample --language dyck-2 --length 20 --count 5\n"
        "hindsight sample --language rdp-1 --length 40 --outside --kind near-miss --json\n"
        "hindsight sample --language contains-ab --length 12 --exactly-one ab\n"
        "hindsight sample --regex '.*a' --alphabet ab --length 9 --kind periodic --period abb --suffix a\n"
        "hindsight sample --language dyck-2 --length 500 --total",
    .run = run_sample,
};

}  // namespace cli
