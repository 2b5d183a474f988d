// SPDX-License-Identifier: MIT
#include "experiments/commands/session_log.hpp"

#include <cerrno>
#include <system_error>

namespace engram::experiments {

SessionLog::SessionLog(const std::string& name, const bridge::SessionStart& start) : name_(name) {
  if (name.empty()) return;
  file_.open(name, std::ios::binary);
  write(bridge::to_json(start));
}

void SessionLog::write(const std::string& line) {
  if (name_.empty()) return;
  file_ << line << '\n' << std::flush;
  if (!file_) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name_);
}

}  // namespace engram::experiments
