// SPDX-License-Identifier: MIT
// The program `forgetting_benchmark`: runs a memory at its limit on an endless stream, with each forgetting policy. It
// measures the memory taken from the system, checks that no limit is exceeded, and counts the questions that can still
// be answered.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/methods/method.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/ranking.hpp"
#include "core/session/session.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;

struct Soak {
  std::uint64_t inputs = 1'000'000, old = 1'000, lately = 20'000;
  std::size_t limit = 100'000, windows = 10, given = 18;
  double again = 1.0 / 3;
  std::vector<std::string> policies{"learnt", "recent"};
  std::string method{engram::core::default_method};
  std::uint64_t seed = 1;
};

// Stream of chains of three statements. Old chains are repeated, and new chains occur once in between. A question gives
// the ends of a chain. Half of the questions ask for old chains, half for recent new ones.
class Stream {
 public:
  Stream(const Soak& soak, Rng rng) : soak_(soak), rng_(rng) {}

  static std::string statement(std::uint64_t chain, std::uint64_t step) {
    const std::string name = "c" + std::to_string(chain) + "_";
    return "<" + name + std::to_string(step) + " --> " + name + std::to_string(step + 1) + ">";
  }
  static std::string question(std::uint64_t chain) {
    const std::string name = "c" + std::to_string(chain) + "_";
    return "<" + name + "0 --> " + name + std::to_string(steps) + ">?";
  }

  std::string lines(std::uint64_t count) {
    std::string text;
    for (std::uint64_t made = 0; made < count;) {
      if (fresh_ > 0 && rng_.uniform() < soak_.again) {
        const std::uint64_t step = rng_.below(steps);  // own statement: fixes the order of draws
        text += statement(rng_.below(std::min(soak_.old, fresh_)), step) + ".\n";
        ++made;
        continue;
      }
      for (std::uint64_t step = 0; step < steps; ++step) text += statement(fresh_, step) + ".\n";
      ++fresh_;
      made += steps;
    }
    return text;
  }
  std::uint64_t asked() {
    return rng_.below(2) == 0 ? rng_.below(std::min(soak_.old, fresh_))
                              : fresh_ - 1 - rng_.below(std::min(soak_.lately, fresh_));
  }
  static constexpr std::uint64_t steps = 3;

 private:
  const Soak& soak_;
  Rng rng_;
  std::uint64_t fresh_ = 0;  // number of chains so far
};

// The peak resident memory of this process since begin(), in MB.
class Resident {
 public:
  Resident() { begin(); }
  double most() const {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
      if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
    return 0;
  }
  void begin() const { std::ofstream("/proc/self/clear_refs") << 5; }
};

struct Asked {
  std::size_t all = 0, old = 0, whole = 0, old_whole = 0, found = 0;
};

void ask(Session& session, std::uint64_t chain, const Soak& soak, Asked& asked) {
  const Session::Request request(session);
  session.input(Stream::question(chain));
  const auto cue = session.cue(Stream::question(chain));
  const Recall recall = session.recall(ConfiguredMethod(soak.method), *cue);
  const std::vector<std::uint32_t> given = rank(recall.statements, soak.given);
  std::size_t there = 0, found = 0;
  for (std::uint64_t step = 0; step < Stream::steps; ++step) {
    engram::narsese::Sentence sentence;
    sentence.term = session.cue(Stream::statement(chain, step) + ".")->term;
    const auto said = session.memory().find(sentence);
    if (!said) continue;
    ++there;
    found += static_cast<std::size_t>(std::ranges::count(given, *said));
  }
  const bool is_old = chain < soak.old, whole = there == Stream::steps;
  ++asked.all;
  asked.old += is_old;
  asked.whole += whole;
  asked.old_whole += is_old && whole;
  asked.found += whole && found == Stream::steps;
}

