// SPDX-License-Identifier: MIT
#include "experiments/runs/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "experiments/formats/files.hpp"

namespace engram::experiments {

namespace fs = std::filesystem;

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_file_error(folder);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  throw SpecError("--out",
                  "another run is at work in " + folder.string() + "; wait for it, or choose another folder");
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace engram::experiments
