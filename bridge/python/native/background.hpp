// SPDX-License-Identifier: MIT
// Runs work without Python's global lock, so other Python threads continue and Ctrl+C works.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // every file of the module must include this

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::python {

namespace py = pybind11;

/// Checks for signals of the constructing thread. Cancels the work if a Python signal handler raises an exception.
class Hearing {
 public:
  /// Runs pending signal handlers.  Errors  WorkStopped if a handler has raised
  void look();
  /// Throws the exception of the handler, if there is one. Requires the global lock.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds pause{50};  // chosen: unnoticeable delay at negligible cost
  const std::thread::id thread_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now() + pause;
  bool heard_ = false;
};

/// Throws the exception in engram.client.ERRORS for an error code of the protocol. `details` has further members of the
/// error.
[[noreturn]] void raise(const std::string& code, const std::string& message, py::dict details = {});
[[noreturn]] void raise(const core::WorkStopped& why);

/// Physical memory of the machine, the limit on results of kernels.
std::uint64_t machine_bytes();

/// Runs `run` without the global lock; `run` must not use Python objects.
/// Errors  exceptions of `run`; the exception of a signal handler
template <class Run>
auto in_background(Run run) {
  Hearing hearing;
  try {
    auto result = [&] {
      const py::gil_scoped_release released;
      const core::WorkBudget work({.bytes = machine_bytes()}, [&] { hearing.look(); });
      return run();
    }();
    hearing.rethrow();
    return result;
  } catch (const core::WorkStopped& why) {
    hearing.rethrow();
    raise(why);
  }
}

/// Checks, before allocation, that a result of `numbers` doubles fits into memory.  Errors  WorkStopped
inline void require_room(double numbers) {
  constexpr double most = 1e18;  // an upper limit that avoids overflow and never fits
  const core::Reservation claim(static_cast<std::uint64_t>(numbers < most ? numbers : most) * sizeof(double));
}

}  // namespace engram::python
