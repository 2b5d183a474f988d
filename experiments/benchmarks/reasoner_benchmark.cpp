// SPDX-License-Identifier: MIT
// The program `reasoner_benchmark`: measures the inference steps per second of Engram's reasoner with each control, on
// a file of Narsese. If the command line contains the command of ONA's shell, the program also measures ONA.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "bridge/attach/reasoner_process.hpp"
#include "core/reasoner/reasoner.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"
#include "experiments/flood/asking.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace {

using namespace engram;
using namespace engram::benchmarks;

struct Settings {
  std::string file;
  std::uint64_t steps = 100'000;
  std::size_t sentences = core::ReasonerOptions{}.max_sentences;
  std::vector<std::string> ona;
  std::size_t ona_statements = 200;
};

std::vector<std::string> statements_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && (line[0] == '<' || line[0] == '(') && line.find("?") == std::string::npos)
      lines.push_back(line);
  return lines;
}

std::unique_ptr<core::InferenceControl> control_of(const std::string& name) {
  if (name == "by_urgency") return core::by_urgency([](core::Knowledge&, core::SentenceId) { return 1.0; });
  return experiments::flood::make_control(name, 1);
}

// Inputs all statements into a reasoner with this control, then measures its inference steps per second.
void measure(const Settings& settings, const std::vector<std::string>& statements,
             const std::string& control) {
  narsese::TermTable table;
  core::Reasoner reasoner(table, control_of(control), {.max_sentences = settings.sentences, .forgets = true});
  for (const std::string& line : statements)
    if (const auto sentence = narsese::parse_sentence(line, table)) reasoner.input(*sentence);
  const double start = wall_seconds();
  const std::uint64_t before = reasoner.steps();
  reasoner.run(settings.steps);
  const double took = wall_seconds() - start;
  const auto steps = static_cast<double>(reasoner.steps() - before);
  const auto kept = static_cast<double>(reasoner.knowledge().size());
  const double sentences = kept + static_cast<double>(reasoner.forgotten());
  std::printf("%-20s %10.0f %12.0f %14.0f %16.0f\n", control.c_str(), steps, steps / took, sentences / took,
              static_cast<double>(reasoner.bytes()) / kept);
}

// Measures the cycles per second of ONA's shell. ONA executes one cycle for each input statement.
void measure_ona(const Settings& settings, const std::vector<std::string>& statements) {
  bridge::ReasonerProcess process(settings.ona, bridge::ona());
  std::vector<std::string> lines = bridge::ona().opening_for_answers;
  narsese::TermTable table;
  std::size_t sent = 0;
  for (const std::string& line : statements) {
    if (sent == settings.ona_statements) break;
    if (const auto sentence = narsese::parse_sentence(line, table)) {
      lines.push_back(narsese::print_for_ona(*sentence));
      ++sent;
    }
  }
  const double start = wall_seconds();
  process.say(lines, std::chrono::minutes(10), [](std::string_view, bool, bool) {});
  const double took = wall_seconds() - start;
  std::printf("ONA: %zu statements, a cycle for each: %.0f per second\n", sent,
              static_cast<double>(sent) / took);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Measures the inference steps per second of each control.", "reasoner_benchmark");
  app.add_option("file", settings.file,
                 "File of Narsese, for example from `engram generate families --size 10000`")
      ->required()
      ->check(CLI::ExistingFile);
  add_option(app, "--steps", settings.steps, "Inference steps of each control", 1, 100'000'000);
  add_option(app, "--sentences", settings.sentences, "Most sentences that the reasoner keeps", 1'000,
             1'000'000'000);
  add_option(app, "--ona-statements", settings.ona_statements,
             "Statements for ONA; its default build has space for about 250 names", 1, 1'000'000);
  app.add_option("command", settings.ona, "Command of ONA's shell after --, for example -- ./NAR shell");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  const std::vector<std::string> statements = statements_of(settings.file);
  std::printf("%zu statements\n%-20s %10s %12s %14s %16s\n", statements.size(), "control", "steps", "steps/s",
              "sentences/s", "bytes/sentence");
  std::vector<std::string> controls = experiments::flood::control_names();
  controls.emplace_back("by_urgency");
  for (const std::string& control : controls) measure(settings, statements, control);
  try {
    if (!settings.ona.empty()) measure_ona(settings, statements);
  } catch (const bridge::ReasonerError& error) {
    std::cerr << "reasoner_benchmark: error: " << error.what() << '\n';
    return 3;
  }
  return 0;
}
