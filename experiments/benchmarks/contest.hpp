// SPDX-License-Identifier: MIT
// Several ways of doing the same, timed in turn.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engram::benchmarks {

struct Contestant {
  std::string name;
  unsigned threads;
  long long pieces;             // of work done in a run
  std::function<double()> run;  // a number made of all results, so that no work can be left out
  std::vector<double> seconds = {};
  std::optional<double> result = {};
};

/// In turn, so that whatever else the machine does strikes all alike: CPU time where one thread works, else
/// that of the clock. False, with a message on stderr, if a contestant did not do the same each time.
bool measure(std::vector<Contestant>& contestants, std::size_t repeats);

/// The median over the rounds.
double seconds_apiece(const Contestant& contestant);

}  // namespace engram::benchmarks
