// SPDX-License-Identifier: MIT
// What every method has to beat: it stands in each table, whether a spec names it or not.
#pragma once

#include <string>
#include <vector>

#include "experiments/runs/spec.hpp"

namespace engram::experiments {

/// The methods of a spec and, where they are not among them with their defaults, the floors: `overlap` (a
/// simple rule: how many words are shared), `frequency` and `uniform` (a constant: what chance gives).
std::vector<MethodChoice> with_floors(const std::vector<MethodChoice>& methods);

/// The same for the methods of `prediction`: `markov` (a simple rule), `frequency` and `uniform`.
std::vector<std::string> with_prediction_floors(std::vector<std::string> methods);

}  // namespace engram::experiments
