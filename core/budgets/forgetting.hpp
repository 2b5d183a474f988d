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

/// The statements that a full memory keeps. Among equals, it keeps the one whose first input was earlier.
///   none      forgets nothing: a full memory rejects new statements
///   learnt    keeps the largest learnt budgets (StatementBudgets)
///   recent    keeps the statements input last
///   frequent  keeps the statements input most often, then last
///   useful    keeps the largest usefulness by ONA's formula (core/budgets/nars_budgets.hpp); a use is an input
///   evidence  keeps the most evidence, decayed to now
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

/// The policy and the amounts of forgetting.
struct ForgettingOptions {
  ForgettingPolicy policy = ForgettingPolicy::none;
  /// Share of the statements to forget at a time, at least one statement; in (0, 1]. Forgetting costs
  /// about the same as input of the kept statements. With a share, the amortised cost of an input does not depend on
  /// the size of the memory. Chosen: with 1/3, input costs about 1.5 times the cost without a limit.
  double share = 1.0 / 3;
  /// Evidence below this counts as decayed. Chosen: 1e-6, a confidence of about 1e-6.
  double least_evidence = 1e-6;
};

/// A linear worth with weights learnt online from pairs: an item that recurred, and another that could have.
/// Logistic model: P(x recurred and not y) = 1 / (1 + exp(-w (x - y))); w climbs the gradient of log P by AdaGrad.
/// The first weight is fixed and sets the scale. If it were learnt, it could approach 0 while the scale of the other
/// weights is arbitrary, and items with equal other features would be kept at random.
/// Source  pairwise ranking: Rendle et al. 2009, "BPR"; AdaGrad: Duchi, Hazan and Singer 2011
struct LearntWorth {
  static constexpr std::size_t features = 3;
  using Features = std::array<double, features>;

  /// Weights times features.
  double of(const Features& x) const;
  /// Moves the weights so that the item that recurred gains worth relative to the other.
  void learn(const Features& recurred, const Features& other);

  Features weights{};
  Features squares{};  // sums of squared gradients
};

/// Budgets of statements, learnt online from which concepts and statements recur:
///   b_i = u (log2(1 + age_i), log2(1 + activity_i), log2(1 + links_i))       for a concept
///   b_e = v (log2(1 + age_e), log2(1 + times_e), mean of b_i over its concepts)  for a statement
/// The age is the number of cycles since the last activity or input. An input that names a known concept trains u
/// with a concept it does not name. A repeated statement trains v with another statement.
/// Both start as recency: worth falls with age. A learnt weight is the number of doublings of age that a doubling of
/// its feature offsets. The bound v >= 0 for the mean keeps u's weight of age from being reversed.
/// The logarithm is piecewise linear between powers of two, and so identical on every machine.
class StatementBudgets {
 public:
  StatementBudgets();

  /// Learns from a sentence before the memory accepts it. Uses one sentence in `every`.  Cost  O(active concepts) then
  void learn(const Memory& memory, const narsese::Sentence& next);
  /// The worth of each statement.  Cost  O(concepts and statements)
  std::vector<double> worths(const Memory& memory) const;

  static constexpr Time every = 4;                    // chosen: equally good weights in a quarter of the time
  static constexpr std::size_t mean_of_concepts = 2;  // its place among a statement's features
  LearntWorth of_concepts, of_statements;
};

/// The effect of one run of forgetting.
struct ForgettingEvent {
  Time when = 0;
  ForgettingReason reason = ForgettingReason::statements;
  std::size_t statements = 0, concepts = 0, links = 0;  // removed
  std::size_t left = 0;                                 // statements
  std::vector<std::string> examples;                    // removed statements, the latest ones
};

/// Totals since the memory was created, and the latest events.
struct ForgettingHistory {
  std::array<std::uint64_t, forgetting_reasons.size()> times{};  // by reason
  std::uint64_t statements = 0, concepts = 0, links = 0;
  Time last = 0;                       // of the last check for decayed evidence
  std::uint64_t left = 0;              // statements at that check
  std::deque<ForgettingEvent> recent;  // the latest is the last

  static constexpr std::size_t most_recent = 16, most_examples = 5;  // chosen
};

/// The statements and links that Memory::keep() should keep.
struct Kept {
  std::vector<bool> statements, links;
};

/// A forgetting policy at work: learns from input, selects statements to keep, and records events.
class Forgetting {
 public:
  /// Errors  std::invalid_argument outside the ranges of the options
  explicit Forgetting(ForgettingOptions options = {});

  const ForgettingOptions& options() const { return options_; }
  bool is_on() const { return options_.policy != ForgettingPolicy::none; }
  /// Learns from a sentence before the memory accepts it.
  void learn(const Memory& memory, const narsese::Sentence& next) {
    if (options_.policy == ForgettingPolicy::learnt) state_.budgets.learn(memory, next);
  }
  /// Undoes learn() if the memory rejected the sentence; `budgets` is the state before.
  void restore_budgets(const StatementBudgets& budgets) { state_.budgets = budgets; }
  /// Whether to check for decayed evidence: if the cycles since the last check are at least 1,000 and at least the
  /// number of statements left then.
  bool is_due(const Memory& memory) const;
  /// Selects what to keep if `reason` requires forgetting; nothing if everything can stay.  Cost  O(memory)
  std::optional<Kept> choose(const Memory& memory, ForgettingReason reason) const;
  /// Notes that the memory was checked for decayed evidence now.
  void mark_checked(const Memory& memory) {
    state_.so_far.last = memory.now();
    state_.so_far.left = memory.statements().size();
  }
  /// Adds an event to the history, which keeps the last ForgettingHistory::most_recent events.
  void record(ForgettingEvent event);

  /// The state to store for another process.
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
