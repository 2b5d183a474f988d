// SPDX-License-Identifier: MIT
// Truth values of what is true for a while, and of what is wanted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/numbers/numeric.hpp"
#include "narsese/truth_functions.hpp"

namespace engram::bridge {

/// A moment: cycles, counted from 1.
using Cycle = std::int64_t;

/// What a cycle leaves of an event's confidence. ONA's.
inline constexpr double projection_decay = 0.8;

/// f, c decay^|cycles|: an event, seen from so many cycles away.
inline narsese::TruthValue projection(narsese::TruthValue a, Cycle cycles) {
  constexpr Cycle nothing_left = 100'000;
  const auto distance = static_cast<unsigned>(std::min(std::abs(cycles), nothing_left));
  return {a.frequency, a.confidence * core::power(projection_decay, distance)};
}

/// {A at t, B at t + cycles} |- A =/> B: the induction of B from A as it is seen from B, taken as always true:
/// f = f_B, w = c' with c' of w' = f_A c_A decay^cycles c_B.
inline narsese::TruthValue temporal_induction(narsese::TruthValue earlier, narsese::TruthValue later,
                                              Cycle cycles) {
  return narsese::eternalization(narsese::induction(later, projection(earlier, cycles)));
}

/// The evidence of both, added; beyond `most_confidence` older evidence makes place for newer: f goes on to change.
inline narsese::TruthValue revision_up_to(narsese::TruthValue a, narsese::TruthValue b,
                                          double most_confidence) {
  const narsese::Evidence x = narsese::to_evidence(a, most_confidence);
  const narsese::Evidence y = narsese::to_evidence(b, most_confidence);
  narsese::TruthValue both = narsese::to_truth({x.positive + y.positive, x.total + y.total});
  both.confidence = std::min(both.confidence, most_confidence);
  return both;
}

}  // namespace engram::bridge
