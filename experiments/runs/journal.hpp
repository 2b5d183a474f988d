// SPDX-License-Identifier: MIT
// Journal of an unfinished run: one line for each finished trial, in order of completion.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Record of a trial: its rows and timings as one line of JSON, with a digest that detects damage.
std::string record_line(std::size_t trial, const TrialResult& result);
/// Parses a record; empty if the line is malformed or damaged.
std::optional<std::pair<std::size_t, TrialResult>> read_record(const std::string& line);

/// Write-ahead journal of a run: the file unfinished.jsonl in its folder. The first line has the digest of the plan.
/// Each other line is a trial, appended in one write when the trial is done. After a kill or a power failure, at most
/// the last line is incomplete; its trial counts as not done.
/// Memory  O(trials), without their rows
class Journal {
 public:
  /// Creates an empty file without a plan. It marks the folder of a run that has started.
  static void begin(const std::filesystem::path& folder);
  /// Opens a journal. A journal of this plan keeps its complete lines. Any other journal becomes an empty journal of
  /// this plan.  Errors  std::system_error
  Journal(const std::filesystem::path& folder, const std::string& plan);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  bool has(std::size_t trial) const { return places_.contains(trial); }
  std::size_t size() const { return places_.size(); }
  std::size_t dropped() const { return dropped_; }  // incomplete or damaged lines
  /// Appends a trial, unless the journal has it.  Errors  std::system_error
  void add(std::size_t trial, const TrialResult& result);
  /// Visits all trials by ascending number.  Errors  std::system_error
  void for_each(const std::function<void(const TrialResult&)>& use) const;
  /// Deletes the file. Call this when the run is complete.
  void remove();

 private:
  struct Place {
    std::size_t offset = 0, length = 0;
  };

  std::filesystem::path path_;
  std::map<std::size_t, Place> places_;
  std::size_t end_ = 0, dropped_ = 0;
  int descriptor_ = -1;
};

}  // namespace engram::experiments
