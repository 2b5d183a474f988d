// SPDX-License-Identifier: MIT
// Atomic writing and memory-mapped reading of files, and helpers for file descriptors.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace engram::bridge {

/// Throws std::system_error with errno, or with EIO if errno is 0.
[[noreturn]] void throw_file_error(const std::filesystem::path& path);

/// RAII file descriptor. It is closed at the end of its lifetime.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  /// Returns the descriptor without closing it. The caller then owns it.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;  // -1: none
};

/// Opens a file with these flags of open() and O_CLOEXEC. `mode` is for new files.  Errors  std::system_error
Descriptor open_file(const std::filesystem::path& path, int flags, unsigned mode = 0);

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
  bool open_unfinished(std::filesystem::path name, unsigned mode);

  std::filesystem::path path_, unfinished_;
  Descriptor descriptor_;  // also holds the lock
  bool finished_ = false;
  std::string waiting_;  // buffered text
};

/// Writes a whole file atomically.  Errors  std::system_error
void write_file(const std::filesystem::path& path, const std::string& text, unsigned mode = usual_mode);

/// Read-only mapping of a file, as it was when it was opened. Nobody may truncate the file during its lifetime: access
/// beyond the end terminates the program (SIGBUS). WholeFile is safe, because it renames.
/// Errors  std::system_error
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace engram::bridge
