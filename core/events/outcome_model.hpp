// SPDX-License-Identifier: MIT
// A model that predicts whether an operation reaches a goal, learnt from a stream of events. It has temporal links from
// events and patterns of events over operations to goals, and the attention to patterns that predicts outcomes best.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/events/event_kinds.hpp"
#include "core/events/event_pattern.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

/// Number of an operation, counted from 0.
using OperationId = std::uint32_t;

/// An event before an operation. Eligibility measures how recent the event is: it decays exponentially with the cycles
/// from the event to the operation. The model reads the order of events from it.
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
  std::size_t most_together = 3;  // most events in a pattern, 1 to 4; 1: single events only
  double by_operation = 0.37;     // beta: prior weight of attention for one operation, >= 0; 0: none
  double together = 0.05;         // gamma: prior weight of a pattern per event after the first, in (0, 1]
  std::size_t patterns = 8192;    // most patterns of several events per goal, at least 16
  double false_discoveries =
      0.05;  // alpha: largest expected share of false ones among known links, in (0, 1)
};

/// The content of an OutcomeModel, with terms instead of numbers, for storage.
struct LearntOutcomes {
  static constexpr std::size_t most_events =
      10'000;  // most patterns per goal: those with the largest |score|

  /// The data of one pattern for one goal. See OutcomeModel for the symbols.
  struct Event {
    std::vector<std::string> terms;         // of the events, in order of time
    std::uint8_t later = 0;                 // EventPattern::later
    double score = 0;                       // score s_e of attention
    std::vector<double> evidence, reached;  // evidence n_ea, and its successful part w_ea, by operation
    std::vector<double> scores;             // s_ea, by operation; empty: all 0
    std::vector<double> tests;              // log e-values, by part; empty: all 0
    double times = 0;                       // examples with the pattern
    double best = 0;  // largest score of a pattern with this event when it occurred last
  };
  /// The data of one goal. See OutcomeModel for the symbols.
  struct Goal {
    std::string term;
    double base_score = 0;                  // score s_0 of "no event"
    std::vector<double> evidence, reached;  // N_a and W_a, by operation
    std::vector<double> scores;             // s_0a, by operation; empty: all 0
    double examined = 0;                    // patterns of several events ever examined
    std::vector<Event> events;
  };
  std::vector<Goal> goals;
};

