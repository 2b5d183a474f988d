// SPDX-License-Identifier: MIT
// The program `engram_benchmark`: compares each kernel with a lower bound for this machine and with other libraries, in
// one run. It does not use Google Benchmark, because contestants must alternate, so that other load affects each of
// them, and because it checks that contestants have equal results.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace {

using namespace engram;
using namespace engram::benchmarks;
using core::Instructions;

struct Arguments {
  Sizes sizes;
  std::vector<std::string> suites, instructions, parsers;
  std::string json, markdown, compare, write;
  bool small = false;
  std::size_t repeats = 7;
};

constexpr std::array all_instructions{Instructions::portable, Instructions::avx2, Instructions::avx512};

// Sizes for a run of a few seconds, to test the program.
Sizes small_sizes() {
  Sizes sizes;
  sizes.keys = 5000;
  sizes.columns = 20;
  sizes.batch = 3;
  sizes.best = 4;
  sizes.spins = 300;
  sizes.patterns = 20;
  sizes.cues = 3;
  sizes.concepts = {500, 2000};
  sizes.stored = {300};
  sizes.stored_columns = {8};
  sizes.lines = 1000;
  sizes.joined = {1000};
  sizes.updates = 20'000;
  sizes.statements = {1000};
  sizes.questions = 5;
  return sizes;
}

std::vector<Instructions> instructions_in(const std::vector<std::string>& names) {
  std::vector<Instructions> found;
  for (const Instructions one : all_instructions)
    if (std::ranges::find(names, core::name(one)) != names.end() ||
        (std::ranges::find(names, "all") != names.end() && core::available(one)))
      found.push_back(one);
  return found.empty() ? std::vector{Instructions::best} : found;
}

