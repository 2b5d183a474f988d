// SPDX-License-Identifier: MIT
// Recalls by the name of a method.
#pragma once

#include <string_view>

#include "core/methods/method.hpp"

namespace engram::core::samples {

inline Recall recalled(std::string_view method, const Options& options, const MemoryIndex& memory,
                       const Cue& cue) {
  return ConfiguredMethod(method, options).recall(memory, cue);
}

inline Recall recalled(std::string_view method, const Options& options, const MemoryIndex& memory,
                       const Vector& activation) {
  return recalled(method, options, memory, Cue(activation));
}

}  // namespace engram::core::samples
