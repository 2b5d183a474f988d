// SPDX-License-Identifier: MIT
// Experiment `icons`: a memory stores a skull and an apple. The query is a damaged skull or another skull. Hopfield's
// network and attention both restore the stored skull, and the report shows each step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments::icons {

struct IconsOptions {
  /// File of the query picture, as named in the spec. Methods should answer it with the first input. If empty, the
  /// query is the first input itself, damaged. A given query is damaged only if the spec gives `damage`.
  std::string query;
  std::filesystem::path query_path;
  std::vector<double> damage{0.1, 0.2, 0.3, 0.4};  // flipped share of the query's pixels
};

Conclusion conclude_icons(const Spec& spec, const IconsOptions& options, const std::vector<Json>& rows);

}  // namespace engram::experiments::icons
