// SPDX-License-Identifier: MIT
// Exact cosine of a cue and statements.
#pragma once

#include <memory>

#include "core/methods/method.hpp"

namespace engram::core {

/// Exact cosine of the cue with every statement, by rarity.
struct CosineRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
