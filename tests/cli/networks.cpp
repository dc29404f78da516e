// The commands that make and run networks, and the companion program.
#include "program.hpp"
#include "tests/catch.hpp"
#include "tests/scale.hpp"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

using nlohmann::json;
using tests::contents;
using tests::hindsight;
using tests::shell;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool has_companion() {
  return std::filesystem::exists(std::filesystem::path(HINDSIGHT_PROGRAM).parent_path() / "hindsight-torch");
}

json json_of(const tests::Outcome& outcome) {
  CAPTURE(outcome.status, outcome.out, outcome.err);
  const json document = json::parse(outcome.out, nullptr, false);
  REQUIRE_FALSE(document.is_discarded());
  return document;
}

}  // namespace

TEST_CASE("a language becomes a file that answers as the language does", "[cli][compile]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  const auto compiled = hindsight({"compile", "--regex", "(ab)*", "-o", file, "--json"});
  CHECK(compiled.status == 0);
  const json document = json_of(compiled);
  for (const char* key : {"layers", "heads", "width", "parameters"}) {
    CAPTURE(key);
    CHECK(document.at(key).is_number_unsigned());
  }
  CHECK(document.at("arithmetic").at("fraction_bits") == 4);
  CHECK(document.at("max_length").is_null());
  CHECK(document.at("exact").at("words") > 50'000);
  CHECK(document.at("exact").at("counterexample").is_null());
  CHECK(document.at("torch").is_object() == has_companion());
  const auto answers = hindsight({"run", file, "ab", "abab", "aab", ""});
  CHECK(answers.status == 1);
  CHECK(answers.out == "accept ab\naccept abab\nreject aab\naccept ε\n");
  CHECK(hindsight({"run", file, "ab", "--json"}).out == "{\"word\":\"ab\",\"accepted\":true}\n");
  CHECK(hindsight({"run", file, "--words", "-"}, "ab\nabab\n").status == 0);
  const auto bad = hindsight({"run", file, "ab", "abc"});
  CHECK(bad.status == 2);
  CHECK(bad.out == "accept ab\n");
  CHECK(contains(bad.err, "word 2 'abc', character 3"));
}

TEST_CASE("compiling the same language twice gives the same bytes", "[cli][compile]") {
  const tests::Scratch scratch;
  for (const char* name : {"1.safetensors", "2.safetensors"})
    REQUIRE(
        hindsight({"compile", "--language", "dyck-2", "-o", scratch / name, "--check-words", "100"}).status ==
        0);
  CHECK(contents(scratch / "1.safetensors") == contents(scratch / "2.safetensors"));
}

TEST_CASE("what cannot be compiled leaves no file", "[cli][compile]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  // rdp-1 is in no logic that has networks.
  const auto no = hindsight({"compile", "--language", "rdp-1", "-o", file});
  CHECK(no.status == 1);
  CHECK(contains(no.err, "express"));
  CHECK(no.out.empty());
  const auto document = nlohmann::json::parse(
      hindsight({"compile", "--language", "rdp-1", "-o", file, "--json"}).out, nullptr, false);
  REQUIRE(document.is_object());
  CHECK(document["file"].is_null());
  CHECK(document["classes"].size() == 6);
  CHECK(hindsight({"compile", "--regex", "(ab)*", "--logic", "LTL[P]", "-o", file}).status == 1);
  const auto since = hindsight({"compile", "--formula", "a S b", "-o", file});
  CHECK(since.status == 2);
  // N_max of 2 fraction bits is 7.
  const auto wide =
      hindsight({"compile", "--formula", "Y<=8 a", "--alphabet", "ab", "--fraction-bits", "2", "-o", file});
  CHECK(wide.status == 2);
  CHECK(contains(wide.err, "7"));
  CHECK(hindsight({"compile", "--formula", "Y<=7 a", "--alphabet", "ab", "--fraction-bits", "2",
                   "--max-parameters", "1", "-o", file})
            .status == 3);
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(hindsight({"compile", "--regex", "a", "-o", scratch / ""}).status == 2);
  const auto nowhere = hindsight({"compile", "--regex", "a", "-o", scratch / "no/m.safetensors"});
  CHECK(nowhere.status == 2);
  CHECK(contains(nowhere.err, "no/m.safetensors: "));  // and not the temporary file beside it
}

TEST_CASE("a file name that is not UTF-8 is written with U+FFFD in JSON", "[cli][compile]") {
  const tests::Scratch scratch;
  const auto outcome =
      hindsight({"compile", "--regex", "(ab)*", "--no-check", "--json", "-o", scratch / "\xff.safetensors"});
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "/\uFFFD.safetensors\""));
}

