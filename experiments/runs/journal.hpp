// SPDX-License-Identifier: MIT
// What an unfinished run has done: a line a trial, in the order in which they were done.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// A trial's rows and timings in one line of JSON, with a digest by which a damaged one is noticed.
std::string record_line(std::size_t trial, const TrialResult& result);
/// Nothing where the line is not what record_line() wrote.
std::optional<std::pair<std::size_t, TrialResult>> read_record(const std::string& line);

/// The file unfinished.jsonl of a run's folder. Its first line names the plan, by a digest, and each other is
/// a trial, appended in one piece when the trial is done: after a kill, or a loss of power, at any moment
/// every line but the last is whole, and a line that is not whole is a trial that was not done. Memory
/// O(trials), not their rows
class Journal {
 public:
  /// Makes an empty file that names no plan yet: the mark of a folder in which a run has begun.
  static void begin(const std::filesystem::path& folder);
  /// Names the plan of an empty journal, or reads one of this plan and keeps what is whole. One of another
  /// plan, or of none, is begun anew.  Errors  std::system_error
  Journal(const std::filesystem::path& folder, const std::string& plan);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  bool has(std::size_t trial) const { return places_.contains(trial); }
  std::size_t size() const { return places_.size(); }
  std::size_t dropped() const { return dropped_; }  // lines that were not whole
  /// A trial that is there already is not written again.  Errors  std::system_error
  void add(std::size_t trial, const TrialResult& result);
  /// All trials, in the order of their numbers.  Errors  std::system_error
  void for_each(const std::function<void(const TrialResult&)>& use) const;
  /// The run is complete: the file goes.
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
