// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/contest.hpp"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "bridge/attach/child_process.hpp"

namespace engram::benchmarks {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Round run(const Contestant& contestant) {
  if (contestant.run_and_time) return contestant.run_and_time();
  const auto now = contestant.threads == 1 ? cpu_seconds : wall_seconds;
  const double start = now(), result = contestant.run();
  return {now() - start, result};
}

template <class Fits>
const Contestant* fastest(const Contest& contest, Fits fits) {
  const Contestant* best = nullptr;
  for (const Contestant& one : contest.contestants)
    if (fits(one) && (best == nullptr || seconds_per_piece(one) < seconds_per_piece(*best))) best = &one;
  return best;
}

std::string exact(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

// Runs a command and parses the seconds in its last line.
double seconds_printed_by(const std::vector<std::string>& command) {
  std::string last;
  try {
    bridge::ChildProcess child(command);
    using Outcome = bridge::ChildProcess::Outcome;
    const Outcome outcome = child.exchange("", std::chrono::minutes(10), [&](std::string_view line, bool) {
      if (!line.empty()) last = line;
      return false;
    });
    if (outcome != Outcome::ended) throw ContestError(command[0] + " does not end within ten minutes");
  } catch (const bridge::ReasonerError& error) {
    throw ContestError(error.what());
  }
  double seconds = 0;
  const auto [stop, problem] = std::from_chars(last.data(), last.data() + last.size(), seconds);
  if (problem != std::errc() || stop != last.data() + last.size() || !(seconds > 0))
    throw ContestError("the last line of " + command[0] + " must be its CPU seconds, found " + last);
  return seconds;
}

}  // namespace

double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void Contest::add_peer(std::string peer, double pieces, std::function<double()> run) {
  contestants.push_back(
      {.role = Role::peer, .name = std::move(peer), .pieces = pieces, .run = std::move(run)});
}

void Contest::add_engram(std::string engram, double pieces, std::function<double()> run) {
  contestants.push_back({.name = std::move(engram), .pieces = pieces, .run = std::move(run)});
}

const Contestant& Contest::named(std::string_view contestant) const {
  const auto found = std::ranges::find(contestants, contestant, &Contestant::name);
  if (found == contestants.end()) throw std::out_of_range(std::string(contestant));
  return *found;
}

void measure(Contest& contest, std::size_t repeats) {
  for (std::size_t repeat = 0; repeat < repeats; ++repeat)
    for (Contestant& contestant : contest.contestants) {
      const Round round = run(contestant);
      contestant.seconds.push_back(round.seconds);
      if (contestant.result.value_or(round.result) != round.result)
        throw ContestError(contest.name + ": the result of " + label(contestant) + " differs in round " +
                           std::to_string(repeat + 1));
      contestant.result = round.result;
    }
}

void require_same(const Contestant& a, const Contestant& b, double allowed) {
  if (!(std::abs(*a.result - *b.result) <= allowed))
    throw ContestError("the results of " + label(a) + " and " + label(b) + " differ: " + exact(*a.result) +
                       " and " + exact(*b.result));
}

std::string label(const Contestant& contestant) {
  std::string text = contestant.name;
  if (!contestant.instructions.empty()) text += ", " + contestant.instructions;
  if (contestant.threads > 1) text += ", " + std::to_string(contestant.threads) + " threads";
  return text;
}

double seconds_per_piece(const Contestant& contestant) {
  return median(contestant.seconds) / contestant.pieces;
}

Speed speed(const Contestant& contestant, const Contestant& other) {
  const double pieces = contestant.pieces / other.pieces;
  std::vector<double> rounds;
  for (std::size_t i = 0; i < std::min(contestant.seconds.size(), other.seconds.size()); ++i)
    rounds.push_back(pieces * other.seconds[i] / contestant.seconds[i]);
  const auto [low, high] = std::ranges::minmax(rounds);
  return {seconds_per_piece(other) / seconds_per_piece(contestant), low, high};
}

const Contestant* limit_of(const Contest& contest, const Contestant& contestant) {
  const auto on_threads = [&](unsigned threads) {
    return fastest(contest,
                   [&](const Contestant& one) { return one.role == Role::limit && one.threads == threads; });
  };
  const Contestant* found = on_threads(contestant.threads);
  return found != nullptr ? found : on_threads(1);
}

const Contestant* best_peer(const Contest& contest) {
  return fastest(contest, [](const Contestant& one) { return one.role == Role::peer; });
}

const Contestant* on_one_thread(const Contest& contest, const Contestant& contestant) {
  if (contestant.threads == 1) return nullptr;
  return fastest(contest, [&](const Contestant& one) {
    return one.threads == 1 && one.role == contestant.role && one.name == contestant.name &&
           one.instructions == contestant.instructions;
  });
}

Contestant external_peer(const std::string& name, const std::vector<std::string>& command, double pieces) {
  return {.role = Role::peer, .name = name, .pieces = pieces, .run_and_time = [command] {
            return Round{seconds_printed_by(command), 0};
          }};
}

}  // namespace engram::benchmarks
