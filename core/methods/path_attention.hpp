// SPDX-License-Identifier: MIT
// The options of the method path_attention, as what they stand for.
#pragma once

#include "core/methods/method.hpp"
#include "core/paths/path_attention.hpp"

namespace engram::core {

inline constexpr std::string_view path_attention_name = "path_attention";

struct PathSettings {
  PathAttentionOptions options;
  PathWeights theta = shipped_path_weights;
};

/// Of options that are complete.
PathSettings path_settings(const Options& complete);
/// Each weight by its feature's name.
Options options_of(const PathWeights& theta);

}  // namespace engram::core
