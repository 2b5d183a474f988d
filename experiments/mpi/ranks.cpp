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

constexpr const char* marks_of_a_launcher[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
constexpr const char* patience_setting = "ENGRAM_MPI_PATIENCE";
constexpr std::chrono::seconds usual_patience = 30s, longest_patience = 86400s;
constexpr auto to_say_bye = 5s;
constexpr unsigned seconds_to_finalize = 5;

std::chrono::seconds patience() {
  const char* text = std::getenv(patience_setting);
  if (text == nullptr) return usual_patience;
  const std::string_view said = text;
  long seconds = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), seconds);
  if (error != std::errc() || end != said.data() + said.size() || seconds < 2 ||
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
  return std::ranges::any_of(marks_of_a_launcher,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

Ranks::Ranks(int& argc, char**& argv)
    : environment_(argc, argv, boost::mpi::threading::multiple, false),
      patience_(patience()),
      names_(static_cast<std::size_t>(world_.size())) {
  for (const char* name : marks_of_a_launcher) unsetenv(name);
  if (boost::mpi::environment::thread_level() < boost::mpi::threading::multiple)
    throw std::runtime_error(
        "MPI must be one that several threads may use (MPI_THREAD_MULTIPLE); this is not");
  for (int rank = 0; rank < size(); ++rank)
    names_[static_cast<std::size_t>(rank)] = "rank " + std::to_string(rank);
  post_ = std::make_unique<Mailbox>(world_, patience_);
}

Ranks::~Ranks() {
  code_at_the_end = 3;
  std::signal(SIGALRM, end_now);
  alarm(seconds_to_finalize);  // MPI_Finalize waits for all ranks
}

void Ranks::introduce() {
  post_->send_to_peers(MessageKind::hello, introduction(environment_.processor_name()).dump());
}

void Ranks::meet() {
  const Json own = introduction(environment_.processor_name());
  std::string others;
  for (int left = size() - 1; left > 0;) {
    const auto message = post_->receive(patience_);
    if (!message) continue;
    if (message->word == MessageKind::lost) throw SpecError("mpi", silence_of(message->rank));
    if (message->word != MessageKind::hello) continue;
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

std::string Ranks::silence_of(int rank) const {
  return name_of(rank) + " has said nothing for " + std::to_string(patience_.count()) + " s (" +
         patience_setting + "): it ended, or hangs, or cannot be reached";
}

bool Ranks::all_said_bye() {
  post_->send_to_peers(MessageKind::release);
  std::set<int> waited_for;
  for (int rank = 1; rank < size(); ++rank) waited_for.insert(rank);
  const auto until = std::chrono::steady_clock::now() + to_say_bye;
  for (auto now = std::chrono::steady_clock::now(); !waited_for.empty() && now < until;
       now = std::chrono::steady_clock::now()) {
    const auto message = post_->receive(until - now);
    if (!message) continue;
    if (message->word == MessageKind::lost) return false;
    if (message->word == MessageKind::bye) waited_for.erase(message->rank);
  }
  return waited_for.empty();
}

void Ranks::leave(int code) {
  code_at_the_end = code;
  std::signal(SIGALRM, end_now);
  // Missing ranks will not answer any more, and MPI_Finalize would wait for them forever.
  if (rank() == 0 && !all_said_bye()) _exit(code);
  if (rank() != 0) post_->send_to_peers(MessageKind::bye);
  alarm(seconds_to_finalize);
  post_.reset();
  MPI_Finalize();
  _exit(code);
}

}  // namespace engram::experiments::mpi
