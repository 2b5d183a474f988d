// SPDX-License-Identifier: MIT
// Temporary folders for tests, and functions that read and write whole files.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace engram::testing {

/// RAII temporary folder with a name that is unique to this process. The constructor makes it empty, and the destructor
/// removes it.
struct Folder {
  explicit Folder(const std::string& name,
                  const std::filesystem::path& in = std::filesystem::temp_directory_path())
      : path(in / ("engram_test_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

/// A parent folder for temporary files, in memory if the system offers that. Use it for tests that sync thousands of
/// files to disk.
inline std::filesystem::path quick_place() {
  const std::filesystem::path shared = "/dev/shm";
  return std::filesystem::exists(shared) ? shared : std::filesystem::temp_directory_path();
}

inline void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace engram::testing
