// SPDX-License-Identifier: MIT
// Method `python`: a function of a Python file scores the statements.
#pragma once

namespace engram::experiments {

/// Adds the method `python` to core::methods(); later calls do nothing. Only commands that read specs call it, because
/// clients of `engram serve` must not be able to start programs.
void add_python_method();

}  // namespace engram::experiments
