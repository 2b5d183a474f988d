// SPDX-License-Identifier: MIT
// Exit codes of the program.
#pragma once

namespace engram::experiments {

/// Exit code.
///   0    success
///   1    errors in the input, each reported with its place; the rest was processed
///   2    wrong usage or spec
///   3    an external failure, such as the disk
///   130  interrupted; a run can be resumed
enum ExitCode { done = 0, input_errors = 1, wrong_usage = 2, outside_failure = 3, interrupted = 130 };

}  // namespace engram::experiments
