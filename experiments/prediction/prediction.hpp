// SPDX-License-Identifier: MIT
// Prediction: which concepts does the next episode activate? Attention trained end to end, against attention
// at its start, Markov chains, frequency, recency and an asymmetric Hopfield network. Every method learns
// from the same part of a stream, has what it chooses chosen on the same next part, and is held against the
// same rest, with the same smoothing. A file is one stream and has known ends at several origins; of
// generated streams there is one a seed, and the best possible prediction of them is known.
#pragma once

#include "experiments/prediction/prediction_model.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::prediction {

/// A model that was trained elsewhere, under the name that tables give it.
struct LabelledModel {
  std::string label;
  PredictionModel model;
};

struct PredictionOptions {
  std::vector<std::string> methods;  // models by their labels
  std::vector<LabelledModel> models;
  bool generated = true;  // streams, one a seed, beside those of the files
  StoryOptions generator;
  std::vector<double> origins{0.4, 0.6,
                              0.8};  // shares of a stream that are known when what follows is predicted
  double validation = 0.25;          // share of what is known that is not learnt from, but chosen by
  std::vector<std::size_t> recall_at{3, 10};
  FittingOptions fitting;
};

Conclusion conclude_prediction(const Spec& spec, const PredictionOptions& options,
                               const std::vector<Json>& rows);

/// In the results of generated streams, the prediction of one who knows the world that made them: no loss is lower in the long run.
inline constexpr const char* true_structure = "true_structure";

/// The rows of one file, or of all generated streams.
struct StreamRows {
  std::string name, title;  // the title is for people, and no two streams have the same
  bool generated = false;
  std::vector<const Json*> rows;
};

/// Adds a method's learning curves, what it predicts in words, and what it learnt beside what is true.
void add_pictures(const std::vector<StreamRows>& streams, const std::string& method, Conclusion& conclusion);

}  // namespace engram::experiments::prediction
