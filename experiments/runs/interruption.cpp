// SPDX-License-Identifier: MIT
#include "experiments/runs/interruption.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "experiments/runs/exit_code.hpp"

namespace engram::experiments {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
constexpr unsigned grace_in_seconds = 1;

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // safe in a signal handler

void tell(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text.data(), text.size());
}

void end_at_once(int) {
  tell("\nengram: stopped at once\n");
  _exit(interrupted);
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

void ask(int) {
  asked = true;
  tell("\nengram: stopping; what is done is kept\n");
  for (const int number : signals) handle(number, end_at_once, 0);
  alarm(grace_in_seconds);
}

bool is_ignored(int number) {  // shells ignore signals in background jobs
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  return now.sa_handler == SIG_IGN;
}

}  // namespace

Interruption::Interruption()
    : work_({}, [] {
        if (asked) throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "stopped");
      }) {
  asked = false;
  handle(SIGALRM, end_at_once, 0);
  for (const int number : signals)
    if (!is_ignored(number)) handle(number, ask, SA_RESTART);
}

Interruption::~Interruption() {
  alarm(0);
  for (const int number : signals)
    if (!is_ignored(number)) handle(number, SIG_DFL, 0);
  handle(SIGALRM, SIG_DFL, 0);
}

}  // namespace engram::experiments
