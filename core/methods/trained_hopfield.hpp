// SPDX-License-Identifier: MIT
// The options of the method trained_hopfield, as what they stand for.
#pragma once

#include "core/methods/method.hpp"
#include "core/proofs/trained_hopfield.hpp"

namespace engram::core {

inline constexpr std::string_view trained_hopfield_name = "trained_hopfield";

/// Each map by its name, and the steps.
Options options_of(const HopfieldMaps& maps, int steps);

}  // namespace engram::core
