// SPDX-License-Identifier: MIT
// Errors, warnings and notes that several commands print, and the readers of files that report them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/pages/report.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Prints errors and warnings about a file as file:line:column: error: ... At most 100 errors are printed, and the
/// first three of similar warnings.
class Diagnostics {
 public:
  Diagnostics(std::string file, std::ostream& out) : file_(std::move(file)), out_(out) {}

  void error(std::size_t line, std::size_t column, const std::string& message);
  /// `alike`: a key that similar warnings share
  void warning(std::size_t line, std::size_t column, const std::string& message, const std::string& alike);
  void warning(std::size_t line, std::size_t column, const std::string& message) {
    warning(line, column, message, message);
  }
  /// Prints the number of suppressed messages.  Returns  input_errors if there were errors
  ExitCode finish() const;

 private:
  static constexpr std::size_t most_errors = 100, most_alike = 3;

  void tell(std::size_t line, std::size_t column, std::string_view kind, const std::string& message) const;

  std::string file_;
  std::ostream& out_;
  std::size_t errors_ = 0;
  std::map<std::string, std::size_t> warnings_;
};

/// Prints rejected lines of the inputs as file:line:column: error: ... Prints at most 100, because a binary file has an
/// error on every line.
/// `in_all`  number of all rejected lines, also of those that the list omits
/// Returns  input_errors if there are any
ExitCode report_rejections(const Rejections& rejections, std::size_t in_all);
inline ExitCode report_rejections(const Rejections& rejections) {
  return report_rejections(rejections, rejections.size());
}

/// Prints a warning for each comment that is likely a misspelt directive, and for each command to forget everything,
/// which Engram ignores (narsese/nal_line.hpp). The format is file:line:column: warning: ...
void tell_doubtful_lines(const std::vector<Input>& files);

/// Reads all files into one memory, as one stream of experience. Prints errors for rejected lines and warnings for
/// doubtful ones. Calls `observer` for each line.
ExitCode read_files(const std::vector<std::string>& files, core::Session& session,
                    const core::LineObserver& observer = {});

/// Prints on stderr each name of a cue that the memory does not have, with the known name that is likely meant.
/// `place`  name of the place of the cue, such as --cue
void tell_unknown_names(core::Session& session, const std::string& place, const std::string& cue);

/// Prints a note for each picture that could not be drawn, with the reason.
void tell_undrawn(const std::vector<std::string>& undrawn);

/// Prints the conclusions of a sweep on stdout, point by point.
void tell_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