TEST_CASE("a length bound makes P one layer, and words beyond it are warned of", "[cli][compile]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  const json bounded = json_of(hindsight(
      {"compile", "--formula", "P a", "--alphabet", "ab", "--max-length", "20", "-o", file, "--json"}));
  CHECK(bounded.at("max_length") == 20);
  const json free = json_of(hindsight(
      {"compile", "--formula", "P a", "--alphabet", "ab", "-o", scratch / "free.safetensors", "--json"}));
  CHECK(bounded.at("layers") < free.at("layers"));
  const std::string long_word(21, 'a');
  CHECK(contains(hindsight({"run", file, long_word}).err, "at most 20"));
  CHECK(hindsight({"run", file, "aa"}).err.empty());
  CHECK(hindsight({"run", file, "--quiet", long_word}).err.empty());
}

TEST_CASE("files that are no models are refused by name", "[cli][run]") {
  const tests::Scratch scratch;
  for (const std::string& bytes :
       {std::string(), std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}"), std::string(100, 'x')}) {
    const auto file = scratch.write("bad.safetensors", bytes);
    const auto outcome = hindsight({"run", file, "a"});
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, "bad.safetensors: safetensors: "));
    CHECK(outcome.err.find("bad.safetensors") == outcome.err.rfind("bad.safetensors"));
  }
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  const std::string whole = contents(file);
  for (std::size_t n = 0; n < whole.size(); n += 1 + whole.size() / 20) {
    CAPTURE(n);
    CHECK(hindsight({"run", scratch.write("cut.safetensors", whole.substr(0, n)), "ab"}).status == 2);
  }
}

TEST_CASE("a model is verified for words of every length, or refuted by a shortest word", "[cli][verify]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  const auto compiled = hindsight({"compile", "--regex", "(ab)*", "-o", file, "--verify"});
  CHECK(compiled.status == 0);
  CHECK(contains(compiled.out, "for words of every length ("));
  const auto yes = hindsight({"verify", file, "--formula", "!Y a & H(a <-> !Y a)"});
  CHECK(yes.status == 0);
  CHECK(contains(yes.out, "verified for words of every length ("));
  CHECK(contains(yes.err, " s\n"));
  const auto no = hindsight({"verify", file, "--regex", "(ab)*|abababa", "--json", "--quiet"});
  CHECK(no.status == 1);
  CHECK(no.err.empty());
  const json answer = json_of(no);
  CHECK(answer.at("equivalent") == false);
  CHECK(answer.at("counterexample") == "abababa");
  CHECK(answer.at("accepted_by") == "language");
  CHECK(answer.at("states").is_number_unsigned());
  CHECK(json_of(hindsight({"verify", file, "--model", file, "--json"})).at("counterexample").is_null());
  const auto limit = hindsight({"verify", file, "--regex", "(ab)*", "--max-states", "50"});
  CHECK(limit.status == 3);
  CHECK(contains(limit.err, "50 states explored of at most 50"));
  CHECK(hindsight({"verify", file, "--regex", "(ab)*c"}).status == 2);
  CHECK(hindsight({"verify", file}).status == 2);
  CHECK(contains(hindsight({"verify", file, "--regex", "(ab)*", "--alphabet", "ba"}).err,
                 "are a, b, in this order"));
  // A short word refutes a model even where the limit is reached, and the states are those explored until
  // then.
  const auto early = hindsight({"verify", file, "--regex", "a*", "--max-states", "50", "--json", "--quiet"});
  CHECK(early.status == 1);
  CHECK(json_of(early).at("counterexample") == "a");
  CHECK(json_of(early).at("states") <= 50);
  CHECK(hindsight({"verify"}).status == 2);
  // One layer for each P is right up to the bound and wrong just past the vanishing length.
  const std::string bounded = scratch / "p.safetensors";
  REQUIRE(hindsight({"compile", "--formula", "P a", "--alphabet", "ab", "--max-length", "10",
                     "--fraction-bits", "3", "-o", bounded})
              .status == 0);
  const auto up_to = hindsight({"verify", bounded, "--formula", "P a"});
  CHECK(up_to.status == 0);
  CHECK(contains(up_to.out, "verified for words of up to 10 letters"));
  const auto past = hindsight({"equivalent", "--model", bounded, "--", "--formula", "P a", "--json"});
  CHECK(json_of(past).at("counterexample") == std::string(16, 'a'));
}

