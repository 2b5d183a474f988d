// SPDX-License-Identifier: MIT
// The program `stream_benchmark`: measures the event filter between a world and a NARS. It measures the events per
// second of each policy, and the latency from a goal to the operation, with `engram stream` and with the NARS alone.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "core/events/event_filter.hpp"
#include "core/numbers/random.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"

namespace {

using engram::benchmarks::wall_seconds;
using engram::core::EventFilter;

// Measures the filter alone, including the look-up of each event's text. Each cycle has 20 events, a goal and an
// operation. Every second operation reaches the goal.
double events_per_second(engram::core::EventPolicyKind policy, std::size_t kinds, std::size_t events) {
  engram::core::EventFilterOptions options;
  options.policy = policy;
  EventFilter filter(options);
  engram::core::Rng rng(1, "stream benchmark");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kinds; ++i) names.push_back("<{thing" + std::to_string(i) + "} --> [seen]>");
  std::size_t passed = 0;
  const double start = wall_seconds();
  engram::core::Moment now = 0;
  for (std::size_t i = 0; i < events; ++now) {
    for (std::size_t end = std::min(events, i + 20); i < end; ++i)
      filter.arrive({filter.kind(names[rng.bits() % kinds]), now}, i, now);
    const engram::core::EventKind goal = filter.kind("G");
    filter.want(goal, 0.95, now);
    passed += filter.pass(now).size();
    filter.acted(static_cast<engram::core::OperationId>(rng.bits() % 2), now);
    if (now % 2 == 0) filter.arrive({goal, now}, i, now);
  }
  const double seconds = wall_seconds() - start;
  if (passed == 0) throw std::runtime_error("the filter passed no event");
  return static_cast<double>(events) / seconds;
}

// A child process whose standard input and output are pipes.
class Program {
 public:
  explicit Program(std::vector<std::string> command) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
      throw std::runtime_error("cannot create pipes");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      std::vector<char*> words;
      for (std::string& word : command) words.push_back(word.data());
      words.push_back(nullptr);
      ::execvp(words[0], words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = ::fdopen(out[0], "r");
  }
  ~Program() {
    ::close(to_);
    std::fclose(from_);
    ::waitpid(pid_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Seconds from a line to the first line of the reply that contains the mark.
  double round_trip(const std::string& line, const char* mark) {
    const double start = wall_seconds();
    if (::write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw std::runtime_error("cannot write to the program");
    char reply[4096];
    do {
      if (std::fgets(reply, sizeof reply, from_) == nullptr)
        throw std::runtime_error("the program has ended");
    } while (std::string_view(reply).find(mark) == std::string_view::npos);
    return wall_seconds() - start;
  }

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  std::FILE* from_ = nullptr;
};

struct Latency {
  double median = 0, percentile_99 = 0;  // seconds
};

// Measures the time of many round trips, after a warm-up.
Latency latency(Program& program, const std::string& line, const char* mark, std::size_t times) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < times + times / 10; ++i) {
    const double one = program.round_trip(line, mark);
    if (i >= times / 10) seconds.push_back(one);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds[seconds.size() * 99 / 100]};
}

// Acts like a NARS with ONA's interface that executes an operation for each goal and does nothing else.
int act() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find("! :|:") != std::string::npos)
      std::cout << "^left executed with args \n" << std::flush;
    else if (line == "0")
      std::cout << "performing 0 inference steps:\ndone with 0 additional inference steps.\n" << std::flush;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Measures the event filter between a world and a NARS.", "stream_benchmark");
  std::string program;
  std::size_t kinds = 10'000, events = 500'000, times = 5'000;
  bool acts = false;
  app.add_option("--engram", program, "Path of the program engram, to measure latency");
  using engram::benchmarks::add_option;
  add_option(app, "--kinds", kinds, "Number of different events", 1, 1'000'000);
  add_option(app, "--events", events, "Events through the filter", 1, 1'000'000'000);
  add_option(app, "--times", times, "Goals to measure latency", 10, 10'000'000);
  app.add_flag("--act", acts, "Act as the NARS of the latency measurement");
  if (const auto code = engram::benchmarks::exit_code(app, argc, argv)) return *code;
  if (acts) return act();
  std::signal(SIGPIPE, SIG_IGN);

  std::printf("%-16s %12s\n", "policy", "events/s");
  for (const engram::core::EventPolicyFacts& policy : engram::core::event_policies)
    std::printf("%-16s %12.0f\n", std::string(policy.name).c_str(),
                events_per_second(policy.value, kinds, events));
  if (program.empty()) return 0;

  const std::vector<std::string> nars{argv[0], "--act"};
  std::vector<std::string> through{program, "stream", "--"};
  through.insert(through.end(), nars.begin(), nars.end());
  std::vector<std::string> live = through;
  live.insert(live.begin() + 2, "--live");
  std::printf("\n%-30s %12s %12s %8s\n", "goal to operation", "median us", "99 % us", "ratio");
  double alone = 0;
  for (const auto& [name, command, with_events] : {std::tuple{"the NARS alone", nars, false},
                                                   {"engram stream", through, false},
                                                   {"engram stream, with 20 events", through, true},
                                                   {"engram stream --live", live, false}}) {
    std::string text;
    if (with_events)
      for (int i = 0; i < 20; ++i) text += "event" + std::to_string(i) + ". :|:\n";
    Program one(command);
    const Latency found = latency(one, text + "G! :|:\n", "^left", times);
    if (alone == 0) alone = found.median;
    std::printf("%-30s %12.1f %12.1f %8.1f\n", name, found.median * 1e6, found.percentile_99 * 1e6,
                found.median / alone);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "stream_benchmark: " << error.what() << '\n';
  return 1;
}
