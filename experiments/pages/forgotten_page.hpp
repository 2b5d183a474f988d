// SPDX-License-Identifier: MIT
// What a memory forgot, when, and why: a part of the pages of runs and of sessions.
#pragma once

#include <string>

#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// From what ForgottenOverTime (experiments/inputs/forgotten.hpp) tells.
/// Errors  nlohmann::json::exception where it is not of that form
std::string forgotten_html(const Json& forgotten);

}  // namespace engram::experiments
