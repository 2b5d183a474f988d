// SPDX-License-Identifier: MIT
#include "experiments/runs/terminal.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#include <utility>

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
  tell("\nengram: stopping; finished work is kept\n");
  for (const int number : signals) handle(number, end_at_once, 0);
  alarm(grace_in_seconds);
}

bool is_ignored(int number) {  // shells start background jobs with ignored signals
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

using Clock = std::chrono::steady_clock;

Progress::Progress(std::ostream* out, std::ostream* terminal, std::string what, std::size_t total,
                   std::size_t done, std::string units)
    : out_(out),
      terminal_(terminal),
      what_(std::move(what)),
      units_(std::move(units)),
      total_(total),
      done_(done),
      first_(done),
      start_(Clock::now()),
      shown_(start_) {
  if (out_ != nullptr && first_ > 0)
    *out_ << "engram: " << what_ << ": " << first_ << " of " << total_ << ' ' << units_
          << " are there already\n";
}

void Progress::advance(std::size_t units) {
  done_ += units;
  if (out_ == nullptr) return;
  const auto now = Clock::now();
  if (now - shown_ <
      (terminal_ != nullptr ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000)))
    return;
  shown_ = now;
  show();
}

void Progress::show() {
  const std::chrono::duration<double> spent = Clock::now() - start_;
  const double left =
      spent.count() / static_cast<double>(done_ - first_) * static_cast<double>(total_ - done_);
  const std::string text = what_ + ": " + std::to_string(done_) + " of " + std::to_string(total_) + " " +
                           units_ + ", about " + std::to_string(static_cast<long>(left) + 1) + " s left";
  if (terminal_ == nullptr) {
    *out_ << "engram: " << text << std::endl;
    return;
  }
  constexpr std::size_t width = 30;
  const std::size_t filled = width * done_ / total_;
  *terminal_ << "\r\x1b[K[" << std::string(filled, '#') << std::string(width - filled, '.') << "] " << text
             << std::flush;
}

void Progress::finish() {
  if (out_ != nullptr && terminal_ != nullptr) *terminal_ << "\r\x1b[K" << std::flush;
}

}  // namespace engram::experiments
