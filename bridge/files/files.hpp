// SPDX-License-Identifier: MIT
// Files that are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Throws std::system_error with errno, or EIO where it says nothing.
[[noreturn]] void throw_file_error(const std::filesystem::path& path);

/// The whole text, however many calls it takes.  Errors  std::system_error
void write_all(int descriptor, std::string_view text, const std::filesystem::path& path);
/// Returns once the file, or the folder's list of names, is on the disk and not in the system's memory alone.
/// A file system that cannot promise that is not asked twice.  Errors  std::system_error
void sync(int descriptor, const std::filesystem::path& path);
/// Of a file the bytes alone, and its length: what it takes to read them again (fdatasync).
void sync_data(int descriptor, const std::filesystem::path& path);
void sync(const std::filesystem::path& path);

/// Modes of files that are made: for whoever the user's mask allows, or for the user alone. A memory is private.
inline constexpr unsigned usual_mode = 0666, private_mode = 0600;

/// A file that comes to be piece by piece, under a temporary name until it is there: whoever reads, or kills,
/// never leaves half a file, and neither does a loss of power. The temporary name is the path,
/// ".MACHINE-PID-NUMBER" and ".part", and no other writer's, in this process or another. It is locked (flock) as
/// long as its writer lives: what a killed one left of the same path is swept up by the next on the same machine;
/// where a file system knows no locks, it stays.
/// Errors  std::system_error, of every member
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path, unsigned mode = usual_mode);
  /// Without finish(), nothing is left of it.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Appends it.
  void add(std::string_view text);
  /// Puts the file in its place, whole.
  void finish();

 private:
  void close_file();
  bool open_unfinished(std::filesystem::path name, unsigned mode);

  std::filesystem::path path_, unfinished_;
  int descriptor_ = -1;
  bool finished_ = false;
  std::string waiting_;  // what is not worth a call yet
};

/// Errors  std::system_error
void write_file(const std::filesystem::path& path, const std::string& text, unsigned mode = usual_mode);

}  // namespace engram::bridge
