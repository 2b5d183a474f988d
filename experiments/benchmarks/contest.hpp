// SPDX-License-Identifier: MIT
// Several ways of doing the same, timed in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engram::benchmarks {

/// Whose a way is.
enum class Role : std::uint8_t {
  limit,   // what can't be done without: reading the bytes, the multiplications
  peer,    // another library or program
  engram,  // ours
};

/// What a round came to.
struct Round {
  double seconds;
  double result;  // a number made of all results, so that no work can be left out
};

/// A way of doing it. One thread's work is timed by CPU time, that of more by the clock.
struct Contestant {
  Role role = Role::engram;
  std::string name;
  double pieces = 1;                 // of work in a round
  std::function<double()> run = {};  // a round's result
  unsigned threads = 1;
  std::string instructions = {};                // where it has a choice
  std::function<Round()> timed_by_itself = {};  // in place of `run`: in another process, say
  std::function<std::string()> note = {};       // what a reader must know, once it has been run
  std::vector<double> seconds = {};
  std::optional<double> result = {};
};

/// What is compared.
struct Contest {
  std::string suite, name, piece;  // "attention", "softmax, one query", "query"
  std::vector<Contestant> contestants;
};

/// In turn, so that whatever else the machine does strikes all alike. False, with a message on stderr, if a contestant
/// did not do the same each time.
bool measure(std::vector<Contestant>& contestants, std::size_t repeats);

/// The median over the rounds.
double seconds_apiece(const Contestant& contestant);

/// How many times as fast: by the medians, and in the worst and the best round.
struct Speed {
  double median = 0, low = 0, high = 0;
};
Speed speed(const Contestant& contestant, const Contestant& beside);

/// The limit of a contestant: the fastest one by as many threads, else by one; nullptr: there is none.
const Contestant* limit_of(const Contest& contest, const Contestant& contestant);
/// The fastest peer; nullptr: there is none.
const Contestant* best_peer(const Contest& contest);
/// The same by one thread; nullptr for what is by one thread itself.
const Contestant* by_one_thread(const Contest& contest, const Contestant& contestant);

}  // namespace engram::benchmarks
