// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/contest.hpp"

#include <iostream>

#include "experiments/benchmarks/timing.hpp"

namespace engram::benchmarks {

bool measure(std::vector<Contestant>& contestants, std::size_t repeats) {
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (Contestant& contestant : contestants) {
      const auto now = contestant.threads == 1 ? cpu_seconds : wall_seconds;
      const double start = now();
      const double result = contestant.run();
      contestant.seconds.push_back(now() - start);
      if (contestant.result.value_or(result) != result) {
        std::cerr << contestant.name << ": another result in round " << repeat + 1 << '\n';
        return false;
      }
      contestant.result = result;
    }
  }
  return true;
}

double seconds_apiece(const Contestant& contestant) {
  return median(contestant.seconds) / static_cast<double>(contestant.pieces);
}

}  // namespace engram::benchmarks
