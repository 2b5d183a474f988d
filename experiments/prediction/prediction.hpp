// SPDX-License-Identifier: MIT
// Prediction: what happens next, told by what has just happened.
#pragma once

#include "experiments/prediction/predictors.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct PredictionOptions {
  std::vector<std::string> methods;
  bool generated = true;  // streams, one a seed, beside those of the files
  StoryOptions generator;
  std::vector<double> origins{0.4, 0.6,
                              0.8};  // shares of a stream that are known when what follows is predicted
  double validation = 0.25;          // share of what is known that is not learnt from, but chosen by
  std::vector<std::size_t> recall_at{3, 10};
  FittingOptions fitting;
};

class Prediction final : public Experiment {
 public:
  const char* name() const override { return "prediction"; }
  void read(SpecReader& reader, Spec& spec) override;
  std::vector<std::string> methods(const Spec& spec) const override;
  std::unique_ptr<Trials> trials(const Spec& spec) const override;
  Conclusion conclude(const Spec& spec, const std::vector<Json>& rows) const override;
  Measures measures() const override;

 private:
  PredictionOptions options_;
};

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

}  // namespace engram::experiments
