// SPDX-License-Identifier: MIT
// Results of trials, kept from one run to another in a folder that the user names.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// What a trial's result depends on: its setting, or the whole spec and its number where the experiment names
/// none; every input by its digest; and the program by its own.
Json trial_key(const Spec& spec, const Json& manifest, const Trials& trials, std::size_t trial);

/// One file an entry, named by the SHA-256 of its key, written whole or not at all; several runs may share a
/// folder. A hit gives the same rows. An entry that is damaged, or is another key's, is no hit and is
/// replaced.
class TrialCache {
 public:
  /// An empty path: nothing is kept.
  explicit TrialCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The rows as this trial's own: where its number in the run that made them was another, it is set.
  std::optional<TrialResult> find(const Json& key, std::size_t trial);
  /// Errors  std::system_error
  void add(const Json& key, std::size_t trial, const TrialResult& result) const;

  /// Adds what was found by others who share it in one run.
  void count(std::size_t hits, std::size_t damaged);

  bool used() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::size_t hits() const { return hits_; }
  std::size_t damaged() const { return damaged_; }
  /// A line about both, or nothing where no cache is used.
  std::string told() const;

 private:
  std::filesystem::path place(const Json& key) const;

  std::filesystem::path folder_;
  std::atomic<std::size_t> hits_ = 0, damaged_ = 0;
};

}  // namespace engram::experiments
