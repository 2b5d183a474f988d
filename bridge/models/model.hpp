// SPDX-License-Identifier: MIT
// File format of a model: the learnt options of a method, as a file to archive, share and cite.
//   {"engram_model": 1, "method": NAME, "options": {NAME: NUMBER or NAME, ..}, "made": {..}, "sha256": HEX}
// A model that continues to learn (core/proofs/proof_training.hpp) also has, before the checksum:
//   "learning": {"start": {WEIGHT: NUMBER, ..}, "covariance": [..], "answered": COUNT, "failed": COUNT}
// Numbers have the shortest form that gives the same double. "made" is the provenance, for people. "sha256" is the
// digest of the object without this member, written without blanks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/methods/method.hpp"
#include "core/proofs/proof_training.hpp"

namespace engram::bridge {

/// A model: the options of a method, and their provenance.
struct Model {
  std::string method;
  core::Options options;                                           // all options of the method
  nlohmann::ordered_json made = nlohmann::ordered_json::object();  // provenance
  /// The learner's state, for a model of proof_attention that continues to learn; `options` holds its current weights.
  std::optional<core::ProofLearnerState> learning = {};
};

/// The text is not a usable model.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The JSON object of the file.
nlohmann::ordered_json to_json(const Model& model);
/// The text of the file. The same model gives the same bytes.
std::string to_text(const Model& model);
/// Parses a model.
/// Errors  ModelError if the text is not JSON, not a model or damaged, or if its format, method or options are unknown
Model model_in(std::string_view text);
/// Reads a model from a file.
/// Errors  ModelError, with the file name; std::system_error if it cannot be read
Model read_model(const std::filesystem::path& path);

/// Appends the member "sha256": the digest of the object without it, written without blanks.
nlohmann::ordered_json sealed(nlohmann::ordered_json object);

/// Whether the object has this member with the correct digest.
bool seal_holds(const nlohmann::ordered_json& object);

}  // namespace engram::bridge
