// SPDX-License-Identifier: MIT
// Fuzz target for lines sent to `engram serve`. Every line that is not blank gets one reply, which fits the schema. An
// error changes nothing, the session continues, and equal lines give equal replies. libFuzzer makes new inputs (preset
// `fuzz`); replay.cpp replays the corpus.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/protocol/protocol.hpp"
#include "tests/fuzz/reply_check.hpp"

using namespace engram;
using engram::fuzz::promise;
using Json = nlohmann::json;

namespace {

// Limits so small that an input takes only milliseconds and can exceed them.
constexpr bridge::ProtocolLimits protocol_limits{.max_request_bytes = 2048,
                                                 .max_depth = 8,
                                                 .max_members = 20,
                                                 .max_numbers = 2000,
                                                 .max_multiplications = 20'000,
                                                 .files = false};  // no access to the machine's files

core::MemoryOptions memory_options() {
  core::MemoryOptions options;
  options.limits = {.max_concepts = 40, .max_hebbian_links = 60, .max_statements = 20, .max_active = 6};
  return options;
}

bridge::Protocol new_protocol() { return bridge::Protocol(memory_options(), protocol_limits); }

std::string state_of(const bridge::Protocol& protocol) {
  return bridge::memory_text(protocol.session().memory());
}

// Sends the lines to a new protocol and checks each reply.
// Returns  all replies as one text
std::string check_lines(std::string_view text) {
  bridge::Protocol protocol = new_protocol();
  std::string state = state_of(protocol), replies;
  for (std::string_view line : fuzz::split(text)) {
    if (protocol.finished()) break;
    if (line.ends_with('\r')) line.remove_suffix(1);  // serve() also removes a carriage return
    const bool too_long = line.size() > protocol_limits.max_request_bytes;
    if (!too_long && line.find_first_not_of(" \t\r") == line.npos) continue;  // blank lines get no reply
    const std::string reply_text = too_long ? protocol.refuse_too_long() : protocol.handle(line);
    replies += reply_text + '\n';
    const Json reply = fuzz::checked_reply(line, reply_text, line);
    const std::string now = state_of(protocol);
    const bool ok = reply.at("ok").get<bool>();
    promise(ok || (now == state && !protocol.finished()), "an error changes nothing", line, reply_text);
    state = now;
  }
  if (!protocol.finished())
    promise(Json::parse(protocol.handle(R"({"op":"stats"})")).at("ok") == true, "the session continues",
            text);
  return replies;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string replies = check_lines(text);
  bridge::Protocol protocol = new_protocol();
  std::istringstream in{std::string(text)};
  std::ostringstream out;
  promise(bridge::serve(protocol, in, out), "all replies are written", text);
  promise(out.str() == replies, "the same lines give the same replies", text, out.str());
  return 0;
}
