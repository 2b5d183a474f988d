// SPDX-License-Identifier: MIT
// What one request of the protocol may hold, ask for and take.
#pragma once

#include "bridge/conversation/limited_work.hpp"
#include "bridge/json/json_text.hpp"

namespace engram::bridge {

/// What requests, and the work on them, may take.
struct ProtocolLimits {
  std::size_t max_request_bytes = std::size_t{16} << 20;  // chosen: room for a large file in one `input`
  int max_depth = 32;                                     // of nested arrays and objects
  std::size_t max_members = 10'000;                       // of one object
  std::size_t max_values = JsonLimits{}.max_values;       // in all
  std::size_t max_numbers = std::size_t{4} << 20;         // of a reply; chosen: some 80 MB of text
  std::size_t max_multiplications = 20'000'000'000;       // of a kernel; chosen: some ten seconds
  WorkLimit work = {};  // on one request; its own field `limit` may ask for less
  bool changes = true;  // whether requests may change the memory: not one that belongs to a live session
  bool files = true;    // whether requests may name files of this machine: not those of strangers
};

}  // namespace engram::bridge
