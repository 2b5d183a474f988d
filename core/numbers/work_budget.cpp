// SPDX-License-Identifier: MIT
#include "core/numbers/work_budget.hpp"

#include <algorithm>
#include <utility>

namespace engram::core {
namespace {

constinit thread_local WorkBudget* current_work = nullptr;

}  // namespace

WorkBudget::WorkBudget(WorkLimits limits, Look look)
    : limits_(limits), look_(std::move(look)), of_(current_work) {
  check_cancelled();
  current_work = this;
}

WorkBudget::~WorkBudget() {
  current_work = of_;
  if (!leaves_nothing_) return;
  for (WorkBudget* work = of_; work != nullptr; work = work->of_) work->release(claimed());
}

WorkBudget* WorkBudget::current() { return current_work; }

std::uint64_t WorkBudget::claimed_in_all() {
  std::uint64_t most = 0;
  for (const WorkBudget* work = current_work; work != nullptr; work = work->of_)
    most = std::max(most, work->claimed());
  return most;
}

WorkBudget::Part::Part(WorkBudget* of) : before_(std::exchange(current_work, of)) {}
WorkBudget::Part::~Part() { current_work = before_; }

void WorkBudget::count(std::uint64_t steps) {
  if (limits_.steps != WorkLimits::unlimited) {
    const std::uint64_t before = steps_.fetch_add(steps, std::memory_order_relaxed);
    if (before > limits_.steps || steps > limits_.steps - before)
      throw WorkStopped(WorkStopped::Reason::steps,
                        "more than " + std::to_string(limits_.steps) + " steps of work would be needed");
  }
  if (look_) look_();
}

void WorkBudget::lower_bytes(std::uint64_t bytes) {
  limits_.bytes = std::min(limits_.bytes, bytes);
  if (claimed() > limits_.bytes)
    throw WorkStopped(
        WorkStopped::Reason::bytes,
        "this needs " + std::to_string(claimed()) + " bytes; the limit is " + std::to_string(limits_.bytes));
}

void WorkBudget::claim(std::uint64_t bytes) {
  const std::uint64_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (before <= limits_.bytes && bytes <= limits_.bytes - before) {
    std::uint64_t most = most_claimed();
    while (most < before + bytes && !most_.compare_exchange_weak(most, before + bytes)) {
    }
    return;
  }
  bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  throw WorkStopped(WorkStopped::Reason::bytes, "this needs " + std::to_string(bytes) +
                                                    " bytes more than the " + std::to_string(before) +
                                                    " in use; the limit is " + std::to_string(limits_.bytes));
}

void WorkBudget::release(std::uint64_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

void check_cancelled() {
  const std::uint64_t steps = std::exchange(uncounted_steps, 0);
  for (WorkBudget* work = current_work; work != nullptr; work = work->of_) work->count(steps);
}

Reservation::Reservation(std::uint64_t bytes) : of_(current_work), bytes_(bytes) {
  WorkBudget* work = of_;
  try {
    for (; work != nullptr; work = work->of_) work->claim(bytes);
    if (bytes >= large) check_cancelled();
  } catch (...) {
    release_below(work);
    throw;
  }
}

Reservation::~Reservation() { release_below(nullptr); }

void Reservation::release_below(const WorkBudget* end) const {
  for (WorkBudget* work = of_; work != end; work = work->of_) work->release(bytes_);
}

}  // namespace engram::core
