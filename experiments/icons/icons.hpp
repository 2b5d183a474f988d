// SPDX-License-Identifier: MIT
// Icons: the two-picture story. A memory holds a skull and an apple; a damaged skull, or another skull, is the
// query. Hopfield's network and attention both pull it to the skull, not to the apple, and the report shows how,
// step by step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments::icons {

struct IconsOptions {
  /// A file, as named in the spec: the picture that is the query, which the first of the inputs should answer;
  /// empty: that one itself, damaged. Where it is given and damage is not, it comes as it is.
  std::string query;
  std::filesystem::path query_path;
  std::vector<double> damage{0.1, 0.2, 0.3, 0.4};  // share of the query's pixels that is flipped
};

Conclusion conclude_icons(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows);

}  // namespace engram::experiments::icons
