// SPDX-License-Identifier: MIT
// Contest: several implementations of the same work, measured alternately. The file also has the clocks for benchmarks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace engram::benchmarks {

/// CPU time of this process, summed over its threads.
double cpu_seconds();
/// Time of a monotonic clock.
double wall_seconds();
/// The median. For an even number of values, the mean of the two middle values.
double median(std::vector<double> values);

/// Role of a contestant in a comparison.
enum class Role : std::uint8_t {
  limit,   // lower bound: only the necessary reads or multiplications
  peer,    // another library or program
  engram,  // this library
};

/// Time and result of one round of a contestant.
struct Round {
  double seconds;
  double result;  // checksum of the results, so that the compiler cannot skip work
};

/// An implementation that takes part in a contest. Work on one thread is measured in CPU time, work on more threads in
/// wall time.
struct Contestant {
  Role role = Role::engram;
  std::string name;
  double pieces = 1;                 // number of pieces of work in a round, such as queries
  std::function<double()> run = {};  // runs a round and returns its checksum
  unsigned threads = 1;
  std::string instructions = {};             // instruction set, if the run compares several
  std::function<Round()> run_and_time = {};  // replaces `run` if the contestant measures its own time
  std::function<std::string()> note = {};    // remark for the table, available after the first round
  std::vector<double> seconds = {};          // time of each round
  std::optional<double> result = {};         // checksum, which must be equal in every round
};

/// Several implementations of the same work, to be measured together.
struct Contest {
  std::string suite, name, piece;  // such as "attention", "softmax, one query", "query"
  std::vector<Contestant> contestants = {};

  /// Adds a contestant for another library on one thread.
  void add_peer(std::string peer, double pieces, std::function<double()> run);
  /// Adds a contestant for Engram on one thread.
  void add_engram(std::string engram, double pieces, std::function<double()> run);
  /// The contestant of this name.  Errors  std::out_of_range
  const Contestant& named(std::string_view contestant) const;
};

/// A contestant returned a wrong result, or an external contestant failed.
struct ContestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the contestants alternately, so that other load on the machine affects every contestant.
/// Errors  ContestError if the checksum of a contestant changes between rounds
void measure(Contest& contest, std::size_t repeats);

/// Checks that two results are equal.  Errors  ContestError if their difference exceeds `allowed`
void require_same(const Contestant& a, const Contestant& b, double allowed = 0);

/// A label of a contestant: its name, instruction set and number of threads.
std::string label(const Contestant& contestant);
/// The median time of a contestant for one piece of work, in seconds.
double seconds_per_piece(const Contestant& contestant);

/// Ratio of two speeds: from the median times, and in the worst (`low`) and the best round (`high`).
struct Speed {
  double median = 0, low = 0, high = 0;
};
/// Speed of `contestant` divided by the speed of `other`.
Speed speed(const Contestant& contestant, const Contestant& other);

/// The fastest contestant of role `limit` with the same number of threads, or else with one thread. Null if the contest
/// contains no limit.
const Contestant* limit_of(const Contest& contest, const Contestant& contestant);
/// The fastest contestant of role `peer`. Null if the contest contains no peer.
const Contestant* best_peer(const Contest& contest);
/// The contestant of the same name that runs on one thread. Null if `contestant` itself runs on one thread.
const Contestant* on_one_thread(const Contest& contest, const Contestant& contestant);

/// Contestant that runs an external command in each round. The last line of its output must be the CPU seconds of the
/// work. A round throws ContestError if the command cannot be run or does not print the seconds within ten minutes.
Contestant external_peer(const std::string& name, const std::vector<std::string>& command, double pieces);

}  // namespace engram::benchmarks
