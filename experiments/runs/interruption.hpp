// SPDX-License-Identifier: MIT
#pragma once

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {

/// While it lives, Ctrl-C or SIGTERM stops the work of this thread, and of those that take part in it, by
/// core::WorkStopped. What has not ended a second later, and what meets a second signal, is ended at once
/// with the exit code `interrupted`, which harms no run either. Only one may exist at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  core::WorkBudget work_;
};

}  // namespace engram::experiments
