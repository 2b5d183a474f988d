// SPDX-License-Identifier: MIT
// Common declarations of the compiled module engram._engram: its parts, and work without Python's global lock.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // every file of the module must include the same converters

#include <chrono>
#include <string>
#include <thread>

#include "core/numbers/work_budget.hpp"

namespace engram::python {

namespace py = pybind11;

// Functions that add the parts of the module. The Python files of the package define the public functions with their
// default values, and call these parts with positional arguments.
void bind_narsese(py::module_& module);
void bind_memory(py::module_& module);
void bind_maps(py::module_& module);
void bind_attention(py::module_& module);
void bind_hopfield(py::module_& module);
void bind_learning(py::module_& module);
void bind_graphs(py::module_& module);

/// Runs Python's signal handlers during work, so that Ctrl+C cancels it. Handlers run in the thread that constructed
/// the object, at most 20 times per second.
class SignalCheck {
 public:
  /// Runs pending signal handlers.  Errors  WorkStopped if a handler raised an exception
  void check();
  /// Throws the exception of the handler, if there is one. Requires the global lock.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds pause{50};  // chosen: unnoticeable delay at negligible cost
  const std::thread::id thread_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now() + pause;
  bool raised_ = false;
};

/// Throws the Python exception for an error code of the protocol, by the table engram.client.ERRORS. `details` has
/// further members of the error.
[[noreturn]] void raise(const std::string& code, const std::string& message, py::dict details = {});
[[noreturn]] void raise(const core::WorkStopped& why);

/// Physical memory of the machine in bytes. It limits the results of kernels.
std::uint64_t machine_bytes();

/// Runs `run` without the global lock, so that other Python threads continue and Ctrl+C cancels the work. `run` must
/// not use Python objects.
/// Errors  exceptions of `run`; the exception of a signal handler
template <class Run>
auto in_background(Run run) {
  SignalCheck signals;
  try {
    auto result = [&] {
      const py::gil_scoped_release released;
      const core::WorkBudget work({.bytes = machine_bytes()}, [&] { signals.check(); });
      return run();
    }();
    signals.rethrow();
    return result;
  } catch (const core::WorkStopped& why) {
    signals.rethrow();
    raise(why);
  }
}

/// Checks before an allocation that an array of doubles fits into memory. The factors are its extents.
/// Errors  WorkStopped
template <class... Factors>
void require_room(Factors... factors) {
  constexpr double most = 1e18;  // an upper limit that avoids overflow and never fits
  const double numbers = (1.0 * ... * static_cast<double>(factors));
  const core::Reservation claim(static_cast<std::uint64_t>(numbers < most ? numbers : most) * sizeof(double));
}

}  // namespace engram::python
