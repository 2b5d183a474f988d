// SPDX-License-Identifier: MIT
// The same for all: the baseline.
#pragma once

#include <memory>

#include "core/methods/method.hpp"

namespace engram::core {

/// The same for all that hold evidence, and for all statements.
struct UniformRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
