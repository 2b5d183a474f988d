// SPDX-License-Identifier: MIT
// Child process with pipes to its input and output. Writing and reading alternate, so the processes cannot deadlock.
// The time and the output of each exchange are bounded.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace engram::bridge {

/// Error of a child process that cannot be used, or can no longer be used.
struct ReasonerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Error of a program that does not exist or is not executable.
struct CannotStart : ReasonerError {
  using ReasonerError::ReasonerError;
};

/// Limits on the output of a child process.
struct ChildLimits {
  std::size_t max_line_bytes = std::size_t{1} << 20;  // longer lines are delivered in pieces of this size
  std::size_t max_exchange_bytes = std::size_t{16} << 20;  // output of one exchange; chosen
};

/// A program that runs from construction to destruction. Its output includes standard error. Use it from one thread at
/// a time, in a process that ignores SIGPIPE.
///
/// A supervisor process ends the program and all its descendants on destruction, or if this process is killed. Two
/// kinds of processes survive: processes that others start for the program (cron, systemd, a container's daemon), and,
/// if the supervisor was killed, processes that have left its process group. The supervisor is a fork, so each page
/// that this process modifies later exists twice.
class ChildProcess {
 public:
  /// Starts the command: a program, looked up on PATH, and its arguments. No shell parses them.  Errors  CannotStart
  explicit ChildProcess(const std::vector<std::string>& command, const ChildLimits& limits = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Outcome of an exchange.
  enum class Outcome {
    done,     // the awaited line came
    ended,    // the output ended, or the child closed its input
    late,     // the awaited line did not come in time
    flooded,  // more output than max_exchange_bytes
  };
  /// Receives each line without its end (LF or CRLF), and returns whether this is the awaited line. If `whole` is
  /// false, the line may be incomplete, because it is too long or the output ended.
  using LineSink = std::function<bool(std::string_view line, bool whole)>;

  /// Writes `text` and delivers output until the awaited line. Afterwards the child is usable if the outcome is `done`,
  /// or if it is `late` and `text` was empty.
  /// Errors  exceptions of the sink; core::WorkStopped soon after the surrounding work is cancelled
  Outcome exchange(std::string_view text, std::chrono::milliseconds patience, const LineSink& sink);

  /// Closes the pipes, waits for the child to end, and kills it after a few seconds.
  /// Returns  how it ended: "exit code 1", "signal 9"
  std::string end();

 private:
  struct Pipes;
  std::unique_ptr<Pipes> pipes_;
  ChildLimits limits_;
};

}  // namespace engram::bridge
