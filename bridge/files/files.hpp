// SPDX-License-Identifier: MIT
// Atomic writing of files, and helpers for file descriptors.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Throws std::system_error with errno, or with EIO if errno is 0.
[[noreturn]] void throw_file_error(const std::filesystem::path& path);

/// Writes the whole text, with several calls if necessary.  Errors  std::system_error
void write_all(int descriptor, std::string_view text, const std::filesystem::path& path);
/// Returns when the file, or the list of names of a folder, is on the disk and not only in the page cache. Does nothing
///         if the file system does not support this.  Errors  std::system_error
void sync(int descriptor, const std::filesystem::path& path);
/// Syncs only the contents and length of a file (fdatasync).
void sync_data(int descriptor, const std::filesystem::path& path);
void sync(const std::filesystem::path& path);

/// Modes of new files: for everyone within the umask, or only for the owner. Memories are private.
inline constexpr unsigned usual_mode = 0666, private_mode = 0600;

/// A file that is written atomically: under a temporary name until it is complete. Readers, crashes and power failures
/// never leave a partial file.
///
/// The temporary name is the path, ".MACHINE-PID-NUMBER" and ".part"; it is unique among all writers. The file is
/// locked (flock) while its writer lives. The next writer of the same path on the same machine removes files of dead
/// writers. If the file system does not support locks, they remain.
/// Errors  std::system_error, from every member
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path, unsigned mode = usual_mode);
  /// Removes the temporary file, unless finish() was called.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Appends text.
  void add(std::string_view text);
  /// Renames the complete file to its path.
  void finish();

 private:
  void close_file();
  bool open_unfinished(std::filesystem::path name, unsigned mode);

  std::filesystem::path path_, unfinished_;
  int descriptor_ = -1;
  bool finished_ = false;
  std::string waiting_;  // buffered text
};

/// Writes a whole file atomically.  Errors  std::system_error
void write_file(const std::filesystem::path& path, const std::string& text, unsigned mode = usual_mode);

}  // namespace engram::bridge
