// SPDX-License-Identifier: MIT
// Answers as replies and results tell them. For .cpp files alone.
#pragma once

#include "bridge/json/json_reader.hpp"
#include "bridge/reasoner/question_answering.hpp"

namespace engram::bridge {

/// {"term", "truth": {"frequency", "confidence"}, "derivation": [{"narsese", "rule", "step", "premises"}]}
Json to_json(const ProvenAnswer& answer);

}  // namespace engram::bridge
