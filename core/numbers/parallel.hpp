// SPDX-License-Identifier: MIT
// Numbered tasks on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace engram::core {

/// How many threads do `tasks` tasks when `asked` were asked for: not more than tasks, at least 1; 0 asks for
/// as many as the processor runs at once.
unsigned thread_count(unsigned asked, std::size_t tasks);

/// Calls run(task, worker) for each task in 0 .. tasks-1, on `threads` threads that take the next task when
/// they are free; worker, in 0 .. threads-1, tells the threads apart. Which worker does what is left to
/// chance, so a result may depend on the task alone. All are part of the caller's WorkBudget
/// (core/numbers/work_budget.hpp).
/// Errors   the first exception of a task, once all threads have stopped; tasks not yet begun are then left
void for_each_task(std::size_t tasks, unsigned threads,
                   const std::function<void(std::size_t task, unsigned worker)>& run);

/// Does two things at a time that need nothing of each other, both to their ends.
/// Errors   that of the first, else that of the second
void side_by_side(const std::function<void()>& first, const std::function<void()>& second);

}  // namespace engram::core
