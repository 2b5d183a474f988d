// SPDX-License-Identifier: MIT
// An economy of attention.
#pragma once

#include "core/methods/method.hpp"
#include "core/walks/ecan.hpp"

namespace engram::core {

/// ECAN: each cycle a bank pays wages to the cue's concepts, the more the richer it is, then
/// core/walks/ecan.hpp's cycle runs. Strengths are at first the frequencies of the links as evidence for <i
/// <-> j>. The activation is the share of all STI that a concept owns in the end.
struct EcanRetriever {
  double wage = 10;  // of the 1000 that the bank owns at first; doubled while it owns them
  EcanOptions options;
  int cycles = 20;
  Recall recall(const Readings& memory, const Vector& cue) const;
  static constexpr const char* no_sum =
      "importance comes of a simulation in which rent, wages and the links themselves change with it: "
      "what came from whom is not kept apart (linear_ecan is the same in proportion, and has a sum)";
};

}  // namespace engram::core
