// SPDX-License-Identifier: MIT
#pragma once

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {

/// RAII: Ctrl-C or SIGTERM cancels the work of this thread, and of threads that share its budget, with
/// core::WorkStopped. One second later, or at a second signal, the process exits immediately with code `interrupted`;
/// runs remain intact. At most one object may exist.
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
