// SPDX-License-Identifier: MIT
// What a spec may say of `prediction`.
#include "experiments/experiment.hpp"
#include "experiments/prediction/predictors.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {
namespace {

void read_own_parts(ObjectReader& reader, PredictionSpec& prediction) {
  std::vector<std::string> known;
  for (const PredictionMethod& method : prediction_methods()) known.push_back(method.name);
  prediction.methods = reader.names("methods", known);
  prediction.generated = read_story(reader, "generated", prediction.generator);
  prediction.origins = read_ascending(reader, "origins", {0.4, 0.6, 0.8}, 0.01, 0.99);
  prediction.validation = reader.number("validation", prediction.validation, 0.01, 0.9);
  prediction.recall_at = reader.counts("recall_at", {3, 10}, 1, 1000);
  PredictionOptions& options = prediction.options;
  options.smoothing = reader.number("smoothing", options.smoothing, 1e-6, 0.5);
  options.dimensions = static_cast<core::Index>(reader.count("dimensions", 48, 1024));
  options.temperature = reader.number("temperature", options.temperature, 1e-3, 1e3);
  options.alpha = reader.number("alpha", options.alpha, 1.001, 1.999);
  core::TrainingOptions& training = options.training;
  training.adam.learning_rate = reader.number("learning_rate", training.adam.learning_rate, 1e-6, 10);
  training.max_epochs = static_cast<int>(reader.count("epochs", 400, 100'000));
  training.patience = static_cast<int>(reader.count("patience", 30, 100'000));
}

}  // namespace

void read_prediction(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_own_parts(reader, spec.prediction);
  if (spec.inputs.empty() && !spec.prediction.generated)
    throw SpecError("/inputs", "expected a list of files, since no stream is generated");
  read_seeds(reader, spec, 10);
  read_memory(reader, spec, false);
}

}  // namespace engram::experiments
