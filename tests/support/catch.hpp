// SPDX-License-Identifier: MIT
// Catch2 2 (Debian 12) and 3 (Debian 13) differ in the name of their header and the place of Approx.
#pragma once

// Assertions without their own try blocks compile in a tenth less time; Catch2 still reports exceptions by test case.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
