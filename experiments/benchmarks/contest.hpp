// SPDX-License-Identifier: MIT
// Contest: several implementations of the same work, timed in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engram::benchmarks {

/// The kind of a contestant.
enum class Role : std::uint8_t {
  limit,   // lower bound: only the necessary reads or multiplications
  peer,    // another library or program
  engram,  // Engram
};

/// Time and result of a round.
struct Round {
  double seconds;
  double result;  // checksum of all results, so that no work can be skipped
};

/// An implementation. Work on one thread is measured in CPU time, work on more threads in wall time.
struct Contestant {
  Role role = Role::engram;
  std::string name;
  double pieces = 1;                 // pieces of work in a round
  std::function<double()> run = {};  // runs a round and returns its checksum
  unsigned threads = 1;
  std::string instructions = {};                // instruction set, if there are several
  std::function<Round()> timed_by_itself = {};  // used instead of `run`, for example for another process
  std::function<std::string()> note = {};       // remark for readers, available after the first round
  std::vector<double> seconds = {};
  std::optional<double> result = {};
};

/// A contest.
struct Contest {
  std::string suite, name, piece;  // "attention", "softmax, one query", "query"
  std::vector<Contestant> contestants;
};

/// Runs the contestants in turn, so that other load on the machine affects all of them. Prints a message and returns
/// false if the checksum of a contestant changes between rounds.
bool measure(std::vector<Contestant>& contestants, std::size_t repeats);

/// The median time for a piece of work.
double seconds_apiece(const Contestant& contestant);

/// Ratio of speeds: of the medians, and in the worst and the best round.
struct Speed {
  double median = 0, low = 0, high = 0;
};
Speed speed(const Contestant& contestant, const Contestant& beside);

/// The fastest limit with the same number of threads, or else with one thread; null if there is none.
const Contestant* limit_of(const Contest& contest, const Contestant& contestant);
/// The fastest peer; null if there is none.
const Contestant* best_peer(const Contest& contest);
/// The same contestant on one thread; null if it already has one thread.
const Contestant* by_one_thread(const Contest& contest, const Contestant& contestant);

}  // namespace engram::benchmarks
