// SPDX-License-Identifier: MIT
// A NARS, as a child process or in this one: told lines, and waited for until it has dealt with them.
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

/// It was not done in time.
struct ReasonerLate : ReasonerError {
  using ReasonerError::ReasonerError;
};

/// One NARS. After an error it is of no more use. One thread at a time.
class ReasonerProcess {
 public:
  /// `system` must outlive it; one that is embedded needs no command.  Errors  CannotStart
  ReasonerProcess(const std::vector<std::string>& command, const NarsSystem& system,
                  const ChildLimits& limits = {});

  /// Sees each line as it comes (see ChildProcess::LineSink); `ours`: an answer to our asking whether it is
  /// done, nothing that the reasoner says.
  using Sink = std::function<void(std::string_view line, bool whole, bool ours)>;

  /// Tells it some lines, and waits until it has dealt with them.
  /// Errors  ReasonerLate, ReasonerError: "did not answer within 50 ms", "ended (signal 9)", ..;
  ///         core::WorkStopped soon after the work that this is part of is to end; what the sink throws
  void say(const std::vector<std::string>& lines, std::chrono::milliseconds patience, const Sink& sink);
  /// Hears one that runs freely for some time.  Errors  as say(), but that nothing is late
  void listen(std::chrono::milliseconds time, const Sink& sink);

  /// The last lines that it printed, errors included, at most 8 of at most 200 bytes, indented for a message: a
  /// reasoner that fails mostly says why. Control characters and bytes that are no ASCII are replaced by '?'.
  std::string last_lines() const;

 private:
  void keep(std::string_view line);

  std::string failure(ChildProcess::Outcome outcome, std::chrono::milliseconds patience);
  void say_here(const std::vector<std::string>& lines, std::chrono::milliseconds patience, const Sink& sink);

  const NarsSystem& system_;
  ChildLimits limits_;
  std::optional<ChildProcess> child_;
  std::unique_ptr<EmbeddedNars> embedded_;  // or that
  std::uint64_t markers_ = 0;
  std::deque<std::string> last_lines_;
};

}  // namespace engram::bridge
