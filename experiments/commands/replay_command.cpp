// SPDX-License-Identifier: MIT
// The command `engram replay`: rebuilds the memory of a transcript and checks it.
#include <iostream>
#include <memory>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/json/core_json.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/pages/live_report.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

using bridge::TranscriptEntry;

constexpr std::size_t max_line_bytes = std::size_t{1} << 26;

struct ReplayArguments {
  std::string log, report, model;  // input file; output files or empty
};

// Rebuilds the memory and the model of a transcript.  Returns  input_errors if they differ from those in the transcript
ExitCode replay(const ReplayArguments& arguments) {
  const std::string& log = arguments.log;
  std::ifstream file = open_stream(log);
  std::string line;
  narsese::read_line(file, line, max_line_bytes);
  const std::optional<bridge::SessionStart> start = bridge::start_from_json(line);
  if (!start) throw InputError(log + ":1: not a transcript of version 1");
  if (!arguments.model.empty() && !start->model)
    throw InputError("--learn-model: no model learns in " + log + ", which was kept without --learn-model");
  if (!arguments.report.empty()) require_writable(arguments.report);
  bridge::AttachedMemory memory(*start);
  std::optional<bridge::SessionEnd> expected;
  std::vector<TranscriptEntry> entries;
  std::optional<core::Session::Request>
      request;  // one for each input, as in the session, so that names of earlier inputs may be dropped
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
    std::cerr << "engram: the transcript has no end: there is nothing to compare with\n";
    return done;
  }
  if (found == *expected) return done;
  const bool of_memory = found.memory != expected->memory;
  std::cerr << "engram: error: " << log << ": the " << (of_memory ? "memory" : "model")
            << " is not the one of the transcript, sha256 "
            << (of_memory ? expected->memory : expected->model.value_or("of none")) << '\n';
  const core::ForgettingHistory& gone = memory.session().forgetting().state().so_far;
  if (gone.times[static_cast<std::size_t>(core::ForgettingReason::bytes)] > 0)
    std::cerr
        << "engram: bytes were short: how many the session took beside its memory, no transcript knows\n";
  return input_errors;
}

}  // namespace

void add_replay(CLI::App& app, ExitCode& code) {
  const auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* sub =
      add_command(app, "replay", "make the memory of a transcript again, and compare it to the last bit",
                  "engram replay session.jsonl");
  add_option(sub, "log", arguments->log, "what `engram attach --log` kept")->type_name(file_type)->required();
  add_option(sub, "--report", arguments->report, "write a page on the session, with everything in it")
      ->type_name(file_type);
  add_option(sub, "--learn-model", arguments->model,
             "write the model that was learnt, as the session's --learn-model did")
      ->type_name(file_type);
  sub->callback([&code, arguments] { code = replay(*arguments); });
}

}  // namespace engram::experiments
