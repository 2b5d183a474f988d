// SPDX-License-Identifier: MIT
// Forgetting policies: which statements a full memory forgets, and a history of the forgotten statements with the
// reasons.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// Policies that select the statements a full memory keeps. Among equals, the statement with the earlier first input
/// stays.
///   none      forgets nothing: a full memory rejects new statements
///   learnt    keeps the statements with the largest worth, learnt from what recurs (StatementBudgets)
///   recent    keeps the statements that were input last
///   frequent  keeps the statements that were input most often, and the latest of equals
///   useful    keeps the largest usefulness by ONA's formula (core/budgets/nars_budgets.hpp); a use is an input
///   evidence  keeps the statements with the most evidence, decayed to now
///   random    keeps a random choice; use it as a baseline
enum class ForgettingPolicy : std::uint8_t { none, learnt, recent, frequent, useful, evidence, random };
inline constexpr std::array<NamedValue<ForgettingPolicy>, 7> forgetting_policies{{
    {ForgettingPolicy::none, "none"},
    {ForgettingPolicy::learnt, "learnt"},
    {ForgettingPolicy::recent, "recent"},
    {ForgettingPolicy::frequent, "frequent"},
    {ForgettingPolicy::useful, "useful"},
    {ForgettingPolicy::evidence, "evidence"},
    {ForgettingPolicy::random, "random"},
}};

inline constexpr std::array<NamedValue<ForgettingReason>, 5> forgetting_reasons{{
    {ForgettingReason::concepts, "concepts"},
    {ForgettingReason::links, "links"},
    {ForgettingReason::statements, "statements"},
    {ForgettingReason::bytes, "bytes"},
    {ForgettingReason::decayed, "decayed"},
}};

/// Options of Forgetting: the policy, and how much to forget at a time.
struct ForgettingOptions {
  ForgettingPolicy policy = ForgettingPolicy::none;
  /// Share of the statements that one run of forgetting removes (at least one statement); in (0, 1]. A run costs about
  /// as much as input of the kept statements. Because a run removes a share, the amortised cost of an input does not
  /// depend on the size of the memory. Chosen: with 1/3, an input costs about 1.5 times as much as without a limit.
  double share = 1.0 / 3;
  /// Evidence below this amount counts as decayed, and is removed. Chosen: 1e-6, which is also about its confidence.
  double least_evidence = 1e-6;
};

/// A worth of items that is linear in their features: w x with features x, and weights w learnt online. Training pairs
/// an item x that recurred with an item y that could have recurred but did not.
/// Logistic model: P(x recurred and not y) = 1 / (1 + exp(-w (x - y))). A pair moves w up the gradient of log P by
/// AdaGrad. The first weight is fixed, because it sets the scale. If it were learnt, it could approach 0 while the
/// scale of the other weights is arbitrary, and items with equal other features would be kept at random.
/// Source  pairwise ranking: Rendle et al. 2009, "BPR"; AdaGrad: Duchi, Hazan and Singer 2011
struct LearntWorth {
  static constexpr std::size_t features = 3;
  using Features = std::array<double, features>;

  /// The worth of an item: the inner product of weights and features.
  double of(const Features& x) const;
  /// Learns from a pair of items: increases the worth of the item that recurred relative to the other.
  void learn(const Features& recurred, const Features& other);

  Features weights{};
  Features squares{};  // sums of squared gradients, for AdaGrad
};

/// Worths of statements for the policy `learnt`: statements that are likely to recur get a larger worth. The weights u
/// and v are learnt online from which concepts and statements recur:
///   b_i = u (log2(1 + age_i), log2(1 + activity_i), log2(1 + links_i))           worth of concept i
///   b_e = v (log2(1 + age_e), log2(1 + times_e), mean of b_i over its concepts)  worth of statement e
/// Here the age is the number of cycles since the last activity or input, and times_e the number of inputs. An input
/// that names a known concept trains u with this concept and another one that the input does not name. A repeated
/// statement trains v with this statement and another one.
/// Both weights start as recency: worth falls with age. A learnt weight is the number of doublings of age that a
/// doubling of its feature offsets. The weight v of the mean stays at least 0, because a negative one would reverse u's
/// weight of age. The logarithm is piecewise linear between powers of two, and so identical on every machine.
class StatementBudgets {
 public:
  StatementBudgets();

