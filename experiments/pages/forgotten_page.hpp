// SPDX-License-Identifier: MIT
// What a memory forgot, when and why: a part of the pages of runs and sessions.
#pragma once

#include <string>

#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// HTML for the JSON of ForgottenOverTime (experiments/inputs/forgotten.hpp).
/// Errors  nlohmann::json::exception for JSON of another form
std::string forgotten_html(const Json& forgotten);

}  // namespace engram::experiments
