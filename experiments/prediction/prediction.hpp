// SPDX-License-Identifier: MIT
// Experiment `prediction`: which concepts does the next episode activate? It compares trained attention with untrained
// attention, Markov chains, frequency, recency and an asymmetric Hopfield network.
//
// All methods are trained, validated and tested on the same parts of a stream, with the same smoothing. A file is one
// stream, which is split at several origins. Generated streams exist once for each seed, and their best possible
// prediction is known.
#pragma once

#include "experiments/prediction/prediction_model.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::prediction {

/// A model trained earlier, with its name in tables.
struct LabelledModel {
  std::string label;
  PredictionModel model;
};

struct PredictionOptions {
  std::vector<std::string> methods;  // includes the labels of the models
  std::vector<LabelledModel> models;
  bool generated = true;  // whether to add generated streams, one for each seed
  StoryOptions generator;
  std::vector<double> origins{0.4, 0.6, 0.8};  // shares of a stream that are known before the prediction
  double validation = 0.25;                    // share of the known part for validation
  std::vector<std::size_t> recall_at{3, 10};
  FittingOptions fitting;
};

Conclusion conclude_prediction(const Spec& spec, const PredictionOptions& options,
                               const std::vector<Json>& rows);

/// Method name in the results of generated streams: the prediction by the process that generated the stream. No
/// prediction has a lower expected loss.
inline constexpr const char* true_structure = "true_structure";

}  // namespace engram::experiments::prediction
