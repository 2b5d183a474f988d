// SPDX-License-Identifier: MIT
#include "experiments/sensors/conditioning_world.hpp"

#include <array>

namespace engram::experiments::sensors {
namespace {

// Operations that ONA's shell registers by default, in its order.
constexpr std::array operation_names{"^left", "^right", "^up", "^down", "^say", "^pick", "^drop", "^go"};
constexpr const char* wanted = "goal";

}  // namespace

ConditioningWorld::ConditioningWorld(const WorldOptions& options, std::size_t delay, std::size_t reversal,
                                     std::uint64_t seed)
    : delay_(delay), reversal_(reversal), distractors_(options, seed), drawn_(seed, "sensors stimuli") {
  const std::size_t count = options.operations != 0 ? options.operations : options.stimuli;
  operations_.assign(operation_names.begin(), operation_names.begin() + static_cast<std::ptrdiff_t>(count));
  const auto order = core::Rng(seed, "sensors rule").permutation(static_cast<std::uint32_t>(count));
  for (std::size_t s = 0; s < options.stimuli; ++s) rule_.push_back(order[s % count]);
}

std::optional<std::size_t> ConditioningWorld::best() const {
  if (!stimulus_) return {};
  const bool reversed = trials_ > reversal_;  // trials_ already counts this trial
  return (rule_[*stimulus_] + (reversed ? 1 : 0)) % operations_.size();
}

Sensed ConditioningWorld::show() {
  stimulus_.reset();
  if (waiting_ > 0) {
    const bool comes = --waiting_ == 0 && outcome_;
    return distractors_.among(comes ? std::vector<std::string>{wanted} : std::vector<std::string>{}, {}, "");
  }
  stimulus_ = drawn_.below(rule_.size());
  ++trials_;
  return distractors_.among({"stimulus_" + std::to_string(*stimulus_ + 1)}, {}, wanted);
}

Acted ConditioningWorld::carry_out(std::optional<std::size_t> operation) {
  if (!stimulus_) return {};
  const bool right = operation == best();
  waiting_ = delay_;
  outcome_ = right;
  Acted acted{.right = right};
  if (right && delay_ == 0) acted.events.emplace_back(wanted);
  return acted;
}

}  // namespace engram::experiments::sensors
