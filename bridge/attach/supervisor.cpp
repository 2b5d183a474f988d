// SPDX-License-Identifier: MIT
// The supervisor runs in a fork of a program that may have threads, so it only makes async-signal-safe calls.
#include "bridge/attach/supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

namespace engram::bridge {
namespace {

constexpr int nap_ms = 5;
constexpr int naps_to_end = 20;    // for the program to end after the end of its input
constexpr int naps_to_kill = 200;  // after which processes that cannot be killed are left to the system

void nap() { ::poll(nullptr, 0, nap_ms); }

void signals_by_default() {
  for (int number = 1; number < NSIG; ++number)
    if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Signals for this process or for the program must not end the supervisor.
void ignore_signals() {
  for (int number = 1; number < NSIG; ++number)
    if (number != SIGKILL && number != SIGSTOP && number != SIGCHLD) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
}

// Closes inherited files. Otherwise the pipes of the program would stay open after its end.
void close_all_but(int kept) {
#ifdef __linux__
  const auto number = static_cast<unsigned>(kept);
  if ((number == 0 || ::close_range(0, number - 1, 0) == 0) && ::close_range(number + 1, ~0U, 0) == 0) return;
#endif
  constexpr int most = 1 << 16;
  for (int other = 0; other < std::min(::getdtablesize(), most); ++other)
    if (other != kept) ::close(other);
}

void become_program(pid_t supervisor) {
  signals_by_default();
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(EXIT_FAILURE);  // the supervisor died first
#else
  static_cast<void>(supervisor);
#endif
}

#ifdef __linux__
// Kills all current children. Their own children become ours and are killed by the next call.
void kill_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  std::array<char, 4096> text{};
  pid_t child = 0;
  for (ssize_t size = 0; (size = ::read(list, text.data(), text.size())) > 0;)
    for (const char c : std::basic_string_view<char>(text.data(), static_cast<std::size_t>(size))) {
      if (c >= '0' && c <= '9') {
        child = child * 10 + (c - '0');
      } else {
        if (child > 0) ::kill(child, SIGKILL);
        child = 0;
      }
    }
  ::close(list);
}
#endif

// Reaps ended children and stores the status of the program. Returns whether a child is left.
bool bury(pid_t program, int& status, bool& ended) {
  for (;;) {
    int how = 0;
    const pid_t one = ::waitpid(-1, &how, WNOHANG);
    if (one == 0 || (one < 0 && errno == EINTR)) return true;
    if (one < 0) return false;
    if (one != program) continue;
    status = how;
    ended = true;
  }
}

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    constexpr rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

// Waits until the other end of `control` is closed, and reaps orphans at intervals.
void wait_for_end_of(int control, pid_t program, int& status, bool& ended) {
  constexpr int between_burials_ms = 1000;
  pollfd end{control, POLLIN, 0};
  char ignored = 0;
  for (;;) {
    const int ready = ::poll(&end, 1, between_burials_ms);
    bury(program, status, ended);
    if (ready > 0 && ::read(control, &ignored, 1) == 0) return;
  }
}

}  // namespace

void supervise(int control) {
  ::setsid();
#ifdef __linux__
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  const pid_t supervisor = ::getpid(), program = ::fork();
  if (program == 0) return become_program(supervisor);
  ignore_signals();
  close_all_but(control);
  int status = 0;
  bool ended = program < 0;
  wait_for_end_of(control, program, status, ended);
  for (int i = 0; i < naps_to_end && bury(program, status, ended) && !ended; ++i) nap();
  for (int i = 0; i < naps_to_kill; ++i) {
#ifdef __linux__
    kill_children();
#else
    if (program > 0) ::kill(program, SIGKILL);
#endif
    if (!bury(program, status, ended)) break;
    nap();
  }
  end_like(status);
}

}  // namespace engram::bridge
