// SPDX-License-Identifier: MIT
// Inference control: policies that decide which sentences a reasoner combines next. The inference rules are the same
// under every control.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/reasoner/knowledge.hpp"

namespace engram::core {

/// One inference step: a pair of a task and a belief that share a name, or a task alone. A task is the sentence to work
/// on; a belief is a judgment to combine it with.
struct InferenceStep {
  SentenceId task = KnownSentence::none;
  SentenceId belief = KnownSentence::none;

  bool is_single() const { return belief == KnownSentence::none; }
};

/// Rank of a sentence when a reasoner forgets. Sentences with the smallest rank go first; the second number breaks
/// ties.
using Retention = std::pair<double, double>;

/// Interface of a policy of inference control. The reasoner passes every accepted sentence to add(), and asks choose()
/// for one step at a time. A policy never returns the same pair of sentences twice, nor a pair that no rule can use
/// (Knowledge::may_combine).
class InferenceControl {
 public:
  virtual ~InferenceControl() = default;
  /// Adds a sentence that the reasoner accepted. Ids come in ascending order.
  virtual void add(Knowledge& knowledge, SentenceId id) = 0;
  /// Returns the next step, or nothing if no step is left.
  virtual std::optional<InferenceStep> choose(Knowledge& knowledge) = 0;
  /// Returns the rank of a sentence for forgetting. Among equals, the oldest sentence goes first.
  virtual Retention retention(Knowledge& knowledge, SentenceId id) const = 0;
  /// Applies the new ids after the reasoner forgot sentences. Pairs that were used stay used.
  virtual void forget(const ForgottenIds& forgotten) = 0;
};

/// Function that returns the urgency of an input, from 0 (never used) to 1. A conclusion has the smallest urgency of
/// its premises.
using Urgency = std::function<double(Knowledge&, SentenceId)>;

/// Urgency of a statement with score 0, so that it comes after all statements with a positive score. Chosen.
inline constexpr double unscored_urgency = 1e-12;
/// Converts the score of a statement to an urgency, given the largest score, which must be positive.
inline double urgency_of_score(double score, double largest) {
  return std::max(score / largest, unscored_urgency);
}

/// Control that processes sentences in the order of their arrival.
std::unique_ptr<InferenceControl> first_in_first_out();
/// Control that processes sentences in random order. Use it as a baseline. The generator stream "control" of `seed`
/// gives the random numbers.
std::unique_ptr<InferenceControl> random_order(std::uint64_t seed);
/// Control that processes the sentence with the smallest complexity first, and the oldest among equals.
std::unique_ptr<InferenceControl> simplest_first();
/// Control that processes the pair of sentences with the highest urgency first. The urgency of a pair is the smaller
/// one of its sentences, and the product of their worths breaks ties. An input has worth 1. A conclusion has the
/// product of its premises' worths times e / log2(1 + complexity), with e its expectation, as in ONA. If its rule is
/// not strong (Rule::strong), its worth is 0.03 of that. Use the shares that an allocator gives to the inputs as
/// urgencies.
std::unique_ptr<InferenceControl> by_urgency(Urgency urgency);

/// Interface of a control that ranks sentences by worth, and accepts new worths during inference.
class WorthControl : public InferenceControl {
 public:
  /// Replaces the worths of all sentences. The new worth of a sentence is worth(id, before) times its own factor.
  /// `before` is the old worth without this factor, which is 1 for an input and e / log2(1 + complexity) for a
  /// conclusion (see by_urgency()). `worth` must return a number in (0, 1]. Later conclusions start from the new
  /// worths.
  /// Cost  O(p + n log n) for n sentences and p waiting pairs
  virtual void reweigh(const std::function<double(SentenceId, double before)>& worth) = 0;
};
/// Control that orders pairs of sentences by the product of their worths alone. The worth of an input is its urgency;
/// the worths of conclusions follow as in by_urgency(). An immediate low-urgency inference can therefore precede a
/// distant urgent one. Use it if worths should change during inference.
std::unique_ptr<WorthControl> by_worth(Urgency urgency);

/// OpenNARS's control: a bag (core/budgets/nars_budgets.hpp) of concepts, each with a bag of tasks and a bag of
/// beliefs, and OpenNARS's budgets.
std::unique_ptr<InferenceControl> opennars_bags();
/// PyNARS's (OpenNARS 4) control: the bags of opennars_bags() with PyNARS's budgets.
std::unique_ptr<InferenceControl> pynars_bags();
/// ONA's control: a priority queue of sentences, each used once as a task, with the beliefs of highest priority that
/// share a name with it.
std::unique_ptr<InferenceControl> ona_queue();

}  // namespace engram::core
