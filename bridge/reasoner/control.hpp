// SPDX-License-Identifier: MIT
// Who decides what a reasoner thinks of next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bridge/reasoner/forgetting.hpp"
#include "bridge/reasoner/knowledge.hpp"

namespace engram::bridge {

/// One step: a task and a belief that share a concept, or a task by itself.
struct Choice {
  NameId concept_name = 0;  // that both share; of a task by itself, any
  SentenceId task = KnownSentence::none;
  SentenceId belief = KnownSentence::none;

  bool alone() const { return belief == KnownSentence::none; }
};

/// What came of a step.
struct Outcome {
  std::uint32_t derived = 0;  // sentences that are new
  std::uint32_t revised = 0;
  std::uint32_t answered = 0;  // questions that have a better answer
};

/// A policy: the same logic, other choices. It sees each sentence as it is taken in, told or inferred, and is asked for one
/// step after the other. It never names the same pair of sentences twice, nor one of which nothing can follow (Knowledge::may_meet).
class Control {
 public:
  virtual ~Control() = default;
  /// A sentence that is new, by its id; ids come in order.
  virtual void take(Knowledge& knowledge, SentenceId id) = 0;
  /// The next step, or nothing: all that may be thought of has been.
  virtual std::optional<Choice> choose(Knowledge& knowledge) = 0;
  /// Is told what came of a choice.
  virtual void learn(Knowledge&, const Choice&, const Outcome&) {}
  /// What is worth least to it leaves a reasoner that is full; of equals the oldest.
  virtual Retention retention(Knowledge& knowledge, SentenceId id) const = 0;
  /// Some are gone, all others have new ids. Which pairs were named before stays as it is.
  virtual void forget(const Forgotten& forgotten) = 0;
};

/// How urgent an input is, from 0 (never) to 1. Of what is inferred that is the least urgent premise's.
using Urgency = std::function<double(Knowledge&, SentenceId)>;

/// Of what scores nothing: thought of after all that scores something. Chosen.
inline constexpr double unscored_urgency = 1e-12;
/// A score as a share of the largest, which is above 0.
inline double urgency_of_score(double score, double largest) {
  return std::max(score / largest, unscored_urgency);
}

/// In the order in which they came.
std::unique_ptr<Control> first_in_first_out();
/// In an order that a lot says, of the generator's stream "control".
std::unique_ptr<Control> random_order(std::uint64_t seed);
/// The least complex first, of these the oldest.
std::unique_ptr<Control> simplest_first();
/// By budgets: of all pairs the most urgent, which is as urgent as the less urgent of both; of these that with the largest
/// product of worths. An input is worth 1, what is derived by ONA's formula the product of its premises' worths times
/// e / log2(1 + complexity), e the expectation, and 0.03 of that where its rule is not strong. With the shares that an
/// allocator gives the inputs for the question at hand this is attention; with those of a known proof alone the oracle.
std::unique_ptr<Control> by_urgency(Urgency urgency);
/// The same but for one thing: all are as urgent, and an input is worth its urgency. So what is little urgent, but follows
/// at once, may come before what is more so, but far off.
class WorthControl : public Control {
 public:
  /// From now on every sentence, told or inferred, is worth what this says, a number in (0, 1], times what it is worth by
  /// itself (an input 1). What is inferred next starts from there.
  /// Cost  O(p + n log n) for n sentences and p pairs that wait
  virtual void reweigh(const std::function<double(SentenceId, double before)>& worth) = 0;
};
std::unique_ptr<WorthControl> by_worth(Urgency urgency);
/// OpenNARS's bags of concepts, and in each of tasks and of beliefs, with its budgets and its forgetting.
std::unique_ptr<Control> opennars_bags();
/// The same with the budgets and bags of PyNARS (OpenNARS 4).
std::unique_ptr<Control> pynars_bags();
/// ONA's queue of events, each thought of once, with beliefs of concepts by their priority.
std::unique_ptr<Control> ona_queue();

}  // namespace engram::bridge
