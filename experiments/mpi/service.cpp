// SPDX-License-Identifier: MIT
#include "experiments/mpi/service.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>

#include "experiments/formats/files.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/mpi/cell_order.hpp"
#include "experiments/mpi/trial_order.hpp"
#include "experiments/runs/terminal.hpp"

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

// The kinds of jobs. Add a line for a new kind.
constexpr std::pair<std::string_view, JobServer> kinds[] = {{trials_kind, serve_trials},
                                                            {cells_kind, serve_cells}};

constexpr auto between_looks = 100ms;  // how often signals are checked
// A launcher kills its processes one second after the signal.
constexpr auto for_rank_0_to_speak = 600ms;
constexpr unsigned grace_in_seconds = 2;

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // safe in signal handlers

void ask(int) {
  asked_to_stop = true;
  alarm(grace_in_seconds);
}

void end_at_once(int) { _exit(interrupted); }

std::string failure_text(const char* kind, const std::string& text) {
  return Json{{"kind", kind}, {"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Service::Service(Ranks& ranks) : ranks_(ranks) {
  std::signal(SIGALRM, end_at_once);
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, ask);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

int Service::serve() {
  ranks_.introduce();
  try {
    for (;;) {
      const Message message = next();
      if (message.word == MessageKind::job) carry_out(Json::parse(message.text));
    }
  } catch (const Released&) {
  }
  if (rank_0_is_lost_ && !folder_.empty()) tell_how_to_go_on();
  return rank_0_is_lost_ ? outside_failure : done;
}

Message Service::next() {
  std::optional<std::chrono::steady_clock::time_point> asked;
  for (;;) {
    const auto message = ranks_.post().receive(between_looks);
    const auto now = std::chrono::steady_clock::now();
    if (asked_to_stop && !asked) asked = now;
    rank_0_is_lost_ =
        (message && message->word == MessageKind::lost) || (asked && now - *asked > for_rank_0_to_speak);
    if (rank_0_is_lost_ || (message && message->word == MessageKind::release)) {
      alarm(grace_in_seconds);  // ends trials that do not check for cancellation
      throw Released{};
    }
    if (message && !asked) return *message;
  }
}

void Service::carry_out(const Json& order) {
  folder_ = order.value("out", "");
  try {
    const auto kind = order.at("kind").get<std::string>();
    const auto known =
        std::ranges::find(kinds, kind, [](const auto& each) { return std::string(each.first); });
    if (known == std::end(kinds)) throw std::runtime_error("a job of the unknown kind " + kind);
    known->second(*this, order);
  } catch (const std::exception& error) {
    const char* failed = dynamic_cast<const SpecError*>(&error) != nullptr    ? "spec"
                         : dynamic_cast<const InputError*>(&error) != nullptr ? "input"
                                                                              : "other";
    ranks_.post().send_to_peers(MessageKind::failed, failure_text(failed, error.what()));
    while (next().word != MessageKind::end) {
    }
  }
  ranks_.post().send_to_peers(MessageKind::ended);
  folder_.clear();
}

// Prints how to resume the run. Only rank 1 prints it.
void Service::tell_how_to_go_on() {
  if (ranks_.rank() != 1) return;
  std::cerr << "engram: rank 0 ended, or does not answer; finished work is kept: the same command with "
               "--resume goes on with "
            << legible(folder_) << '\n';
}

}  // namespace engram::experiments::mpi
