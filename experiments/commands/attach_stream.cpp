// SPDX-License-Identifier: MIT
#include "experiments/commands/attach_stream.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <system_error>

#include "bridge/stream/stream_world.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/names.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/session_log.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/stream_report.hpp"
#include "experiments/runs/interruption.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t links_told = 10, links_on_page = 100;

std::string policies_in_words() {
  std::string words;
  for (const core::EventPolicyFacts& policy : core::event_policies)
    words += "\n" + std::string(policy.name) + ": " + std::string(policy.summary);
  return words;
}

bridge::StreamOptions options_of(const StreamArguments& arguments, const bridge::LiveReasonerOptions& nars,
                                 bool only_acts) {
  bridge::StreamOptions options = arguments.options;
  static_cast<bridge::LiveReasonerOptions&>(options) = nars;
  options.answers_only = only_acts;
  options.filter.policy = *core::value_named(core::event_policies, arguments.policy);
  options.filter.map.map = *core::value_named(core::simplex_maps, arguments.map);
  if (options.operations.size() > options.filter.outcomes.operations)
    throw InputError("--operations must be no more than " +
                     std::to_string(options.filter.outcomes.operations) + ", found " +
                     std::to_string(options.operations.size()));
  for (std::size_t i = 0; i < options.operations.size(); ++i) {
    const std::string& operation = options.operations[i];
    const bool is_new =
        std::find(options.operations.begin(), options.operations.begin() + static_cast<std::ptrdiff_t>(i),
                  operation) == options.operations.begin() + static_cast<std::ptrdiff_t>(i);
    if (operation.size() < 2 || operation[0] != '^' || !is_new ||
        operation.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", 1) !=
            operation.npos)
      throw InputError("--operations must be different ones such as ^left, of letters, digits and _, found " +
                       operation);
  }
  if (!arguments.unix_path.empty()) options.live = true;
  return options;
}

std::unique_ptr<bridge::World> world_of(const StreamArguments& arguments) {
  if (!arguments.unix_path.empty()) {
    if (!arguments.file.empty())
      throw InputError(
          "--unix: the world comes by the socket; --stream must stand without a file or not at all");
    return bridge::open_socket_world(arguments.unix_path);
  }
  // Rejects devices, because they may never end.
  const std::string name = arguments.name();
  if (name != "-" && !std::filesystem::is_fifo(name)) open_stream(name);
  if (arguments.options.live) return bridge::open_live_file_world(name, STDOUT_FILENO);
  return bridge::open_file_world(name, [mutex = std::make_shared<std::mutex>()](const std::string& line) {
    const std::lock_guard lock(*mutex);
    std::cout << line << '\n' << std::flush;
  });
}

// File that keeps the outcomes a policy has learnt.
class LearntFile {
 public:
  /// Loads the file if it exists.
  /// Errors  InputError if the file is invalid, or if the policy learns more than the outcomes
  LearntFile(const StreamArguments& arguments, bridge::WorldStream& stream)
      : stream_(stream), path_(arguments.learnt) {
    if (path_.empty()) return;
    const auto policy = core::value_named(core::event_policies, arguments.policy);
    if (policy != core::EventPolicyKind::predictive && policy != core::EventPolicyKind::single_events &&
        policy != core::EventPolicyKind::temporal_links)
      throw InputError(
          "--learnt keeps what the policies predictive, single_events and temporal_links learn, found " +
          arguments.policy);
    if (!std::filesystem::exists(path_)) {
      keep();  // reports an unwritable file now
      return;
    }
    try {
      stream_.restore(bridge::read_stream_learning(path_));
    } catch (const bridge::LearningError& error) {
      throw InputError(path_ + " " + error.what());
    } catch (const std::invalid_argument& error) {
      throw InputError(path_ + ": " + error.what());
    }
  }
  /// Saves the state once in five minutes. Call this after each event. Failed writes are ignored, because the file may
  /// be writable at the end.
  void look() {
    constexpr std::chrono::minutes every(5);
    if (path_.empty() || std::chrono::steady_clock::now() - kept_ < every) return;
    try {
      keep();
    } catch (const std::system_error& error) {
      std::cerr << "engram: warning: what was learnt is not kept: " << error.what() << '\n';
      kept_ = std::chrono::steady_clock::now();
    }
  }
  void keep() {
    if (path_.empty()) return;
    write_file(path_, bridge::to_text(stream_.learning()));
    kept_ = std::chrono::steady_clock::now();
  }

