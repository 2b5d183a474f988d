// SPDX-License-Identifier: MIT
// Training of a predictor by `engram train`: reads its spec, and trains a model on one stream for use on others.
#pragma once

#include "experiments/prediction/prediction_model.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::prediction {

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

/// Reads a spec. Its files are searched in `folders`.  Errors  SpecError
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