TEST_CASE("the language of a model can be asked for wherever a language can", "[cli][decompile]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--language", "dyck-2", "-o", file, "--no-check"}).status == 0);
  for (const char* format : {"json", "att", "dot"}) {
    const auto expected = hindsight({"automaton", "--language", "dyck-2", "--to", format});
    CHECK(hindsight({"decompile", file, "--to", format}).out == expected.out);
    CHECK(hindsight({"automaton", "--model", file, "--to", format}).out == expected.out);
  }
  CHECK(hindsight({"decompile", file}).out == hindsight({"automaton", "--language", "dyck-2"}).out);
  CHECK(hindsight({"classify", "--model", file}).out == hindsight({"classify", "--language", "dyck-2"}).out);
  CHECK(json_of(hindsight({"express", "--model", file, "--json"})).at("logic") == "LTL[P,Y,MOD]");
  CHECK(hindsight({"decompile", file, "--max-states", "9"}).status == 3);
  CHECK(hindsight({"decompile", scratch / "none.safetensors"}).status == 2);
  CHECK(hindsight({"decompile", scratch.write("bad.safetensors", "x")}).status == 2);
  CHECK(hindsight({"decompile"}).status == 2);
  CHECK(hindsight({"decompile", file, file}).status == 2);
  CHECK(hindsight({"check", "--model", file, "--regex", "a", "a"}).status == 2);
}

TEST_CASE("a word of ten million letters runs on the exact engine", "[cli][run]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
#ifdef NDEBUG
  const char* letters = "10000000";
#else
  const char* letters = "100000";  // with sanitizers
#endif
  const auto outcome = shell("yes ab | tr -d '\\n' | head -c " + std::string(letters) + " | \"$H\" run " +
                             tests::quoted(file) + " --words - | head -c 10");
  CHECK(outcome.out == "accept aba");
}

TEST_CASE("a network is made for the arithmetic that is asked for", "[cli][compile]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  const auto compile = [&](const std::string& arithmetic) {
    return hindsight({"compile", "--formula", "P(b & P a)", "--alphabet", "ab", "--arithmetic", arithmetic,
                      "-o", file, "--json", "--check-words", "500"});
  };
  const json e4m3 = json_of(compile("e4m3"));
  CHECK(e4m3.at("max_length").is_null());
  CHECK(e4m3.at("layers") == 4);
  CHECK(hindsight({"run", file, "ab", "ba"}).out == "accept ab\nreject ba\n");
  CHECK(hindsight({"trace", file, "abab"}).status == 0);
  const json pairs = json_of(compile("e4m3/partial-sums/pairwise"));
  CHECK(pairs.at("max_length") == 259);
  CHECK(pairs.at("layers") == 2);
  CHECK(json_of(compile("bf16")).at("max_length") == 9'007'199'254'740'992);
  CHECK(compile("float(5,1)").status == 2);
  CHECK(compile("bf17").status == 2);
  CHECK(hindsight({"compile", "--regex", "a", "--arithmetic", "bf16", "--fraction-bits", "3", "-o", file})
            .status == 2);
}