/// Predicts the probability that an operation a reaches a goal g in a situation, which is the set of recent events. All
/// data below belong to the goal g. e is a single event or a pattern of several events; it is awake if all its events
/// are in the situation. When an operation's outcome is known, r is 1 if it reached the goal and else 0, and x is the
/// eligibility of e (of its oldest event) times the weight of the example:
///   links       n_ea <- (1 - fade) n_ea + x,   w_ea <- (1 - fade) w_ea + x r      evidence for <(e &/ a) =/> g>
///   base rate   N_a, W_a in the same way, for all situations;   b_a = (W_a + 1/2) / (N_a + 1)
///   link rate   p_ea = (w_ea + kappa b_a) / (n_ea + kappa)
///   prior       pi_e = gamma^(events of e - 1)
///   attention   alpha_e ~ (eligibility of e) pi_e (exp(s_e) + beta exp(s_ea)), for "no event" exp(s_0) + beta exp(s_0a);
///               their sum is 1
///   prediction  P_a = sum_e alpha_e p_ea + alpha_0 b_a
///   scores      s_e <- s_e + x (log p_ea(r) - log P_a(r)),   s_ea in the same way
///   sharing     e^s <- (1 - share x) e^s + share x m   for each of these scores s
/// Here n_ea is the evidence of the link from e over a to g, and w_ea its successful part. b_a is the success rate of a
/// in all situations, and p_ea its success rate after e. P_a is the prediction. Greek letters, fade and share are
/// options. p(r) is the probability of outcome r, computed before the example counts as evidence. The scores s_0 and
/// s_0a of "no event" change in the same way, with b_a as rate and eligibility 1. m is the mean of e^s over all awake
/// scores, weighted by x and prior.
///
/// Attention is a Bayesian mixture of the links that are awake. s_e is for one e that matters for all operations, s_ea
/// for an e that matters for operation a. A pattern gains score if it predicts the outcome better than the mixture. An
/// event that merely accompanies a better predictor gains nothing. Without sharing, the log-loss of P exceeds that of e
/// by at most log(Z / pi_e), if e is awake in all examples with x = 1. Z is the sum of the priors of all scores. The
/// prior of s_e is pi_e, that of s_ea is beta pi_e. For the scores of "no event", pi is 1.
///
/// Patterns of two events are examined among the sqrt(8 n + 2048) of the n events in a situation with the largest
/// 4 (score) + log(1 + examples), where an event has the score of the best pattern that it belongs to. So up to 49
/// events all pairs are examined. Larger patterns grow from the eight best patterns that gained more than 1, by one of
/// the twelve best events.
///
/// Knowledge is tested apart from the mixture, because evidence that fades cannot be tested. The tested hypothesis is
/// that e does not matter: e is as frequent in the successes of an operation as in its failures. The test computes an
/// e-value E.
///   E = product over operations of KT(e in the successes) KT(e in the failures) / ML(e in both)
/// KT is the probability of a sequence by the Krichevsky-Trofimov mixture of Bernoulli rates. ML is its probability by
/// the best rate. E has an expectation of at most 1 if each example has e with the same probability, whatever its
/// outcome.
///   patterns    Each event of a pattern has an e-value, from the examples that have all other events of the pattern.
///               The smallest one is the e-value of the pattern. It is 1 if examples of the pattern may be missing: for
///               more than two events, after a situation with more than 49 events, and after an eviction of patterns.
///   restarts    Counts restart after 48 successes and 48 failures, after 1,024 examples, and after forget(). From then
///               on, E is the mean of two e-values: the one of the examples since the restart, and the value of E at
///               the restart. Old evidence thus loses half its weight at each restart, and a change of the world can
///               withdraw knowledge.
///   known       A link is known if the e-Benjamini-Hochberg procedure over all examined patterns discovers its e.
///               Under any dependence between the tests, the expected share of false ones is at most
///               `false_discoveries`.
/// Source  specialists: Freund, Schapire, Singer and Warmuth 1997, "Using and combining predictors that specialize";
///         sharing: Herbster and Warmuth 1998, "Tracking the best expert"; tests: Wasserman, Ramdas and Balakrishnan
///         2020, "Universal inference"; Wang and Ramdas 2022, "False discovery rate control with e-values"
class OutcomeModel {
 public:
  /// Errors  std::invalid_argument for options outside their ranges
  explicit OutcomeModel(const OutcomeOptions& options = {});

  /// Learns from the known outcome of an operation. Ignores goals and operations beyond the limits.
  /// Cost  O(situation (operations + log situation)), amortised; O(all patterns operations) when counts restart
  void learn(const Experience& experience);
  /// Attention score of a pattern for a goal, the largest of s_e and s_ea + log beta, plus log pi_e: larger scores get
  /// more attention. The score of an unknown single event is 0.
  double attention(EventKind goal, const EventPattern& pattern) const;
  double attention(EventKind goal, EventKind kind) const { return attention(goal, EventPattern(kind)); }
  /// Information of an event about a goal, in nats: sum over operations a of n_ea KL(p_ea || b_a). It is large if the
  /// success rates p_ea after the event differ from the base rates b_a, with much evidence n_ea.
  double information(EventKind goal, EventKind kind) const;
  /// Predicted probability that the operation reaches the goal in this situation.
  /// Cost  O(situation (operations + log situation))
  double prediction(EventKind goal, std::span<const EventTrace> situation, OperationId operation) const;

  /// What the model expects of an operation in a situation.
  struct Outlook {
    double success = 0.5;       // the prediction P_a
    EventPattern attended;      // the pattern with the largest alpha_e, or none for "no event"
    double attention = 0;       // its alpha_e
    narsese::TruthValue truth;  // of its link
    bool known = false;         // whether its link is known
    bool done = false;          // whether the operation was ever done for the goal
  };
  /// The outlook of all operations, by number.  Cost  O(situation operations)
  std::vector<Outlook> outlook(EventKind goal, std::span<const EventTrace> situation) const;

