// SPDX-License-Identifier: MIT
// Files of a run's folder: written whole or not at all, and by one run at a time.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/files/files.hpp"
#include "experiments/reports/output.hpp"

namespace engram::experiments {

using bridge::sync;
using bridge::throw_file_error;
using bridge::write_all;
using bridge::write_file;

/// Everything under the folder, and its names.  Errors  std::system_error
void sync_all(const std::filesystem::path& folder);

/// Errors  InputError; std::system_error
std::string read_file(const std::filesystem::path& path);

/// What is in a JSON file, within limits that no file of Engram's own comes near.
/// `comments`  whether it may have some, as specs may
/// Errors  InputError; std::system_error; SpecError under the file's name, with the place in it
Json read_json(const std::filesystem::path& path, bool comments = false);
/// What a text is as JSON, within the same limits; nothing for one that is none.
std::optional<Json> json_in(std::string_view text);

/// As JSON files are written: indented, with a line feed at the end.
std::string pretty(const Json& json);
/// A line each.
std::string json_lines(const std::vector<Json>& rows);
/// Reads the next line of a JSONL file, without its line feed. False where none is left, and, with its
/// beginning, where it ends in none or is longer than a JSON file may be.
bool next_row(std::istream& rows, std::string& line);
/// The lines of a JSONL file that end in a line feed and are objects of JSON, up to the first that is not.
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