TEST_CASE("a trace shows values beside truths, and where they part", "[cli][trace]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--formula", "Y a", "--alphabet", "ab", "-o", file, "--no-check"}).status ==
          0);
  const auto text = hindsight({"trace", file, "ab"});
  CHECK(text.status == 0);
  CHECK(contains(text.out, "ab: rejected, logit -1; the formula does not hold, and all coordinates agree"));
  CHECK(contains(text.out, "  head 0, local-1  a  b\n"));
  CHECK(contains(text.out, "Y a  0  1  0    010\n"));
  CHECK(text.out == hindsight({"trace", file, "ab"}).out);
  const json document = json_of(hindsight({"trace", file, "ab", "--json"}));
  CHECK(document.at("accepted") == false);
  CHECK(document.at("holds") == false);
  CHECK(document.at("disagreements") == 0);
  CHECK(document.at("stages").size() == 3);
  const json& attention = document.at("stages").at(1);
  CHECK(attention.at("half") == "attention");
  CHECK(attention.at("heads").at(0).at("weights") == json::parse("[[],[1.0],[0.0,1.0]]"));
  CHECK(attention.at("coordinates").back().at("values") == json::parse("[0.0,1.0,0.0]"));
  CHECK(attention.at("coordinates").back().at("truth") == json::parse("[false,true,false]"));
  CHECK(document == json_of(hindsight({"trace", file, "ab", "--to", "json"})));
  const json part =
      json_of(hindsight({"trace", file, "ab", "--to", "json", "--layer", "0", "--position", "2"}));
  CHECK(part.at("stages").size() == 2);
  CHECK(part.at("positions") == json::parse("[2]"));
  CHECK(part.at("stages").at(0).at("heads").at(0).at("weights") == json::parse("[[1.0]]"));
  const auto svg = hindsight({"trace", file, "ab", "--to", "svg"});
  CHECK(svg.status == 0);
  CHECK(contains(svg.out, "</svg>\n"));
  CHECK_FALSE(contains(svg.out, "#d00000"));

  // A coordinate with the wrong name, of the same length.
  std::string bytes = contents(file);
  std::size_t at = bytes.rfind("Y a", bytes.find("source"));
  REQUIRE(at != std::string::npos);
  while (at != std::string::npos && at > bytes.find("layers")) {
    bytes.replace(at, 3, "Y b");
    at = bytes.rfind("Y a", at);
  }
  const std::string renamed = scratch.write("renamed.safetensors", bytes);
  const auto wrong = hindsight({"trace", renamed, "ab"});
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.out, "disagreements: "));
  CHECK(contains(wrong.out, "1!"));
  CHECK(contains(hindsight({"trace", renamed, "ab", "--to", "svg"}).out, "#d00000"));

  CHECK(hindsight({"trace", file, "ab", "ba"}).status == 2);
  CHECK(hindsight({"trace", file}).status == 2);
  CHECK(hindsight({"trace"}).status == 2);
  CHECK(hindsight({"trace", file, "abc"}).status == 2);
  CHECK(hindsight({"trace", file, "ab", "--layer", "1"}).status == 2);
  CHECK(hindsight({"trace", file, "ab", "--position", "4"}).status == 2);
  CHECK(hindsight({"trace", file, "ab", "--max-numbers", "3"}).status == 3);
  CHECK(hindsight({"trace", file, ""}).status == 0);
}

