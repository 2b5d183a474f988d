// SPDX-License-Identifier: MIT
// What several commands tell, and how they read their files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/pages/sweep_report.hpp"
#include "experiments/runs/exit_code.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Tells of lines of the inputs that were not taken in, as file:line:column: error: ...; at most a screenful
/// or two: a binary file has an error on every line. `in_all`: how many there are, these among them.
/// Returns  input_errors if there are any
ExitCode report_rejections(const Rejections& rejections, std::size_t in_all);
inline ExitCode report_rejections(const Rejections& rejections) {
  return report_rejections(rejections, rejections.size());
}

/// Warns of each comment of the files that is likely a misspelt directive, and of each command to forget everything, which
/// is not carried out (narsese/line_kind.hpp), as file:line:column: warning: ...
void tell_doubtful_lines(const std::vector<Input>& files);

/// Reads all files into one memory, as one stream of experience. Prints errors for rejected lines and warnings for doubtful
/// ones. `observer` sees each line.
ExitCode read_files(const std::vector<std::string>& files, core::Session& session,
                    const core::LineObserver& observer = {});

/// Prints on stderr each name of a cue that the memory does not have, with the name that is likely meant.
/// `place`  where the cue stands, such as --cue
void tell_unknown_names(core::Session& session, const std::string& place, const std::string& cue);

/// Pictures that were not drawn, and why.
void tell_undrawn(const std::vector<std::string>& undrawn);

/// On stdout, what a sweep's points conclude.
void tell_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
