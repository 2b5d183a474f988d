// SPDX-License-Identifier: MIT
// The two halves of the experiment `prediction`, prediction.cpp and prediction_conclusion.cpp, share this.
#pragma once

namespace engram::experiments {

/// In the results of generated streams, the prediction of one who knows the world that made them: the floor.
inline constexpr const char* true_structure = "true_structure";

}  // namespace engram::experiments
