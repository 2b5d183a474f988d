// SPDX-License-Identifier: MIT
// One run at a time is at work in a folder.
#pragma once

#include <filesystem>

namespace engram::experiments {

/// Keeps a second run out of a folder as long as it lives; the kernel lets go of it when a process is killed.
/// Where a file system knows no locks, none is held.
class FolderLock {
 public:
  /// Errors  SpecError if another process holds it; std::system_error if the folder cannot be opened
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace engram::experiments
