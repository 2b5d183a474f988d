// SPDX-License-Identifier: MIT
// JSON for answers of the reasoner, in replies and results. Include this only in .cpp files, because it includes a JSON
// library.
#pragma once

#include <vector>

#include "bridge/json/json_reader.hpp"
#include "core/reasoner/question_answering.hpp"

namespace engram::bridge {

/// Writes {"term", "truth": {"frequency", "confidence"}, "derivation": [{"narsese", "rule", "step", "premises"}]}
Json to_json(const core::ProvenAnswer& answer);
Json to_json(const std::vector<core::ProvenAnswer>& answers);

}  // namespace engram::bridge
