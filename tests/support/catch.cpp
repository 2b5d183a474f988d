// SPDX-License-Identifier: MIT
// The only source of the library that has the precompiled headers of a layer's tests.
#include "tests/support/catch.hpp"
