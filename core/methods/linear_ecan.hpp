// SPDX-License-Identifier: MIT
// An economy of attention in proportion, at its fixed point.
#pragma once

#include <memory>
#include <optional>

#include "core/methods/method.hpp"
#include "core/methods/walked_links.hpp"

namespace engram::core {

/// ECAN in proportion, at its fixed point (linear_ecan), along links as in PageRankRetriever (and its error).
struct LinearEcanRetriever {
  double rent = 0.25;  // chosen: importance travels some three links
  double spread = 0.4;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
