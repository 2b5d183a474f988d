// SPDX-License-Identifier: MIT
// Options of a method that were learnt, as a file that people keep, hand on and cite:
//   {"engram_model": 1, "method": NAME, "options": {NAME: NUMBER or NAME, ..}, "made": {..}, "sha256": HEX}
// and, of one that goes on learning (core/proofs/proof_learner.hpp), before the sum
//   "learning": {"start": {WEIGHT: NUMBER, ..}, "covariance": [..], "answered": COUNT, "failed": COUNT}
// Numbers are in the shortest form that gives the same double; "made" tells how it came about, and is for
// people; "sha256" is that of the object without it, written without blanks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/methods/methods.hpp"
#include "core/proofs/proof_learner.hpp"

namespace engram::bridge {

/// What was learnt: a method's options, and where they come from.
struct Model {
  std::string method;
  core::Options options;                                           // complete
  nlohmann::ordered_json made = nlohmann::ordered_json::object();  // how
  /// The learner's state, for a model of proof_attention that continues to learn; `options` holds its current weights.
  std::optional<core::ProofLearnerState> learning = {};
};

/// Why a text is no model that can be used.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// As it is written to a file.
nlohmann::ordered_json to_json(const Model& model);
/// As it stands in a file: the same model gives the same bytes.
std::string to_text(const Model& model);
/// Errors  ModelError: no JSON, no model, one of a later format, damaged, of a method or with options that are
///         not known
Model model_in(std::string_view text);
/// Errors  ModelError under the file's name; std::system_error where it cannot be read
Model read_model(const std::filesystem::path& path);

}  // namespace engram::bridge
