// SPDX-License-Identifier: MIT
// Binding of a memory in this process. Every call is a request of the protocol, so results are the same as with `engram
// serve`.

#include <mutex>

#include "bridge/conversation/shared_session.hpp"
#include "bridge/protocol/protocol.hpp"
#include "bridge/python/native/arrays.hpp"
#include "bridge/python/native/background.hpp"
#include "bridge/python/native/bindings.hpp"

namespace engram::python {
namespace {

/// Limits and rules of a memory; 0 or an empty name means the default of `engram serve`.
struct Settings {
  std::string learning, forget;
  double decay = 0;
  std::size_t concepts = 0, links = 0, statements = 0, bytes = 0;
  double seconds = 0;
  std::size_t work_bytes = 0;
};

core::MemoryOptions memory_options(const Settings& settings) {
  core::MemoryOptions options;
  core::require(settings.decay >= 0 && settings.decay < 1, "decay must be in [0, 1)", settings.decay);
  options.decay = settings.decay;
  if (!settings.learning.empty())
    options.learning = core::LinkLearning{.rule = named("learning", core::learning_rules, settings.learning)};
  core::MemoryLimits& own = options.limits;
  for (const auto& [limit, given] :
       {std::pair(&own.max_concepts, settings.concepts), std::pair(&own.max_hebbian_links, settings.links),
        std::pair(&own.max_statements, settings.statements), std::pair(&own.max_bytes, settings.bytes)})
    if (given > 0) *limit = given;
  return options;
}

core::ForgettingOptions forgetting_options(const Settings& settings) {
  core::ForgettingOptions options;
  if (!settings.forget.empty()) options.policy = named("forget", core::forgetting_policies, settings.forget);
  return options;
}

bridge::ProtocolLimits protocol_limits(const Settings& settings) {
  bridge::ProtocolLimits limits;
  constexpr double most_seconds = 1e9;
  core::require(settings.seconds >= 0 && settings.seconds <= most_seconds, "seconds must be in [0, 1e9]",
                settings.seconds);
  if (settings.seconds > 0)
    limits.work.time =
        std::chrono::milliseconds(std::max(1LL, static_cast<long long>(settings.seconds * 1000)));
  if (settings.work_bytes > 0) limits.work.bytes = settings.work_bytes;
  return limits;
}

/// A memory that several Python threads can use; requests run one at a time.
class Memory {
 public:
  explicit Memory(const Settings& settings)
      : protocol_(memory_options(settings), protocol_limits(settings), forgetting_options(settings)) {}

  /// The reply to a request, both as JSON.
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
      .def(py::init([](std::string learning, std::string forget, double decay, std::size_t concepts,
                       std::size_t links, std::size_t statements, std::size_t bytes, double seconds,
                       std::size_t work_bytes) {
             return std::make_unique<Memory>(Settings{std::move(learning), std::move(forget), decay, concepts,
                                                      links, statements, bytes, seconds, work_bytes});
           }),
           "learning"_a = "", "forget"_a = "", "decay"_a = 0.0, "concepts"_a = 0, "links"_a = 0,
           "statements"_a = 0, "bytes"_a = 0, "seconds"_a = 0.0, "work_bytes"_a = 0)
      .def("ask", &Memory::ask);
}

}  // namespace engram::python
