// SPDX-License-Identifier: MIT
// Fuzz target for lines sent to `engram serve`. Each line that is not blank gets one reply that fits the schema, an
// error changes nothing, the session continues, and equal lines give equal replies. libFuzzer makes new inputs (preset
// `fuzz`); replay.cpp replays the corpus.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/protocol/protocol.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/support/json_schema.hpp"

using namespace engram;
using engram::fuzz::promise;
using Json = nlohmann::json;

namespace {

// Small limits, so that an input takes milliseconds and can reach them.
constexpr bridge::ProtocolLimits protocol_limits{.max_request_bytes = 2048,
                                                 .max_depth = 8,
                                                 .max_members = 20,
                                                 .max_numbers = 2000,
                                                 .max_multiplications = 20'000,
                                                 .files = false};  // an input could name any file

core::MemoryOptions memory_options() {
  core::MemoryOptions options;
  options.limits = {.max_concepts = 40, .max_hebbian_links = 60, .max_statements = 20, .max_active = 6};
  return options;
}

bridge::Protocol new_protocol() { return bridge::Protocol(memory_options(), protocol_limits); }

std::string state_of(const bridge::Protocol& protocol) {
  return bridge::memory_text(protocol.session().memory());
}

const testing::JsonSchema& schema() {
  static const testing::JsonSchema read(ENGRAM_SOURCE_DIR "/bridge/schema/protocol.schema.json");
  return read;
}

void check_shape(std::string_view line, const std::string& text, const Json& reply) {
  const std::string flaw = schema().flaw(reply, "/$defs/reply");
  promise(flaw.empty(), "a reply fits the schema", line, flaw + " in " + text);
  if (!reply.at("ok").get<bool>()) {
    promise(reply.at("error").at("code") != "internal", "there are no internal errors", line, text);
    return;
  }
  const Json request = Json::parse(line);
  const auto op = request.at("op").get<std::string>();
  promise(request.value("id", Json()) == reply.at("id"), "the reply repeats the id", line, text);
  const std::string asked = schema().flaw(request, "/$defs/requests/" + op);
  promise(asked.empty(), "an accepted request fits the schema", line, asked);
  const std::string told = schema().flaw(reply.at("result"), "/$defs/results/" + op);
  promise(told.empty(), "a result fits the schema", line, told + " in " + text);
}

// Sends the lines and checks each reply.  Returns  the replies as one text
std::string check_lines(std::string_view text) {
  bridge::Protocol protocol = new_protocol();
  std::string state = state_of(protocol), replies;
  for (std::string_view line : fuzz::split(text)) {
    if (protocol.finished()) break;
    if (line.ends_with('\r')) line.remove_suffix(1);  // as serve() does
    const bool too_long = line.size() > protocol_limits.max_request_bytes;
    if (!too_long && line.find_first_not_of(" \t\r") == line.npos) continue;  // blank lines have no reply
    const std::string reply_text = too_long ? protocol.refuse_too_long() : protocol.handle(line);
    replies += reply_text + '\n';
    promise(reply_text.find('\n') == std::string::npos, "a reply is one line", line, reply_text);
    const Json reply = Json::parse(reply_text, nullptr, false);
    promise(reply.is_object(), "a reply is a JSON object", line, reply_text);
    check_shape(line, reply_text, reply);
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