void soak_one(const std::string& policy, const Soak& soak) {
  MemoryOptions options;
  options.limits.max_statements = soak.limit;
  Session session(options, {.policy = *value_named(forgetting_policies, policy)});
  Stream stream(soak, Rng(soak.seed, "soak"));
  Rng when(soak.seed, "when it is asked");
  const Resident resident;
  std::printf("== %s: %llu inputs into %zu statements\n", policy.c_str(),
              static_cast<unsigned long long>(soak.inputs), soak.limit);
  std::puts("    inputs  MB, most  statements, most   asked  whole proof kept: old  new  of these found");
  constexpr std::uint64_t batch = 300;
  const std::uint64_t batches = std::max<std::uint64_t>(soak.inputs / batch, 1);
  std::vector<double> peaks;
  Asked asked, in_all;
  std::size_t most = 0;
  for (std::uint64_t b = 0; b < batches; ++b) {
    {
      const Session::Request request(session);
      const InputReport report = session.input(stream.lines(batch));
      if (report.rejected_in_all != 0) throw std::runtime_error(report.rejected.front().message);
    }
    most = std::max(most, session.memory().statements().size());
    if (when.below(20) == 0) ask(session, stream.asked(), soak, asked);
    if ((b + 1) * soak.windows / batches == b * soak.windows / batches) continue;
    peaks.push_back(resident.most());
    const auto share = [](std::size_t part, std::size_t of) {
      return of == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
    };
    std::printf("%10llu  %8.1f  %16zu  %6zu  %20.1f%% %5.1f%% %9.1f%%\n",
                static_cast<unsigned long long>((b + 1) * batch), peaks.back(), most, asked.all,
                share(asked.old_whole, asked.old),
                share(asked.whole - asked.old_whole, asked.all - asked.old), share(asked.found, asked.whole));
    std::fflush(stdout);
    if (most > soak.limit) throw std::runtime_error("a limit was passed");
    resident.begin();
    in_all.all += asked.all;
    in_all.whole += asked.whole;
    in_all.found += asked.found;
    asked = {};
    most = 0;
  }
  const auto half = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
  std::printf("  whole proofs kept, of these found whole: %zu of %zu, %zu\n", in_all.whole, in_all.all,
              in_all.found);
  if (peaks.size() > 2)
    std::printf("  resident, the later half's most to the first's: %.3f\n",
                *std::max_element(half, peaks.end()) / *std::max_element(peaks.begin(), half));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A memory at its limit under a stream without an end, by each policy of forgetting.",
               "forgetting_benchmark");
  Soak soak;
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  add_option(app, "--inputs", soak.inputs, "Of the stream", std::uint64_t{300}, most);
  add_option(app, "--limit", soak.limit, "Statements that the memory may have", std::size_t{10},
             std::size_t{1} << 27);
  add_option(app, "--old", soak.old, "Chains that are said again and again", std::uint64_t{1}, most);
  add_option(app, "--lately", soak.lately, "Of so many new chains one is asked", std::uint64_t{1}, most);
  add_option(app, "--again", soak.again, "Share of the statements that repeat old ones", 0.0, 0.9);
  add_option(app, "--windows", soak.windows, "Lines of the table", std::size_t{1}, std::size_t{10'000});
  app.add_option("--policies", soak.policies, "Of forgetting")
      ->check(known(
          "policy",
          [](const std::string& name) { return name != "none" && value_named(forgetting_policies, name); }))
      ->capture_default_str();
  app.add_option("--method", soak.method, "That answers")
      ->check(known("method", [](const std::string& name) { return find_method(name) != nullptr; }))
      ->capture_default_str();
  app.add_option("--seed", soak.seed, "The stream follows from it")->capture_default_str();
  app.footer(
      "Exit codes: 0 done, 1 a limit was passed, 2 wrong usage.\n"
      "Example:\n  forgetting_benchmark --inputs 50000000 --windows 20 --policies learnt recent random");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  try {
    for (const std::string& policy : soak.policies) soak_one(policy, soak);
  } catch (const std::exception& error) {
    std::cerr << "forgetting_benchmark: error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
