// SPDX-License-Identifier: MIT
// Attention filter between a world and a reasoner. In each cycle, the filter passes the most deserving events on to the
// reasoner and discards the others. It learns from the outcomes of operations which events deserve attention.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/events/event_policy.hpp"
#include "core/events/outcome_model.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {

/// Options of an EventFilter: the policy that scores events, time spans in cycles, and limits of memory.
struct EventFilterOptions {
  EventPolicyKind policy = EventPolicyKind::predictive;
  std::size_t pass = 5;  // K: most events passed on in a cycle; the policy `all` ignores this limit
  // The map from scores to budgets. An event without budget is not passed on. With a sparse map, the filter passes on
  // fewer events the more certain its scores are, in the end only one.
  Regulariser map = {SimplexMap::sparsemax};
  double temperature = 2;  // of the map: larger values spread the budget
  Moment window = 20;  // cycles for which an event is part of the situation before an operation; ONA's window
  Moment horizon = 20;  // cycles within which an operation must reach its goal
  double eligibility =
      20;             // cycles in which the trace of an event and the credit of an operation fall to 1/e
  Moment linger = 0;  // cycles for which an event that was not passed on stays a candidate
  OutcomeOptions outcomes = {};
  EventPolicyRates rates = {};
  bool compounds =
      true;             // whether a pattern is passed on as one compound event; else its events are passed on
  bool advise = true;   // whether take_advice() returns anything
  double margin = 0.2;  // least difference of predicted successes for which the filter gives advice
  std::size_t max_waiting = 4096;    // limit of candidates; beyond it, the lowest-scored ones are dropped
  std::size_t max_situation = 1024;  // limit of past events; beyond it, the oldest are forgotten
  std::size_t max_open = 64;  // limit of operations without outcome; beyond it, the oldest counts as failed
  std::size_t max_kinds = 100'000;  // limit of distinct event terms (EventKinds)
  std::uint64_t seed = 1;           // of random tie-breaking and random policies
};

/// An event that the filter passes on to the reasoner: a single event, or a compound of events that happened.
struct PassedEvent {
  CandidateEvent event;               // the last event of a compound
  std::uint64_t tag = 0;              // number that the caller gave to the event
  double budget = 0;                  // share of the attention in this cycle, in [0, 1]
  EventPattern pattern;               // the events; more than one for a compound
  std::vector<std::uint64_t> others;  // tags of the other events of a compound that are candidates now
};

/// A judgement that the filter tells the reasoner: <(pattern &/ operation) =/> goal> with its truth.
struct Advice {
  EventPattern pattern;
  OperationId operation = 0;
  EventKind goal = 0;
  narsese::TruthValue truth;
};

/// An operation for a goal, and how likely it is to reach the goal in the current situation.
struct OperationBudget {
  OperationId operation = 0;
  double success = 0;         // predicted probability of success
  narsese::TruthValue truth;  // truth of the link pattern -> operation -> goal with the most attention
  EventPattern because;       // pattern of that link, or of no event
};

/// Counters of events and operations since the filter was created.
struct EventCounts {
  std::uint64_t arrived = 0, passed = 0, not_passed = 0, dropped = 0, cycles = 0;
  std::uint64_t operations = 0, reached = 0, failed = 0;
  std::uint64_t advice = 0;              // items that take_advice() returned
  std::uint64_t unknown_operations = 0;  // operations with too large numbers; not learnt
  std::uint64_t disordered = 0;          // events whose time is not the current cycle; they are accepted
};

/// Selects events for a reasoner, and learns from the outcomes of the reasoner's operations which events matter.
/// Callers report the stream in its order: arrive() for events, want() for goals, pass() at the end of a cycle, and
/// acted() for operations. The filter's time never goes back: an event from the past keeps its time in the output, and
/// counts as current for learning. Not thread-safe; deterministic.
class EventFilter {
 public:
  /// Errors  std::invalid_argument for options outside their ranges
  explicit EventFilter(const EventFilterOptions& options = {});

  /// Returns the number of a term, and assigns a number to a new term. If the table is full, the filter first forgets
  /// the third of the kinds that were least recently named.
  EventKind kind(std::string_view term);
  /// The term with a number from kind().
  std::string_view term(EventKind kind) const { return kinds_.term(kind); }
  /// The term of a pattern: of its event, or the sequence (&/,a,b) of its events.
  std::string term(const EventPattern& pattern) const;
  /// The number of a term, or EventKinds::none for an unknown term.
  EventKind find(std::string_view term) const { return kinds_.find(term); }

