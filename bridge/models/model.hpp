// SPDX-License-Identifier: MIT
// Model files: the learnt options of a method, as JSON to archive, share and cite.
//   {"engram_model": 1, "method": NAME, "options": {NAME: NUMBER or NAME, ..}, "made": {..}, "sha256": HEX}
// A model that continues to learn (core/proofs/proof_training.hpp) also has, before the checksum:
//   "learning": {"start": {WEIGHT: NUMBER, ..}, "covariance": [..], "answered": COUNT, "failed": COUNT}
// Numbers have the shortest form that gives the same double. "made" tells people how the model was trained.
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

/// A trained model: the options that a method has learnt, and how it was trained.
struct Model {
  std::string method;
  core::Options options;                                           // all options of the method
  nlohmann::ordered_json made = nlohmann::ordered_json::object();  // how it was trained, for people
  /// State of the learner, for a model of proof_attention that continues to learn. `options` has its current weights.
  std::optional<core::ProofLearnerState> learning = {};
};

/// Error of reading a model: the text is not a model, is damaged, or needs another version of the program.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the JSON object of the file.
nlohmann::ordered_json to_json(const Model& model);
/// Returns the text of the file. The same model gives the same bytes.
std::string to_text(const Model& model);
/// Parses the text of a model file.
/// Errors  ModelError if the text is not JSON, not a model or damaged, or if its format, method or options are unknown
Model model_in(std::string_view text);
/// Reads a model from a file.
/// Errors  ModelError, with the file name; std::system_error if it cannot be read
Model read_model(const std::filesystem::path& path);

/// Returns the object with a checksum: the member "sha256" is the digest of the other members, written without blanks.
nlohmann::ordered_json sealed(nlohmann::ordered_json object);

/// Whether the object has the checksum that sealed() appends, and it matches the other members.
bool seal_holds(const nlohmann::ordered_json& object);

}  // namespace engram::bridge
