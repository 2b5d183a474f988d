// SPDX-License-Identifier: MIT
// Files of a run's folder: written whole or not at all, and by one run at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/reports/output.hpp"

namespace engram::experiments {

/// Throws std::system_error with errno, or EIO where it says nothing.
[[noreturn]] void throw_file_error(const std::filesystem::path& path);

/// The whole text, however many calls it takes.  Errors  std::system_error
void write_all(int descriptor, const std::string& text, const std::filesystem::path& path);
/// Returns once the file, or the folder's list of names, is on the disk and not in the system's memory alone.
/// A file system that cannot promise that is not asked twice.  Errors  std::system_error
void sync(int descriptor, const std::filesystem::path& path);
void sync(const std::filesystem::path& path);
/// Everything under the folder, and its names.  Errors  std::system_error
void sync_all(const std::filesystem::path& folder);

/// Under a temporary name (the path and ".part"), then renamed: whoever reads, or kills, never leaves half a
/// file, and neither does a loss of power.  Errors  std::system_error
void write_file(const std::filesystem::path& path, const std::string& text);

/// Errors  InputError; std::system_error
std::string read_file(const std::filesystem::path& path);

/// As JSON files are written: indented, with a line feed at the end.
std::string pretty(const Json& json);
/// A line each.
std::string json_lines(const std::vector<Json>& rows);
/// The lines of a JSONL file that end in a line feed and are JSON, up to the first that is not.
std::vector<Json> read_rows(const std::filesystem::path& path);

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
