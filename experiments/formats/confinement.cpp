// SPDX-License-Identifier: MIT
#include "experiments/formats/confinement.hpp"

#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace engram::experiments {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

constexpr std::uint32_t refused(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}

// Builder for a BPF filter. A jump gives the number of following steps to skip. Arguments of system calls have 64 bits,
// with the lower half first on the supported processors.
struct Filter {
  std::vector<sock_filter> steps;

  void load(std::size_t offset) {
    steps.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)});
  }
  void unless_equal(std::uint32_t value, std::uint8_t skipped) {
    steps.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, skipped, value});
  }
  void unless_set(std::uint32_t bits, std::uint8_t skipped) {
    steps.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, skipped, bits});
  }
  void answer(std::uint32_t what) { steps.push_back({BPF_RET | BPF_K, 0, 0, what}); }
  void refuse(long call, int error) {
    unless_equal(static_cast<std::uint32_t>(call), 1);
    answer(refused(error));
  }
};

constexpr std::size_t first_argument = offsetof(seccomp_data, args);

std::vector<sock_filter> no_other_process(const char* program) {
  if (architecture == 0) return {};
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.steps.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture});
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  constexpr std::uint32_t x32 = 0x40000000;  // alternative numbers of the same calls
  filter.unless_set(x32, 1);
  filter.answer(refused(ENOSYS));
  filter.refuse(SYS_fork, EPERM);
  filter.refuse(SYS_vfork, EPERM);
#endif
#ifdef SYS_clone3
  filter.refuse(SYS_clone3, ENOSYS);  // the filter cannot read its flags; libraries fall back to clone
#endif
  filter.refuse(SYS_execveat, EPERM);
  filter.unless_equal(SYS_clone, 4);
  filter.load(first_argument);
  filter.unless_set(CLONE_THREAD, 1);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refused(EPERM));
  // Allow execve only for the address of our string. After execve, the new program has another address space.
  const auto address = reinterpret_cast<std::uintptr_t>(program);
  filter.unless_equal(SYS_execve, 6);
  filter.load(first_argument);
  filter.unless_equal(static_cast<std::uint32_t>(address), 3);
  filter.load(first_argument + sizeof(std::uint32_t));
  filter.unless_equal(static_cast<std::uint32_t>(std::uint64_t{address} >> 32), 1);
  filter.answer(SECCOMP_RET_ALLOW);
  filter.answer(refused(EPERM));
  filter.answer(SECCOMP_RET_ALLOW);
  return std::move(filter.steps);
}

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

}  // namespace

Confinement::Confinement(const std::string& program, const ProgramLimits& limits)
    : limits_(limits), filter_(no_other_process(program.c_str())) {}

void Confinement::enter() const {
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits_.time.count() / 1000 + 1));
  limit(RLIMIT_AS, limits_.memory);
  limit(RLIMIT_FSIZE, limits_.file_size);
  limit(RLIMIT_CORE, 0);
#ifdef SYS_close_range
  syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
  limit(RLIMIT_NOFILE, limits_.open_files);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const sock_fprog program{static_cast<unsigned short>(filter_.size()),
                           const_cast<sock_filter*>(filter_.data())};
  if (filter_.empty() || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) limit(RLIMIT_NPROC, 0);
}

}  // namespace engram::experiments
