// SPDX-License-Identifier: MIT
// Source of the support library of each layer's tests, which holds their precompiled headers. This file ensures that
// the library has a source.
#include "tests/support/catch.hpp"
