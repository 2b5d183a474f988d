// SPDX-License-Identifier: MIT
// Calls of functions in a Python file, and the method `python`, which uses them.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bridge/attach/child_process.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {

/// Pool of processes that run a Python file and answer requests. The file must end in `engram.serve(...)`
/// (bridge/python/engram/serving.py). Several threads may call at once: each call takes an idle process or starts one.
/// The processes end with the program that owns the pool. The interpreter is $ENGRAM_PYTHON, or else python3 on the
/// PATH.
class PythonFile {
 public:
  explicit PythonFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Calls a function of the file.
  /// `request`  {"trial": {"setting", "seed"}}, or {"scores": {"statements", "cue"}}
  /// Errors     bridge::ReasonerError, with the output of Python, if the file cannot be started, the function raises an
  ///            exception, or its result is not JSON; core::WorkStopped
  Json call(const Json& request);

 private:
  using Process = std::unique_ptr<bridge::ChildProcess>;
  Process idle_process();

  std::filesystem::path path_;
  std::mutex mutex_;
  std::vector<Process> idle_;
};

/// Returns the pool for this path, which all callers share.
PythonFile& python_file(const std::filesystem::path& path);

/// Adds the method `python`, which scores the statements by a function of a Python file, to core::methods(); later
/// calls do nothing. Only commands that read specs call it, because clients of `engram serve` must not be able to start
/// programs.
void add_python_method();

}  // namespace engram::experiments
