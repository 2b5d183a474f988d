// SPDX-License-Identifier: MIT
// Work without Python's global lock: other threads of Python go on, and Ctrl+C is heard.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>  // in every file of the module alike

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::python {

namespace py = pybind11;

/// Hears signals for the thread that made it: ends the work at hand where a handler of Python raises.
class Hearing {
 public:
  /// Errors  WorkStopped once a handler has raised
  void look();
  /// Throws what the handler raised, if one did. With the global lock.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds pause{
      50};  // chosen: no one waits for it, and it costs next to nothing
  const std::thread::id thread_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now() + pause;
  bool heard_ = false;
};

/// Throws the error of engram.client.ERRORS for a code of the protocol.    details  more members of it
[[noreturn]] void raise(const std::string& code, const std::string& message, py::dict details = {});
[[noreturn]] void raise(const core::WorkStopped& why);

/// What this machine has: more than that no kernel's result may take.
std::uint64_t machine_bytes();

/// Does the work without the global lock; it may touch nothing of Python.
/// Errors  what the work throws; what a handler of a signal raised meanwhile
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

/// Refuses a result of so many numbers, before it is made, that this machine cannot hold.  Errors  WorkStopped
inline void require_room(double numbers) {
  constexpr double most = 1e18;  // what is more stands for that: it has no room, either
  const core::Reservation claim(static_cast<std::uint64_t>(numbers < most ? numbers : most) * sizeof(double));
}

}  // namespace engram::python