  /// The patterns that are awake in a situation with their scores of attention, by operation.
  struct Attention {
    std::vector<EventPattern> patterns;  // single events in order of kind, then patterns that the model knows
    std::vector<OperationId> operations;  // those that were done for the goal
    std::vector<std::vector<double>>
        scores;                   // by operation, then by pattern: max(s_e, s_ea + log beta) + log pi_e
    std::vector<double> nothing;  // by operation: the score of "no event", max(s_0, s_0a + log beta)
  };
  /// Attention in a situation. No operations for an unknown goal.  Cost  O(situation operations)
  Attention attention(EventKind goal, std::span<const EventTrace> situation) const;

  /// Success rate p_ea of the operation after the pattern, for the goal. For an unknown pattern, the base rate.
  double link(EventKind goal, const EventPattern& pattern, OperationId operation) const;
  double link(EventKind goal, EventKind kind, OperationId operation) const {
    return link(goal, EventPattern(kind), operation);
  }
  /// Base rate b_a: success rate of the operation for the goal in all situations. It is 1/2 for an unknown goal or
  /// operation.
  double base_rate(EventKind goal, OperationId operation) const;
  /// Truth value of the link <(e &/ operation) =/> goal>: frequency w_ea / n_ea and confidence n_ea / (n_ea + 1).
  /// The confidence of an unknown link is 0.
  narsese::TruthValue truth(EventKind goal, const EventPattern& pattern, OperationId operation) const;
  narsese::TruthValue truth(EventKind goal, EventKind kind, OperationId operation) const {
    return truth(goal, EventPattern(kind), operation);
  }
  /// The frequency of the link from evidence that fades by 0.01 only, so it amounts to 100 examples. A reasoner with a
  /// largest confidence of 0.99 believes about this frequency.
  double long_run_frequency(EventKind goal, const EventPattern& pattern, OperationId operation) const;
  /// The e-value of a pattern against "it does not matter for the goal". Under that hypothesis its expectation is at
  /// most 1, so it exceeds c with a probability of at most 1 / c.
  double evidence_against_chance(EventKind goal, const EventPattern& pattern) const;

  /// All goals that have examples, ascending.
  std::vector<EventKind> goals() const;

  /// A temporal link <(pattern &/ operation) =/> goal> with its truth value, and the attention score of its pattern.
  struct Link {
    EventPattern pattern;
    EventKind goal = 0;
    OperationId operation = 0;
    narsese::TruthValue truth;
    double attention = 0;
  };
  /// Returns at most `most` known links with at least `least_evidence`, sorted by attention, then by confidence. Leaves
  /// out a link if its rate is within 0.1 of the base rate, and all operations after its pattern succeed equally often,
  /// within 0.1.
  /// Cost  O(tested patterns operations)
  std::vector<Link> links(std::size_t most, double least_evidence = 1) const;

  /// Removes all data about these kinds (ascending), as events and as goals, because their numbers will be reused.
  void forget(std::span<const EventKind> kinds);

  /// Returns the content, for storage. `term` must return the term of a number.
  LearntOutcomes learnt(const std::function<std::string(EventKind)>& term) const;
  /// Replaces the content by a stored one. `kind` must return the number of a term. Patterns that are larger or more
  /// than the options allow are left out.
  /// Errors  std::invalid_argument, without a change, for too many goals, another number of operations, or evidence and
  ///         scores that no sequence of examples can produce
  void restore(const LearntOutcomes& learnt, const std::function<EventKind(const std::string&)>& kind);
  std::size_t bytes() const;
  const OutcomeOptions& options() const { return options_; }

 private:
  // Number of a row: a kind for a single event, and first_slot + slot for a pattern of several events.
  using RowId = std::uint32_t;
  static constexpr RowId first_slot = 0x8000'0000, no_row = 0xFFFF'FFFF;

