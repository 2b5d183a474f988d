// SPDX-License-Identifier: MIT
// What a program that only draws cannot do, whatever its script says: start another, or take what it likes.
#pragma once

#include <linux/filter.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace engram::experiments {

/// What a program may take; chosen, hundreds of times what the largest of our pictures takes.
struct ProgramLimits {
  std::chrono::milliseconds time{60'000};            // by the clock, and of the processor
  std::uint64_t memory = std::uint64_t{2} << 30;     // bytes of addresses
  std::uint64_t file_size = std::uint64_t{1} << 28;  // bytes
  std::uint64_t open_files = 64;
};

/// Prepared before a fork and entered in the child, where nothing may be allocated.
class Confinement {
 public:
  /// `program`: the path that the child hands to execve, this very string; it must outlive the child's start.
  Confinement(const std::string& program, const ProgramLimits& limits);

  /// Limits, no core file, no files but the first three, and, where the system knows seccomp, no other
  /// process and no other program than this one, once; threads may begin. Where it does not, a user who is
  /// not root can start no process by RLIMIT_NPROC.
  void enter() const;

 private:
  ProgramLimits limits_;
  std::vector<sock_filter> filter_;  // empty: this processor's system calls are not known here
};

}  // namespace engram::experiments
