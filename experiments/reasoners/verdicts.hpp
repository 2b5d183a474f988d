// SPDX-License-Identifier: MIT
// Verdicts on an answer, compared with the oracle: the answer from the needed statements alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/numbers/names.hpp"
#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

enum class Verdict : std::uint8_t {
  answered,  // same term as the oracle, similar frequency, at least confident_share of its confidence
  weaker,    // same term and same side, but another frequency or too little confidence
  wrong,     // another term, or the other side of 1/2
  none,      // no answer
};
inline constexpr std::array<core::NamedValue<Verdict>, 4> verdicts{{{Verdict::answered, "answered"},
                                                                    {Verdict::weaker, "weaker"},
                                                                    {Verdict::wrong, "wrong"},
                                                                    {Verdict::none, "none"}}};

/// Tolerances, chosen: a longer derivation of the same answer passes, a lost premise does not.
inline constexpr double confident_share = 0.95;
inline constexpr double frequency_tolerance = 0.05;

/// Verdict on an answer. Its side is whether its frequency is above, below or equal to 1/2.
Verdict verdict_on(const std::optional<Answer>& answer, const Answer& oracle);

/// Score of an answer: its expectation c (f - 1/2) + 1/2; 1/2 without an answer. Use it with the true labels for the
/// area under the curve (experiments/statistics/statistics.hpp).
double support(const std::optional<Answer>& answer);

}  // namespace engram::experiments