TEST_CASE("both engines answer alike", "[cli][torch]") {
#ifdef HINDSIGHT_TORCH
  REQUIRE(has_companion());
#else
  if (!has_companion()) return;
#endif
  const tests::Scratch scratch;
  for (const char* name : {"m.safetensors", "m.pt"}) {
    CAPTURE(name);
    const std::string file = scratch / name;
    REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file}).status == 0);
    const std::string expected = "accept ab\naccept abab\nreject aab\naccept ε\n";
    CHECK(hindsight({"run", file, "ab", "abab", "aab", ""}).out == expected);
    for (const char* dtype : {"fp32", "fp64", "bf16"}) {
      CAPTURE(dtype);
      const auto torch =
          hindsight({"run", file, "--engine", "torch", "--dtype", dtype, "ab", "abab", "aab", ""});
      CAPTURE(torch.err);
      CHECK(torch.status == 1);
      CHECK(torch.out == expected);
    }
  }
  const auto bad = hindsight({"run", scratch / "m.pt", "--engine", "torch", "ab", "abc"});
  CHECK(bad.status == 2);
  CHECK(bad.out == "accept ab\n");
  const auto no_model = hindsight({"run", scratch.write("bad.pt", "no model"), "a"});
  CHECK(no_model.status == 2);
  CHECK(contains(no_model.err, "bad.pt: torchscript: "));
  CHECK(std::count(no_model.err.begin(), no_model.err.end(), '\n') == 1);  // one diagnostic
}

TEST_CASE("every prefix has its answer, on both engines", "[cli][run][torch]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  std::vector<std::string> engines{"reference"};
  if (has_companion()) engines.push_back("torch");
  for (const auto& engine : engines) {
    CAPTURE(engine);
    const auto text = hindsight({"run", file, "--engine", engine, "--prefixes", "abab", "", "abba", "b"});
    CHECK(text.status == 1);
    CHECK(text.out == "accept 10101 abab\naccept 1 ε\nreject 10100 abba\nreject 10 b\n");
    const auto document = hindsight({"run", file, "--engine", engine, "--prefixes", "--json", "ab"});
    CHECK(document.status == 0);
    CHECK(document.out == "{\"word\":\"ab\",\"accepted\":true,\"prefixes\":[true,false,true]}\n");
  }
}

TEST_CASE("LibTorch says which limit it reached, and which device it lacks", "[cli][run][torch]") {
  if (!has_companion()) return;
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  const auto words = scratch.write("words", std::string(1'000'000, 'a'));
  const auto memory = hindsight({"run", file, "--engine", "torch", "--max-memory", "5", "--words", words});
  CHECK(memory.status == 3);
  CHECK(contains(memory.err, "1000000 letters"));
  const auto enough = hindsight({"run", file, "--engine", "torch", "--words", words});
  CHECK(enough.status == 1);
  CHECK(enough.out.substr(0, 8) == "reject a");
  const auto cuda = hindsight({"run", file, "--engine", "torch", "--device", "cuda", "ab"});
  if (cuda.status != 0) {
    CHECK(cuda.status == 2);
    CHECK(contains(cuda.err, "no CUDA device"));
  }
  CHECK(hindsight({"run", file, "--device", "cpu", "ab"}).status == 2);
}

TEST_CASE("convert carries a model from one format to the other and back", "[cli][convert]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  CHECK(hindsight({"convert", file, scratch / "copy.safetensors"}).status == 0);
  CHECK(contents(scratch / "copy.safetensors") == contents(file));
  const auto mixed = hindsight({"convert", file, scratch / "m.dot"});
  CHECK(mixed.status == 2);
  CHECK(contains(mixed.err, "m.dot is no model file"));
  CHECK(hindsight({"convert", file, scratch / "x.safetensors", "--to", "dot"}).status == 2);
  CHECK(hindsight({"convert", scratch / "no.safetensors", scratch / "x.safetensors"}).status == 2);
  if (!has_companion()) return;
  const std::string script = scratch / "m.pt";
  CHECK(contains(hindsight({"convert", file, script}).out, "width"));
  const auto back = hindsight({"convert", script, scratch / "back.safetensors", "--json"});
  CHECK(json_of(back).at("from") == "pt");
  CHECK(contents(scratch / "back.safetensors") == contents(file));
}

