// SPDX-License-Identifier: MIT
// Inference control: the policies that decide which sentences a reasoner combines next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/reasoner/knowledge.hpp"

namespace engram::core {

/// One inference step: a task and a belief that share a name, or a single task.
struct InferenceStep {
  SentenceId task = KnownSentence::none;
  SentenceId belief = KnownSentence::none;

  bool is_single() const { return belief == KnownSentence::none; }
};

/// Rank of a sentence when a reasoner forgets. Sentences with the smallest pair go first.
using Retention = std::pair<double, double>;

/// A policy of inference control. It receives every sentence that a reasoner accepts, and returns the steps one by one.
/// A policy never returns the same pair of sentences twice, nor a pair that no rule can use (Knowledge::may_combine).
class InferenceControl {
 public:
  virtual ~InferenceControl() = default;
  /// Adds a new sentence. Ids come in order.
  virtual void add(Knowledge& knowledge, SentenceId id) = 0;
  /// The next step, or nothing at the end.
  virtual std::optional<InferenceStep> choose(Knowledge& knowledge) = 0;
  /// Rank of a sentence when the reasoner forgets. Among equals, the oldest sentence goes first.
  virtual Retention retention(Knowledge& knowledge, SentenceId id) const = 0;
  /// Applies the new ids after the reasoner forgot sentences. The set of used pairs stays the same.
  virtual void forget(const ForgottenIds& forgotten) = 0;
};

/// Urgency of an input, from 0 (never used) to 1. A conclusion has the smallest urgency of its premises.
using Urgency = std::function<double(Knowledge&, SentenceId)>;

/// Urgency of a statement with score 0. It comes after all statements with a positive score. Chosen.
inline constexpr double unscored_urgency = 1e-12;
/// Urgency of a statement from its score and the largest score, which must be positive.
inline double urgency_of_score(double score, double largest) {
  return std::max(score / largest, unscored_urgency);
}

/// Processes sentences in the order of their arrival.
std::unique_ptr<InferenceControl> first_in_first_out();
/// Processes sentences in random order, from the generator stream "control".
std::unique_ptr<InferenceControl> random_order(std::uint64_t seed);
/// Processes the sentence with the smallest complexity first, and the oldest among equals.
std::unique_ptr<InferenceControl> simplest_first();
/// Processes the pair with the highest urgency first; the urgency of a pair is the smaller one of its sentences. The
/// product of the worths breaks ties. An input has worth 1. A conclusion has the product of its premises' worths times
/// e / log2(1 + complexity), with e the expectation; that is ONA's formula. If its rule is not strong, it has 0.03 of
/// that. Use the shares that an allocator gives to the inputs as urgencies.
std::unique_ptr<InferenceControl> by_urgency(Urgency urgency);

/// A policy that accepts new worths during inference.
class WorthControl : public InferenceControl {
 public:
  /// Sets the worth of every sentence to worth(id, before) times its own factor, which is 1 for an input. `worth` must
  /// return a number in (0, 1]. Later conclusions start from the new worths.
  /// Cost  O(p + n log n) for n sentences and p waiting pairs
  virtual void reweigh(const std::function<double(SentenceId, double before)>& worth) = 0;
};
/// The policy of by_urgency(), but all sentences have the same urgency, and the worth of an input is its urgency. An
/// immediate low-urgency inference can therefore precede a distant urgent one.
std::unique_ptr<WorthControl> by_worth(Urgency urgency);

/// OpenNARS's control: a bag of concepts, each with a bag of tasks and a bag of beliefs, and OpenNARS's budgets.
std::unique_ptr<InferenceControl> opennars_bags();
/// PyNARS's (OpenNARS 4) control: bags as in opennars_bags(), with PyNARS's budgets.
std::unique_ptr<InferenceControl> pynars_bags();
/// ONA's control: a queue of events, each used once, with the beliefs of highest priority that share a name with it.
std::unique_ptr<InferenceControl> ona_queue();

}  // namespace engram::core
