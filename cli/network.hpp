// What compile and demo do with a network: describe it, and check it on both engines.
#pragma once

#include "bridge/agreement.hpp"
#include "cli/companion.hpp"
#include "transformer/model.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace cli {

/// How many heads all layers have together.
std::size_t head_count(const transformer::Model& model);

/// `fixed point, 4 fraction bits, 8 integer bits`; other arithmetics with their rule and order.
std::string describe(const transformer::Arithmetic& arithmetic);

/// The arithmetic that `text` names, or a list of them.  Throws InputError naming the option and the fault.
transformer::Arithmetic read_arithmetic(const std::string& option, const std::string& text);
std::vector<transformer::Arithmetic> read_arithmetics(const std::string& option, const std::string& text);

/// The keys of the contract: layers, heads, width, parameters, arithmetic, max_length.
nlohmann::ordered_json to_json(const transformer::Model& model);

/// The same words on both engines.
struct EngineAgreement {
  bridge::Agreement exact;
  std::optional<bridge::Agreement> torch;  // none where there is no companion

  bool agrees() const { return !exact.counterexample && !(torch && torch->counterexample); }
};

/// Compares the network with the language on about `budget` words, on the exact engine and, where there is a
/// companion, on LibTorch in fp32, which reads the network from a file in `directory`.
EngineAgreement check_agreement(const transformer::Model& model, const automata::Dfa& language,
                                std::size_t budget, Companion* companion,
                                const std::filesystem::path& directory);

/// {words, exhaustive_length, longest, counterexample}, or null.
nlohmann::ordered_json to_json(const logic::Alphabet& alphabet,
                               const std::optional<bridge::Agreement>& agreement);

/// `131071 words, all up to 16 letters`, or the counterexample.
std::string describe(const logic::Alphabet& alphabet, const bridge::Agreement& agreement);

}  // namespace cli