// A copy of the program with a companion of our own beside it.
TEST_CASE("a companion that is missing, dies or babbles is reported", "[cli][torch]") {
  const tests::Scratch scratch;
  const std::string program = scratch / "hindsight";
  std::filesystem::copy_file(HINDSIGHT_PROGRAM, program);
  const std::string file = scratch / "m.safetensors";
  REQUIRE(hindsight({"compile", "--regex", "(ab)*", "-o", file, "--no-check"}).status == 0);
  const std::string command = "PATH=/usr/bin:/bin \"$H\" run --engine torch " + tests::quoted(file) + " ab b";

  const auto missing = shell(command, "", program);
  CHECK(missing.status == 2);
  CHECK(contains(missing.err, "this build has no LibTorch companion"));
  CHECK(shell("PATH=/usr/bin:/bin \"$H\" compile --regex a -o m.pt", "", program).status == 2);

  const std::string script = scratch / "hindsight-torch";
  const auto companion = [&](const std::string& body) {
    std::ofstream(script) << "#!/bin/sh\n" + body + '\n';
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  };
  companion("exit 7");
  const auto dead = shell(command, "", program);
  CHECK(dead.status == 2);
  CHECK(contains(dead.err, "exit status 7"));
  companion("kill -9 $$");
  CHECK(contains(shell(command, "", program).err, "signal 9"));
  companion("read line; exit 0");
  CHECK(contains(shell(command, "", program).err, "it ended"));
  companion("while read line; do echo babble; done");
  CHECK(contains(shell(command, "", program).err, "nonsense"));
  companion("while read line; do echo '{\"accepted\":\"1\"}'; done");  // one answer for two words
  CHECK(contains(shell(command, "", program).err, "nonsense"));
  companion("while read line; do echo '{\"error\":\"no such thing\"}'; done");
  const auto refused = shell(command, "", program);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "no such thing"));
  companion("while read line; do echo '{\"error\":\"too long\",\"kind\":\"limit\"}'; done");
  const auto limited = shell(command, "", program);
  CHECK(limited.status == 3);
  CHECK(contains(limited.err, "too long"));
  companion("while read line; do printf '%s\\n' \"$line\" >&2; echo '{\"accepted\":\"10\"}'; done");
  const auto answered = shell(command, "", program);
  CHECK(answered.status == 1);
  CHECK(answered.out == "accept ab\nreject b\n");
  CHECK(contains(answered.err, "\"dtype\":\"fp32\",\"words\":[[0,1],[1]]}"));
  // A network that fails its check is not written.
  companion(
      "while read line; do echo \"{\\\"accepted\\\":\\\"$(echo \"$line\" | sed 's/.*\"words\"://' | "
      "tr -cd '[' | cut -c2- | tr '[' 0 | tr -d '\\n')\\\"}\"; done");
  const std::string unwritten = scratch / "unwritten.safetensors";
  const auto failed = shell(
      "PATH=/usr/bin:/bin \"$H\" compile --regex '(ab)*' --check-words 100 -o " + tests::quoted(unwritten),
      "", program);
  CHECK(failed.status == 1);
  CHECK(contains(failed.err, "disagrees on ε"));
  CHECK_FALSE(std::filesystem::exists(unwritten));
}

TEST_CASE("demo tells the whole path for the eight languages", "[cli][demo]") {
  const auto outcome = hindsight({"demo", "--json", "--check-words", "2000"});
  CHECK(outcome.status == 0);
  const json list = json_of(outcome);
  REQUIRE(list.size() == 8);
  for (const auto& entry : list) {
    CAPTURE(entry.dump());
    const bool has_network = entry.at("language") != "rdp-1";
    CHECK(entry.at("network").is_object() == has_network);
    CHECK(entry.at("exact").is_object() == has_network);
    CHECK(entry.at("torch").is_object() == (has_network && has_companion()));
    for (const char* engine : {"exact", "torch"}) {
      if (!entry.at(engine).is_object()) continue;
      CHECK(entry.at(engine).at("counterexample").is_null());
      CHECK(entry.at(engine).at("words") > 1000);
    }
  }
  const auto text = hindsight({"demo", "--check-words", "2000"});
  CHECK(text.status == 0);
  std::size_t width = 0;
  for (const char c : text.out) {
    if (c == '\n') width = 0;
    if (c != '\n' && (static_cast<unsigned char>(c) & 0xC0u) != 0x80u) ++width;
    CAPTURE(text.out);
    if (width > 100) FAIL("a line is too long");
  }
  CHECK(contains(text.out, "rdp-1: no network"));
  CHECK(hindsight({"demo", "--regex", "(ab)*c", "--check-words", "2000"}).status == 0);
  CHECK(hindsight({"demo", "starts-a", "--check-words", "2000"}).status == 0);
}

