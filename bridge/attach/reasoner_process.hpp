// SPDX-License-Identifier: MIT
// A running NARS: a child process, or the built-in reasoner. Sends it lines and waits until it has processed them.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/attach/child_process.hpp"
#include "bridge/systems/nars_system.hpp"

namespace engram::bridge {

/// Error of a reasoner that exceeded its time limit.
struct ReasonerLate : ReasonerError {
  using ReasonerError::ReasonerError;
};

/// A running NARS. Use it from one thread at a time, and not after an error. LiveReasoner adds restarts.
class ReasonerProcess {
 public:
  /// Starts the NARS. An embedded system needs no command. The system must outlive this object.  Errors  CannotStart
  ReasonerProcess(const std::vector<std::string>& command, const NarsSystem& system,
                  const ChildLimits& limits = {});

  /// Receives each line of output (see ChildProcess::LineSink).
  /// `ours`  whether the line only answers our marker, and is no output of reasoning
  using Sink = std::function<void(std::string_view line, bool whole, bool ours)>;

  /// Sends lines and waits until the reasoner has processed them.
  /// Errors  ReasonerLate, ReasonerError: "did not answer within 50 ms", "ended (signal 9)", ..;
  ///         core::WorkStopped soon after the surrounding work is cancelled; exceptions of the sink
  void say(const std::vector<std::string>& lines, std::chrono::milliseconds patience, const Sink& sink);
  /// Receives the output of a freely running reasoner for this time.  Errors  as say(), except ReasonerLate
  void listen(std::chrono::milliseconds time, const Sink& sink);

  /// The latest lines of output and standard error, indented, for an error message: at most 8 lines of at most 200
  /// bytes. A '?' replaces each control character and each byte outside ASCII.
  std::string last_lines() const;

 private:
  void keep_last_line(std::string_view line);
  std::string failure(ChildProcess::Outcome outcome, std::chrono::milliseconds patience);
  void say_embedded(const std::vector<std::string>& lines, std::chrono::milliseconds patience,
                    const Sink& sink);

  const NarsSystem& system_;
  ChildLimits limits_;
  std::optional<ChildProcess> child_;
  std::unique_ptr<EmbeddedNars> embedded_;  // alternative to child_
  std::uint64_t markers_ = 0;
  std::deque<std::string> last_lines_;
};

}  // namespace engram::bridge
