// SPDX-License-Identifier: MIT
// Which events deserve to be thought of: what a policy is told, and what it says.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/events/event_kinds.hpp"

namespace engram::core {

/// The number of an operation, from 0.
using OperationId = std::uint32_t;
/// A point of time on the stream, in cycles.
using Moment = std::int64_t;

/// An event that may be passed on now.
struct EventAtHand {
  EventKind kind = 0;
  Moment time = 0;        // when it happened
  bool relevant = false;  // whether it matters, as the world knows: for the oracle alone
};

/// A goal that is not reached yet.
struct WantedGoal {
  EventKind kind = 0;
  double desire = 1;  // in [0, 1]
};

/// What there is to choose from, and what for.
struct EventsNow {
  Moment now = 0;
  std::span<const EventAtHand> events;
  std::span<const WantedGoal> wanted;
};

/// An event of the time before an operation, and how much of its trace is left then.
struct EventTrace {
  EventKind kind = 0;
  double eligibility = 1;  // in (0, 1]
  bool passed = false;     // whether it was passed on
};

/// An operation while something was wanted, and whether that came about.
struct Experience {
  std::span<const EventTrace> situation;  // each kind once, ascending
  OperationId operation = 0;
  EventKind goal = 0;
  bool reached = false;
  double weight = 1;  // of this evidence, in (0, 1]: less, the later what was wanted came
};

/// A score for each event at hand; it learns from what becomes of operations. A policy draws its own randomness and is
/// the same for the same calls.
class EventPolicy {
 public:
  virtual ~EventPolicy() = default;
  /// A number for each event, the larger the more it deserves to be passed on; -infinity: not at all.
  virtual void score(const EventsNow& now, std::span<double> scores) = 0;
  /// A cycle is over: these events were at hand.
  virtual void after(const EventsNow&) {}
  /// An operation was done.
  virtual void acted(OperationId) {}
  /// What an operation came to. (The model of outcomes has not heard of it yet.)
  virtual void learn(const Experience&) {}
  /// These numbers are free for others, ascending.
  virtual void forget(std::span<const EventKind>) {}
};

/// Policies by name, in the order of tables.
///   all             pass all, however many
///   first           the first that came
///   random          any
///   novelty         what was not seen for the longest time
///   surprise        what was least expected after the operation done last
///   temporal_links  what the learnt links event -> operation -> goal say most about (OutcomeModel::information)
///   predictive      what has the learnt attention (OutcomeModel::attention)
///   soft_attention  the weights of an attention that is trained by gradients to tell what succeeds
///   reinforce       hard attention, trained by REINFORCE on whether what was passed on ended in the goal
///   continuous      what continuous attention to a kind's own history says about success
///   completion      what a Hopfield memory of situations that succeeded would complete this one by
///   oracle          what matters, as the world knows
enum class EventPolicyKind : std::uint8_t {
  all,
  first,
  random,
  novelty,
  surprise,
  temporal_links,
  predictive,
  soft_attention,
  reinforce,
  continuous,
  completion,
  oracle
};
struct EventPolicyFacts {
  EventPolicyKind value;
  std::string_view name, summary;
};
inline constexpr std::array<EventPolicyFacts, 12> event_policies{{
    {EventPolicyKind::all, "all", "everything, however much"},
    {EventPolicyKind::first, "first", "what came first"},
    {EventPolicyKind::random, "random", "anything, by lot"},
    {EventPolicyKind::novelty, "novelty", "what was not seen for the longest time"},
    {EventPolicyKind::surprise, "surprise", "what was least expected after the last operation"},
    {EventPolicyKind::temporal_links, "temporal_links", "what the learnt links to goals say most about"},
    {EventPolicyKind::predictive, "predictive", "what has learnt attention: it told best what succeeds"},
    {EventPolicyKind::soft_attention, "soft_attention",
     "attention trained by gradients to tell what succeeds"},
    {EventPolicyKind::reinforce, "reinforce", "hard attention trained by REINFORCE on success"},
    {EventPolicyKind::continuous, "continuous", "continuous attention to each kind's own history"},
    {EventPolicyKind::completion, "completion", "Hopfield completion from situations that succeeded"},
    {EventPolicyKind::oracle, "oracle", "what matters, as the world knows"},
}};

class OutcomeModel;

/// How policies learn. What was chosen was chosen on seeds that no figure uses.
struct EventPolicyRates {
  double surprise_memory = 64;   // looks after which what surprise expects has half faded
  double learning_rate = 0.5;    // of soft attention, by AdaGrad
  double reinforce_rate = 1;     // of reinforce
  std::size_t history = 16;      // experiences of a kind that continuous attention reads, at most 64
  std::size_t situations = 128;  // that the Hopfield memory holds, the latest
  double beta = 8;               // its inverse temperature
};

/// `model` must outlive it; it is that of the filter.
std::unique_ptr<EventPolicy> make_event_policy(EventPolicyKind kind, const OutcomeModel& model,
                                               const EventPolicyRates& rates, std::uint64_t seed);

}  // namespace engram::core
