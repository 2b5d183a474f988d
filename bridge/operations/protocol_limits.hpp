// SPDX-License-Identifier: MIT
// Limits on one request of the protocol.
#pragma once

#include "bridge/conversation/limited_work.hpp"
#include "bridge/json/json_text.hpp"

namespace engram::bridge {

/// Limits on requests, their processing and their access.
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

}  // namespace engram::bridge
