// SPDX-License-Identifier: MIT
// What `engram recall` asks where its memory lies on several processes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/methods/method.hpp"
#include "core/shards/sharded_recall.hpp"

namespace engram::experiments {

struct SplitQuestion {
  std::vector<std::string> files;
  std::string cue;
  std::vector<std::pair<std::string, core::Options>> methods;
  std::size_t top = 10;
  core::MemoryLimits limits;  // bytes: of each process
};

struct SplitAnswer {
  std::vector<core::RejectedInText> rejected;  // by file
  std::size_t rejected_in_all = 0;
  std::vector<core::ShardedRecall> recalls;  // by method
  std::vector<std::uint64_t> sent;           // bytes that a process sent for each, at most
};

/// The processes that hold it, this one among them.
class SplitMemory {
 public:
  virtual ~SplitMemory() = default;
  virtual std::size_t processes() const = 0;
  /// Errors  those of core::ShardedMemory and core::sharded_recall; InputError, with the rank
  virtual SplitAnswer ask(const SplitQuestion& question) = 0;
};

}  // namespace engram::experiments
