// SPDX-License-Identifier: MIT
// The command `engram attach --stream`: filters a stream of events for a NARS.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bridge/attach/transcript.hpp"
#include "bridge/stream/world_stream.hpp"
#include "experiments/runs/exit_code.hpp"

namespace engram::experiments {

/// Command-line arguments of a stream.
struct StreamArguments {
  CLI::Option* given = nullptr;
  std::string file;               // input of the world; empty or "-": standard input
  std::string unix_path;          // path of a socket, used instead of `file`
  std::string learnt;             // file that keeps the learnt state of the filter
  bridge::StreamOptions options;  // the arguments below and LiveReasonerOptions override these
  // Names of values of options.filter.
  std::string policy{core::name_of(core::event_policies, core::EventFilterOptions{}.policy)};
  std::string map{core::name_of(core::simplex_maps, core::EventFilterOptions{}.map.map)};

  /// The name of the world: its socket, its file, or "-".
  std::string name() const { return !unix_path.empty() ? unix_path : file.empty() ? "-" : file; }
  bool is_given() const { return given != nullptr && (given->count() > 0 || !unix_path.empty()); }
};

void add_stream(CLI::App* command, StreamArguments& arguments);

/// Files to write. An empty name writes none.
struct StreamFiles {
  std::string log, summary, report;
};
/// Runs a stream until the world ends or the user interrupts it.
/// `nars`  which NARS, and its time limits
ExitCode attach_stream(const StreamArguments& arguments, const bridge::LiveReasonerOptions& nars,
                       const bridge::SessionStart& start, const StreamFiles& files);

}  // namespace engram::experiments
