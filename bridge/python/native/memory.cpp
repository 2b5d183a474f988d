// SPDX-License-Identifier: MIT
// Binding of a memory in this process. Every call is a request of the protocol, so that results are the same as those
// of `engram serve`.
#include <mutex>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "bridge/python/native/arrays.hpp"

namespace engram::python {
namespace {

/// A memory that several Python threads can use. Requests run one at a time.
class Memory {
 public:
  Memory(const core::MemoryOptions& options, const bridge::ProtocolLimits& limits,
         const core::ForgettingOptions& forgetting)
      : protocol_(options, limits, forgetting) {}

  /// Returns the reply to a request, both as JSON.
  std::string ask(const std::string& request) {
    return in_background([&] {
      const std::lock_guard<bridge::FairMutex> turn(turn_);
      return request.size() > protocol_.max_message_bytes() ? protocol_.refuse_too_long()
                                                            : protocol_.handle(request);
    });
  }

 private:
  bridge::Protocol protocol_;
  bridge::FairMutex turn_;
};

// Creates a memory. 0 or an empty name means the default of `engram serve`.
std::unique_ptr<Memory> new_memory(const std::string& learning, const std::string& forget, double decay,
                                   std::size_t concepts, std::size_t links, std::size_t statements,
                                   std::size_t bytes, double seconds, std::size_t work_bytes) {
  core::MemoryOptions options;
  core::require(decay >= 0 && decay < 1, "decay must be in [0, 1)", decay);
  options.decay = decay;
  if (!learning.empty())
    options.learning = core::LinkLearning{.rule = named("learning", core::learning_rules, learning)};
  core::MemoryLimits& own = options.limits;
  for (const auto& [limit, given] :
       {std::pair(&own.max_concepts, concepts), std::pair(&own.max_hebbian_links, links),
        std::pair(&own.max_statements, statements), std::pair(&own.max_bytes, bytes)})
    if (given > 0) *limit = given;

  core::ForgettingOptions forgetting;
  if (!forget.empty()) forgetting.policy = named("forget", core::forgetting_policies, forget);

  bridge::ProtocolLimits limits;
  core::require(seconds >= 0 && seconds <= 1e9, "seconds must be in [0, 1e9]", seconds);
  if (seconds > 0)
    limits.work.time = std::chrono::milliseconds(std::max(1LL, static_cast<long long>(seconds * 1000)));
  if (work_bytes > 0) limits.work.bytes = work_bytes;
  return std::make_unique<Memory>(options, limits, forgetting);
}

// All methods, each as (name, family, summary, whether it has an energy, [(name, default, meaning, valid values)]).
py::list methods() {
  py::list all;
  for (const core::Method& method : core::methods()) {
    py::list options;
    for (const core::Option& option : method.options)
      options.append(py::make_tuple(option.name, option.default_value, option.meaning, option.expected()));
    all.append(py::make_tuple(method.name, method.family, method.summary, method.has_energy, options));
  }
  return all;
}

}  // namespace

void bind_memory(py::module_& module) {
  module.def("methods", methods);
  using namespace py::literals;
  py::class_<Memory>(module, "Memory")
      .def(py::init(&new_memory), "learning"_a = "", "forget"_a = "", "decay"_a = 0.0, "concepts"_a = 0,
           "links"_a = 0, "statements"_a = 0, "bytes"_a = 0, "seconds"_a = 0.0, "work_bytes"_a = 0)
      .def("ask", &Memory::ask);
}

}  // namespace engram::python
