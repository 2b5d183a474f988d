// SPDX-License-Identifier: MIT
// Icons: the two-picture story. A memory holds a skull and an apple; a damaged skull is the query. Hopfield's
// network and attention both pull it to the skull, not to the apple, and the report shows how, step by step.
#pragma once

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct IconsOptions {
  std::vector<double> damage{0.1, 0.2, 0.3, 0.4};  // share of a picture's pixels that is flipped
};

Conclusion conclude_icons(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows);

}  // namespace engram::experiments