void add_options(CLI::App& app, Arguments& arguments) {
  Sizes& sizes = arguments.sizes;
  constexpr int a_lot = 100'000'000;
  app.add_option("suites", arguments.suites, "The suites to run (default: all)")
      ->type_name("SUITE")
      ->check(known("suite", [](const std::string& name) {
        return std::ranges::find(suites, name, &Suite::name) != suites.end();
      }));
  app.add_option("--isa", arguments.instructions,
                 "Instruction sets of kernels that support several: portable, avx2, avx512, or all that\n"
                 "this processor supports (default: the best). The results are the same")
      ->type_name("NAME ...")
      ->check([](const std::string& name) {
        if (name == "all") return std::string();
        for (const Instructions one : all_instructions)
          if (name == core::name(one))
            return core::available(one) ? "" : "this processor does not support " + name;
        return "unknown instruction set " + name;
      });
  add_option(app, "--threads", sizes.threads, "Threads of the rows with several threads; 1 omits these rows",
             1, 256);
  add_option(app, "--repeats", arguments.repeats, "Rounds; results are medians, with the range of the rounds",
             1, 1'000'000);
  app.add_option("--json", arguments.json, "Write the times of every round to this file")->type_name("FILE");
  app.add_option("--markdown", arguments.markdown, "Write a page with a table for each suite to this file")
      ->type_name("FILE");
  app.add_option("--compare", arguments.compare,
                 "Print how many times as fast each row is as in this file of --json, both relative to the\n"
                 "limit or peer of their run")
      ->type_name("FILE");
  app.add_flag("--small", arguments.small, "Use sizes that take seconds, to test the program");
  app.add_option("--torch", sizes.torch, "Path of a Python that has torch, to add torch as a peer")
      ->type_name("PROGRAM");
  app.add_option("--parser", arguments.parsers,
                 "narsese: add a program as a peer. It gets the path of a file with lines as its argument,\n"
                 "and must print the CPU seconds of parsing as its last line")
      ->type_name("NAME=PROGRAM");
  app.add_option("--seed", sizes.seed, "Seed of the random data")->capture_default_str();
  add_option(app, "--keys", sizes.keys, "attention: number of keys, each with a value", 1, a_lot);
  add_option(app, "--columns", sizes.columns, "attention: numbers in a key and in a value", 1, 65536);
  add_option(app, "--batch", sizes.batch, "attention: queries in a batch", 1, 4096);
  add_option(app, "--top", sizes.best, "attention: number of best keys to find", 1, a_lot);
  add_option(app, "--spins", sizes.spins, "hopfield: spins of the classical network", 1, 16'000);
  add_option(app, "--patterns", sizes.patterns, "hopfield: patterns of the classical network", 1, 32'767);
  add_option(app, "--damage", sizes.damage, "hopfield: share of the spins of a cue that are flipped", 0.0,
             1.0);
  add_option(app, "--cues", sizes.cues, "hopfield: cues of the classical network", 1, 100'000);
  add_option(app, "--concepts", sizes.concepts, "hopfield, walks: concepts of each graph", 1, 20'000'000);
  add_option(app, "--links", sizes.links,
             "hopfield, walks: generated links from a concept, which has nearly twice as many in total", 1,
             100);
  add_option(app, "--stored", sizes.stored, "hopfield: patterns of each modern network", 1, 100'000'000);
  add_option(app, "--stored-columns", sizes.stored_columns,
             "hopfield: numbers in a pattern, for each --stored", 1, 65536);
  add_option(app, "--lines", sizes.lines, "narsese: lines of each text", 1, a_lot);
  add_option(app, "--joined", sizes.joined, "links: numbers of concepts, drawn by Zipf's law", 2, a_lot);
  add_option(app, "--updates", sizes.updates, "links: pairs of concepts to learn", 1, 1'000'000'000);
  app.add_option("--decay", sizes.decay, "links: share of all evidence that is lost with each pair")
      ->check(CLI::Range(0.0, 0.999))
      ->capture_default_str();
  add_option(app, "--statements", sizes.statements, "paths: approximate statements of each memory", 4,
             10'000'000);
  add_option(app, "--questions", sizes.questions, "paths: most questions to each memory", 1, 100'000);
  app.add_option("--write", arguments.write,
                 "Write the lines of suite narsese to NAME_small.nal and NAME_large.nal, and run no suite")
      ->type_name("NAME");
  std::string footer = "Suites:\n";
  for (const Suite& suite : suites)
    footer += "  " + std::string(suite.name) + std::string(12 - suite.name.size(), ' ') +
              std::string(suite.summary) + "\n";
  app.footer(
      footer +
      "Exit codes: 0 success, 1 contestants have different results, or a result differs between rounds, "
      "2 wrong\n"
      "usage, 3 a file cannot be written.\n"
      "Example:\n  engram_benchmark attention --keys 100000 --repeats 15 --json before.json");
}

void check(Arguments& arguments) {
  Sizes& sizes = arguments.sizes;
  if (sizes.stored.size() != sizes.stored_columns.size())
    throw CLI::ValidationError("--stored", "must have as many values as --stored-columns");
  for (const std::string& parser : arguments.parsers) {
    const std::size_t sign = parser.find('=');
    if (sign == 0 || sign == parser.npos || sign + 1 == parser.size())
      throw CLI::ValidationError("--parser", "must be NAME=PROGRAM, found " + parser);
    sizes.parsers.emplace_back(parser.substr(0, sign), parser.substr(sign + 1));
  }
  sizes.instructions = instructions_in(arguments.instructions);
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::cerr << "cannot write " << path << '\n';
  return !file.fail();
}

int run(const Arguments& arguments) try {
  const Sizes& sizes = arguments.sizes;
  if (!arguments.write.empty())
    return write(arguments.write + "_small.nal", narsese_lines(false, sizes)) &&
                   write(arguments.write + "_large.nal", narsese_lines(true, sizes))
               ? 0
               : 3;
  Scoreboard board(arguments.repeats,
                   arguments.compare.empty() ? nlohmann::json() : read_scores(arguments.compare));
  std::cout
      << "Best instruction set of this processor: " << core::name(Instructions::best)
      << ". Times are medians of " << arguments.repeats << " rounds for a piece of work. The other numbers "
      << "are how many\ntimes as fast Engram is as the limit and as others, [worst, best round]. Only these "
      << "ratios apply to other machines.\n";
  for (const Suite& suite : suites)
    if (arguments.suites.empty() || std::ranges::find(arguments.suites, suite.name) != arguments.suites.end())
      suite.run(sizes, board);
  const bool has_json = arguments.json.empty() || write(arguments.json, board.json().dump(1) + "\n");
  const bool has_page = arguments.markdown.empty() || write(arguments.markdown, board.markdown());
  return has_json && has_page ? 0 : 3;
} catch (const ContestError& error) {
  std::cerr << error.what() << '\n';
  return 1;
} catch (const std::invalid_argument& error) {
  std::cerr << error.what() << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Compares the speed of Engram's kernels with the limits of this machine and with other libraries.",
      "engram_benchmark");
  Arguments arguments;
  // --small applies first, wherever it occurs, so that other options override its sizes.
  if (std::find(argv, argv + argc, std::string_view("--small")) != argv + argc)
    arguments.sizes = small_sizes();
  add_options(app, arguments);
  app.callback([&] { check(arguments); });
  if (const auto code = exit_code(app, argc, argv)) return *code;
  return run(arguments);
}
