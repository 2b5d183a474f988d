// SPDX-License-Identifier: MIT
// HTML for the history of forgetting: what, when and why. A part of the pages of runs and sessions.
#pragma once

#include <string>

#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// Converts the JSON of ForgottenOverTime (experiments/inputs/forgotten.hpp) to HTML.
/// Errors  nlohmann::json::exception for JSON of another form
std::string forgotten_html(const Json& forgotten);

}  // namespace engram::experiments
