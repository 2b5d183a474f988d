// SPDX-License-Identifier: MIT
// What the experiment `links` can be told.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/attention/relational_attention.hpp"

namespace engram::experiments {

struct LinksSpec {
  std::string published;                     // a file of published figures, as named in the spec; empty: none
  std::filesystem::path published_path;      // where it is
  std::vector<double> regularisations;       // each is tried; the validation split chooses
  core::RelationalTrainingOptions training;  // regularisation aside
};

}  // namespace engram::experiments
