// SPDX-License-Identifier: MIT
// A file as it lies, read where it is looked at.
#pragma once

#include <filesystem>
#include <string_view>

namespace engram::bridge {

/// While it lives, the file's bytes as they were when it was opened. Nobody may shorten it meanwhile: to look at
/// what is gone ends the program (SIGBUS), as with a shared library. WholeFile never does, it renames.
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
