// SPDX-License-Identifier: MIT
// A model that predicts whether an operation reaches a goal, learnt from a stream of events. It has temporal links from
// events over operations to goals, and the attention to events that predicts outcomes best.
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

/// Number of an operation, counted from 0.
using OperationId = std::uint32_t;

/// An event before an operation. Eligibility measures how recent the event is: it decays exponentially with the cycles
/// from the event to the operation.
struct EventTrace {
  EventKind kind = 0;
  double eligibility = 1;  // in (0, 1]
  bool passed = false;     // whether the filter passed the event on to the reasoner
};

/// A training example of an OutcomeModel: an operation that was done for a goal, the situation before it, and whether
/// the goal was reached.
struct Experience {
  std::span<const EventTrace> situation;  // the events before the operation, each kind once, ascending
  OperationId operation = 0;
  EventKind goal = 0;
  bool reached = false;
  double weight = 1;  // weight of this example as evidence, in (0, 1]; smaller for a later success
};

/// Sizes and rates of an OutcomeModel. The rates were chosen on worlds whose seeds no figure uses.
struct OutcomeOptions {
  std::size_t operations = 10;  // number of operations; examples of others are ignored; ONA's OPERATIONS_MAX
  std::size_t goals = 16;       // most goals; examples of further goals are ignored
  double caution = 0.5;  // kappa: amount of evidence for the base rate that every link starts with, > 0
  double fade = 0.1;     // share of the old evidence of a link that each new example removes, in [0, 1)
  double share = 0.003;  // share of attention spread equally at each use, in [0, 1); lets attention shift
};

/// The content of an OutcomeModel, with terms instead of numbers, for storage.
struct LearntOutcomes {
  static constexpr std::size_t most_events = 10'000;  // most events per goal: those with the largest |score|

  /// The data of one event for one goal. See OutcomeModel for the symbols.
  struct Event {
    std::string term;
    double score = 0;                       // score s_e of attention
    std::vector<double> evidence, reached;  // evidence n_ea, and its successful part w_ea, by operation
  };
  /// The data of one goal. See OutcomeModel for the symbols.
  struct Goal {
    std::string term;
    double base_score = 0;                  // score s_0 of "no event"
    std::vector<double> evidence, reached;  // N_a and W_a, by operation
    std::vector<Event> events;
  };
  std::vector<Goal> goals;
};

/// Predicts the probability that an operation a reaches a goal g in a situation, which is the set of recent events. All
/// data below belong to the goal g. When an operation's outcome is known, r is 1 if it reached the goal and else 0, and
/// x is the eligibility of event e times the weight of the example:
///   links       n_ea <- (1 - fade) n_ea + x,   w_ea <- (1 - fade) w_ea + x r      evidence for <(e &/ a) =/> g>
///   base rate   N_a, W_a in the same way, for all situations;   b_a = (W_a + 1/2) / (N_a + 1)
///   link rate   p_ea = (w_ea + kappa b_a) / (n_ea + kappa)
///   attention   alpha_e ~ (eligibility of e) exp(s_e); alpha_0 ~ exp(s_0) for "no event"; their sum is 1
///   prediction  P_a = sum_e alpha_e p_ea + alpha_0 b_a
///   scores      s_e <- s_e + x (log p_ea(r) - log P_a(r)) before the evidence counts, with p(r) the probability of
///               outcome r; s_0 in the same way with x = 1; then each e^s <- (1 - share x) e^s + share x (mean of e^s
///               over the situation, weighted by x)
/// Here n_ea is the evidence of the link from e over a to g, and w_ea its successful part. b_a is the success rate of a
/// in all situations, p_ea its success rate after e, and P_a the prediction. fade, kappa and share are options.
/// Attention is a Bayesian mixture of the links whose event is in the situation. An event gains score if it predicts
/// the outcome better than the mixture. An event that merely accompanies a better predictor gains nothing. Without
/// sharing, the log-loss of P over any sequence exceeds the log-loss of the best event by at most log(events + 1).
/// Sharing keeps the weight of every event above 0, so that attention follows when another event becomes the best.
/// Source  specialists: Freund, Schapire, Singer and Warmuth 1997, "Using and combining predictors that specialize";
///         sharing: Herbster and Warmuth 1998, "Tracking the best expert"
class OutcomeModel {
 public:
  /// Errors  std::invalid_argument for options outside their ranges
  explicit OutcomeModel(const OutcomeOptions& options = {});

