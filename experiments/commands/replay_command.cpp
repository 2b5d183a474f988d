// SPDX-License-Identifier: MIT
// The command `engram replay`: rebuilds the memory of a transcript and checks it.
#include <iostream>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/json/core_json.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/program.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/live_report.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using bridge::TranscriptEntry;

constexpr std::size_t max_line_bytes = std::size_t{1} << 26;

struct ReplayArguments {
  std::string log, report, model;  // `log` is read; `report` and `model` are written unless empty
};

// Rebuilds the memory and the model of a transcript.  Returns  input_errors if the digests in the transcript differ
ExitCode replay(const ReplayArguments& arguments) {
  const std::string& log = arguments.log;
  std::ifstream file = open_stream(log);
  std::string line;
  narsese::read_line(file, line, max_line_bytes);
  const std::optional<bridge::SessionStart> start = bridge::start_from_json(line);
  if (!start) throw InputError(log + ":1: not a transcript of version 1");
  if (!arguments.model.empty() && !start->model)
    throw InputError("--learn-model: the session of " + log +
                     " did not learn a model: it ran without --learn-model");
  if (!arguments.report.empty()) require_writable(arguments.report);
  bridge::AttachedMemory memory(*start);
  std::optional<bridge::SessionEnd> expected;
  std::vector<TranscriptEntry> entries;
  // As in the session, each input begins a new request, so that the memory may release the names of earlier inputs.
  std::optional<core::Session::Request> request;
  for (std::size_t number = 2; narsese::read_line(file, line, max_line_bytes) == narsese::LineStatus::line;
       ++number) {
    if (const auto entry = bridge::entry_from_json(line)) {
      if (entry->kind == TranscriptEntry::Kind::input) {
        request.reset();
        request.emplace(memory.session());
      }
      memory.apply(*entry);
      if (!arguments.report.empty()) entries.push_back(*entry);
      continue;
    }
    expected = bridge::end_from_json(line);
    if (!expected) throw InputError(log + ":" + std::to_string(number) + ": not a line of a transcript");
  }
  request.reset();
  require_whole(file, log);
  if (!arguments.report.empty()) write_stream(arguments.report, session_report(*start, entries));
  if (memory.model() && !arguments.model.empty())
    write_file(arguments.model, bridge::to_text(memory.model()->model()));
  const bridge::SessionEnd found = memory.end();
  const core::Memory& held = memory.session().memory();
  Json told{{"cycles", held.now()},
            {"concepts", held.graph().size()},
            {"links", held.graph().hebbian_links().size()},
            {"statements", held.statements().size()},
            {"forgotten", bridge::forgetting_json(memory.session().forgetting())},
            {"sha256", found.memory}};
  if (found.model) told["model_sha256"] = *found.model;
  std::cout << told.dump() << '\n';
  if (!expected) {
    std::cerr << "engram: the transcript has no end, so its memory cannot be compared\n";
    return done;
  }
  if (found == *expected) return done;
  const bool of_memory = found.memory != expected->memory;
  std::cerr << "engram: error: " << log << ": the " << (of_memory ? "memory" : "model")
            << " differs from that of the transcript, sha256 "
            << (of_memory ? expected->memory : expected->model.value_or("(no model)")) << '\n';
  const core::ForgettingHistory& gone = memory.session().forgetting().state().so_far;
  if (gone.times[static_cast<std::size_t>(core::ForgettingReason::bytes)] > 0)
    std::cerr << "engram: the session forgot statements to save bytes, and a transcript does not record how "
                 "many bytes\n"
                 "  the session used beside its memory\n";
  return input_errors;
}

}  // namespace

void add_replay(CLI::App& app, ExitCode& code) {
  auto [command, arguments] =
      add_command(app, code, "replay", "rebuild the memory of a transcript, and check that it is identical",
                  "engram replay session.jsonl", replay);
  add_option(command, "log", arguments.log,
             "transcript that `engram attach --log` or `engram stream --log` wrote", is_file, is_required);
  add_option(command, "--report", arguments.report, "write an HTML page about the session", is_file);
  add_option(command, "--learn-model", arguments.model,
             "write the model that the session learnt, if it had this option", is_file);
}

}  // namespace engram::experiments
