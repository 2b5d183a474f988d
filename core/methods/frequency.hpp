// SPDX-License-Identifier: MIT
// What was experienced, whatever the cue: a baseline.
#pragma once

#include <memory>

#include "core/methods/method.hpp"

namespace engram::core {

/// How much each concept and statement was experienced, whatever the cue.
struct FrequencyRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
