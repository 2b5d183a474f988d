// SPDX-License-Identifier: MIT
// The context of a request: the session, limits, and the log of a live reasoner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/json/json_reader.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Limits on a request: its size, its work, and its access to the memory and to files.
struct ProtocolLimits {
  std::size_t max_request_bytes = std::size_t{16} << 20;  // chosen: enough for a large file in one `input`
  int max_depth = 32;                                     // depth of nested arrays and objects
  std::size_t max_members = 10'000;                       // members of one object
  std::size_t max_values = JsonLimits{}.max_values;       // JSON values in all
  std::size_t max_numbers = std::size_t{4} << 20;         // numbers in a reply; chosen: about 80 MB of text
  std::size_t max_multiplications = 20'000'000'000;  // multiplications of a kernel; chosen: about ten seconds
  WorkLimit work = {};  // time and bytes of one request; its field `limit` can lower them
  bool changes = true;  // requests may change the memory; false for a live session
  bool files = true;    // requests may name files of this machine; false for untrusted clients
};

/// One question to a live reasoner, the statements selected for it, and its answers.
struct GateEntry {
  std::string question;
  std::vector<std::string> given;    // selected statements
  std::vector<std::string> answers;  // answers with truth values
  double seconds = 0;                // wall time
};

/// Log of the latest questions, for viewers of the session.
struct GateLog {
  static constexpr std::size_t most = 20;  // chosen: the number that a page shows

  std::deque<GateEntry> last;  // ascending by time
  std::uint64_t asked = 0;     // questions ever asked
};

/// The session and the services that an operation may use.
struct Context {
  core::Session& session;
  const ProtocolLimits& limits;
  bool& finished;                    // ends the conversation if set
  DurableMemory* durable = nullptr;  // stores the session; nullptr if it is not durable
  const GateLog* gate = nullptr;     // log of a live NARS; nullptr without one
};

}  // namespace engram::bridge