  // The data of one goal. Scores leave out the prior, so the row of an unknown pattern has only zeros. The columns of a
  // row are, in order:
  //   * s_e, then s_ea, n_ea and w_ea for each operation;
  //   * the number of examples, and the score of the best pattern with this event;
  //   * the log e-value at the last restart, for each event of the pattern;
  //   * the failures, then the successes with e since that restart, for each operation;
  //   * n_ea and w_ea with slow fading, for each operation.
  struct Goal {
    std::vector<double> base;         // s_0, then s_0a by operation
    std::vector<double> totals;       // N_a by operation, then W_a by operation
    KindRows rows;                    // by kind
    KindRows pattern_rows;            // by slot
    std::vector<EventPattern> slots;  // of size 0 if free
    std::vector<std::uint32_t> free_slots;
    std::unordered_map<EventPattern, std::uint32_t, EventPatternHash> places;  // slots; never iterated
    double singles = 0, examined = 0;  // numbers of single events and of patterns ever examined
    std::vector<double> counts;        // failures, then successes by operation since the last restart
    bool has_restarted = false;
    bool is_complete = true;    // whether all pairs of events were examined since the last restart
    std::set<RowId> promising;  // rows that a test may discover
  };
  struct AwakeRow {
    EventPattern pattern;
    RowId id = no_row;
    double eligibility = 0;
  };

  std::size_t width() const { return 3 + 7 * options_.operations + EventPattern::most; }
  std::size_t at_evidence() const { return 1 + options_.operations; }
  std::size_t at_reached() const { return 1 + 2 * options_.operations; }
  std::size_t at_times() const { return 1 + 3 * options_.operations; }
  std::size_t at_best() const { return at_times() + 1; }
  std::size_t at_tests() const { return at_times() + 2; }
  std::size_t at_counts() const { return at_tests() + EventPattern::most; }
  std::size_t at_slow() const { return at_counts() + 2 * options_.operations; }
  double log_prior(const EventPattern& pattern) const { return log_together_ * (pattern.size - 1); }
  const Goal* find_goal(EventKind kind) const;
  Goal* find_or_add_goal(EventKind kind);  // null if there are too many goals
  RowId find_row(const Goal& goal, const EventPattern& pattern) const;
  const double* row(const Goal& goal, RowId id) const;
  double* row(Goal& goal, RowId id) const;
  const double* row_of(EventKind goal,
                       const EventPattern& pattern) const;  // null for an unknown goal or pattern
  EventPattern pattern_of(const Goal& goal, RowId id) const;
  RowId add_pattern(Goal& goal, const EventPattern& pattern) const;
  void evict_patterns(Goal& goal) const;
  void remove_slot(Goal& goal, std::uint32_t slot) const;
  double base_rate(const Goal& goal, OperationId operation) const;
  double link_rate(const double* row, OperationId operation, double base_rate) const;
  double gain(const double* row) const;
  double highest_score(const Goal& goal, std::span<const AwakeRow> awake, OperationId operation) const;
  void find_awake(const Goal& goal, std::span<const EventTrace> situation,
                  std::vector<AwakeRow>& awake) const;
  double attend(const Goal& goal, std::span<const AwakeRow> awake, OperationId operation,
                std::vector<double>& weights) const;
  void share_attention(Goal& goal, const Experience& experience);
  void count(Goal& goal, const Experience& experience);
  void restart_counts(Goal& goal) const;
  double log_evidence(const Goal& goal, RowId id) const;
  double log_evidence(const Goal& goal, const double* row, const EventPattern& pattern,
                      std::size_t part) const;
  std::vector<RowId> known_rows(const Goal& goal) const;

  OutcomeOptions options_;
  double log_together_, log_by_operation_;
  std::array<double, EventPattern::most> priors_{1};  // pi by the number of events, less 1
  std::vector<double> zeros_;                         // row of an unknown pattern
  std::map<EventKind, Goal> goals_;
  std::vector<AwakeRow> awake_;  // of the current example
  std::vector<double> weights_;  // buffer: alpha_e in learn(), e^s in share_attention()
};

}  // namespace engram::core
