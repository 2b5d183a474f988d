// SPDX-License-Identifier: MIT
#include "experiments/mpi/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <set>
#include <string_view>

#include "experiments/formats/files.hpp"
#include "experiments/provenance/provenance.hpp"

namespace engram::experiments::mpi {
namespace {

using namespace std::chrono_literals;

constexpr const char* launcher_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
constexpr const char* patience_setting = "ENGRAM_MPI_PATIENCE";
constexpr std::chrono::seconds default_patience = 30s, longest_patience = 86400s;
constexpr auto time_to_release = 5s;
constexpr unsigned seconds_to_finalize = 5;

std::chrono::seconds patience() {
  const char* text = std::getenv(patience_setting);
  if (text == nullptr) return default_patience;
  const std::string_view value = text;
  long seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size() || seconds < 2 ||
      seconds > longest_patience.count())
    throw SpecError(patience_setting, "must be 2 .. " + std::to_string(longest_patience.count()) +
                                          " seconds, and is \"" + text + "\"");
  return std::chrono::seconds(seconds);
}

volatile std::sig_atomic_t code_at_the_end = 0;
void end_now(int) { _exit(code_at_the_end); }

Json introduction(const std::string& host) {
  return {{"version", version_line()},
          {"program", program_digest()},
          {"host", host},
          {"process", static_cast<long>(getpid())}};
}

std::string build_in(const Json& who) {
  return who.at("version").get<std::string>() + ", SHA-256 " + who.at("program").get<std::string>();
}

}  // namespace

bool started_by_launcher() {
  return std::ranges::any_of(launcher_variables,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

Ranks::Ranks(int& argc, char**& argv)
    : environment_(argc, argv, boost::mpi::threading::multiple, false),
      patience_(patience()),
      names_(static_cast<std::size_t>(world_.size())) {
  for (const char* name : launcher_variables) unsetenv(name);
  if (boost::mpi::environment::thread_level() < boost::mpi::threading::multiple)
    throw std::runtime_error("this MPI does not support several threads (MPI_THREAD_MULTIPLE)");
  for (int rank = 0; rank < size(); ++rank)
    names_[static_cast<std::size_t>(rank)] = "rank " + std::to_string(rank);
  mailbox_ = std::make_unique<Mailbox>(world_, patience_);
}

Ranks::~Ranks() {
  code_at_the_end = 3;
  std::signal(SIGALRM, end_now);
  alarm(seconds_to_finalize);  // limits the time that MPI_Finalize waits for other ranks
}

void Ranks::introduce() {
  mailbox_->send_to_peers(MessageKind::hello, introduction(environment_.processor_name()).dump());
}

void Ranks::meet() {
  const Json own = introduction(environment_.processor_name());
  std::string others;
  for (int left = size() - 1; left > 0;) {
    const auto message = mailbox_->receive(patience_);
    if (!message) continue;
    if (message->kind == MessageKind::lost) throw SpecError("mpi", error_of_lost(message->rank));
    if (message->kind != MessageKind::hello) continue;
    --left;
    const Json who = Json::parse(message->text);
    names_[static_cast<std::size_t>(message->rank)] += " (" + who.at("host").get<std::string>() +
                                                       ", process " +
                                                       std::to_string(who.at("process").get<long>()) + ")";
    if (who.at("program") != own.at("program") && others.empty())
      others =
          name_of(message->rank) + " is another build: " + build_in(who) + "; rank 0 is " + build_in(own);
  }
  if (!others.empty()) throw SpecError("mpi", "all ranks must be the same program; " + others);
}

std::string Ranks::name_of(int rank) const { return names_.at(static_cast<std::size_t>(rank)); }

std::string Ranks::error_of_lost(int rank) const {
  return name_of(rank) + " has sent nothing for " + std::to_string(patience_.count()) + " s (" +
         patience_setting + "): it has ended, hangs, or cannot be reached";
}

// Releases the other ranks.  Returns  whether each of them answered
bool Ranks::release_others() {
  mailbox_->send_to_peers(MessageKind::release);
  std::set<int> waiting_for;
  for (int rank = 1; rank < size(); ++rank) waiting_for.insert(rank);
  const auto until = std::chrono::steady_clock::now() + time_to_release;
  for (auto now = std::chrono::steady_clock::now(); !waiting_for.empty() && now < until;
       now = std::chrono::steady_clock::now()) {
    const auto message = mailbox_->receive(until - now);
    if (!message) continue;
    if (message->kind == MessageKind::lost) return false;
    if (message->kind == MessageKind::bye) waiting_for.erase(message->rank);
  }
  return waiting_for.empty();
}

void Ranks::leave(int code) {
  code_at_the_end = code;
  std::signal(SIGALRM, end_now);
  // MPI_Finalize would wait forever for ranks that do not answer.
  if (rank() == 0 && !release_others()) _exit(code);
  if (rank() != 0) mailbox_->send_to_peers(MessageKind::bye);
  alarm(seconds_to_finalize);
  mailbox_.reset();
  MPI_Finalize();
  _exit(code);
}

}  // namespace engram::experiments::mpi