 private:
  bridge::WorldStream& stream_;
  std::string path_;
  std::chrono::steady_clock::time_point kept_;
};

void tell_of(bridge::WorldStream& stream, const bridge::AttachedMemory& memory) {
  const bridge::StreamCounts counts = stream.counts();
  std::cerr << "engram: " << counts.events << " events, " << counts.goals << " goals: " << counts.passed
            << " events passed on, " << counts.executed << " operations executed\n";
  const auto tell = [](std::uint64_t count, const char* what) {
    if (count > 0) std::cerr << "  " << count << ' ' << what << '\n';
  };
  tell(counts.dropped, "events were dropped: too many in a cycle");
  tell(counts.crowded_out, "events, goals and sentences were dropped: the NARS was busy");
  tell(counts.late, "events came too late to be told");
  tell(counts.far, "events were too far from now, or yet to come");
  tell(counts.refused, "sentences cannot be written for the NARS");
  tell(counts.lost_events + counts.lost_goals + counts.lost_others,
       "events, goals and questions were told to a NARS that failed");
  tell(counts.unknown_operations, "operations are none of --operations");
  tell(counts.restarts, "restarts of the NARS");
  const core::ForgettingHistory& gone = memory.session().forgetting().state().so_far;
  if (gone.statements + gone.links > 0)
    std::cerr << "  forgotten: " << gone.statements << " statements, " << gone.concepts << " concepts, "
              << gone.links << " links\n";
  for (const std::string& link : stream.learnt_implications(links_told))
    std::cerr << "engram: learnt: " << link << '\n';
  std::cerr << "engram: memory: sha256 " << memory.end().memory << '\n';
}

}  // namespace

