// SPDX-License-Identifier: MIT
// Sandbox for programs that draw pictures. Whatever their script contains, they cannot start other programs or exceed
// resource limits.
#pragma once

#include <linux/filter.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace engram::experiments {

/// Resource limits of a program. Chosen: hundreds of times the needs of our largest picture.
struct ProgramLimits {
  std::chrono::milliseconds time{60'000};            // wall-clock time, and processor time
  std::uint64_t memory = std::uint64_t{2} << 30;     // bytes of address space
  std::uint64_t file_size = std::uint64_t{1} << 28;  // bytes
  std::uint64_t open_files = 64;
};

/// Sandbox, constructed before fork() and entered in the child, where memory must not be allocated.
class Confinement {
 public:
  /// `program`: the string that the child passes to execve. It must outlive the start of the child, because the filter
  /// compares its address.
  Confinement(const std::string& program, const ProgramLimits& limits);

  /// Sets the limits, disables core files, and closes all files but the first three. With seccomp, forbids other
  /// processes and any execve but one of `program`; threads are allowed. Without seccomp, RLIMIT_NPROC prevents
  /// processes, unless the user is root.
  void enter() const;

 private:
  ProgramLimits limits_;
  std::vector<sock_filter> filter_;  // empty on processors without a known system call table
};

}  // namespace engram::experiments
