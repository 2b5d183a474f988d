// SPDX-License-Identifier: MIT
#include "experiments/runs/interruption.hpp"

#include <signal.h>
#include <unistd.h>

#include <string_view>

namespace engram::experiments {
namespace {

std::atomic<bool> asked{false};
std::string_view told;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may use it

void ask(int) {
  asked = true;
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, told.data(), told.size());
}

constexpr int signals[] = {SIGINT, SIGTERM};

}  // namespace

Interruption::Interruption(std::string_view notice) {
  asked = false;
  told = notice;
  struct sigaction action {};
  action.sa_handler = ask;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int number : signals) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(number, &action, nullptr);  // as a shell's background jobs want it
  }
}

Interruption::~Interruption() {
  for (const int number : signals) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == ask) signal(number, SIG_DFL);
  }
}

const std::atomic<bool>& Interruption::requested() { return asked; }

}  // namespace engram::experiments
