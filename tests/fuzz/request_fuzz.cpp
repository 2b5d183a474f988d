// SPDX-License-Identifier: MIT
// Fuzz target for valid requests with arbitrary options. Each request gets one reply, which fits the schema. Only a
// successful `input` or `reset` changes the memory. Two sessions with equal requests give equal replies, even if their
// work is cancelled. libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the corpus.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/protocol/protocol.hpp"
#include "core/numbers/work_budget.hpp"
#include "tests/fuzz/reply_check.hpp"
#include "tests/fuzz/request_grammar.hpp"

using namespace engram;
using engram::fuzz::promise;
using Json = nlohmann::json;

namespace {

// Limits so small that a request takes only milliseconds and can exceed them.
constexpr bridge::ProtocolLimits protocol_limits{
    .max_numbers = 20'000, .max_multiplications = 2'000'000, .files = false};
constexpr core::WorkLimits work_limits{.steps = 2'000'000, .bytes = std::uint64_t{64} << 20};
constexpr std::size_t most_requests = 6;

core::MemoryOptions memory_options(std::size_t kind) {
  core::MemoryOptions options;
  options.limits = {.max_concepts = 200, .max_hebbian_links = 400, .max_statements = 40, .max_active = 8};
  if (kind % 2 == 1) options.activation = {.compounds = true, .statements = true, .self = true};
  if (kind >= 2) options.learning = core::LinkLearning{};
  if (kind >= 4) options.decay = 0.1;
  return options;
}

// Returns the reply to a request. The budget limits steps instead of time, because a time limit would cancel the same
// work of two sessions at different points.
std::string asked(bridge::Protocol& protocol, const std::string& line) {
  const core::WorkBudget work(work_limits);
  return protocol.handle(line);
}

bridge::Protocol told_session(std::size_t kind) {
  bridge::Protocol protocol(memory_options(kind), protocol_limits);
  const std::string line = Json({{"op", "input"}, {"narsese", fuzz::told}}).dump();
  const std::string reply = asked(protocol, line);
  promise(reply.find(R"("rejected":[])") != std::string::npos, "the first input is accepted", line, reply);
  return protocol;
}

std::string state_of(const bridge::Protocol& protocol) {
  return bridge::memory_text(protocol.session().memory());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices({data, size});
  const std::size_t kind = choices.below(6);
  bridge::Protocol one = told_session(kind), other = told_session(kind);
  std::string state = state_of(one);
  for (std::size_t n = 0; n < most_requests && !choices.done(); ++n) {
    const Json request = fuzz::next_request(choices);
    const std::string line = request.dump();
    const std::string reply = asked(one, line);
    const Json checked = fuzz::checked_reply(line, reply, line);
    promise(checked.at("id") == request.value("id", Json()), "the reply repeats the id", line, reply);
    const bool ok = checked.at("ok").get<bool>();
    promise(asked(other, line) == reply, "the same request gives the same reply", line, reply);
    std::string now = state_of(one);
    const bool may_change = ok && (request.at("op") == "input" || request.at("op") == "reset");
    promise(may_change || now == state, "only input and reset change the memory", line, reply);
    state = std::move(now);
  }
  promise(state_of(other) == state, "the same requests give the same memory", state);
  return 0;
}
