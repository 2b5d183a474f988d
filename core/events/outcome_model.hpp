// SPDX-License-Identifier: MIT
// A model of the outcomes of operations, learnt from a stream of events: temporal links from events over operations to
// goals, and the attention to events that predicts outcomes best.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/events/event_kinds.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

/// The number of an operation, from 0.
using OperationId = std::uint32_t;

/// An event before an operation, with the eligibility of its trace at the time of the operation.
struct EventTrace {
  EventKind kind = 0;
  double eligibility = 1;  // in (0, 1]
  bool passed = false;     // whether the event was passed on to the reasoner
};

/// An operation that was done for a goal, and whether the goal was reached.
struct Experience {
  std::span<const EventTrace> situation;  // each kind once, ascending
  OperationId operation = 0;
  EventKind goal = 0;
  bool reached = false;
  double weight = 1;  // of this evidence, in (0, 1]; smaller for a later outcome
};

/// Sizes and rates of an OutcomeModel. The rates are chosen on worlds whose seeds no figure uses.
struct OutcomeOptions {
  std::size_t operations = 10;  // most operations; experiences of others are ignored; ONA's OPERATIONS_MAX
  std::size_t goals = 16;       // most goals
  double caution = 0.5;         // kappa: prior evidence for a link, at the operation's base rate, > 0
  double fade = 0.1;            // share of a link's evidence lost at each use, in [0, 1)
  double share =
      0.003;  // share of attention spread equally at each use, in [0, 1), so that attention can shift
};

/// The content of an OutcomeModel with terms instead of numbers, for storage.
struct LearntOutcomes {
  static constexpr std::size_t most_events =
      10'000;  // for a goal: the events with the largest absolute scores

  /// An event's data for one goal.
  struct Event {
    std::string term;
    double score = 0;                       // s_e
    std::vector<double> evidence, reached;  // n_ea and w_ea, by operation
  };
  /// The data of one goal.
  struct Goal {
    std::string term;
    double base_score = 0;                  // s_0
    std::vector<double> evidence, reached;  // N_a and W_a, by operation
    std::vector<Event> events;
  };
  std::vector<Goal> goals;
};

/// For goal g, with r in {0, 1} for whether it was reached, and x the eligibility of event e times the evidence's
/// weight:
///   links       n_ea <- (1 - fade) n_ea + x,   w_ea <- (1 - fade) w_ea + x r      evidence for <(e &/ a) =/> g>
///   base rate   N_a, W_a in the same way, for all situations;   b_a = (W_a + 1/2) / (N_a + 1)
///   link rate   p_ea = (w_ea + kappa b_a) / (n_ea + kappa)
///   attention   alpha_e = softmax of scores s over the situation's events and "no event" (score s_0, rate b_a)
///   prediction  P_a = sum_e alpha_e p_ea + alpha_0 b_a
///   scores      s_e <- s_e + x (log p_ea(r) - log P_a(r)) before the evidence counts; s_0 in the same way with x = 1;
///               then each e^s <- (1 - share x) e^s + share x (mean of e^s over the situation, weighted by x)
/// Attention is a Bayesian mixture of the links whose event is in the situation. An event gains score if it predicts
/// the outcome better than the mixture. An event that merely accompanies a better predictor gains nothing.
/// Without sharing, the log-loss of P over any sequence exceeds the log-loss of the best event by at most log(events +
/// 1). Sharing keeps the weight of every event above 0, so that attention follows when another event becomes the best.
/// Source  specialists: Freund, Schapire, Singer and Warmuth 1997, "Using and combining predictors that specialize";
///         sharing: Herbster and Warmuth 1998, "Tracking the best expert"
class OutcomeModel {
 public:
  /// Errors  std::invalid_argument outside the ranges
  explicit OutcomeModel(const OutcomeOptions& options = {});

  /// Cost  O(situation)
  void learn(const Experience& experience);
  /// The score s_e; 0 for an unknown event.
  double attention(EventKind goal, EventKind kind) const;
  /// sum_a n_ea KL(p_ea || b_a) in nats: the information of the event's links beyond the base rates.
  double information(EventKind goal, EventKind kind) const;
  /// P_a in this situation.  Cost  O(situation)
  double prediction(EventKind goal, std::span<const EventTrace> situation, OperationId operation) const;
  /// p_ea; b_a for an unknown event.
  double link(EventKind goal, EventKind kind, OperationId operation) const;
  /// b_a; 1/2 for an unknown goal or operation.
  double base_rate(EventKind goal, OperationId operation) const;
  /// (w_ea / n_ea, n_ea / (n_ea + 1)) of <(e &/ a) =/> g>; confidence 0 for an unknown link.
  narsese::TruthValue truth(EventKind goal, EventKind kind, OperationId operation) const;

  /// All goals with experiences, ascending.
  std::vector<EventKind> goals() const;

  /// A link with its truth value and its event's score.
  struct Link {
    EventKind kind = 0, goal = 0;
    OperationId operation = 0;
    narsese::TruthValue truth;
    double attention = 0;
  };
  /// The first `most` links by attention, then confidence, among those with at least this evidence.
  /// Cost  O(kinds goals operations)
  std::vector<Link> links(std::size_t most, double least_evidence = 1) const;

  /// Removes all data about these kinds, as events and as goals.
  void forget(std::span<const EventKind> kinds);

  /// The content for storage; `term` gives the term of a number.
  LearntOutcomes learnt(const std::function<std::string(EventKind)>& term) const;
  /// Replaces the content by a stored one; `kind` gives the number of a term.
  /// Errors  std::invalid_argument without a change: for too many goals, another number of operations, or evidence and
  ///         scores that no experience can produce
  void restore(const LearntOutcomes& learnt, const std::function<EventKind(const std::string&)>& kind);
  std::size_t bytes() const;
  const OutcomeOptions& options() const { return options_; }

 private:
  // The data of one goal. A kind's row: s, then n, then w by operation.
  struct Goal {
    double base_score = 0;       // s_0
    std::vector<double> totals;  // N, then W by operation
    KindRows rows;
  };
  const Goal* find_goal(EventKind kind) const;
  const double* row_of(EventKind goal, EventKind kind) const;  // null if unknown
  Goal* find_or_add_goal(EventKind kind);                      // null if there are too many
  double base_rate(const Goal& goal, OperationId operation) const;
  double link_rate(const double* row, OperationId operation, double base_rate) const;
  void share_attention(Goal& goal, const Experience& experience) const;
  double attend(const Goal& goal, std::span<const EventTrace> situation, std::vector<double>& weights) const;

  OutcomeOptions options_;
  std::map<EventKind, Goal> goals_;
  std::vector<double> weights_;  // of the current situation
};

}  // namespace engram::core