TEST_CASE("quantise puts weights on the numbers of an arithmetic and counts the answers that change",
          "[cli][quantise]") {
  const tests::Scratch scratch;
  const std::string file = scratch / "m.safetensors", small = scratch / "q.safetensors";
  REQUIRE(hindsight({"compile", "--formula", "P(b & P a)", "--alphabet", "ab", "-o", file, "--no-check"})
              .status == 0);
  const std::string words = std::to_string(tests::scaled(10'000, 500));
  const auto same = hindsight(
      {"quantise", file, "--check-words", words, "--arithmetic", "fixed(4,8)", "-o", small, "--json"});
  CHECK(same.status == 0);
  const json unchanged = json_of(same);
  CHECK(unchanged.at("total").at("changed") == 0);
  CHECK(unchanged.at("answers").at("changed") == 0);
  CHECK(unchanged.at("answers").at("words") > tests::scaled(5'000, 250));
  CHECK(contents(small) == contents(file));  // compiled weights are on the grid

  // Keys of -32 are clamped to -3, and exp(-3) is a number: others than the positions asked for have weight.
  const json clamped = json_of(hindsight(
      {"quantise", file, "--check-words", words, "--arithmetic", "fixed(6,2)", "-o", small, "--json"}));
  CHECK(clamped.at("arithmetic") == json{{"kind", "fixed-point"}, {"fraction_bits", 6}, {"integer_bits", 2}});
  CHECK(clamped.at("total").at("clamped") > 0);
  CHECK(clamped.at("answers").at("changed") > 0);
  CHECK(clamped.at("answers").at("first").is_string());

  const json fp8 = json_of(hindsight(
      {"quantise", file, "--check-words", words, "--arithmetic", "e4m3/exact", "-o", small, "--json"}));
  CHECK(fp8.at("arithmetic").at("kind") == "floating-point");
  CHECK(hindsight({"run", small, "ab", "aab"}).out == "accept ab\naccept aab\n");
  CHECK(hindsight({"run", small, "ba"}).out == "reject ba\n");
  const auto text =
      hindsight({"quantise", file, "--check-words", words, "--arithmetic", "fixed(6,2)", "-o", small});
  CHECK(contains(text.out, "tensor"));
  CHECK(contains(text.out, "answers are not as in fp32"));
  CHECK(hindsight({"quantise", file, "--check-words", words, "--arithmetic", "bf16", "-o", small, "--quiet"})
            .out.empty());

  for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"quantise", file, "-o", small}, "give --arithmetic"},
           {{"quantise", file, "--arithmetic", "bf16"}, "give -o FILE"},
           {{"quantise", file, "--arithmetic", "bf16", "-o", "x.bin"}, "must end in .safetensors or .pt"},
           {{"quantise", file, "--arithmetic", "fp64", "-o", small}, "--arithmetic: arithmetic 'fp64'"},
           {{"quantise", file, "--arithmetic", "bf16", "--against", "x", "-o", small},
            "--against: arithmetic 'x'"},
           {{"quantise", "--arithmetic", "bf16", "-o", small}, "expected one model file, found 0"}}) {
    const auto outcome = hindsight(arguments);
    CAPTURE(message, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, message));
  }
}

