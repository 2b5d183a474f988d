// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/outside_peer.hpp"

#include <charconv>

#include "bridge/attach/child_process.hpp"
#include "experiments/benchmarks/scoreboard.hpp"

namespace engram::benchmarks {
namespace {

double seconds_told_by(const std::vector<std::string>& command) {
  std::string last;
  try {
    bridge::ChildProcess child(command);
    using Outcome = bridge::ChildProcess::Outcome;
    const Outcome outcome = child.exchange("", std::chrono::minutes(10), [&](std::string_view line, bool) {
      if (!line.empty()) last = line;
      return false;
    });
    if (outcome != Outcome::ended) throw ContestError(command[0] + " does not come to an end");
  } catch (const bridge::ReasonerError& error) {
    throw ContestError(error.what());
  }
  double seconds = 0;
  const auto [stop, problem] = std::from_chars(last.data(), last.data() + last.size(), seconds);
  if (problem != std::errc() || stop != last.data() + last.size() || !(seconds > 0))
    throw ContestError("the last line of " + command[0] + " must be its seconds, found " + last);
  return seconds;
}

}  // namespace

Contestant outside_peer(const std::string& name, const std::vector<std::string>& command, double pieces) {
  Contestant peer{.role = Role::peer, .name = name, .pieces = pieces};
  peer.timed_by_itself = [command] { return Round{seconds_told_by(command), 0}; };
  return peer;
}

}  // namespace engram::benchmarks
