// SPDX-License-Identifier: MIT
// File with the transcript of a session.
#pragma once

#include <fstream>
#include <string>

#include "bridge/attach/transcript.hpp"

namespace engram::experiments {

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
