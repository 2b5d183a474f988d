// SPDX-License-Identifier: MIT
// Catch2 2 (Debian 12) and 3 (Debian 13) differ in the name of their header and the place of Approx.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
