// SPDX-License-Identifier: MIT
// The program `path_benchmark`: how long a question takes by attention over paths, as ratios to a search from
// both ends in the same memory and run, and of large memories to small ones.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "core/methods/methods.hpp"
#include "core/numbers/random.hpp"
#include "core/paths/path_attention.hpp"
#include "core/paths/path_questions.hpp"
#include "core/session/session.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/timing.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;

struct Sizes {
  std::vector<std::size_t> statements{10'000, 1'000'000};
  std::size_t questions = 60, repeats = 5;
  std::string file;
  std::uint64_t seed = 1;
};

struct Asked {
  std::string label;
  Session session;
  std::vector<Cue> cues;
};

// A tree of classes, three below each, and as many relations between names that are drawn, half of them to some of
// each fifty that much mentions: around a name it looks alike however large the memory is, so that what differs
// is the memory's size. Asked is whether a class is below another, two to five steps up.
void make(Asked& asked, std::size_t statements, const Sizes& sizes) {
  Rng rng(sizes.seed, "path benchmark");
  const std::size_t names = std::max<std::size_t>(statements / 2, 2);
  std::vector<std::size_t> above(names);
  const auto name = [](std::size_t i) { return "c" + std::to_string(i); };
  std::string text;
  const auto say = [&] {
    asked.session.input(text);
    text.clear();
  };
  for (std::size_t i = 1; i < names; ++i) {
    above[i] = (i - 1) / 3;
    text += "<" + name(i) + " --> " + name(above[i]) + ">.\n";
    const std::size_t a = rng.below(names);
    const double x = rng.uniform();
    const std::size_t any = rng.below(names), hub = any / 50 * 50 + static_cast<std::size_t>(x * x * x * 50);
    const std::size_t b = i % 2 == 0 ? any : std::min(hub, names - 1);
    if (a != b) text += "<(*," + name(a) + "," + name(b) + ") --> r" + std::to_string(rng.below(6)) + ">.\n";
    if (text.size() > 1'000'000) say();
  }
  say();
  for (std::size_t q = 0; q < sizes.questions; ++q) {
    std::size_t from = names / 2 + rng.below(names - names / 2), to = from;
    for (std::size_t up = 2 + q % 4; up > 0 && to > 0; --up) to = above[to];
    if (from != to) asked.cues.push_back(*asked.session.cue("<" + name(from) + " --> " + name(to) + ">?"));
  }
}

bool read(Asked& asked, const Sizes& sizes) {
  std::ifstream in(sizes.file);
  std::vector<std::string> questions;
  std::string line, text;
  while (std::getline(in, line)) {
    if (line.starts_with("//") || line.empty()) continue;
    if (line.back() == '?')
      questions.push_back(line);
    else
      text += line + '\n';
  }
  if (questions.empty()) {
    std::cerr << sizes.file << ": no question is asked there\n";
    return false;
  }
  asked.session.input(text);
  questions.resize(std::min(questions.size(), sizes.questions));
  for (const std::string& question : questions) asked.cues.push_back(*asked.session.cue(question));
  return true;
}

// CPU seconds of each question, the median over the rounds of each.
template <class Ask>
double median_seconds(const std::vector<Cue>& cues, std::size_t repeats, Ask ask, double& result) {
  std::vector<double> each;
  for (const Cue& cue : cues) {
    std::vector<double> rounds;
    for (std::size_t r = 0; r < repeats; ++r) {
      const double begin = cpu_seconds();
      const double found = ask(cue);
      rounds.push_back(cpu_seconds() - begin);
      if (r == 0) result += found;
    }
    each.push_back(median(rounds));
  }
  return median(each);
}

struct Times {
  double given = 0, recall = 0, search = 0;
};

Times measure(Asked& asked, const Sizes& sizes) {
  const Readings& memory = asked.session.readings();
  const RelationRules& rules = memory.relation_rules();
  const AnyRetriever paths = make_retriever(*find_method("path_attention"));
  const AnyRetriever search = make_retriever(*find_method("bidirectional_spreading"));
  double results[3] = {};
  Times times;
  times.given = median_seconds(
      asked.cues, sizes.repeats,
      [&](const Cue& cue) {
        double total = 0;
        for (const PathQuestion& question : path_questions(memory, cue))
          for (const auto& [e, budget] :
               budgets(PathAttention(memory, rules, question, shipped_path_weights, {})))
            total += budget;
        return total;
      },
      results[0]);
  const auto recalled = [&](const AnyRetriever& retriever) {
    return [&](const Cue& cue) { return max(retriever(memory, cue).statements); };
  };
  times.recall = median_seconds(asked.cues, sizes.repeats, recalled(paths), results[1]);
  times.search = median_seconds(asked.cues, sizes.repeats, recalled(search), results[2]);
  std::printf("== %s: %lld statements, %zu questions\n", asked.label.c_str(),
              static_cast<long long>(memory.statements()), asked.cues.size());
  std::printf("%-44s %12s   x search from both ends\n", "median of a question", "ms");
  const auto row = [&](const char* what, double seconds) {
    std::printf("%-44s %12.3f   1/%.1f\n", what, 1e3 * seconds, times.search / seconds);
  };
  row("attention over paths, what is given", times.given);
  row("attention over paths, scores of all", times.recall);
  row("search from both ends, scores of all", times.search);
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times attention over paths beside a search, in small and large memories.", "path_benchmark");
  Sizes sizes;
  app.add_option("--statements", sizes.statements,
                 "Of each memory, about; the last is compared with the first")
      ->check(CLI::Range(4, 3'000'000))
      ->capture_default_str();
  add_option(app, "--questions", sizes.questions, "Asked of each memory, at most", 1, 100'000);
  add_option(app, "--repeats", sizes.repeats, "Rounds; of each question the median counts", 1, 1'000'000);
  app.add_option("--file", sizes.file, "Narsese with questions, in place of memories that are made");
  app.add_option("--seed", sizes.seed, "What is made follows from it")->capture_default_str();
  app.footer(
      "Exit codes: 0 done, 1 a file without questions, 2 wrong usage.\n"
      "Example:\n  path_benchmark --statements 1000 100000 --questions 20");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  if (!sizes.file.empty()) {
    Asked asked{sizes.file, Session(), {}};
    if (!read(asked, sizes)) return 1;
    measure(asked, sizes);
    return 0;
  }
  std::vector<Times> all;
  for (const std::size_t statements : sizes.statements) {
    Asked asked{"made", Session(), {}};
    make(asked, statements, sizes);
    all.push_back(measure(asked, sizes));
  }
  std::printf("the last memory beside the first: what is given %.2f x, scores of all %.2f x, search %.2f x\n",
              all.back().given / all.front().given, all.back().recall / all.front().recall,
              all.back().search / all.front().search);
  return 0;
}
