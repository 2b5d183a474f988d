// SPDX-License-Identifier: MIT
// Recording of exchanges with a NARS, so that a run can be reported and verified without the system.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

inline constexpr const char* recording_name = "recording.jsonl";

/// Thread-safe map of exchanges by key.  Memory  all exchanges
class Recording {
 public:
  Recording() = default;
  /// Loads a file with one exchange a line, in any order. Skips blank lines and an unterminated last line, which a
  /// killed process leaves behind. A key may occur twice if the exchanges are equal, or if the first one is a failure;
  /// the second then replaces it.
  /// Errors  InputError if the file cannot be opened; SpecError with file and line for a line that is malformed, too
  ///         long, or contradicts another; std::system_error
  explicit Recording(const std::filesystem::path& file);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Chosen: the output limit of a NARS, and 100,000 questions with 50 statements each.
  static constexpr std::size_t max_line_bytes = std::size_t{16} << 20, max_bytes = std::size_t{512} << 20;

  /// Makes add() append each exchange to this file immediately, one line per write, so that a kill loses nothing.
  /// Creates the file if necessary and removes an unterminated last line. Call it at most once.
  /// Errors  std::system_error
  void keep_in(const std::filesystem::path& file);

  /// The exchange with this key, if any.
  std::optional<Exchange> find(const std::string& key) const;
  /// Adds an exchange. An existing exchange with the same key is kept, unless it failed and the new one did not.
  /// Errors  std::system_error if the file cannot be written
  void add(const Exchange& exchange);
  std::size_t size() const;
  /// Writes all exchanges, sorted by key, so that equal recordings give equal files.  Errors  std::system_error
  void write(const std::filesystem::path& file) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Exchange> exchanges_;
  std::filesystem::path kept_in_;
  int descriptor_ = -1;
};

}  // namespace engram::experiments
