// SPDX-License-Identifier: MIT
// A source for the library that owns the precompiled headers of a layer's tests.
#include "tests/support/catch.hpp"
