// SPDX-License-Identifier: MIT
// File format of attention trained for prediction, which can then predict other streams:
//   {"engram_predictor": 1, "method": NAME, "concepts": [NAME, ..], "embeddings": [NUMBER, ..],
//    "parameters": [NUMBER, ..], "seen": {"episodes": COUNT, "sha256": HEX}, "made": {..}, "sha256": HEX}
// The embeddings X (n, d) are stored by rows, the parameters as in core/attention/attention_model.hpp. Numbers have the
// shortest form that gives the same double. "sha256" is the hash of the object without this member, written without
// blanks. "made" is for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/prediction/predictors.hpp"

namespace engram::experiments::prediction {

/// Fingerprint of the beginning of a stream: its number of episodes, and the SHA-256 of their concepts. It shows
/// whether a model was trained on a stream.
struct SeenEpisodes {
  core::Index episodes = 0;
  std::string sha256;
};

struct PredictionModel {
  std::string method;                 // a trained method
  std::vector<std::string> concepts;  // n different names
  core::Matrix embeddings;            // (n, d)
  core::Vector parameters;
  SeenEpisodes seen;  // episodes used for training or validation
  Json made = Json::object();
};

/// The fingerprint of the first episodes of a stream.
SeenEpisodes seen_episodes(const EventStream& stream, core::Index episodes);
/// Whether the stream begins with the episodes of the fingerprint.
bool begins_with(const EventStream& stream, const SeenEpisodes& seen);

/// Prints a model as file contents. Equal models give equal bytes.
std::string to_text(const PredictionModel& model);
/// Parses the contents of a file. Errors contain `name`.
/// Errors   InputError for text that is damaged, has a later format, or is not a model; for numbers that are missing,
///          not finite, or beyond a million
PredictionModel prediction_model_in(std::string_view text, const std::string& name);
/// Reads a file.
/// Errors   as above; InputError, std::system_error if the file cannot be read
PredictionModel read_prediction_model(const std::filesystem::path& path);

/// Creates a predictor from a model. The stream does not change the model. Concepts are matched by name. A concept that
/// the model does not have gets the embedding 0, so it adds nothing to the context, and its score is 0.
/// `chosen`  temperature, memory and alpha, and "known", the share of the stream's concepts that the model has
Predictor predictor_of(const PredictionModel& model, const EventStream& stream);

}  // namespace engram::experiments::prediction
