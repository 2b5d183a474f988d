// SPDX-License-Identifier: MIT
// `engram attach --stream`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bridge/attach/transcript.hpp"
#include "bridge/stream/event_stream.hpp"
#include "experiments/runs/exit_code.hpp"

namespace engram::experiments {

/// What is said of a stream on the command line.
struct StreamArguments {
  CLI::Option* given = nullptr;
  std::string file;               // of the world; empty, or "-": standard input
  std::string unix_path;          // of a socket, in its place
  std::string learnt;             // a file that keeps what is learnt
  bridge::StreamOptions options;  // but for what is named here, and LiveReasonerOptions
  // Of options.filter.
  std::string policy{core::name_of(core::event_policies, core::EventFilterOptions{}.policy)};
  std::string map{core::name_of(core::simplex_maps, core::EventFilterOptions{}.map.map)};

  /// Of the world.
  std::string name() const { return !unix_path.empty() ? unix_path : file.empty() ? "-" : file; }
  bool is_given() const { return given != nullptr && (given->count() > 0 || !unix_path.empty()); }
};

void add_stream(CLI::App* command, StreamArguments& arguments);

/// Files to write, or empty.
struct StreamFiles {
  std::string log, summary, report;
};
/// `nars`  which it is and how long it may take
ExitCode attach_stream(const StreamArguments& arguments, const bridge::LiveReasonerOptions& nars,
                       const bridge::SessionStart& start, const StreamFiles& files);

}  // namespace engram::experiments
