// Does a model accept exactly a language?  An answer for words of every length.
#pragma once

#include "bridge/decompile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace bridge {

struct Verification {
  /// The short-lex least word that one of model and language accepts; none: they agree.
  std::optional<logic::Word> counterexample;
  bool model_accepts = false;   // the counterexample
  std::size_t explored_states;  // as in Decompiled
  /// Only words up to this length were asked about: the model is meant for no longer ones, or has no
  /// positions for them.
  std::optional<std::uint64_t> longest_word;
};

/// Compares `model`, in its arithmetic, with `language` on all words of every length, or up to the model's
/// max_length and its learned positions where it has these.
///
/// A counterexample has been run on the exact engine.  Past `max_states` all words up to a length, at most
/// 2^18 of the longest, are tried, since a wrong network often fails on a short one.
///
/// Throws std::invalid_argument unless `model` is valid and the numbers of letters are the same,
/// std::length_error past `max_states` when no short word is a counterexample.
Verification verify(const transformer::Model& model, const automata::Dfa& language,
                    const DecompileOptions& options = {});

}  // namespace bridge
