// SPDX-License-Identifier: MIT
// The attention filter between a world and a reasoner: of the events in each cycle, it passes the most deserving ones
// on.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "core/events/event_policy.hpp"
#include "core/events/outcome_model.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {

/// The policy of an EventFilter, what it remembers, and its limits.
struct EventFilterOptions {
  EventPolicyKind policy = EventPolicyKind::predictive;
  std::size_t pass = 5;  // K: most events passed on in a cycle; the policy `all` ignores this limit
  // The map from scores to budgets. An event without budget is not passed on. With a sparse map, the filter passes on
  // fewer events the more certain it is, in the end only one.
  Regulariser map = {SimplexMap::sparsemax};
  double temperature = 2;
  Moment window = 20;   // cycles for which an event is part of the situation of an operation; ONA's window
  Moment horizon = 20;  // cycles within which an operation must reach its goal
  double eligibility =
      20;             // cycles in which the trace of an event, and the credit of an operation, fall to 1/e
  Moment linger = 0;  // cycles for which an event that was not passed on remains a candidate
  OutcomeOptions outcomes = {};
  EventPolicyRates rates = {};
  std::size_t max_waiting = 4096;    // candidates; beyond that, the lowest-scored ones are dropped
  std::size_t max_situation = 1024;  // past events; beyond that, the oldest are forgotten
  std::size_t max_open = 64;         // operations without outcome; beyond that, the oldest counts as failed
  std::size_t max_kinds = 100'000;
  std::uint64_t seed = 1;
};

/// An event that was passed on.
struct PassedEvent {
  CandidateEvent event;
  std::uint64_t tag = 0;  // from the caller
  double budget = 0;      // share of the attention, in [0, 1]
};

/// An operation for a goal, and how likely it is to reach the goal.
struct OperationBudget {
  OperationId operation = 0;
  double success = 0;                    // P_a: the predicted probability of success
  narsese::TruthValue truth;             // of the link with the most attention
  EventKind because = EventKinds::none;  // that link's event
};

/// Totals since the filter was created.
struct EventCounts {
  std::uint64_t arrived = 0, passed = 0, not_passed = 0, dropped = 0, cycles = 0;
  std::uint64_t operations = 0, reached = 0, failed = 0;
  std::uint64_t unknown_operations = 0;  // with numbers above OutcomeOptions::operations
  std::uint64_t disordered = 0;          // events whose time is not the current cycle; they are accepted
};

/// Selects events for a reasoner and learns from the outcomes of its operations. Callers make the calls in the order of
/// the stream: events arrive, goals become wanted, a cycle passes events on, an operation is done. The filter's time
/// never goes back: an event from the past keeps its time in the output, and counts as current for learning.
/// Not thread-safe; deterministic.
class EventFilter {
 public:
  /// Errors  std::invalid_argument for options outside their ranges
  explicit EventFilter(const EventFilterOptions& options = {});

  /// The number of a term, new for a new term. A full table first forgets the least recently named kinds.
  EventKind kind(std::string_view term);
  /// The term of a known number.
  std::string_view term(EventKind kind) const { return kinds_.term(kind); }
  /// The number of a known term, or EventKinds::none.
  EventKind find(std::string_view term) const { return kinds_.find(term); }

  /// Adds an event since the last cycle. An event that is a wanted goal reaches this goal now.
  /// Cost  O(log events) amortised, and that of the experiences it ends
  void arrive(const CandidateEvent& event, std::uint64_t tag, Moment now);
  /// Marks a goal as wanted until it happens, for at most `horizon` cycles. Ignores the goal if there are already
  /// OutcomeOptions::goals others.
  void want(EventKind goal, double desire, Moment now);
  /// Ends a cycle and returns the events to pass on, in order of arrival. All others are discarded, unless they linger;
  /// `discarded` (or null) gets their tags.
  /// Cost  O(candidates)
  std::vector<PassedEvent> pass(Moment now, std::vector<std::uint64_t>* discarded = nullptr);
  /// Records that an operation was done in the current situation.  Cost  O(situation)
  void acted(OperationId operation, Moment now);
  /// The operations for a goal by predicted success, best first.
  std::vector<OperationBudget> operations(EventKind goal, Moment now) const;

  const OutcomeModel& model() const { return model_; }
  /// The content of the model, for storage. The policies `temporal_links` and `predictive` learn nothing else.
  LearntOutcomes learnt() const;
  /// Restores the model, as far as its kinds fit. Call it before the first event.
  /// Errors  as OutcomeModel::restore; std::invalid_argument after the first event or operation
  void restore(const LearntOutcomes& learnt);
  const EventCounts& counts() const { return counts_; }
  const EventFilterOptions& options() const { return options_; }
  /// The number of candidates now.
  std::size_t waiting() const { return waiting_.size(); }
  /// The tags of the candidates, in order of arrival.
  std::vector<std::uint64_t> waiting_tags() const;
  std::size_t bytes() const;

 private:
  struct Waiting {
    CandidateEvent event;
    std::uint64_t tag = 0;
    Moment arrived = 0;
    bool reached_goal = false;  // then it is passed on before all others
  };
  struct Chosen {
    std::uint32_t place = 0;  // in waiting_
    double score = 0, budget = 0;
    std::uint64_t tie = 0;
  };
  struct Seen {
    EventKind kind = 0;
    Moment when = 0;
    bool passed = false;
  };
  struct Wanted {
    WantedGoal goal;
    Moment until = 0;
  };
  struct OpenOperation {  // without outcome yet
    OperationId operation = 0;
    EventKind goal = 0;
    Moment when = 0;
    std::vector<EventTrace> situation;
  };
  void advance_to(Moment now);
  void reach(EventKind goal);
  void close(const OpenOperation& open, bool reached);
  bool is_awaited(EventKind goal) const;
  void unpin_unless_awaited(EventKind goal);
  void drop_lowest();
  std::vector<Chosen> choose(std::size_t most);
  std::vector<EventTrace> situation(Moment now) const;
  void forget(const std::vector<EventKind>& kinds);

  EventFilterOptions options_;
  EventKinds kinds_;
  OutcomeModel model_;
  std::unique_ptr<EventPolicy> policy_;
  Rng ties_;
  Moment now_ = 0;
  std::vector<Waiting> waiting_;
  std::deque<Seen> seen_;  // in order of time; a kind may occur several times
  std::vector<Wanted> wanted_;
  std::vector<WantedGoal> goals_;  // of wanted_
  std::deque<OpenOperation> open_;
  EventCounts counts_;
};

}  // namespace engram::core
