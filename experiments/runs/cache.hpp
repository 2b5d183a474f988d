// SPDX-License-Identifier: MIT
// Cache of trial results across runs, in a folder that the user names.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Cache key of a trial: its setting (or the whole spec and its number, if the experiment defines no setting), and the
/// digests of all inputs and of the program.
Json trial_key(const Spec& spec, const Json& manifest, const Trials& trials, std::size_t trial);

/// Cache of trial results. Each entry is a file named by the SHA-256 of its key and written atomically, so runs may
/// share a folder. A hit gives the same rows. A damaged entry, or one with another key, is a miss and is replaced.
class TrialCache {
 public:
  /// An empty path disables the cache.
  explicit TrialCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Looks up a result. The trial number in its rows is replaced by `trial`.
  std::optional<TrialResult> find(const Json& key, std::size_t trial);
  /// Stores a result.  Errors  std::system_error
  void add(const Json& key, std::size_t trial, const TrialResult& result) const;

  /// Adds counts of other processes that take part in the run.
  void count(std::size_t hits, std::size_t damaged);

  bool used() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::size_t hits() const { return hits_; }
  std::size_t damaged() const { return damaged_; }
  /// Line about hits and damaged entries; empty if the cache is disabled.
  std::string told() const;

 private:
  std::filesystem::path place(const Json& key) const;

  std::filesystem::path folder_;
  std::atomic<std::size_t> hits_ = 0, damaged_ = 0;
};

}  // namespace engram::experiments
