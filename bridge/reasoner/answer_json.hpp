// SPDX-License-Identifier: MIT
// Answers as replies and results tell them. For .cpp files alone.
#pragma once

#include <vector>

#include "bridge/json/json_reader.hpp"
#include "bridge/reasoner/question_answering.hpp"

namespace engram::bridge {

/// {"term", "truth": {"frequency", "confidence"}, "derivation": [{"narsese", "rule", "step", "premises"}]}
Json to_json(const ProvenAnswer& answer);
Json to_json(const std::vector<ProvenAnswer>& answers);

}  // namespace engram::bridge
