// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/contest.hpp"

#include <algorithm>
#include <iostream>

#include "experiments/benchmarks/timing.hpp"

namespace engram::benchmarks {
namespace {

Round run(const Contestant& contestant) {
  if (contestant.timed_by_itself) return contestant.timed_by_itself();
  const auto now = contestant.threads == 1 ? cpu_seconds : wall_seconds;
  const double start = now(), result = contestant.run();
  return {now() - start, result};
}

template <class Fits>
const Contestant* fastest(const Contest& contest, Fits fits) {
  const Contestant* best = nullptr;
  for (const Contestant& one : contest.contestants)
    if (fits(one) && (best == nullptr || seconds_apiece(one) < seconds_apiece(*best))) best = &one;
  return best;
}

}  // namespace

bool measure(std::vector<Contestant>& contestants, std::size_t repeats) {
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (Contestant& contestant : contestants) {
      const Round round = run(contestant);
      contestant.seconds.push_back(round.seconds);
      if (contestant.result.value_or(round.result) != round.result) {
        std::cerr << contestant.name << ": another result in round " << repeat + 1 << '\n';
        return false;
      }
      contestant.result = round.result;
    }
  }
  return true;
}

double seconds_apiece(const Contestant& contestant) { return median(contestant.seconds) / contestant.pieces; }

Speed speed(const Contestant& contestant, const Contestant& beside) {
  const double pieces = contestant.pieces / beside.pieces;
  std::vector<double> rounds;
  for (std::size_t i = 0; i < std::min(contestant.seconds.size(), beside.seconds.size()); ++i)
    rounds.push_back(pieces * beside.seconds[i] / contestant.seconds[i]);
  const auto [low, high] = std::ranges::minmax(rounds);
  return {seconds_apiece(beside) / seconds_apiece(contestant), low, high};
}

const Contestant* limit_of(const Contest& contest, const Contestant& contestant) {
  const auto by = [&](unsigned threads) {
    return fastest(contest,
                   [&](const Contestant& one) { return one.role == Role::limit && one.threads == threads; });
  };
  const Contestant* found = by(contestant.threads);
  return found != nullptr ? found : by(1);
}

const Contestant* best_peer(const Contest& contest) {
  return fastest(contest, [](const Contestant& one) { return one.role == Role::peer; });
}

const Contestant* by_one_thread(const Contest& contest, const Contestant& contestant) {
  if (contestant.threads == 1) return nullptr;
  return fastest(contest, [&](const Contestant& one) {
    return one.threads == 1 && one.role == contestant.role && one.name == contestant.name &&
           one.instructions == contestant.instructions;
  });
}

}  // namespace engram::benchmarks
