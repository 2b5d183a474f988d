// SPDX-License-Identifier: MIT
// Models of attention trained for prediction: training (`engram train`) and file format. A model can predict streams
// that it was not trained on. The file format is:
//   {"engram_predictor": 1, "method": NAME, "concepts": [NAME, ..], "embeddings": [NUMBER, ..],
//    "parameters": [NUMBER, ..], "seen": {"episodes": COUNT, "sha256": HEX}, "made": {..}, "sha256": HEX}
// The embeddings X (n, d) are stored by rows, the parameters as in core/attention/attention_model.hpp. Numbers have the
// shortest form that gives the same double. "sha256" is the hash of the object without this member and without blanks.
// "made" describes the training for people.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prediction/predictors.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::prediction {

/// Fingerprint of the beginning of a stream: its number of episodes, and the SHA-256 of their concepts. It shows
/// whether a model was trained on the episodes of a test.
struct SeenEpisodes {
  core::Index episodes = 0;
  std::string sha256;
};

struct PredictionModel {
  std::string method;                 // a trained method
  std::vector<std::string> concepts;  // n names, all different
  core::Matrix embeddings;            // (n, d), a row for each concept
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
/// Reads a model from a file.
/// Errors   InputError, as for prediction_model_in(); InputError, std::system_error if the file cannot be read
PredictionModel read_prediction_model(const std::filesystem::path& path);

/// Creates a predictor from a model. The stream does not change the model. Concepts are matched by name. A concept that
/// the model does not have gets the embedding 0, so it adds nothing to the context, and its score is 0.
/// `chosen`  temperature, memory and alpha, and "known", the share of the stream's concepts that the model has
Predictor predictor_of(const PredictionModel& model, const EventStream& stream);

// --- training

/// Spec of a training on a file or, without a file, on a generated stream.
struct PredictionTrainingSpec {
  std::string method;
  std::vector<Input> inputs;  // at most one
  StoryOptions generator;
  double known = 1;          // share of the stream to use, from its beginning
  double validation = 0.25;  // share at the end of the used part, for early stopping
  FittingOptions fitting;
  core::MemoryOptions memory;
  Json resolved;  // the complete spec with defaults; reproduces the model
};

/// Reads a spec. Searches `folders` for the files that the spec names.  Errors  SpecError
PredictionTrainingSpec read_prediction_training(const Json& spec,
                                                const std::vector<std::filesystem::path>& folders);

/// Reads the options for fitting methods, without the seed.  Errors  JsonError
void read_fitting(SpecReader& reader, FittingOptions& options);

/// Reads the stream of a file. If it cannot be predicted, adds the reason to the rejections and returns nothing.
/// Errors  InputError; std::system_error
std::optional<EventStream> file_stream(const Input& input, const core::MemoryOptions& memory,
                                       Rejections& rejections);

struct TrainedPrediction {
  PredictionModel model;
  core::Training training;
  core::Index learnt = 0, held_back = 0;  // predicted episodes in training and validation
};

/// Trains a model. The result is bit-identical to the one that the experiment `prediction` trains at the origin `known`
/// with the same seed.
/// Errors  InputError if the stream is too short; core::WorkStopped
TrainedPrediction train_prediction(const PredictionTrainingSpec& spec, const EventStream& stream);
/// Reads or generates the stream of a spec.  Errors  InputError; std::system_error; std::invalid_argument
std::optional<EventStream> stream_of(const PredictionTrainingSpec& spec, Rejections& rejections);

}  // namespace engram::experiments::prediction
