// SPDX-License-Identifier: MIT
// The result rows of all trials of a spec.
#pragma once

#include <utility>
#include <vector>

#include "experiments/spec/experiment.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::testing {

inline std::vector<experiments::Json> rows_of(const experiments::Spec& spec) {
  const auto trials = spec.experiment->trials(spec);
  trials->prepare();
  std::vector<experiments::Json> rows;
  for (std::size_t trial = 0; trial < trials->count(); ++trial)
    for (experiments::Json& row : trials->run(trial).rows) rows.push_back(std::move(row));
  return rows;
}

}  // namespace engram::testing
