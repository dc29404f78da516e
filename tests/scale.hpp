// How much of a long test runs where code is instrumented.
#pragma once

namespace tests {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// `all`, or `few` under sanitizers, where the same work takes about ten times as long: there it is the memory
/// that is under test, and the plain build has checked the answers.
template <class Number>
constexpr Number scaled(Number all, Number few) {
  return sanitized ? few : all;
}

}  // namespace tests
