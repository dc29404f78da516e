// The classes of the field beside the ladder: their names, what is known of each, and which holds which.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace automata {

enum class LanguageClass {
  reverse_definite,
  generalized_definite,
  finite,
  cofinite,
  locally_testable,
  locally_threshold_testable,
  piecewise_testable,
  l_trivial,
  da,
  locally_da,
  locally_j_trivial,
  dot_depth_one,
  group,
};

/// All of them, in the order of the command-line contract.
inline constexpr std::array<LanguageClass, 13> all_language_classes{
    LanguageClass::reverse_definite,
    LanguageClass::generalized_definite,
    LanguageClass::finite,
    LanguageClass::cofinite,
    LanguageClass::locally_testable,
    LanguageClass::locally_threshold_testable,
    LanguageClass::piecewise_testable,
    LanguageClass::l_trivial,
    LanguageClass::da,
    LanguageClass::locally_da,
    LanguageClass::locally_j_trivial,
    LanguageClass::dot_depth_one,
    LanguageClass::group,
};

/// What is known of a class, one line each.
///
/// In equations letters stand for words, u^ for the ω-power of u and 1 for the empty word.  The words are not
/// empty where the algebra is the semigroup; for the group languages that makes no difference.
struct ClassDescription {
  LanguageClass language_class;
  std::string_view name;       // as in the command-line contract
  std::string_view meaning;    // the languages
  std::string_view logic;      // empty where none is usual
  std::string_view algebra;    // of the syntactic semigroup or monoid
  std::string_view equations;  // separated by "; "
  std::string_view source;
};

const ClassDescription& describe(LanguageClass language_class);
std::string_view name(LanguageClass language_class);
std::optional<LanguageClass> language_class_of_name(std::string_view text);

/// Whether every language of `smaller` is in `larger`; reflexive.
bool included(LanguageClass smaller, LanguageClass larger);

}  // namespace automata
