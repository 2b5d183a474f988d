// SPDX-License-Identifier: MIT
// JSON for values of core: options, recalls, explanations, answers and the state of forgetting. It is the same in
// replies, results, specs, models and snapshots. Include this only in .cpp files, because it includes a JSON library.
#pragma once

#include <vector>

#include "bridge/json/object_reader.hpp"
#include "core/budgets/forgetting.hpp"
#include "core/graph/memory.hpp"
#include "core/methods/method.hpp"
#include "core/methods/recall.hpp"
#include "core/reasoner/question_answering.hpp"
#include "core/session/explained_recall.hpp"

namespace engram::bridge {

/// The method with this current or former name.  Errors  JsonError for an unknown name
const core::Method& method_in(const JsonValue& name);

/// The options of a method as JSON: {NAME: NUMBER or TEXT, ..}
Json options_json(const core::Options& options);

/// Parses options without checking them against a method. No options if the value is absent.
/// Errors  JsonError if the value is not an object, or a member is neither a number nor a string
core::Options options_in(const JsonValue& given);

/// Writes {"gap", "margin", "exact"}; gap and margin are null if infinite.
Json to_json(const core::RetrievalCertificate& certificate);

/// Writes [{"term", "value"}], the `top` concepts with the largest values.
Json activations_json(const core::Memory& memory, const core::Vector& concepts, std::size_t top);

/// Adds the diagnostics of a recall: energies, iterations, converged; also certificate and period for methods that have
/// them.
void add_course(Json& json, const core::Recall& recall);

/// Writes {"concepts": [..], "statements": [..]}, best first. Items have a budget, a score, accounts (sums of named
/// parts), and the path from the cue. An item also has the separation, if there is one, or a note that explains why the
/// sum is missing.
Json to_json(const core::ExplainedRecall& recall);

/// Writes {"term", "truth": {"frequency", "confidence"}, "derivation": [{"narsese", "rule", "step", "premises"}]}
Json to_json(const core::ProvenAnswer& answer);
Json to_json(const std::vector<core::ProvenAnswer>& answers);

/// Summary for people: the policy, the amount forgotten, the reasons, and the latest events.
Json forgetting_json(const core::Forgetting& forgetting);

/// Complete state, for snapshots.
Json forgetting_state_json(const core::Forgetting::State& state);
/// Parses the complete state.  Errors  JsonError
core::Forgetting::State forgetting_state_in(const JsonValue& value);

}  // namespace engram::bridge
