// SPDX-License-Identifier: MIT
// What `engram train` makes of a spec whose method is one of prediction's: a model of one stream, for others.
#pragma once

#include "experiments/prediction/prediction_model.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::prediction {

/// A file, or where none is named, a generated stream.
struct PredictionTrainingSpec {
  std::string method;
  std::vector<Input> inputs;  // one at most
  StoryOptions generator;
  double known = 1;          // share of the stream that is seen at all, from its beginning
  double validation = 0.25;  // of that: the last part, which tells when to stop
  FittingOptions fitting;
  core::MemoryOptions memory;
  Json resolved;  // everything, with defaults: a spec that gives the same model
};

/// Errors  SpecError
PredictionTrainingSpec read_prediction_training(const Json& spec,
                                                const std::vector<std::filesystem::path>& folders);

/// What specs say of how methods are fitted, but for the seed.  Errors  JsonError
void read_fitting(SpecReader& reader, FittingOptions& options);

/// The stream of a file; nothing where it cannot be predicted, for what is added to the rejections.
/// Errors  InputError; std::system_error
std::optional<EventStream> file_stream(const Input& input, const core::MemoryOptions& memory,
                                       Rejections& rejections);

struct TrainedPrediction {
  PredictionModel model;
  core::Training training;
  core::Index learnt = 0, held_back = 0;  // episodes that were predicted
};

/// What `prediction` trains at the origin `known` with the same seed: the same numbers.
/// Errors  InputError where the stream is too short; core::WorkStopped
TrainedPrediction train_prediction(const PredictionTrainingSpec& spec, const EventStream& stream);
/// The stream that a spec names.  Errors  InputError; std::system_error; std::invalid_argument
std::optional<EventStream> stream_of(const PredictionTrainingSpec& spec, Rejections& rejections);

}  // namespace engram::experiments::prediction
