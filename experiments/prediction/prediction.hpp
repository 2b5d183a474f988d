// SPDX-License-Identifier: MIT
// What the parts of the experiment `prediction` share: prediction.cpp gives the rows,
// prediction_conclusion.cpp concludes from them, prediction_pictures.cpp shows single runs.
#pragma once

#include <string>
#include <vector>

#include "experiments/reports/output.hpp"

namespace engram::experiments {

/// In the results of generated streams, the prediction of one who knows the world that made them: the floor.
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
