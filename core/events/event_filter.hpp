// SPDX-License-Identifier: MIT
// Attention between a world and a reasoner: of all that happens in a cycle, a few events go on.
#pragma once

#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "core/events/event_policy.hpp"
#include "core/events/outcome_model.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {

/// What is passed on, what is remembered of it, and what all that may take.
struct EventFilterOptions {
  EventPolicyKind policy = EventPolicyKind::predictive;
  std::size_t pass = 5;  // K: events that go on in a cycle, at most; of policy `all` there is no such bound
  // From scores to budgets: what has none does not go on. A sparse map passes on as many as it cannot tell apart, in the
  // end the one that it is sure of.
  Regulariser map = {SimplexMap::sparsemax};
  double temperature = 2;
  Moment window = 20;   // cycles that an event belongs to the situation of later operations; ONA's window
  Moment horizon = 20;  // cycles in which an operation must have had its outcome
  double eligibility =
      20;             // cycles in which the trace of an event falls to 1/e, and the credit of an operation
  Moment linger = 0;  // cycles that an event which was not passed on may still be
  OutcomeOptions outcomes = {};
  EventPolicyRates rates = {};
  std::size_t max_waiting = 4096;    // events of a cycle; of more the least deserving are dropped
  std::size_t max_situation = 1024;  // kinds; of more the latest stay
  std::size_t max_open = 64;         // operations whose outcome is awaited; of more the oldest has failed
  std::size_t max_kinds = 100'000;
  std::uint64_t seed = 1;
};

/// One event that goes on.
struct PassedEvent {
  EventAtHand event;
  std::uint64_t tag = 0;  // the caller's
  double budget = 0;      // its share of the attention, in [0, 1]
};

/// How much deserves to be done, by what is known.
struct OperationBudget {
  OperationId operation = 0;
  double success = 0;                    // P_a: how likely it reaches the goal
  narsese::TruthValue truth;             // of the link that has the most attention
  EventKind because = EventKinds::none;  // its event
};

/// What has gone through so far.
struct EventCounts {
  std::uint64_t arrived = 0, passed = 0, not_passed = 0, dropped = 0, cycles = 0;
  std::uint64_t operations = 0, reached = 0, failed = 0;
  std::uint64_t unknown_operations = 0;  // numbers beyond those told apart
  std::uint64_t disordered = 0;          // events from the past or the future: taken as they are
};

/// Called in the order of the stream: events arrive, goals are wanted, a cycle passes some on, an operation is done.
/// Time never runs back: what comes from the past keeps its time in what is passed on, and counts from now in what is
/// learnt. One thread at a time; deterministic.
class EventFilter {
 public:
  /// Errors  std::invalid_argument for options outside their ranges
  explicit EventFilter(const EventFilterOptions& options = {});

  /// The number of a term; a full table forgets first what was named the longest ago.
  EventKind kind(std::string_view term);
  /// The term of a number that is known.
  std::string_view term(EventKind kind) const { return kinds_.term(kind); }
  /// The number of a term that is known, or EventKinds::none.
  EventKind find(std::string_view term) const { return kinds_.find(term); }

  /// An event since the last cycle. What fulfils a goal, fulfils it at once.
  /// Cost  O(log acts) amortised, and that of its experiences
  void arrive(const EventAtHand& event, std::uint64_t tag, Moment now);
  /// From now on it is wanted, until it happens, for `horizon` cycles at most; of more goals than are told apart the first.
  void want(EventKind goal, double desire, Moment now);
  /// The cycle's choice, in order of arrival. All else is gone, unless it lingers; `left` (or null) hears its tag.
  /// Cost  O(waiting)
  std::vector<PassedEvent> pass(Moment now, std::vector<std::uint64_t>* left = nullptr);
  /// An operation was done, in the situation of now.  Cost  O(situation)
  void acted(OperationId operation, Moment now);
  /// What to do next for a goal, the best first.
  std::vector<OperationBudget> operations(EventKind goal, Moment now) const;

  const OutcomeModel& model() const { return model_; }
  /// What it has learnt of outcomes, by terms. Of the policies `temporal_links` and `predictive` have learnt nothing else.
  LearntOutcomes learnt() const;
  /// Goes on from that, as far as its kinds have room; before anything has come.
  /// Errors  as OutcomeModel::become; std::invalid_argument where something has come
  void go_on_from(const LearntOutcomes& learnt);
  const EventCounts& counts() const { return counts_; }
  const EventFilterOptions& options() const { return options_; }
  /// Waiting now.
  std::size_t waiting() const { return waiting_.size(); }
  /// Their tags, in order of arrival.
  std::vector<std::uint64_t> waiting_tags() const;
  std::size_t bytes() const;

 private:
  struct Waiting {
    EventAtHand event;
    std::uint64_t tag = 0;
    Moment arrived = 0;
    bool fulfils = false;  // a goal: goes on before all else
  };
  struct Chosen {
    std::uint32_t place = 0;  // among what waits
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
  struct Act {  // whose outcome is open
    OperationId operation = 0;
    EventKind goal = 0;
    Moment when = 0;
    std::vector<EventTrace> situation;
  };
  void go_on_to(Moment now);
  void reach(EventKind goal);
  void close(const Act& act, bool reached);
  bool is_awaited(EventKind goal) const;
  void release(EventKind goal);
  void drop_least();
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
  std::deque<Seen> seen_;  // in order of time, kinds more than once
  std::vector<Wanted> wanted_;
  std::vector<WantedGoal> goals_;  // of wanted_
  std::deque<Act> open_;
  EventCounts counts_;
};

}  // namespace engram::core
