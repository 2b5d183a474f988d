// SPDX-License-Identifier: MIT
// Word overlap.
#pragma once

#include <memory>

#include "core/methods/method.hpp"

namespace engram::core {

/// Word overlap: concepts in common over concepts in either (Jaccard).
struct OverlapRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
