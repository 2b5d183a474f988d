// SPDX-License-Identifier: MIT
// Exchanges with a NARS that starts empty, and a recording of them, so that a run can be reported and verified without
// the system.
//
// JSON format, one exchange a line in recording.jsonl of a run:
//   {"sha256": "..", "system": "ona", "statements": ["<a --> b>. {1 0.9}", ..], "question": "<a --> c>?",
//    "cycles": 100, "more_cycles": 50,
//    "answers": [{"term": "<a --> c>", "frequency": 1.0, "confidence": 0.81}, ..]}
//   sha256      hash of the JSON [system, statements, question, cycles, more_cycles], which determines the answers
//   statements  as sent to the system: in its dialect, in order, with names that it supports
//   cycles      inference cycles before the question; more_cycles are those after it. Both are 0 for systems that run
//               freely
//   answers     distinct answers in order, at most 1000; terms in Engram's syntax, with the names as sent
//   failure     how the system failed, only if it did; answers before the failure are kept
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bridge/json/object_reader.hpp"
#include "narsese/truth.hpp"

namespace engram::experiments {

/// An answer of a system: a judgment without tense.
struct Answer {
  std::string term;
  narsese::TruthValue truth;

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The statements and the question that a system received, and its answers.
struct Exchange {
  std::string system;
  std::vector<std::string> statements;
  std::string question;
  std::uint64_t cycles = 0, more_cycles = 0;
  std::vector<Answer> answers = {};
  std::string failure = {};

  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Lookup key: SHA-256 of everything that determines the answers.
std::string key_of(const Exchange& exchange);

/// Writes the JSON format described above, with members in that order.
bridge::Json to_json(const Exchange& exchange);
/// Reads the JSON format back without loss.
/// Errors  bridge::JsonError for malformed JSON, or if sha256 differs from key_of() of the rest
Exchange exchange_from_json(const bridge::JsonValue& json);

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

  // Limits for a line and for a file. A line may be as long as the output limit of a NARS. The file limit is chosen
  // for 100,000 questions with 50 statements each.
  static constexpr std::size_t max_line_bytes = std::size_t{16} << 20, max_bytes = std::size_t{512} << 20;

  /// Makes add() append each exchange to this file immediately, one line per write, so that a kill loses nothing.
  /// Creates the file if necessary and removes an unterminated last line. Call it at most once.
  /// Errors  std::system_error
  void keep_in(const std::filesystem::path& file);

  /// Returns the exchange with this key, or nothing.
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
