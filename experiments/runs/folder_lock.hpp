// SPDX-License-Identifier: MIT
// Lock on the folder of a run.
#pragma once

#include <filesystem>

namespace engram::experiments {

/// RAII lock that keeps other processes out of a folder. The kernel releases it when a process is killed. On file
/// systems without locks it does nothing.
class FolderLock {
 public:
  /// Takes the lock.
  /// Errors  SpecError if another process holds it; std::system_error if the folder cannot be opened
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace engram::experiments
