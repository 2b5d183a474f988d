// SPDX-License-Identifier: MIT
// The method `python`: a function of a Python file scores the statements.
#pragma once

namespace engram::experiments {

/// Adds the method `python` to core::methods(), so that specs may name it; calling it again does nothing. Only commands
/// that read specs call it: who may send requests to `engram serve` must not be able to start a program.
void add_python_method();

}  // namespace engram::experiments
