// SPDX-License-Identifier: MIT
// The JSON lines protocol, version 1: one request object a line in, one reply object a line out.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "bridge/session.hpp"

namespace engram::bridge {

struct ProtocolLimits {
  std::size_t max_request_bytes = std::size_t{16} << 20;  // chosen: room for a large file in one `input`
  int max_depth = 32;                                     // of nested arrays and objects
  std::size_t max_members = 10'000;                       // of one object; reading them is quadratic
  std::size_t max_numbers = std::size_t{4} << 20;         // of a reply; chosen: some 80 MB of text
  std::size_t max_multiplications = 20'000'000'000;       // of a kernel; chosen: some ten seconds
};

/// Answers requests on one session. Every line gets exactly one reply, a bad one an error reply; none ends
/// the session but `quit`.
class Protocol {
 public:
  explicit Protocol(core::MemoryOptions options = {}, ProtocolLimits limits = {})
      : session_(options), limits_(limits) {}

  /// The reply to one request line, without a line end. Never throws for what a line may contain.
  std::string handle(std::string_view line);
  /// The reply to a line that was longer than max_request_bytes.
  std::string refuse_too_long() const;
  /// Whether `quit` has been answered.
  bool finished() const { return finished_; }

  const ProtocolLimits& limits() const { return limits_; }

 private:
  Session session_;
  ProtocolLimits limits_;
  bool finished_ = false;
};

/// Answers line by line until `quit`, the end of `in`, or until `out` cannot be written.
/// Returns  whether all replies could be written
bool serve(Protocol& protocol, std::istream& in, std::ostream& out);

}  // namespace engram::bridge
