// SPDX-License-Identifier: MIT
// A Python file whose functions a run calls.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bridge/attach/child_process.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// A Python file that ends in `engram.serve(...)`, as a process that answers requests (bridge/python/engram/serving.py).
/// Several threads may call at a time: each call has a process for itself, which is kept for later calls. The processes end
/// with this one. The interpreter is $ENGRAM_PYTHON, or else python3 on the PATH.
class PythonFile {
 public:
  explicit PythonFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Calls a function of the file.
  /// `request`  {"trial": {"setting", "seed"}}, or {"scores": {"statements", "cue"}}
  /// Errors     bridge::ReasonerError with what Python printed: the file cannot be started, the function raised an exception, or it
  ///            returned what JSON cannot hold; core::WorkStopped
  Json call(const Json& request);

 private:
  using Process = std::unique_ptr<bridge::ChildProcess>;
  Process idle_process();

  std::filesystem::path path_;
  std::mutex mutex_;
  std::vector<Process> idle_;
};

/// The one object for this path in this process.
PythonFile& python_file(const std::filesystem::path& path);

}  // namespace engram::experiments