  /// Learns from the known outcome of an operation. Ignores goals and operations beyond the limits.
  /// Cost  O(situation)
  void learn(const Experience& experience);
  /// Attention score s_e of an event for a goal: larger scores get more attention. The score of an unknown event is 0.
  double attention(EventKind goal, EventKind kind) const;
  /// Information of an event about a goal, in nats: sum over operations a of n_ea KL(p_ea || b_a). It is large if the
  /// success rates p_ea after the event differ from the base rates b_a, with much evidence n_ea.
  double information(EventKind goal, EventKind kind) const;
  /// Predicted probability that the operation reaches the goal in this situation.  Cost  O(situation)
  double prediction(EventKind goal, std::span<const EventTrace> situation, OperationId operation) const;
  /// Success rate p_ea of the operation after the event, for the goal. For an unknown event, the base rate.
  double link(EventKind goal, EventKind kind, OperationId operation) const;
  /// Base rate b_a: success rate of the operation for the goal in all situations. It is 1/2 for an unknown goal or
  /// operation.
  double base_rate(EventKind goal, OperationId operation) const;
  /// Truth value of the link <(event &/ operation) =/> goal>: frequency w_ea / n_ea and confidence n_ea / (n_ea + 1).
  /// The confidence of an unknown link is 0.
  narsese::TruthValue truth(EventKind goal, EventKind kind, OperationId operation) const;

  /// All goals that have examples, ascending.
  std::vector<EventKind> goals() const;

  /// A temporal link <(kind &/ operation) =/> goal> with its truth value, and the attention score of its event.
  struct Link {
    EventKind kind = 0, goal = 0;
    OperationId operation = 0;
    narsese::TruthValue truth;
    double attention = 0;
  };
  /// Returns at most `most` links with at least `least_evidence`, sorted by attention, then by confidence.
  /// Cost  O(kinds goals operations)
  std::vector<Link> links(std::size_t most, double least_evidence = 1) const;

  /// Removes all data about these kinds, as events and as goals, because their numbers will be reused.
  void forget(std::span<const EventKind> kinds);

  /// Returns the content, for storage. `term` must return the term of a number.
  LearntOutcomes learnt(const std::function<std::string(EventKind)>& term) const;
  /// Replaces the content by a stored one. `kind` must return the number of a term.
  /// Errors  std::invalid_argument, without a change, for too many goals, another number of operations, or evidence and
  ///         scores that no sequence of examples can produce
  void restore(const LearntOutcomes& learnt, const std::function<EventKind(const std::string&)>& kind);
  std::size_t bytes() const;
  const OutcomeOptions& options() const { return options_; }

 private:
  // The data of one goal. The row of a kind has s_e, then n_ea by operation, then w_ea by operation.
  struct Goal {
    double base_score = 0;       // s_0
    std::vector<double> totals;  // N_a by operation, then W_a by operation
    KindRows rows;
  };
  const Goal* find_goal(EventKind kind) const;
  const double* row_of(EventKind goal, EventKind kind) const;  // null for an unknown goal or event
  Goal* find_or_add_goal(EventKind kind);                      // null if there are too many goals
  double base_rate(const Goal& goal, OperationId operation) const;
  double link_rate(const double* row, OperationId operation, double base_rate) const;
  void share_attention(Goal& goal, const Experience& experience) const;
  double attend(const Goal& goal, std::span<const EventTrace> situation, std::vector<double>& weights) const;

  OutcomeOptions options_;
  std::map<EventKind, Goal> goals_;
  std::vector<double> weights_;  // attention weights of the current situation
};

}  // namespace engram::core
