// Catch2 beside LibTorch, whose logging defines a CHECK of its own: that one goes, Catch2's stays.
#pragma once

// clang-format off
#include <c10/util/Logging.h>
#undef CHECK
#include "tests/catch.hpp"
// clang-format on
