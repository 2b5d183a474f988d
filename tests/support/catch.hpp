// SPDX-License-Identifier: MIT
// Includes Catch2, version 2 (Debian 12) or 3 (Debian 13). The versions differ in the name of the header and in the
// namespace of Approx.
#pragma once

// Without a try block in each assertion, tests compile 10 % faster. Catch2 still reports exceptions, but only by test
// case.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
