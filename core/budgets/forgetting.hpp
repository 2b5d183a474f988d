// SPDX-License-Identifier: MIT
// What a memory forgets that is full: which statements are worth least, by a policy, and why they went.
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

/// Which statements stay. Of as much worth, those stay that were said first.
///   none      nothing is forgotten: a full memory refuses what is new
///   learnt    those of the largest learnt budget (StatementBudgets)
///   recent    those said last
///   frequent  those said most often, then last
///   useful    those of the largest usefulness by ONA's formula (core/budgets/ona_control.hpp), their uses how often
///             they were said
///   evidence  those with the most evidence, decayed to now
///   random    any, by lot: what a policy must beat
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

/// What a full memory forgets, how much at a time, and when evidence counts as decayed.
struct ForgettingOptions {
  ForgettingPolicy policy = ForgettingPolicy::none;
  /// Of the statements so much goes at a time, one at least. What forgetting costs, which is about as much as
  /// saying what stays once more, is so borne by as many inputs: by each no more in a large memory than in a small
  /// one. In (0, 1]. Chosen: a full memory is left at two thirds, and input costs some half more than without a limit.
  double share = 1.0 / 3;
  /// Less evidence is none: it has decayed away. Chosen: 1e-6, a confidence of about as much.
  double least_evidence = 1e-6;
};

/// A worth as the weighted sum of some features, its weights learnt from pairs: what came up, and another that
/// could have. Of the logistic model P(x came up and not y) = 1 / (1 + exp(-w (x - y))), w climbs the gradient of
/// log P by AdaGrad. The first weight is the measure of the others and stays: learnt as well, it may come to nothing
/// while they can be multiplied by anything, and of what they do not tell apart any would stay.
/// Source  pairwise ranking: Rendle et al. 2009, "BPR"; AdaGrad: Duchi, Hazan and Singer 2011
struct LearntWorth {
  static constexpr std::size_t features = 3;
  using Features = std::array<double, features>;

  /// The worth of a statement with these features: weights times features.
  double of(const Features& x) const;
  /// Moves the weights so that what came up again is worth more than the other.
  void learn(const Features& came_up, const Features& other);

  Features weights{};
  Features squares{};  // of all gradients, summed
};

/// Budgets of statements, learnt online:
///   b_i = u (log2(1 + age_i), log2(1 + activity_i), log2(1 + links_i))       of a concept
///   b_e = v (log2(1 + age_e), log2(1 + times_e), mean of b_i over its concepts)  of a statement
/// with the cycles since it was last active or said as its age. u learns when a sentence names a known concept,
/// beside one that it does not name; v when a known statement is said again, beside another. So what predicts that
/// something comes up again (how lately it did, how often, how widely it is linked) is found in the stream itself.
/// Both begin as recency: the less the age, the more worth; what u and v learn is how many doublings of age a doubling
/// of the other features makes up for. v of the mean is not below 0, which would turn u's age round. log2 is piecewise
/// linear between powers of two, exact there: the same on every machine.
class StatementBudgets {
 public:
  StatementBudgets();

  /// A sentence that will be said next. Looks at one in `every`.  Cost  O(active concepts), of that one
  void learn(const Memory& memory, const narsese::Sentence& next);
  /// By statement.  Cost  O(concepts and statements)
  std::vector<double> worths(const Memory& memory) const;

  static constexpr Time every = 4;                    // chosen: a quarter of the time for as good weights
  static constexpr std::size_t mean_of_concepts = 2;  // its place among a statement's features
  LearntWorth of_concepts, of_statements;
};

/// What one time of forgetting came to.
struct ForgettingEvent {
  Time when = 0;
  ForgettingReason reason = ForgettingReason::statements;
  std::size_t statements = 0, concepts = 0, links = 0;  // that went
  std::size_t left = 0;                                 // statements
  std::vector<std::string> examples;                    // of statements that went: those said last
};

/// What a memory has forgotten since it began.
struct ForgottenSoFar {
  std::array<std::uint64_t, forgetting_reasons.size()> times{};  // by reason
  std::uint64_t statements = 0, concepts = 0, links = 0;
  Time last = 0;                       // when it was last looked for what has decayed away
  std::uint64_t left = 0;              // statements, then
  std::deque<ForgettingEvent> recent;  // the last ones, the latest last

  static constexpr std::size_t most_recent = 16, most_examples = 5;  // chosen
};

/// What of a memory is kept: for Memory::keep.
struct Kept {
  std::vector<bool> statements, links;
};

/// Decides, and remembers what it decided.
class Forgetting {
 public:
  /// Errors  std::invalid_argument outside the ranges of the options
  explicit Forgetting(ForgettingOptions options = {});

  const ForgettingOptions& options() const { return options_; }
  bool is_on() const { return options_.policy != ForgettingPolicy::none; }
  /// A sentence that will be said next.
  void expect(const Memory& memory, const narsese::Sentence& next) {
    if (options_.policy == ForgettingPolicy::learnt) state_.budgets.learn(memory, next);
  }
  /// It was not said: budgets are again what they were.
  void go_back_to(const StatementBudgets& budgets) { state_.budgets = budgets; }
  /// Whether it is time to look for what has decayed away: as many cycles have passed as statements were left the
  /// last time, a thousand at least.
  bool is_due(const Memory& memory) const;
  /// What stays where `reason` asks for it; nothing where all does.  Cost  O(memory)
  std::optional<Kept> choose(const Memory& memory, ForgettingReason reason) const;
  /// It was looked for what has decayed away, or more.
  void looked(const Memory& memory) {
    state_.so_far.last = memory.now();
    state_.so_far.left = memory.statements().size();
  }
  /// So much is gone. Of more events than ForgottenSoFar::most_recent the first are.
  void note(ForgettingEvent event);

  /// All that it goes on with in another process.
  struct State {
    StatementBudgets budgets;
    ForgottenSoFar so_far;
  };
  const State& state() const { return state_; }
  /// Goes on from what another has come to.
  void go_on_with(State state) { state_ = std::move(state); }

 private:
  std::vector<double> worths(const Memory& memory) const;

  ForgettingOptions options_;
  State state_;
};

}  // namespace engram::core
