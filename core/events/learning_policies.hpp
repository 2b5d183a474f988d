// SPDX-License-Identifier: MIT
// Policies with something of their own that learns from outcomes. Each has its formula where it is made.
#pragma once

#include <memory>
#include <vector>

#include "core/events/event_policy.hpp"
#include "core/events/outcome_model.hpp"

namespace engram::core {

/// What is wanted; where nothing is, all goals that something was learnt of.
std::vector<WantedGoal> goals_now(const EventsNow& now, const OutcomeModel& model);

/// Attention trained by gradients to tell what succeeds: of goal g, operation a and a situation
///   P = 1 / (1 + exp(-(c_a + sum_e alpha_e v_ea))),   alpha = softmax of u with the eligibilities as prior;
/// u, v and c climb the gradient of log P(outcome) by AdaGrad:  d = r - P,  dv_ea = d alpha_e,
/// du_e = d alpha_e (v_ea - sum alpha v).  An event's score is u_e + sum_a |v_ea|: what it is attended to, and what it says.
std::unique_ptr<EventPolicy> soft_attention_to_events(const OutcomeModel& model,
                                                      const EventPolicyRates& rates);

/// Hard attention: what is passed on is drawn without replacement from softmax(theta) (Gumbel's trick), and theta climbs
/// the gradient of the expected success by REINFORCE with the mean success so far as baseline b:
///   theta_e += rate x (r - b) ([e was passed on] - m pi_e),  m passed on, pi = softmax(theta) over the situation;
/// for m = 1 that is the exact gradient, else that of drawing with replacement.
/// Source  Williams 1992
std::unique_ptr<EventPolicy> reinforced_attention_to_events(const OutcomeModel& model,
                                                            const EventPolicyRates& rates,
                                                            std::uint64_t seed);

/// Continuous attention to a kind's own last experiences, r - b_a each, in the order in which they were made: a Gaussian
/// density over them (core/attention/continuous_attention.hpp) whose scores fall linearly with age, read from a curve of four
/// Gaussian basis functions fitted by ridge regression; a curve an operation. The score is the sum of
/// their absolute values, times the root of how many experiences there are.
std::unique_ptr<EventPolicy> continuous_attention_to_events(const OutcomeModel& model,
                                                            const EventPolicyRates& rates);

/// A modern Hopfield memory of the latest M situations with what was done and whether that ended in the goal; sets of kinds
/// as 0/1 patterns of norm 1:
///   p = softmax(beta <pattern, events at hand>);   w_ea, r_ea = sum of p over patterns with e and operation a, and over those
///   of them that succeeded;   W_a, R_a the same over all patterns with a
/// The score is sqrt(M) sum_a |r_ea - w_ea R_a / W_a|: how much the completion says of success where e is there.
std::unique_ptr<EventPolicy> completion_of_events(const OutcomeModel& model, const EventPolicyRates& rates);

}  // namespace engram::core
