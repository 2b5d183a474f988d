// SPDX-License-Identifier: MIT
// What operations come to, as learnt from the stream: temporal links from events over operations to goals, and the
// attention to events that predicts outcomes best.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/events/event_policy.hpp"
#include "core/events/kind_rows.hpp"
#include "core/events/learnt_outcomes.hpp"
#include "narsese/truth_value.hpp"

namespace engram::core {

/// What it tells apart, and how fast it gives up what it has learnt. Chosen on worlds whose seeds no figure uses.
struct OutcomeOptions {
  std::size_t operations = 10;  // that are told apart; of others nothing is learnt. ONA's OPERATIONS_MAX
  std::size_t goals = 16;       // the same
  double caution = 0.5;         // kappa: evidence as what operations come to on the whole, > 0
  double fade = 0.1;            // of a link's evidence, at each of its uses, in [0, 1): that much is new
  double share = 0.003;  // of attention, spread anew over what is there, in [0, 1): what matters may change
};

/// For goal g, with r in {0, 1} whether it was reached, x the eligibility of event e (times the weight of the evidence):
///   links       n_ea <- (1 - fade) n_ea + x,   w_ea <- (1 - fade) w_ea + x r      evidence for <(e &/ a) =/> g>
///   on the whole N_a, W_a likewise;   b_a = (W_a + 1/2) / (N_a + 1)
///   a link says p_ea = (w_ea + kappa b_a) / (n_ea + kappa)
///   attention   alpha_e = softmax of scores s over the situation's events and "nothing of it" (score s_0, says b_a)
///   prediction  P_a = sum_e alpha_e p_ea + alpha_0 b_a
///   scores      s_e <- s_e + x (log p_ea(r) - log P_a(r)) before the evidence counts, s_0 likewise with x = 1; then each
///               e^s <- (1 - share x) e^s + share x (mean of e^s over what is there, by x)
/// So attention is a Bayesian mixture of links of which those take part whose event is there: an event gains what it
/// foretells better than all that is attended to now, and what happened to be there with a better one gains nothing.
/// Without sharing, over any sequence the log-loss of P exceeds that of the best event, where it is there, by no more than
/// log(events + 1). What is shared keeps every event within reach, so that attention follows when another becomes the best.
/// Source  specialists: Freund, Schapire, Singer and Warmuth 1997, "Using and combining predictors that specialize";
///         sharing: Herbster and Warmuth 1998, "Tracking the best expert"
class OutcomeModel {
 public:
  /// Errors  std::invalid_argument outside the ranges
  explicit OutcomeModel(const OutcomeOptions& options = {});

  /// Cost  O(situation)
  void learn(const Experience& experience);
  /// s_e; 0 of what is not known.
  double attention(EventKind goal, EventKind kind) const;
  /// sum_a n_ea KL(p_ea || b_a) in nats: what its links say beyond what operations come to on the whole.
  double information(EventKind goal, EventKind kind) const;
  /// P_a of these events.  Cost  O(situation)
  double prediction(EventKind goal, std::span<const EventTrace> situation, OperationId operation) const;
  /// p_ea; b_a of what is not known.
  double link(EventKind goal, EventKind kind, OperationId operation) const;
  /// b_a.
  double on_the_whole(EventKind goal, OperationId operation) const;
  /// (w_ea / n_ea, n_ea / (n_ea + 1)) of <(e &/ a) =/> g>; confidence 0 of what is not known.
  narsese::TruthValue truth(EventKind goal, EventKind kind, OperationId operation) const;

  /// Goals that something was learnt of, ascending.
  std::vector<EventKind> goals() const;

  /// A link, for people and for a NARS.
  struct Link {
    EventKind kind = 0, goal = 0;
    OperationId operation = 0;
    narsese::TruthValue truth;
    double attention = 0;
  };
  /// Links of most attention, then confidence, with at least so much evidence.  Cost  O(kinds goals operations)
  std::vector<Link> links(std::size_t most, double least_evidence = 1) const;

  /// What was learnt of them, as events and as goals, is gone.
  void forget(std::span<const EventKind> kinds);

  /// What was learnt, and a model that has learnt it, by the terms of numbers and the numbers of terms.
  LearntOutcomes learnt(const std::function<std::string(EventKind)>& term) const;
  /// Errors  std::invalid_argument, and nothing has changed: for more goals than are told apart, another number of
  ///         operations, or numbers that no experience leads to
  void become(const LearntOutcomes& learnt, const std::function<EventKind(const std::string&)>& kind);
  std::size_t bytes() const;
  const OutcomeOptions& options() const { return options_; }

 private:
  // Of one goal. Row of a kind: s, then n, then w by operation.
  struct Goal {
    double nothing = 0;          // s_0
    std::vector<double> of_all;  // N, then W by operation
    KindRows rows;
  };
  const Goal* goal(EventKind kind) const;
  Goal* learnt_goal(EventKind kind);
  double on_the_whole(const Goal& goal, OperationId operation) const;
  double says(const double* row, OperationId operation, double on_the_whole) const;
  void share(Goal& goal, const Experience& experience) const;
  double attend(const Goal& goal, std::span<const EventTrace> situation, std::vector<double>& weights) const;

  OutcomeOptions options_;
  std::map<EventKind, Goal> goals_;
  std::vector<double> weights_;  // of the situation at hand
};

}  // namespace engram::core
