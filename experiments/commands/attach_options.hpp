// SPDX-License-Identifier: MIT
// The options that `engram attach` and `engram stream` share: the NARS, its time limits, and the files of a session.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "bridge/attach/live_reasoner.hpp"
#include "bridge/attach/transcript.hpp"
#include "experiments/commands/shared_options.hpp"

namespace engram::experiments {

/// Arguments of a command that runs a NARS.
struct NarsArguments {
  bridge::LiveReasonerOptions reasoner;  // members from options; reasoner_options() completes them
  std::string system = "ona";
  std::string names = "short";       // "short" or "keep"
  std::string learning;              // name of a bridge::Learning
  std::string log, summary, report;  // files to write; an empty name writes none
  core::MemoryLimits memory;
  ForgetArgument forget;

  /// The complete options of the NARS.
  /// Errors  InputError if the command of the NARS is missing, or is given for the built-in reasoner
  bridge::LiveReasonerOptions reasoner_options() const;
  /// Throws std::system_error if the summary or the report cannot be written. Call this before the session.
  void require_writable_files() const;
};

/// Adds the options, and the command of the NARS as the last argument. Callers must add their other arguments, which
/// precede `--`, before this call.
/// `learn_default`  the default of --learn in words, if it depends on other options
/// `summary`        the help text of --summary
void add_nars(CLI::App* command, NarsArguments& arguments, const std::string& learn_default,
              const std::string& summary);

/// Rewrites the command lines of `attach` and `stream` for CLI11, and leaves others unchanged. Each word after `--`
/// gets a hidden option `--command`. CLI11 would otherwise read ./NAR in `engram stream -- ./NAR` as the input file.
/// The old spelling `engram attach --stream [FILE]` becomes `engram stream [FILE]`, with a note on standard error.
std::vector<const char*> words_for_parser(int argc, char** argv);

/// The message for a NARS that cannot be started.
std::string start_failure(const bridge::CannotStart& error);

/// Writes the transcript of a session to a file, a line at a time. Without a file name it does nothing.
class SessionLog {
 public:
  SessionLog(const std::string& name, const bridge::SessionStart& start);
  /// Errors  std::system_error
  void write(const std::string& line);

 private:
  std::string name_;
  std::ofstream file_;
};

}  // namespace engram::experiments
