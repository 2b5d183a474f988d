// SPDX-License-Identifier: MIT
// The command `engram stream`: passes the events of a world that deserve attention on to a NARS, and returns the
// operations of the NARS to the world.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>

#include "bridge/stream/stream_learning.hpp"
#include "bridge/stream/stream_world.hpp"
#include "bridge/stream/world_stream.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/names.hpp"
#include "experiments/commands/attach_options.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/diagnostics.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/live_report.hpp"
#include "experiments/runs/terminal.hpp"

namespace engram::experiments {
namespace {

constexpr std::size_t links_told = 10, links_on_page = 100;

struct StreamArguments {
  std::string file;       // events of the world; empty or "-": standard input
  std::string unix_path;  // path of a socket, used instead of `file`
  std::string learnt;     // file that keeps the learnt state of the filter
  bool no_advice = false;
  NarsArguments nars;
  bridge::StreamOptions options;  // stream_options() adds `nars`, `policy` and `map`
  std::string policy{core::name_of(core::event_policies, core::EventFilterOptions{}.policy)};
  std::string map{core::name_of(core::simplex_maps, core::EventFilterOptions{}.map.map)};

  /// The name of the world: its socket, its file, or "-".
  std::string name() const { return !unix_path.empty() ? unix_path : file.empty() ? "-" : file; }
};

void require_operations(const std::vector<std::string>& operations, std::size_t most) {
  if (operations.size() > most)
    throw InputError("--operations: expected at most " + std::to_string(most) + ", found " +
                     std::to_string(operations.size()));
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (auto operation = operations.begin(); operation != operations.end(); ++operation)
    if (operation->size() < 2 || operation->front() != '^' ||
        operation->find_first_not_of(allowed, 1) != operation->npos ||
        std::find(operations.begin(), operation, *operation) != operation)
      throw InputError(
          "--operations: expected different names such as ^left, of letters, digits and _, found " +
          *operation);
}

bridge::StreamOptions stream_options(const StreamArguments& arguments) {
  bridge::StreamOptions options = arguments.options;
  static_cast<bridge::LiveReasonerOptions&>(options) = arguments.nars.reasoner_options();
  options.answers_only = arguments.nars.learning == "nothing";
  options.filter.policy = *core::value_named(core::event_policies, arguments.policy);
  options.filter.advise = !arguments.no_advice;
  options.filter.map.map = *core::value_named(core::simplex_maps, arguments.map);
  require_operations(options.operations, options.filter.outcomes.operations);
  if (!arguments.unix_path.empty()) options.live = true;
  return options;
}

std::unique_ptr<bridge::World> world_of(const StreamArguments& arguments) {
  if (!arguments.unix_path.empty()) {
    if (!arguments.file.empty())
      throw InputError("--unix: the world connects to the socket: expected no file, found " + arguments.file);
    return bridge::open_socket_world(arguments.unix_path);
  }
  // Report an unreadable file now. Devices are rejected, because they may never end.
  const std::string name = arguments.name();
  if (name != "-" && !std::filesystem::is_fifo(name)) open_stream(name);
  if (arguments.options.live) return bridge::open_live_file_world(name, STDOUT_FILENO);
  return bridge::open_file_world(name, [mutex = std::make_shared<std::mutex>()](const std::string& line) {
    const std::lock_guard lock(*mutex);
    std::cout << line << '\n' << std::flush;
  });
}

// File that stores the outcomes of events, as the policy has learnt them.
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
      throw InputError("--learnt needs the policy predictive, single_events or temporal_links, found " +
                       arguments.policy);
    if (!std::filesystem::exists(path_)) {
      keep();  // creates the file, so that an unwritable one is reported now
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
  /// Saves the state if the last save is five minutes ago. Call this after each event. A failed write only causes a
  /// warning, because the file may be writable again later.
  void look() {
    constexpr std::chrono::minutes every(5);
    if (path_.empty() || std::chrono::steady_clock::now() - kept_ < every) return;
    try {
      keep();
    } catch (const std::system_error& error) {
      std::cerr << "engram: warning: cannot save the learnt state: " << error.what() << '\n';
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
  std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
};

void tell_of_stream(bridge::WorldStream& stream, const bridge::AttachedMemory& memory) {
  const bridge::StreamCounts counts = stream.counts();
  std::cerr << "engram: " << counts.events << " events, " << counts.goals << " goals: " << counts.passed
            << " events passed on, " << counts.executed << " operations executed\n";
  const auto tell = [](std::uint64_t count, const char* what) {
    if (count > 0) std::cerr << "  " << count << ' ' << what << '\n';
  };
  tell(counts.dropped, "events were dropped: too many in a cycle");
  tell(counts.crowded_out, "events, goals and sentences were dropped: the NARS was busy");
  tell(counts.late, "events were too late for the NARS");
  tell(counts.far, "events were beyond --horizon or in the future");
  tell(counts.refused, "sentences have no form in the dialect of the NARS");
  tell(counts.lost_events + counts.lost_goals + counts.lost_others,
       "events, goals and questions were lost with a failing NARS");
  tell(counts.unknown_operations, "operations are not in --operations");
  tell(counts.restarts, "restarts of the NARS");
  const core::ForgettingHistory& gone = memory.session().forgetting().state().so_far;
  if (gone.statements + gone.links > 0)
    std::cerr << "  forgotten: " << gone.statements << " statements, " << gone.concepts << " concepts, "
              << gone.links << " links\n";
  for (const std::string& link : stream.learnt_implications(links_told))
    std::cerr << "engram: learnt: " << link << '\n';
  std::cerr << "engram: memory: sha256 " << memory.end().memory << '\n';
}

// Runs a stream until the world ends or the user interrupts it. Prints replies and events as JSON lines on stdout.
ExitCode run_stream(const StreamArguments& arguments) {
  const NarsArguments& nars = arguments.nars;
  const bridge::StreamOptions options = stream_options(arguments);
  const bridge::SessionStart start{.system = options.system,
                                   .learning = *value_named(bridge::learnings, nars.learning),
                                   .limits = nars.memory,
                                   .forgetting = nars.forget.options().policy};
  nars.require_writable_files();
  const auto world = world_of(arguments);
  bridge::AttachedMemory memory(start);
  SessionLog transcript(nars.log, start);
  Diagnostics diagnostics(arguments.name(), std::cerr);
  StreamHistory history;
  const bridge::WorldStream* stream_at_work = nullptr;
  std::optional<LearntFile> learnt;
  bridge::WorldStream stream(options, memory,
                             {.entries =
                                  [&](const bridge::TranscriptEntry& entry) {
                                    transcript.write(bridge::to_json(entry));
                                    if (!nars.report.empty()) history.look(stream_at_work->counts());
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
    failure = start_failure(error);
  } catch (const bridge::ReasonerError& error) {
    failure = error.what();
  } catch (const bridge::WorldError& error) {
    failure = error.what();
  } catch (const core::WorkStopped& why) {
    stopped = why.reason == core::WorkStopped::Reason::cancelled;
    if (!stopped) failure = why.what();
  }
  transcript.write(bridge::to_json(memory.end()));
  tell_of_stream(stream, memory);
  if (!nars.summary.empty()) write_stream(nars.summary, stream.stats() + "\n");
  if (!nars.report.empty())
    write_stream(nars.report, stream_report(start.system->program, history, stream.counts(),
                                            stream.learnt_implications(links_on_page)));
  learnt->keep();  // last, because an error here must not prevent the other outputs
  const ExitCode code = diagnostics.finish();
  if (stopped) {
    std::cerr << "engram: interrupted; the memory has the input received until then\n";
    return interrupted;
  }
  if (failure.empty()) return code;
  std::cerr << "engram: error: " << failure << '\n';
  return outside_failure;
}

// Adds the options of the filter, which selects events.
void add_filter(CLI::App* command, StreamArguments& arguments) {
  core::EventFilterOptions& filter = arguments.options.filter;
  std::string policies = "policy that selects events:";
  for (const core::EventPolicyFacts& policy : core::event_policies)
    policies += "\n" + std::string(policy.name) + ": " + std::string(policy.summary);
  add_option(command, "--pass", filter.pass, "most events that a cycle passes on to the NARS",
             in_range(1, 1000));
  add_option(command, "--policy", arguments.policy, policies + "\n",
             one_of(core::names_in(core::event_policies)));
  add_option(
      command, "--map", arguments.map,
      "map from scores to budgets; an event with budget 0 is not passed on. A sparse map gives most events 0",
      one_of(core::names_in(core::simplex_maps)));
  add_option(command, "--temperature", filter.temperature,
             "temperature of the map; a lower one selects fewer events with higher scores",
             CLI::PositiveNumber);
  add_option(command, "--window", filter.window,
             "cycles for which an event is a possible reason of the success of an operation",
             in_range(1, 1'000'000));
  add_option(command, "--within", filter.horizon,
             "cycles within which an operation must reach its goal to be a success", in_range(1, 1'000'000));
  add_option(command, "--linger", filter.linger,
             "cycles for which an event that was not selected stays eligible (default: none)",
             in_range(0, 1'000'000));
  add_option(
      command, "--fade", filter.outcomes.fade,
      "share of its evidence that a learnt implication loses at each use. A higher share adapts faster\n"
      "to a world that changes, with lower confidence",
      in_range(0.0, 0.99));
  add_option(
      command, "--no-advice", arguments.no_advice,
      "do not tell the NARS what the filter has learnt when the operations of the NARS differ from it");
  add_option(command, "--max-kinds", filter.max_kinds, "most different events that the policy knows",
             in_range(16, 1 << 24));
  add_option(command, "--max-waiting", filter.max_waiting,
             "most events that wait for the end of a cycle; the events with the lowest scores are dropped",
             in_range(1, 1'000'000));
  add_option(command, "--seed", filter.seed, "seed of random choices by the policy");
}

}  // namespace

void add_stream(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "stream", "pass the important events of a world on to a live NARS",
                  "engram stream world.nal --operations ^left,^right -- ./NAR shell", run_stream);
  arguments.nars.learning = "nothing";
  // A stream may be endless, so a full memory forgets by default.
  arguments.nars.forget.policy = name_of(core::forgetting_policies, core::ForgettingPolicy::learnt);
  add_option(command, "file", arguments.file,
             "events, goals, operations and time of the world; -: standard input (default: -)", is_file);
  add_option(command, "--unix", arguments.unix_path,
             "read a Unix socket at this path, from one world at a time; implies --live", is_file);
  add_option(command, "--live", arguments.options.live,
             "never let the world wait: if the NARS is too slow, drop the events with the lowest scores\n"
             "(default: read only as fast as the NARS processes the input)");
  add_option(
      command, "--operations", arguments.options.operations,
      "operations of the NARS, such as ^left,^right. The NARS learns their names; another operation that it\n"
      "executes is reported as unknown (default: the operations of the NARS)",
      TypeName{"NAMES"})
      ->delimiter(',')
      ->take_all()
      ->allow_extra_args(false);
  add_filter(command, arguments);
  add_option(command, "--horizon", arguments.options.horizon,
             "cycles from now within which an event is passed on; other events are only stored",
             in_range(1, 1'000'000'000));
  add_option(command, "--episodes", arguments.options.max_episodes,
             "most episodes that are stored with their time", in_range(1, 100'000'000));
  add_option(
      command, "--learnt", arguments.learnt,
      "load the learnt state of the policies predictive, single_events and temporal_links from this file,\n"
      "if it exists, and save the state there every five minutes and at the end",
      is_file);
  add_nars(command, arguments.nars, "", "write the counters of the stream to this JSON file");
}

}  // namespace engram::experiments
