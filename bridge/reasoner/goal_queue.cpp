// SPDX-License-Identifier: MIT
#include "bridge/reasoner/goal_queue.hpp"

#include <algorithm>

namespace engram::bridge {

bool GoalQueue::push(std::size_t layer, WaitingGoal goal) {
  if (layer >= layers) return false;
  std::vector<WaitingGoal>& waiting = waiting_[layer];
  if (std::ranges::any_of(waiting, [&](const WaitingGoal& one) {
        return one.of == goal.of && one.desire.time == goal.desire.time &&
               one.desire.truth == goal.desire.truth;
      }))
    return false;
  if (waiting.size() == most_of_layer) {
    const auto least = std::ranges::min_element(waiting, {}, &WaitingGoal::priority);
    if (least->priority >= goal.priority) return false;
    waiting.erase(least);
  }
  waiting.push_back(std::move(goal));
  return true;
}

std::optional<WaitingGoal> GoalQueue::pop(std::size_t layer) {
  std::vector<WaitingGoal>& waiting = waiting_[layer];
  const auto most = std::ranges::max_element(waiting, {}, &WaitingGoal::priority);
  if (most == waiting.end()) return std::nullopt;
  WaitingGoal goal = std::move(*most);
  waiting.erase(most);
  return goal;
}

void GoalQueue::drop_older_than(Cycle time) {
  for (auto& waiting : waiting_)
    std::erase_if(waiting, [&](const WaitingGoal& goal) { return goal.desire.time < time; });
}

void GoalQueue::clear() {
  for (auto& waiting : waiting_) waiting.clear();
}

bool GoalQueue::empty() const {
  return std::ranges::all_of(waiting_, [](const auto& waiting) { return waiting.empty(); });
}

void GoalQueue::mark(std::vector<bool>& in_use) const {
  for (const auto& waiting : waiting_)
    for (const WaitingGoal& goal : waiting) in_use[goal.of] = true;
}

void GoalQueue::renumber(const KeptIds& concepts) {
  for (auto& waiting : waiting_)
    for (WaitingGoal& goal : waiting) goal.of = concepts(goal.of);
}

}  // namespace engram::bridge