TEST_CASE("arithmetic says where each network stops being right", "[cli][arithmetic]") {
  const json document = json_of(hindsight({"arithmetic", "--regex", "(a|b)*a(a|b)*", "--arithmetics",
                                           "fixed(2,8), e4m3,fixed(2,8)/rounded-quotient", "--max-length",
                                           "80", "--short-words", "100", "--json"}));
  CHECK(document.at("formula") == "P a");
  const auto row = [&](const std::string& arithmetic, const std::string& network) {
    for (const json& result : document.at("results"))
      if (result.at("arithmetic") == arithmetic && result.at("network") == network) return result;
    FAIL("no row " + arithmetic + ", " + network);
    return json();
  };
  const json proved = row("fixed(2,8)", "compiled");
  CHECK(proved.at("proved") == true);
  CHECK(proved.at("counterexample").is_null());
  const json vanishes = row("fixed(2,8)", "one-layer P");
  CHECK(vanishes.at("vanishing_count") == 7);
  CHECK(vanishes.at("counterexample") == "aaaaaaaa");
  CHECK(vanishes.at("model_accepts") == false);
  CHECK(vanishes.at("failure").at("kind") == "vanishing");
  CHECK(vanishes.at("failure").at("attending") == 8);
  const json stagnates = row("e4m3", "one-layer P");
  CHECK(stagnates.at("proved") == false);
  CHECK(stagnates.at("tested_length") == 80);
  CHECK(stagnates.at("length") == 61);
  CHECK(stagnates.at("failure").at("kind") == "stagnation");
  const json quotient = row("fixed(2,8)/rounded-quotient", "reference weights");
  CHECK(quotient.at("vanishing_count").is_null());
  CHECK(quotient.at("counterexample").is_null());

  const auto since = hindsight({"arithmetic", "--formula", "a S b", "--alphabet", "ab"});
  CHECK(since.status == 2);
  CHECK(since.out.empty());
  CHECK(contains(since.err, "express"));

  const auto text =
      hindsight({"arithmetic", "--formula", "Y a", "--alphabet", "ab", "--arithmetics", "fixed(1,8)"});
  CHECK(text.status == 0);
  CHECK(contains(text.out, "all, proved"));
  CHECK(!contains(text.out, "one-layer P"));  // there is none

  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string message;
  };
  for (const Row& bad :
       {Row{{"--regex", "a", "--arithmetics", "fp64"}, 2, "--arithmetics: arithmetic 'fp64'"},
        Row{{"--regex", "a", "--plot", "x.png"}, 2, "must end in .svg"},
        Row{{"--language", "rdp-1", "--arithmetics", "bf16"}, 1, "no network"}}) {
    std::vector<std::string> call{"arithmetic"};
    call.insert(call.end(), bad.arguments.begin(), bad.arguments.end());
    const auto outcome = hindsight(call);
    CAPTURE(outcome.out, outcome.err, bad.message);
    CHECK(outcome.status == bad.status);
    CHECK(contains(outcome.err, bad.message));
  }
}

TEST_CASE("plots come from gnuplot, and without it the message says so", "[cli][arithmetic]") {
  const tests::Scratch scratch;
  const std::string picture = scratch / "p.svg";
  const std::string call =
      "$H arithmetic --formula 'P a' --alphabet ab --arithmetics 'fixed(2,8)' --max-length 40 --quiet "
      "--plot " +
      tests::quoted(picture);
  if (std::system("command -v gnuplot > /dev/null") == 0) {
    CHECK(shell(call).status == 0);
    const std::string svg = contents(picture);
    CHECK(contains(svg, "<svg"));
    CHECK(contains(svg, "fixed(2,8)"));
    CHECK(contains(svg, "fails from here"));
  } else {
    WARN("no gnuplot: plots are not tested");
  }
  const auto without = shell("PATH=/nonexistent " + call);
  CHECK(without.status == 2);
  CHECK(contains(without.err, "plots are drawn by gnuplot, but there is no program gnuplot in PATH"));
}
