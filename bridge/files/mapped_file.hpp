// SPDX-License-Identifier: MIT
// Memory-mapped files.
#pragma once

#include <filesystem>
#include <string_view>

namespace engram::bridge {

/// Read-only mapping of a file, as it was when it was opened. The file must not be truncated meanwhile: access beyond
/// the end terminates the program (SIGBUS). WholeFile is safe, because it renames.
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
