// SPDX-License-Identifier: MIT
// Policies that learn nothing of goals, those that read the model of outcomes, and which there are.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/events/kind_rows.hpp"
#include "core/events/learning_policies.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

class All : public EventPolicy {
 public:
  void score(const EventsNow&, std::span<double> scores) override {
    std::fill(scores.begin(), scores.end(), 0.0);
  }
};

class First : public EventPolicy {
 public:
  void score(const EventsNow&, std::span<double> scores) override {
    // Alike to every map, but for the order.
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = -1e-9 * static_cast<double>(i);
  }
};

class Oracle : public EventPolicy {
 public:
  void score(const EventsNow& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = now.events[i].relevant ? 0 : -std::numeric_limits<double>::infinity();
  }
};

// log(1 + cycles since it was seen), of what never was as if that were 2^40.
class Novelty : public EventPolicy {
 public:
  void score(const EventsNow& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double* seen = seen_.find(now.events[i].kind);
      scores[i] =
          core::log1p(seen == nullptr || seen[0] == 0 ? 0x1p40 : static_cast<double>(now.now) + 1 - seen[0]);
    }
  }
  void after(const EventsNow& now) override {
    for (const EventAtHand& event : now.events) seen_.at(event.kind)[0] = static_cast<double>(now.now) + 1;
  }
  void forget(std::span<const EventKind> kinds) override { seen_.forget(kinds); }

 private:
  KindRows seen_{1};
};

// -log P(e | a): the faded share of cycles in which e was at hand, of those after operation a, the last one done (or
// none). Counts fade by 2^(-1 / memory) a cycle after a; they are kept divided by what has faded since the beginning.
class Surprise : public EventPolicy {
 public:
  Surprise(std::size_t operations, double memory)
      : growth_(core::exp(core::log(2.0) / memory)),
        total_(operations + 1),
        scale_(operations + 1, 1.0),
        counts_(operations + 1) {}

  void score(const EventsNow& now, std::span<double> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double* counts = counts_.find(now.events[i].kind);
      const double count = counts == nullptr ? 0 : counts[last_];
      scores[i] = -core::log((count + 0.5 * scale_[last_]) / (total_[last_] + scale_[last_]));
    }
  }
  void after(const EventsNow& now) override {
    double& scale = scale_[last_];
    scale *= growth_;
    total_[last_] += scale;
    for (const EventAtHand& event : now.events) counts_.at(event.kind)[last_] += scale;
    if (scale > 0x1p100) {
      for (EventKind kind = 0; kind < counts_.size(); ++kind) counts_.at(kind)[last_] /= scale;
      total_[last_] /= scale;
      scale = 1;
    }
    last_ = total_.size() - 1;
  }
  void acted(OperationId operation) override { last_ = std::min<std::size_t>(operation, total_.size() - 1); }
  void forget(std::span<const EventKind> kinds) override { counts_.forget(kinds); }

 private:
  double growth_;
  std::vector<double> total_, scale_;  // by operation, the last: none
  std::size_t last_ = total_.size() - 1;
  KindRows counts_;
};

// What a number of the model says of an event: the sum over what is wanted, by its desire; where nothing is, over all
// goals that are known.
class OfModel : public EventPolicy {
 public:
  using Number = double (OutcomeModel::*)(EventKind goal, EventKind kind) const;
  OfModel(const OutcomeModel& model, Number number) : model_(model), number_(number) {}
  void score(const EventsNow& now, std::span<double> scores) override {
    const std::vector<WantedGoal> goals = goals_now(now, model_);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = 0;
      for (const WantedGoal& goal : goals)
        scores[i] += goal.desire * (model_.*number_)(goal.kind, now.events[i].kind);
    }
  }

 private:
  const OutcomeModel& model_;
  Number number_;
};

}  // namespace

std::vector<WantedGoal> goals_now(const EventsNow& now, const OutcomeModel& model) {
  if (!now.wanted.empty()) return {now.wanted.begin(), now.wanted.end()};
  std::vector<WantedGoal> all;
  for (const EventKind goal : model.goals()) all.push_back({goal, 1});
  return all;
}

std::unique_ptr<EventPolicy> make_event_policy(EventPolicyKind kind, const OutcomeModel& model,
                                               const EventPolicyRates& rates, std::uint64_t seed) {
  if (!(rates.surprise_memory >= 1) || !(rates.learning_rate > 0) || !(rates.reinforce_rate > 0) ||
      !(rates.beta > 0) || rates.history < 1 || rates.history > 64 || rates.situations < 1)
    throw std::invalid_argument("rates of policies of events must be above 0, history 1 to 64");
  switch (kind) {
    case EventPolicyKind::all:
    case EventPolicyKind::random:
      return std::make_unique<All>();
    case EventPolicyKind::first:
      return std::make_unique<First>();
    case EventPolicyKind::novelty:
      return std::make_unique<Novelty>();
    case EventPolicyKind::surprise:
      return std::make_unique<Surprise>(model.options().operations, rates.surprise_memory);
    case EventPolicyKind::temporal_links:
      return std::make_unique<OfModel>(model, &OutcomeModel::information);
    case EventPolicyKind::predictive:
      return std::make_unique<OfModel>(model, &OutcomeModel::attention);
    case EventPolicyKind::soft_attention:
      return soft_attention_to_events(model, rates);
    case EventPolicyKind::reinforce:
      return reinforced_attention_to_events(model, rates, seed);
    case EventPolicyKind::continuous:
      return continuous_attention_to_events(model, rates);
    case EventPolicyKind::completion:
      return completion_of_events(model, rates);
    case EventPolicyKind::oracle:
      return std::make_unique<Oracle>();
  }
  throw std::invalid_argument("no policy of events has this number");
}

}  // namespace engram::core
