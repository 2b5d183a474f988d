// SPDX-License-Identifier: MIT
#include "experiments/reasoners/verdicts.hpp"

#include <cmath>

namespace engram::experiments {
namespace {

int side(const narsese::TruthValue& truth) { return (truth.frequency > 0.5) - (truth.frequency < 0.5); }

}  // namespace

Verdict verdict_on(const std::optional<Answer>& answer, const Answer& oracle) {
  if (!answer) return Verdict::none;
  if (answer->term != oracle.term || side(answer->truth) != side(oracle.truth)) return Verdict::wrong;
  constexpr double rounding = 1e-9;  // systems print six decimals
  const bool confident = answer->truth.confidence >= confident_share * oracle.truth.confidence - rounding;
  const bool as_frequent =
      std::abs(answer->truth.frequency - oracle.truth.frequency) <= frequency_tolerance + rounding;
  return confident && as_frequent ? Verdict::answered : Verdict::weaker;
}

double support(const std::optional<Answer>& answer) {
  return answer ? narsese::expectation(answer->truth) : 0.5;
}

}  // namespace engram::experiments
