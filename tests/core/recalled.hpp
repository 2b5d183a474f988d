// SPDX-License-Identifier: MIT
// A method by its name, for tests of what it recalls.
#pragma once

#include <string_view>

#include "core/methods/methods.hpp"

namespace engram::core::samples {

/// With these options and the defaults of the others.
inline AnyRetriever method(std::string_view name, const Options& options = {}) {
  return make_retriever(*find_method(name), options);
}

}  // namespace engram::core::samples
