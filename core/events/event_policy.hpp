// SPDX-License-Identifier: MIT
// Policies of an EventFilter. A policy scores the events of a cycle: those with the largest scores are passed on to the
// reasoner.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/events/event_kinds.hpp"
#include "core/events/outcome_model.hpp"

namespace engram::core {

/// A point in time on the stream, in cycles.
using Moment = std::int64_t;

/// An event that the filter can pass on to the reasoner in the current cycle.
struct CandidateEvent {
  EventKind kind = 0;
  Moment time = 0;        // cycle in which the event happened
  bool relevant = false;  // ground truth from the world; only the oracle reads it
};

/// A goal that the reasoner wants, and that is not reached yet.
struct WantedGoal {
  EventKind kind = 0;
  double desire = 1;  // degree of desire, in [0, 1]
};

/// The candidate events and the wanted goals of the current cycle: the input of a policy.
struct Candidates {
  Moment now = 0;
  std::span<const CandidateEvent> events;
  std::span<const WantedGoal> wanted;
};

/// Interface of a policy that scores candidate events. A policy may learn from the outcomes of operations. It has its
/// own random numbers, and equal calls give equal results.
class EventPolicy {
 public:
  virtual ~EventPolicy() = default;
  /// Sets the score of each candidate event in `now`. The filter passes larger scores on first, and never passes on
  /// -infinity.
  virtual void score(const Candidates& now, std::span<double> scores) = 0;
  /// Called at the end of each cycle with all candidates of the cycle.
  virtual void end_cycle(const Candidates&) {}
  /// Called when the reasoner did an operation.
  virtual void acted(OperationId) {}
  /// Called when the outcome of an operation for a goal is known, before the OutcomeModel learns from it.
  virtual void learn(const Experience&) {}
  /// Removes all data about these kinds (ascending), because their numbers will be reused for other terms.
  virtual void forget(std::span<const EventKind>) {}
};

/// The policies by name, in the order in which tables list them.
///   all             passes all events on
///   first           prefers the first events of a cycle
///   random          scores all events equally; ties are broken at random
///   novelty         prefers events that have not occurred for the longest time
///   surprise        prefers events that are least expected after the last operation
///   temporal_links  prefers events whose learnt links event -> operation -> goal are most informative
///                   (OutcomeModel::information)
///   single_events   prefers events with the most learnt attention (OutcomeModel::attention), without patterns
///   predictive      prefers events and patterns of events with the most learnt attention; the default. EventFilter
///                   chooses them itself, by operation; this policy's score is that of single events
///   soft_attention  attention trained by gradients to predict outcomes
///   reinforce       hard attention, trained by REINFORCE on whether the goal was reached
///   continuous      prefers events with a history that predicts outcomes, by continuous attention
///   completion      prefers events that matter for outcomes in a Hopfield memory of situations
///   oracle          passes on the relevant events, by ground truth; use it as an upper bound
enum class EventPolicyKind : std::uint8_t {
  all,
  first,
  random,
  novelty,
  surprise,
  temporal_links,
  single_events,
  predictive,
  soft_attention,
  reinforce,
  continuous,
  completion,
  oracle
};
/// The name of a policy, and its summary in the help text of the program.
struct EventPolicyFacts {
  EventPolicyKind value;
  std::string_view name, summary;
};
inline constexpr std::array<EventPolicyFacts, 13> event_policies{{
    {EventPolicyKind::all, "all", "all events, without a limit"},
    {EventPolicyKind::first, "first", "the first events of a cycle"},
    {EventPolicyKind::random, "random", "random events"},
    {EventPolicyKind::novelty, "novelty", "events that have not occurred for the longest time"},
    {EventPolicyKind::surprise, "surprise", "events that are least expected after the last operation"},
    {EventPolicyKind::temporal_links, "temporal_links", "events with the most informative links to goals"},
    {EventPolicyKind::single_events, "single_events", "single events that predicted success best"},
    {EventPolicyKind::predictive, "predictive",
     "events, alone or together, that predicted success best, by learnt attention"},
    {EventPolicyKind::soft_attention, "soft_attention", "attention trained by gradients to predict success"},
    {EventPolicyKind::reinforce, "reinforce", "hard attention trained by REINFORCE on success"},
    {EventPolicyKind::continuous, "continuous", "continuous attention to each event's own history"},
    {EventPolicyKind::completion, "completion", "Hopfield completion from situations that succeeded"},
    {EventPolicyKind::oracle, "oracle", "relevant events, by ground truth from the world"},
}};

/// Learning rates and sizes of the policies, chosen on seeds that no figure uses.
struct EventPolicyRates {
  double surprise_memory = 64;   // for surprise: half-life of its expectations, in cycles after the operation
  double learning_rate = 0.5;    // for soft_attention: learning rate of AdaGrad
  double reinforce_rate = 1;     // for reinforce: learning rate
  std::size_t history = 16;      // for continuous: past experiences of an event that it reads, at most 64
  std::size_t situations = 128;  // for completion: latest situations in its Hopfield memory
  double beta = 8;               // for completion: inverse temperature
};

/// Creates a policy. `model` is the filter's model and must outlive the policy.
/// Errors  std::invalid_argument for rates outside their ranges
std::unique_ptr<EventPolicy> make_event_policy(EventPolicyKind kind, const OutcomeModel& model,
                                               const EventPolicyRates& rates, std::uint64_t seed);

}  // namespace engram::core
