// SPDX-License-Identifier: MIT
// A recall by a method's name.
#pragma once

#include <string_view>

#include "core/methods/methods.hpp"

namespace engram::core::samples {

inline Recall recalled(std::string_view method, const Options& options, const MemoryIndex& readings,
                       const Cue& cue) {
  return make_retriever(*find_method(method), options)(readings, cue);
}

}  // namespace engram::core::samples
