// SPDX-License-Identifier: MIT
// Messages and file readers that several commands share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/pages/report.hpp"
#include "experiments/runs/terminal.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Prints rejected lines of the inputs as file:line:column: error: ... Prints at most 100, because a binary file has an
/// error on every line. `in_all` is the number of all rejected lines, printed ones included.
/// Returns  input_errors if there are any
ExitCode report_rejections(const Rejections& rejections, std::size_t in_all);
inline ExitCode report_rejections(const Rejections& rejections) {
  return report_rejections(rejections, rejections.size());
}

/// Prints a warning for each comment that is likely a misspelt directive, and for each command to forget everything,
/// which Engram ignores (narsese/nal_line.hpp). The format is file:line:column: warning: ...
void tell_doubtful_lines(const std::vector<Input>& files);

/// Reads all files into one memory, as one stream of experience. Prints errors for rejected lines and warnings for doubtful
/// ones. `observer` sees each line.
ExitCode read_files(const std::vector<std::string>& files, core::Session& session,
                    const core::LineObserver& observer = {});

/// Prints on stderr each name of a cue that the memory does not have, with the name that is likely meant.
/// `place`  where the cue stands, such as --cue
void tell_unknown_names(core::Session& session, const std::string& place, const std::string& cue);

/// Prints which pictures were not drawn, and why.
void tell_undrawn(const std::vector<std::string>& undrawn);

/// Prints the conclusions of a sweep on stdout, point by point.
void tell_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
