// SPDX-License-Identifier: MIT
// What a NARS answered, kept, so that a run can be reported and verified without it.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

inline constexpr const char* recording_name = "recording.jsonl";

/// Exchanges, each once. Members may be called from several threads at once.
/// Memory  all of them
class Recording {
 public:
  Recording() = default;
  /// Of a file with an exchange a line, in any order; lines of blanks are passed over, and so is a last line
  /// without an end: who wrote it was killed. One key may stand twice where the lines say the same, or the
  /// first is of a failure; then the second counts.
  /// Errors  InputError where it cannot be opened; SpecError with the file and line for a line that is no
  ///         exchange, contradicts another, or is too long; std::system_error
  explicit Recording(const std::filesystem::path& file);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Chosen: what a NARS may print at once, and a hundred thousand questions with fifty statements each.
  static constexpr std::size_t max_line_bytes = std::size_t{16} << 20, max_bytes = std::size_t{512} << 20;

  /// From now on what is added is written to the end of this file at once, a line in one piece: so nothing is
  /// lost by a kill. The file is made where there is none; a last line without an end goes. Called once.
  /// Errors  std::system_error
  void keep_in(const std::filesystem::path& file);

  /// The one of this key.
  std::optional<Exchange> find(const std::string& key) const;
  /// Nothing where its key is there already, but that what did not fail takes the place of what did.
  /// Errors  std::system_error where it cannot be written
  void add(const Exchange& exchange);
  std::size_t size() const;
  /// The whole, sorted by key: equal exchanges give equal bytes.  Errors  std::system_error
  void write(const std::filesystem::path& file) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Exchange> exchanges_;
  std::filesystem::path kept_in_;
  int descriptor_ = -1;
};

}  // namespace engram::experiments
