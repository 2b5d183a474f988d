// SPDX-License-Identifier: MIT
// The program `forgetting_benchmark`: inputs a long stream into a memory with a limit on its statements, with each
// forgetting policy. It measures the resident memory of the process, checks that the limit is kept, and counts the
// questions whose whole proof is still in the memory.
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

// Options of the stream and of the memory. The first `old` chains recur during the whole stream. Questions are about
// old chains or the last `lately` chains. `selected` is the number of statements that a recall returns.
struct Soak {
  std::uint64_t inputs = 1'000'000, old = 1'000, lately = 20'000;
  std::size_t limit = 100'000, windows = 10, selected = 18;
  double again = 1.0 / 3;
  std::vector<std::string> policies{"learnt", "recent"};
  std::string method{engram::core::default_method};
  std::uint64_t seed = 1;
};

// Stream of chains of three statements. Each new chain occurs once. Between new chains, single statements of old
// chains, which are the first ones of the stream, occur again. A question asks whether the first class of a chain is
// below its last. Half of the questions are about old chains, half about recent ones.
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
        const std::uint64_t step =
            rng_.below(steps);  // drawn here, because the evaluation order of arguments is unspecified
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
  // Draws the chain of the next question.
  std::uint64_t chain_to_ask() {
    return rng_.below(2) == 0 ? rng_.below(std::min(soak_.old, fresh_))
                              : fresh_ - 1 - rng_.below(std::min(soak_.lately, fresh_));
  }
  static constexpr std::uint64_t steps = 3;

 private:
  const Soak& soak_;
  Rng rng_;
  std::uint64_t fresh_ = 0;  // number of new chains so far
};

// Measures the peak resident memory of this process since begin(), in MB.
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

// Counts of questions. `old`: the question is about an old chain. `whole`: the memory contains the whole proof.
// `found`: in addition, the recall returns the whole proof.
struct Asked {
  std::size_t all = 0, old = 0, whole = 0, old_whole = 0, found = 0;
};

void ask(Session& session, std::uint64_t chain, const Soak& soak, Asked& asked) {
  const Session::Request request(session);
  session.input(Stream::question(chain));
  const auto cue = session.cue(Stream::question(chain));
  const Recall recall = session.recall(ConfiguredMethod(soak.method), *cue);
  const std::vector<std::uint32_t> selected = rank(recall.statements, soak.selected);
  std::size_t in_memory = 0, found = 0;
  for (std::uint64_t step = 0; step < Stream::steps; ++step) {
    engram::narsese::Sentence sentence;
    sentence.term = session.cue(Stream::statement(chain, step) + ".")->term;
    const auto id = session.memory().find(sentence);
    if (!id) continue;
    ++in_memory;
    found += static_cast<std::size_t>(std::ranges::count(selected, *id));
  }
  const bool is_old = chain < soak.old, whole = in_memory == Stream::steps;
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
  std::puts("    inputs  most MB  most statements  questions  whole proof kept: old    new  found of these");
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
    if (when.below(20) == 0) ask(session, stream.chain_to_ask(), soak, asked);
    if ((b + 1) * soak.windows / batches == b * soak.windows / batches) continue;
    peaks.push_back(resident.most());
    const auto share = [](std::size_t part, std::size_t of) {
      return of == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
    };
    std::printf("%10llu  %7.1f  %15zu  %9zu  %20.1f%% %5.1f%% %14.1f%%\n",
                static_cast<unsigned long long>((b + 1) * batch), peaks.back(), most, asked.all,
                share(asked.old_whole, asked.old),
                share(asked.whole - asked.old_whole, asked.all - asked.old), share(asked.found, asked.whole));
    std::fflush(stdout);
    if (most > soak.limit) throw std::runtime_error("the memory exceeded its limit");
    resident.begin();
    in_all.all += asked.all;
    in_all.whole += asked.whole;
    in_all.found += asked.found;
    asked = {};
    most = 0;
  }
  const auto half = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
  std::printf("  whole proof kept for %zu of %zu questions, found for %zu\n", in_all.whole, in_all.all,
              in_all.found);
  if (peaks.size() > 2)
    std::printf("  peak resident memory of the second half, divided by that of the first: %.3f\n",
                *std::max_element(half, peaks.end()) / *std::max_element(peaks.begin(), half));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Inputs a long stream into a memory with a limit, with each forgetting policy.",
               "forgetting_benchmark");
  Soak soak;
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  add_option(app, "--inputs", soak.inputs, "Statements in the stream", std::uint64_t{300}, most);
  add_option(app, "--limit", soak.limit, "Most statements in the memory", std::size_t{10},
             std::size_t{1} << 27);
  add_option(app, "--old", soak.old, "Number of chains that occur repeatedly", std::uint64_t{1}, most);
  add_option(app, "--lately", soak.lately, "Number of recent chains for questions", std::uint64_t{1}, most);
  add_option(app, "--again", soak.again, "Share of statements from repeated chains", 0.0, 0.9);
  add_option(app, "--windows", soak.windows, "Lines of the table", std::size_t{1}, std::size_t{10'000});
  app.add_option("--policies", soak.policies, "Forgetting policies")
      ->check(known(
          "policy",
          [](const std::string& name) { return name != "none" && value_named(forgetting_policies, name); }))
      ->capture_default_str();
  app.add_option("--method", soak.method, "Method that answers the questions")
      ->check(known("method", [](const std::string& name) { return find_method(name) != nullptr; }))
      ->capture_default_str();
  app.add_option("--seed", soak.seed, "Seed of the stream")->capture_default_str();
  app.footer(
      "Exit codes: 0 success, 1 the memory exceeded its limit, 2 wrong usage.\n"
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
