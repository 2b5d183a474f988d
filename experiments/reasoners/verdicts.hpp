// SPDX-License-Identifier: MIT
// What an answer is worth beside that which the needed statements alone lead to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/numbers/names.hpp"
#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

enum class Verdict : std::uint8_t {
  answered,  // as the oracle: the same term, with confident_share of its confidence, and its frequency
  weaker,    // the same term on the same side, but not that
  wrong,     // another term, or the other side
  none,      // no answer
};
inline constexpr std::array<core::NamedValue<Verdict>, 4> verdicts{{{Verdict::answered, "answered"},
                                                                    {Verdict::weaker, "weaker"},
                                                                    {Verdict::wrong, "wrong"},
                                                                    {Verdict::none, "none"}}};

/// Chosen: what a reasoner loses that reaches the answer by a longer way, but not the loss of a premise.
inline constexpr double confident_share = 0.95;
inline constexpr double frequency_tolerance = 0.05;

/// An answer beside the oracle's. Its side: frequency above 1/2, below, or neither.
Verdict verdict_on(const std::optional<Answer>& answer, const Answer& oracle);

/// How much it speaks for what was asked: its expectation c (f - 1/2) + 1/2, and 1/2 of no answer. With what
/// is so these give the area under the curve (experiments/statistics/statistics.hpp).
double support(const std::optional<Answer>& answer);

}  // namespace engram::experiments