void add_stream(CLI::App* command, StreamArguments& arguments) {
  core::EventFilterOptions& filter = arguments.options.filter;
  const std::string group = "A world's stream of events";
  const auto in_group = [&](CLI::Option* option) { return option->group(group); };
  arguments.given =
      in_group(command->add_option(
                   "--stream", arguments.file,
                   "read a world's events, goals, operations and time as they come, from this file or (-) "
                   "standard\ninput, pass few events of a cycle on to the NARS, and print what it does "
                   "(default: -)"))
          ->type_name(file_type)
          ->expected(0, 1);
  in_group(add_option(command, "--unix", arguments.unix_path,
                      "the same by a Unix socket of this path, for one world at a time; it is --live"))
      ->type_name(file_type);
  in_group(command->add_flag(
      "--live", arguments.options.live,
      "the world never waits: what is too much for the NARS is dropped, the least deserving first\n"
      "(without it a world is read no faster than the NARS takes it)"));
  in_group(add_option(command, "--pass", filter.pass, "events that go on in a cycle, at most"))
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  in_group(
      add_option(command, "--policy", arguments.policy, "what chooses them:" + policies_in_words() + "\n"))
      ->check(one_of(core::names_in(core::event_policies)));
  in_group(
      add_option(
          command, "--operations", arguments.options.operations,
          "what the NARS can do, such as ^left,^right; it is told so, and another one that it executes is "
          "unknown\n(default: what it has)"))
      ->type_name("NAMES")
      ->delimiter(',');
  in_group(add_option(command, "--horizon", arguments.options.horizon,
                      "cycles from now that an event's time may be; one further away is remembered alone"))
      ->check(CLI::Range(core::Moment{1}, core::Moment{1'000'000'000}));
  in_group(
      add_option(command, "--window", filter.window, "cycles that an event counts for what is done later"))
      ->check(CLI::Range(core::Moment{1}, core::Moment{1'000'000}));
  in_group(add_option(command, "--within", filter.horizon,
                      "cycles in which an operation must have reached its goal"))
      ->check(CLI::Range(core::Moment{1}, core::Moment{1'000'000}));
  in_group(
      add_option(command, "--map", arguments.map,
                 "from scores to budgets; what gets none does not go on, and a sparse map gives few any"))
      ->check(one_of(core::names_in(core::simplex_maps)));
  in_group(add_option(command, "--temperature", filter.temperature,
                      "of the map: the lower, the fewer go on, and the surer they must be"))
      ->check(CLI::PositiveNumber);
  in_group(add_option(command, "--linger", filter.linger,
                      "cycles that an event which was not passed on may still be (default: none)"))
      ->check(CLI::Range(core::Moment{0}, core::Moment{1'000'000}));
  in_group(
      add_option(command, "--fade", filter.outcomes.fade,
                 "share of a learnt link's evidence that is new at each of its uses: the more, the sooner\n"
                 "what has changed in the world is learnt, and the less sure it is"))
      ->check(CLI::Range(0.0, 0.99));
  in_group(command->add_flag(
      "!--no-advice", filter.advise,
      "do not tell the NARS what the filter has learnt when the operations of the NARS differ from it"));
  in_group(
      add_option(command, "--max-kinds", filter.max_kinds, "different events that the choice learns about"))
      ->check(CLI::Range(std::size_t{16}, std::size_t{1} << 24));
  in_group(add_option(command, "--max-waiting", filter.max_waiting,
                      "events that may wait for a cycle's end; of more the least deserving are dropped"))
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  in_group(add_option(command, "--episodes", arguments.options.max_episodes,
                      "episodes that are kept with their time, the latest"))
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  in_group(
      add_option(command, "--learnt", arguments.learnt,
                 "go on from what the choice has learnt in this file, if it is there, and keep it there:\n"
                 "every five minutes and at the end (policies predictive, single_events and temporal_links)"))
      ->type_name(file_type);
  in_group(add_option(command, "--seed", filter.seed, "seed of what the choice leaves to chance"));
}

ExitCode attach_stream(const StreamArguments& arguments, const bridge::LiveReasonerOptions& nars,
                       const bridge::SessionStart& start, const StreamFiles& files) {
  const bridge::StreamOptions options =
      options_of(arguments, nars, start.learning == bridge::Learning::nothing);
  for (const std::string* file : {&files.summary, &files.report})
    if (!file->empty()) require_writable(*file);
  const auto world = world_of(arguments);
  bridge::AttachedMemory memory(start);
  SessionLog transcript(files.log, start);
  Diagnostics diagnostics(arguments.name(), std::cerr);
  StreamHistory history;
  const bridge::WorldStream* stream_at_work = nullptr;
  std::optional<LearntFile> learnt;
  bridge::WorldStream stream(options, memory,
                             {.entries =
                                  [&](const bridge::TranscriptEntry& entry) {
                                    transcript.write(bridge::to_json(entry));
                                    if (!files.report.empty()) history.look(stream_at_work->counts());
                                    if (learnt) learnt->look();
                                  },
                              .replies = [&](const std::string& line) { world->send(line); },
                              .rejected =
                                  [&](const core::RejectedLine& wrong) {
                                    diagnostics.error(wrong.line, wrong.column, wrong.message);
                                  }});
  stream_at_work = &stream;
  learnt.emplace(arguments, stream);
  bool stopped = false;
  std::string failure;
  try {
    const Interruption interruption;
    bridge::run_stream(stream, *world, options.live);
  } catch (const bridge::CannotStart& error) {
    failure = std::string(error.what()) +
              "\n  behind -- stands the command that starts the NARS, such as -- ./NAR shell";
  } catch (const bridge::ReasonerError& error) {
    failure = error.what();
  } catch (const bridge::WorldError& error) {
    failure = error.what();
  } catch (const core::WorkStopped& why) {
    stopped = why.reason == core::WorkStopped::Reason::cancelled;
    if (!stopped) failure = why.what();
  }
  transcript.write(bridge::to_json(memory.end()));
  tell_of(stream, memory);
  if (!files.summary.empty()) write_stream(files.summary, stream.stats() + "\n");
  if (!files.report.empty())
    write_stream(files.report, stream_report(start.system->program, history, stream.counts(),
                                             stream.learnt_implications(links_on_page)));
  learnt->keep();  // last, so that a failed write loses nothing else
  const ExitCode code = diagnostics.finish();
  if (stopped) {
    std::cerr << "engram: interrupted; what came until then has been learnt\n";
    return interrupted;
  }
  if (failure.empty()) return code;
  std::cerr << "engram: error: " << failure << '\n';
  return outside_failure;
}

}  // namespace engram::experiments
