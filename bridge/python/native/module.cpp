// SPDX-License-Identifier: MIT
#include "bridge/python/native/module.hpp"

#include <unistd.h>

namespace engram::python {

void SignalCheck::check() {
  if (std::this_thread::get_id() != thread_ || Clock::now() < next_) return;
  next_ = Clock::now() + pause;
  const py::gil_scoped_acquire acquired;
  if (!raised_ && PyErr_CheckSignals() != 0) raised_ = true;  // the exception stays pending in this thread
  if (raised_) throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "interrupted");
}

void SignalCheck::rethrow() {
  if (raised_) throw py::error_already_set();
}

void raise(const std::string& code, const std::string& message, py::dict details) {
  details["code"] = code;
  details["message"] = message;
  const py::object raised = py::module_::import("engram.client").attr("error_of")(details);
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
  throw py::error_already_set();
}

void raise(const core::WorkStopped& why) {
  using Reason = core::WorkStopped::Reason;
  const char* code = why.reason == Reason::bytes       ? "bytes_exceeded"
                     : why.reason == Reason::cancelled ? "stopped"
                                                       : "work_exceeded";
  raise(code, why.what());
}

std::uint64_t machine_bytes() {
  static const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
                               : core::WorkLimits::unlimited;
}

}  // namespace engram::python

PYBIND11_MODULE(_engram, module) {
  using namespace engram::python;
  module.doc() = "The compiled part of Engram. Use the public functions of the package engram instead.";
  bind_narsese(module);
  bind_memory(module);
  bind_maps(module);
  bind_attention(module);
  bind_hopfield(module);
  bind_learning(module);
  bind_graphs(module);
}