  /// Adds an event of the current cycle as a candidate. If the event is a wanted goal, or the goal of an operation
  /// without outcome, the goal is reached now, and the model learns from the operations that led to it.
  /// `tag`  a number of the caller that pass() returns with the event
  /// Cost  O(log events) amortised, plus the cost of learning from each operation with a new outcome
  void arrive(const CandidateEvent& event, std::uint64_t tag, Moment now);
  /// Marks a goal as wanted until it is reached, for at most `horizon` cycles. Ignores the goal if
  /// OutcomeOptions::goals other goals are wanted.
  void want(EventKind goal, double desire, Moment now);
  /// Ends a cycle and returns the events to pass on to the reasoner, in order of arrival. All others are discarded, or
  /// stay candidates for `linger` cycles. `discarded` (or null) gets the tags of discarded events.
  /// Cost  O(candidates)
  std::vector<PassedEvent> pass(Moment now, std::vector<std::uint64_t>* discarded = nullptr);
  /// Records that an operation was done in the current situation, for all wanted goals. The filter learns from it when
  /// a goal is reached or `horizon` cycles have passed.  Cost  O(situation)
  void acted(OperationId operation, Moment now);
  /// Returns all operations with their predicted success for a goal, best first. Use it to recommend an operation.
  std::vector<OperationBudget> operations(EventKind goal, Moment now) const;
  /// Returns the pending advice for the reasoner, and removes it. Send each item as an eternal judgement. The filter
  /// advises after a mismatch between the model and the operation that the reasoner did. There are two kinds of
  /// mismatch.
  ///   better operation   The model predicts that another operation succeeds more often in this situation, by `margin`.
  ///       The pattern of that operation is known (OutcomeModel) or has half of the attention. The advice has the truth
  ///       of the links of both operations. A link without evidence gets the evidence `caution` that the model starts
  ///       from.
  ///   changed world      The link with most attention to the operation that was done succeeds less often than in the
  ///       long run, by `margin`. The advice has the truth of that link.
  /// If the reasoner did nothing since want() was last called for a goal, each cycle with that goal counts as such an
  /// operation, until the reasoner acts. The filter then compares before it passes on the events of the cycle.
  ///
  /// The filter counts the mismatches of each link. The first 32 lead to advice, then the 64th, the 128th, and so on.
  /// The count restarts if (2 frequency - 1) confidence changed by 0.2, or if the reasoner does the operation when it
  /// is the best one. The filter has counts of 4,096 links; a further link clears them all.
  std::vector<Advice> take_advice();

  const OutcomeModel& model() const { return model_; }
  /// The learnt content of the model, for storage. It is the whole learnt state with the policies `temporal_links` and
  /// `predictive`; other policies also learn data that is not stored.
  LearntOutcomes learnt() const;
  /// Restores the model from stored content. Events beyond the limit of kinds are left out. Call it before the first
  /// event.
  /// Errors  std::invalid_argument after the first event or operation, or for content that OutcomeModel::restore
  ///         rejects
  void restore(const LearntOutcomes& learnt);
  const EventCounts& counts() const { return counts_; }
  const EventFilterOptions& options() const { return options_; }
  /// The number of candidate events now.
  std::size_t waiting() const { return waiting_.size(); }
  /// The tags of the candidate events, in order of arrival.
  std::vector<std::uint64_t> waiting_tags() const;
  std::size_t bytes() const;

 private:
  struct Waiting {
    CandidateEvent event;
    std::uint64_t tag = 0;
    Moment arrived = 0;
    bool reached_goal = false;  // such an event is passed on before all others
  };
  struct Chosen {
    std::uint32_t place = 0;  // index in waiting_
    double score = 0, budget = 0;
    std::uint64_t tie = 0;
    EventPattern pattern;
  };
  struct Seen {
    EventKind kind = 0;
    Moment when = 0;
    bool passed = false;
  };
  struct Wanted {
    WantedGoal goal;
    Moment until = 0;
    bool is_ignored = false;  // whether the reasoner did nothing after the call of want() before
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
  std::vector<Chosen> choose(std::size_t most, bool with_patterns);
  void add_chosen(std::vector<Chosen>& chosen, bool with_patterns);
  bool add_patterns(std::vector<Chosen>& chosen, std::span<const WantedGoal> goals);
  void compare(EventKind goal, std::span<const EventTrace> traces, std::optional<OperationId> done);
  void tell(const EventPattern& pattern, OperationId operation, EventKind goal);
  std::vector<EventTrace> situation(Moment now, bool with_waiting) const;
  void forget(const std::vector<EventKind>& kinds);

  EventFilterOptions options_;
  EventKinds kinds_;
  OutcomeModel model_;
  std::unique_ptr<EventPolicy> policy_;
  Rng ties_;
  Moment now_ = 0;
  std::vector<Waiting> waiting_;
  std::deque<Seen> seen_;  // past events, in order of time; a kind may occur several times
  std::vector<Wanted> wanted_;
  std::vector<WantedGoal> goals_;  // the goals in wanted_
  // The last advice about a link.
  struct Told {
    double strength = 0;         // (2 frequency - 1) confidence when the count started
    std::uint64_t unheeded = 0;  // mismatches since the strength changed or the reasoner heeded the advice
  };
  std::map<EventKind, bool> acted_for_;  // by goal: whether the reasoner did something since the last want()
  std::vector<Advice> advice_;           // not taken yet
  std::map<std::tuple<EventKind, EventPattern, OperationId>, Told> told_;
  std::deque<OpenOperation> open_;
  EventCounts counts_;
};

}  // namespace engram::core
