// SPDX-License-Identifier: MIT
// Attention that was trained to predict, as a file that people keep and hand on, for streams other than the one
// that it learnt from:
//   {"engram_predictor": 1, "method": NAME, "concepts": [NAME, ..], "embeddings": [NUMBER, ..],
//    "parameters": [NUMBER, ..], "seen": {"episodes": COUNT, "sha256": HEX}, "made": {..}, "sha256": HEX}
// with the embeddings X (n, d) by rows and the parameters as core/attention/attention_model.hpp has them. Numbers
// are in the shortest form that gives the same double; "sha256" is that of the object without it, written without
// blanks; "made" is for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/prediction/predictors.hpp"

namespace engram::experiments::prediction {

/// By what a part of a stream is known again: how many episodes it has, from the first on, and the SHA-256 of
/// the concepts of each.
struct SeenEpisodes {
  core::Index episodes = 0;
  std::string sha256;
};

struct PredictionModel {
  std::string method;                 // one of those that are trained
  std::vector<std::string> concepts;  // n, none twice
  core::Matrix embeddings;            // (n, d)
  core::Vector parameters;
  SeenEpisodes seen;  // what it learnt from, or was chosen by
  Json made = Json::object();
};

/// The first episodes of a stream.
SeenEpisodes seen_episodes(const EventStream& stream, core::Index episodes);
/// Whether the stream begins with what the model has seen.
bool begins_with(const EventStream& stream, const SeenEpisodes& seen);

/// The model as it stands in a file: the same model gives the same bytes.
std::string to_text(const PredictionModel& model);
/// Errors   InputError under the name: no JSON, no model, one of a later format, damaged, or with numbers that
///          are not finite, beyond a million, or too few
PredictionModel prediction_model_in(std::string_view text, const std::string& name);
/// Errors   likewise; InputError, std::system_error where the file cannot be read
PredictionModel read_prediction_model(const std::filesystem::path& path);

/// Predicts a stream by a model, which nothing of the stream changes. Concepts go by their names. One that the
/// model does not know has the embedding 0: it adds nothing to the context, and its score is 0.
/// `chosen`  temperature, memory and alpha, and "known", the share of the stream's concepts that the model knows
Predictor predictor_of(const PredictionModel& model, const EventStream& stream);

}  // namespace engram::experiments::prediction
