// The list of all commands, in the order in which --help shows them.
#pragma once

#include "cli/command.hpp"

#include <array>

namespace cli {

// Each is defined in the source of its name (arithmetic_effects in arithmetic.cpp).
extern const Command check, automaton, convert, classify, monoid, equivalent, express, compile, quantise, run,
    verify, decompile, agree, extract, languages, sample, separate, windows, census, demo, trace,
    arithmetic_effects;

inline constexpr std::array all_commands{
    &check,     &automaton, &convert,  &classify,  &monoid, &equivalent, &express, &compile,
    &quantise,  &run,       &verify,   &decompile, &agree,  &extract,    &trace,   &arithmetic_effects,
    &languages, &sample,    &separate, &windows,   &census, &demo};

}  // namespace cli
