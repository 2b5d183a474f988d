// SPDX-License-Identifier: MIT
#include "experiments/mpi/service.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/mpi/orders.hpp"
#include "experiments/runs/terminal.hpp"

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

// The kinds of jobs. A new kind needs a line here.
constexpr std::pair<std::string_view, JobServer> kinds[] = {{trials_kind, serve_trials},
                                                            {cells_kind, serve_cells}};

constexpr auto signal_interval = 100ms;  // time between checks for signals
// Time for rank 0 to release this rank after a signal. Launchers kill their processes one second after the signal.
constexpr auto time_for_rank_0 = 600ms;
constexpr unsigned grace_in_seconds = 2;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // safe in signal handlers

void request_stop(int) {
  stop_requested = true;
  alarm(grace_in_seconds);
}

void end_at_once(int) { _exit(interrupted); }

std::string failure_text(const char* kind, const std::string& text) {
  return Json{{"kind", kind}, {"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Service::Service(Ranks& ranks) : ranks_(ranks) {
  std::signal(SIGALRM, end_at_once);
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, request_stop);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

int Service::serve() {
  ranks_.introduce();
  try {
    for (;;) {
      const Message message = next();
      if (message.kind == MessageKind::job) execute(Json::parse(message.text));
    }
  } catch (const Released&) {
  }
  if (rank_0_is_lost_ && !folder_.empty()) print_how_to_resume();
  return rank_0_is_lost_ ? outside_failure : done;
}

Message Service::next() {
  std::optional<std::chrono::steady_clock::time_point> stopping_since;
  for (;;) {
    const auto message = ranks_.mailbox().receive(signal_interval);
    const auto now = std::chrono::steady_clock::now();
    if (stop_requested && !stopping_since) stopping_since = now;
    rank_0_is_lost_ = (message && message->kind == MessageKind::lost) ||
                      (stopping_since && now - *stopping_since > time_for_rank_0);
    if (rank_0_is_lost_ || (message && message->kind == MessageKind::release)) {
      alarm(grace_in_seconds);  // ends trials that do not check for cancellation
      throw Released{};
    }
    if (message && !stopping_since) return *message;
  }
}

void Service::execute(const Json& order) {
  folder_ = order.value("out", "");
  try {
    const auto kind = order.at("kind").get<std::string>();
    const auto known =
        std::ranges::find(kinds, kind, [](const auto& each) { return std::string(each.first); });
    if (known == std::end(kinds)) throw std::runtime_error("unknown kind of job: " + kind);
    known->second(*this, order);
  } catch (const std::exception& error) {
    const char* failed = dynamic_cast<const SpecError*>(&error) != nullptr    ? "spec"
                         : dynamic_cast<const InputError*>(&error) != nullptr ? "input"
                                                                              : "other";
    ranks_.mailbox().send_to_peers(MessageKind::failed, failure_text(failed, error.what()));
    while (next().kind != MessageKind::end) {
    }
  }
  ranks_.mailbox().send_to_peers(MessageKind::ended);
  folder_.clear();
}

// Prints how to resume the run, on rank 1 only.
void Service::print_how_to_resume() {
  if (ranks_.rank() != 1) return;
  std::cerr
      << "engram: rank 0 has ended or does not answer. Finished work is kept. To continue, use the same "
         "command with --resume: "
      << legible(folder_) << '\n';
}

}  // namespace engram::experiments::mpi
