// SPDX-License-Identifier: MIT
// How the program ends.
#pragma once

namespace engram::experiments {

/// 0 done; 1 errors in the user's input, each told with its place, the rest was processed; 2 wrong usage or
/// spec; 3 an outside failure, such as the disk; 130 interrupted, and a run can go on.
enum ExitCode { done = 0, input_errors = 1, wrong_usage = 2, outside_failure = 3, interrupted = 130 };

}  // namespace engram::experiments
