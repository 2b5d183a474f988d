// SPDX-License-Identifier: MIT
// JSON for values of core: options, recalls, explanations, answers and the state of forgetting. Replies, results, specs,
// models and snapshots share this form.
#pragma once

#include <vector>

#include "bridge/json/object_reader.hpp"
#include "core/budgets/forgetting.hpp"
#include "core/methods/options.hpp"

namespace engram::core {
struct ExplainedRecall;
struct Method;
struct ProvenAnswer;
struct Recall;
struct RetrievalCertificate;
}  // namespace engram::core

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

/// Adds the diagnostics of a recall to an object: its energies, its iterations, and whether it converged. A certificate,
/// a period, error bounds and a note are added if the method provides them.
void add_course(Json& json, const core::Recall& recall);

/// Writes {"concepts": [..], "statements": [..]}, best first. Items have a budget, a score, accounts (sums of named
/// parts), and the path from the cue. Some items have a separation, or a note that explains a missing sum.
Json to_json(const core::ExplainedRecall& recall);

/// Writes {"term", "truth": {"frequency", "confidence"}, "derivation": [{"narsese", "rule", "step", "premises"}]}
Json to_json(const core::ProvenAnswer& answer);
Json to_json(const std::vector<core::ProvenAnswer>& answers);

/// Summary of forgetting, for people: the policy, the amount forgotten, the reasons, and the latest events.
Json forgetting_json(const core::Forgetting& forgetting);

/// Complete state of forgetting, for snapshots.
Json forgetting_state_json(const core::Forgetting::State& state);
/// Parses the complete state.  Errors  JsonError
core::Forgetting::State forgetting_state_in(const JsonValue& value);

}  // namespace engram::bridge
