// SPDX-License-Identifier: MIT
// The program `engram_benchmark`: compares each kernel with a lower bound for this machine and with other libraries, in
// one run. It does not use a benchmark library, because contestants must take turns, so that other load affects all of
// them, and must prove that they do the same work.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/narsese_mix.hpp"
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
  app.add_option("suites", arguments.suites, "What to measure; nothing: all")
      ->type_name("SUITE")
      ->check(known("suite", [](const std::string& name) {
        return std::ranges::find(suites, name, &Suite::name) != suites.end();
      }));
  app.add_option(
         "--isa", arguments.instructions,
         "Instructions of kernels that have a choice: portable, avx2, avx512, or all that this processor\n"
         "has; nothing: the best. The results are the same bits")
      ->type_name("NAME ...")
      ->check([](const std::string& name) {
        if (name == "all") return std::string();
        for (const Instructions one : all_instructions)
          if (name == core::name(one)) return core::available(one) ? "" : "this processor has no " + name;
        return "there are no instructions " + name;
      });
  add_option(app, "--threads", sizes.threads, "For the rows of more than one; 1: leave them out", 1, 256);
  add_option(app, "--repeats", arguments.repeats, "Rounds; the median counts, the range is told", 1,
             1'000'000);
  app.add_option("--json", arguments.json, "Write all rounds there")->type_name("FILE");
  app.add_option("--markdown", arguments.markdown, "Write a page with a table for each suite to this file")
      ->type_name("FILE");
  app.add_option(
         "--compare", arguments.compare,
         "What --json wrote before: tell how much faster each is now, to the limit or peer of its run")
      ->type_name("FILE");
  app.add_flag("--small", arguments.small, "So little of everything that it takes seconds: no measurement");
  app.add_option("--torch", sizes.torch, "A Python that has torch")->type_name("PROGRAM");
  app.add_option(
         "--parser", arguments.parsers,
         "NAME=PROGRAM: reads the file of lines that is named to it, and prints, last, the seconds of\n"
         "processor time that parsing took")
      ->type_name("NAME=PROGRAM");
  app.add_option("--seed", sizes.seed, "What is drawn follows from it")->capture_default_str();
  add_option(app, "--keys", sizes.keys, "attention: keys, and as many values", 1, a_lot);
  add_option(app, "--columns", sizes.columns, "attention: numbers in a key, and in a value", 1, 65536);
  add_option(app, "--batch", sizes.batch, "attention: queries together", 1, 4096);
  add_option(app, "--top", sizes.best, "attention: the best so many keys", 1, a_lot);
  add_option(app, "--spins", sizes.spins, "hopfield: of the classical network", 1, 16'000);
  add_option(app, "--patterns", sizes.patterns, "hopfield: it holds", 1, 32'767);
  add_option(app, "--damage", sizes.damage, "hopfield: share of the cues' spins turned over", 0.0, 1.0);
  add_option(app, "--cues", sizes.cues, "hopfield: recalled one after another", 1, 100'000);
  add_option(app, "--concepts", sizes.concepts, "hopfield, walks: of the graphs", 1, 20'000'000);
  add_option(app, "--links", sizes.links,
             "hopfield, walks: made for each concept; it has nearly twice as many", 1, 100);
  add_option(app, "--stored", sizes.stored, "hopfield: patterns of the modern networks", 1, 100'000'000);
  add_option(app, "--stored-columns", sizes.stored_columns,
             "hopfield: numbers in a pattern, for each --stored", 1, 65536);
  add_option(app, "--lines", sizes.lines, "narsese: of each text", 1, a_lot);
  add_option(app, "--joined", sizes.joined, "links: concepts, drawn by Zipf's law", 2, a_lot);
  add_option(app, "--updates", sizes.updates, "links: pairs drawn", 1, 1'000'000'000);
  app.add_option("--decay", sizes.decay, "links: share of all evidence that is lost with each pair")
      ->check(CLI::Range(0.0, 0.999))
      ->capture_default_str();
  add_option(app, "--statements", sizes.statements, "paths: of each memory, about", 4, 10'000'000);
  add_option(app, "--questions", sizes.questions, "paths: asked of each memory, at most", 1, 100'000);
  app.add_option("--write", arguments.write,
                 "Write the lines of suite narsese to NAME_small.nal and NAME_large.nal, and measure nothing")
      ->type_name("NAME");
  std::string footer = "Suites:\n";
  for (const Suite& suite : suites)
    footer += "  " + std::string(suite.name) + std::string(12 - suite.name.size(), ' ') +
              std::string(suite.summary) + "\n";
  app.footer(footer +
             "Exit codes: 0 done, 1 a contestant did other work than another, or in another round, 2 wrong "
             "usage, 3 an\n"
             "outside failure.\nExample:\n  engram_benchmark attention --keys 100000 --repeats 15 --json "
             "before.json");
}

void check(Arguments& arguments) {
  Sizes& sizes = arguments.sizes;
  if (sizes.stored.size() != sizes.stored_columns.size())
    throw CLI::ValidationError("--stored", "and --stored-columns must be as many");
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
    return write(arguments.write + "_small.nal", small_vocabulary(sizes.lines, sizes.seed).text) &&
                   write(arguments.write + "_large.nal", large_vocabulary(sizes.lines, sizes.seed).text)
               ? 0
               : 3;
  Scoreboard board(arguments.repeats,
                   arguments.compare.empty() ? nlohmann::json() : read_scores(arguments.compare));
  std::cout
      << "The best instructions here: " << core::name(Instructions::best)
      << ". Times are of one piece of work, the median of " << arguments.repeats
      << " rounds; the rest is how many times as fast\nas the limit and as others, [worst, best round]. Only "
         "these ratios carry over to another machine.\n";
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
  CLI::App app("Times Engram's kernels beside the limits of this machine and beside other libraries.",
               "engram_benchmark");
  Arguments arguments;
  // Before the other options, which may override the small sizes.
  if (std::find(argv, argv + argc, std::string_view("--small")) != argv + argc)
    arguments.sizes = small_sizes();
  add_options(app, arguments);
  app.callback([&] { check(arguments); });
  if (const auto code = exit_code(app, argc, argv)) return *code;
  return run(arguments);
}