  /// Learns from a sentence. Call it before the memory accepts the sentence. Only one sentence in `every` is used.
  /// Cost  O(active concepts) for a sentence that is used
  void learn(const Memory& memory, const narsese::Sentence& next);
  /// Returns the worth of each statement. Statements with the smallest worth should go first.
  /// Cost  O(concepts and statements)
  std::vector<double> worths(const Memory& memory) const;

  static constexpr Time every = 4;                    // chosen: as good as 1, in a quarter of the time
  static constexpr std::size_t mean_of_concepts = 2;  // index of the mean in the features of a statement
  LearntWorth of_concepts, of_statements;
};

/// A record of one run of forgetting: its time, its reason, and what it removed.
struct ForgettingEvent {
  Time when = 0;
  ForgettingReason reason = ForgettingReason::statements;
  std::size_t statements = 0, concepts = 0, links = 0;  // numbers of removed items
  std::size_t left = 0;                                 // number of remaining statements
  std::vector<std::string> examples;                    // some removed statements, the latest ones
};

/// The history of forgetting: totals since the memory was created, and the latest runs.
struct ForgettingHistory {
  std::array<std::uint64_t, forgetting_reasons.size()> times{};  // number of runs, by reason
  std::uint64_t statements = 0, concepts = 0, links = 0;
  Time last = 0;                       // time of the last check for decayed evidence
  std::uint64_t left = 0;              // number of statements after that check
  std::deque<ForgettingEvent> recent;  // latest runs, in order of time

  static constexpr std::size_t most_recent = 16, most_examples = 5;  // chosen
};

/// The statements and links to keep, as flags by their numbers: the arguments of Memory::keep().
struct Kept {
  std::vector<bool> statements, links;
};

/// A forgetting policy with its state. It learns from input, selects what a full memory keeps, and records each run.
/// The owner of the memory calls choose() when a limit is reached, and passes the result to Memory::keep().
class Forgetting {
 public:
  /// Errors  std::invalid_argument outside the ranges of the options
  explicit Forgetting(ForgettingOptions options = {});

  const ForgettingOptions& options() const { return options_; }
  bool is_on() const { return options_.policy != ForgettingPolicy::none; }
  /// Trains the policy `learnt` with a sentence. Call it before the memory accepts the sentence.
  void learn(const Memory& memory, const narsese::Sentence& next) {
    if (options_.policy == ForgettingPolicy::learnt) state_.budgets.learn(memory, next);
  }
  /// Undoes learn() after the memory rejected the sentence. `budgets` is the state before learn().
  void restore_budgets(const StatementBudgets& budgets) { state_.budgets = budgets; }
  /// Whether a check for decayed evidence is due. A check is due if the cycles since the last one are at least 1,000,
  /// and at least the number of statements that remained then.
  bool is_due(const Memory& memory) const;
  /// Selects what to keep when `reason` requires forgetting. Returns nothing if everything can stay.
  /// Cost  O(memory)
  std::optional<Kept> choose(const Memory& memory, ForgettingReason reason) const;
  /// Records that the memory was checked for decayed evidence in its current cycle.
  void mark_checked(const Memory& memory) {
    state_.so_far.last = memory.now();
    state_.so_far.left = memory.statements().size();
  }
  /// Adds a run to the history, which keeps the latest ForgettingHistory::most_recent runs and the totals.
  void record(ForgettingEvent event);

  /// The state, for storage. restore() continues from it.
  struct State {
    StatementBudgets budgets;
    ForgettingHistory so_far;
  };
  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

 private:
  std::vector<double> worths(const Memory& memory) const;

  ForgettingOptions options_;
  State state_;
};

}  // namespace engram::core
