// SPDX-License-Identifier: MIT
// A program at the other end of two pipes: what is written to it and read from it at the same time, so that
// neither can wait for the other for ever, with a bound on time and on size.
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

/// The program at the other end cannot be used, or not any longer.
struct ReasonerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// It is not there, or no program.
struct CannotStart : ReasonerError {
  using ReasonerError::ReasonerError;
};

/// How much of what a child prints is held at once.
struct ChildLimits {
  std::size_t max_line_bytes = std::size_t{1} << 20;       // longer lines come in pieces of this size
  std::size_t max_exchange_bytes = std::size_t{16} << 20;  // of output in one exchange; chosen
};

/// Runs from its making to its destruction; then, or if this process is killed, it is ended with all that it
/// may have started (bridge/attach/supervisor.hpp says how, and what cannot be reached). The supervisor is a fork of
/// this process: what this one changes of its memory meanwhile is there twice. The program's errors come the
/// same way as its output. One thread at a time; the process should ignore SIGPIPE.
class ChildProcess {
 public:
  /// `command`: the program, looked for on PATH, and its arguments; no shell reads them.
  /// Errors  CannotStart if it cannot be started
  explicit ChildProcess(const std::vector<std::string>& command, const ChildLimits& limits = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// What came of waiting for a line.
  enum class Outcome {
    done,     // the awaited line came
    ended,    // its output ended, or it reads no more
    late,     // it did not come in time
    flooded,  // more output than is allowed
  };
  /// Sees each line as it comes, without its end (LF or CRLF). Not `whole`: no end came, because the line is
  /// too long or the output ended, so more may have been meant. True for the line that was awaited.
  using LineSink = std::function<bool(std::string_view line, bool whole)>;

  /// Writes `text` and hands on what is printed until the awaited line. After any outcome but `done` and,
  /// where nothing was written, `late`, the child is of no more use. Nor is it after an error.
  /// Errors  what the sink throws; core::WorkStopped soon after the work that this is part of is to end
  Outcome exchange(std::string_view text, std::chrono::milliseconds patience, const LineSink& sink);

  /// How it ended: "exit code 1", "signal 9"; waits for it a moment and kills it if it has not.
  std::string end();

 private:
  struct Pipes;
  std::unique_ptr<Pipes> pipes_;
  ChildLimits limits_;
};

}  // namespace engram::bridge
