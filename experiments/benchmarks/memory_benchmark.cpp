// SPDX-License-Identifier: MIT
// The program `memory_benchmark`: measures the time of questions and inputs, and the bytes per statement, in memories
// of several sizes. Times are divided by the time of reference work in the same run: a pass over all statements, a
// search by Boost.Graph, or parsing.
#include <unistd.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <boost/pending/queue.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bridge/snapshots/snapshot.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/ranking.hpp"
#include "core/proofs/associations.hpp"
#include "core/session/session.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"
#include "experiments/benchmarks/memory_growth.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/inputs/proof_sets.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;
namespace fs = std::filesystem;

struct Sizes {
  std::vector<std::size_t> statements{10'000, 1'000'000};
  std::vector<std::string> kinds{"families", "chains", "taxonomies"};
  std::size_t questions = 200, given = 18;
  std::string method{engram::core::default_method}, map, file, table, markdown, plots, rows, forget{"learnt"};
  std::uint64_t seed = 1;
};

// The input of one memory: its statements and the questions to measure.
struct Workload {
  std::string label, text;  // `text` has one statement per line
  std::vector<std::string> questions;
};

Workload generate(const std::string& kind, std::size_t statements, const Sizes& sizes) {
  engram::experiments::ChainOptions options;
  options.size = statements;
  options.questions = sizes.questions;
  const auto set = engram::experiments::generate(kind, options, sizes.seed);
  Workload work{kind, {}, {}};
  for (std::size_t i = 0; i < set.statements.size(); ++i)
    work.text += set.statements[i] + "." + set.truths[i] + "\n";
  for (const auto& question : set.questions) work.questions.push_back(question.question + "?");
  return work;
}

Workload read(const Sizes& sizes) {
  std::ifstream in(sizes.file);
  Workload work{sizes.file, {}, {}};
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("//") || line.empty()) continue;
    if (line.back() != '?')
      work.text += line + '\n';
    else if (work.questions.size() < sizes.questions)
      work.questions.push_back(line);
  }
  if (work.questions.empty()) throw std::invalid_argument(sizes.file + " contains no question");
  return work;
}

// CPU time, summed over threads, and wall time of one piece of work.
struct Seconds {
  double cpu = 0, wall = 0;
};

class Stopwatch {
 public:
  Seconds seconds() const { return {cpu_seconds() - cpu_, wall_seconds() - wall_}; }

 private:
  double cpu_ = cpu_seconds(), wall_ = wall_seconds();
};

// Measures the time to parse a text on one thread, without a memory.
Seconds parse_seconds(const std::string& text, double& sum) {
  engram::narsese::TermTable terms;
  const Stopwatch watch;
  std::istringstream in(text);
  engram::narsese::NalReader reader(in, terms, {}, engram::narsese::Dialect::any,
                                    {.least_bytes = engram::narsese::ReadAheadOptions::never});
  while (const auto line = reader.next()) sum += static_cast<double>(line->sentence.term.complexity());
  return watch.seconds();
}

// Time to read the concepts of every statement, which is a lower bound for a question that scans the whole memory.
double pass_seconds(const MemoryIndex& memory, double& sum) {
  std::vector<double> rounds;
  for (int r = 0; r < 5; ++r) {
    const double begin = cpu_seconds();
    std::uint64_t total = 0;
    for (Index e = 0; e < memory.statements(); ++e)
      for (const ConceptId id : memory.episode(e)) total += id;
    rounds.push_back(cpu_seconds() - begin);
    sum += static_cast<double>(total);
  }
  return median(rounds);
}

// Graph of Boost.Graph with a vertex for each name and each statement. Edges join a statement to its names.
class NameGraph {
 public:
  explicit NameGraph(const MemoryIndex& memory) : names_(static_cast<std::size_t>(memory.concepts())) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (Index e = 0; e < memory.statements(); ++e)
      for (const ConceptId id : memory.episode(e)) {
        edges.emplace_back(id, names_ + static_cast<std::size_t>(e));
        edges.emplace_back(names_ + static_cast<std::size_t>(e), id);
      }
    graph_ = Graph(boost::edges_are_unsorted, edges.begin(), edges.end(),
                   names_ + static_cast<std::size_t>(memory.statements()));
  }

  // Returns whether a breadth-first search from one name finds the other.
  bool leads(ConceptId from, ConceptId to) const {
    boost::two_bit_color_map<> colours(boost::num_vertices(graph_));
    boost::queue<std::size_t> queue;
    try {
      boost::breadth_first_visit(graph_, std::size_t{from}, queue, Until{{}, to}, colours);
    } catch (const Reached&) {
      return true;
    }
    return false;
  }

 private:
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
  struct Reached {};
  struct Until : boost::default_bfs_visitor {
    Until(boost::default_bfs_visitor, std::size_t target) : to(target) {}
    void discover_vertex(std::size_t v, const Graph&) const {
      if (v == to) throw Reached();
    }
    std::size_t to;
  };
  std::size_t names_;
  Graph graph_;
};

// Measurements of one memory. Values of type double are CPU seconds, except the bytes.
struct Times {
  std::vector<double> question, question_after_input, search;
  std::vector<double> copy, input_of_one,
      input_of_one_with_copy;                        // while a copy of the memory exists
  Seconds parse, input, ingest, save, restart;       // `ingest`: input, and building the indexes
  Seconds input_to_input_at_limit;                   // ratios of CPU times and of wall times
  double pass = 0, memory_bytes = 0, all_bytes = 0;  // bytes are per statement
};

MemoryOptions without_limits() {
  MemoryOptions options;
  options.limits.max_statements = options.limits.max_concepts = std::size_t{1} << 27;
  options.limits.max_hebbian_links = std::size_t{1} << 28;
  options.limits.max_bytes = std::size_t{1} << 36;
  return options;
}

ConfiguredMethod method_of(const Sizes& sizes) {
  return ConfiguredMethod(sizes.method, sizes.map.empty() ? Options{} : Options{{"map", sizes.map}});
}

// Answers a question like a server: starts a request, parses, recalls, and selects the best statements.
double answer(Session& session, const ConfiguredMethod& method, const std::string& question,
              const Sizes& sizes, double& sum) {
  const double begin = cpu_seconds();
  {
    const Session::Request request(session);
    const auto cue = session.cue(question);
    const Recall recall = session.recall(method, *cue);
    for (const std::uint32_t e : rank(recall.statements, sizes.given)) sum += recall.statements[e];
  }
  return cpu_seconds() - begin;
}

Seconds input_seconds(const Workload& work, const MemoryOptions& options,
                      const ForgettingOptions& forgetting) {
  Session session(options, forgetting);
  const Stopwatch watch;
  std::istringstream in(work.text);
  session.read(in);
  return watch.seconds();
}

// Time of input without a limit, divided by the time of input into a forgetting memory with space for a quarter of the
// statements. Each round measures both, because the speed of the machine varies. The result is the median round.
Seconds input_to_input_at_limit(const Workload& work, std::size_t statements, const std::string& policy) {
  constexpr std::size_t few = 200'000;  // most statements for which several rounds are fast enough
  MemoryOptions limited = without_limits();
  limited.limits.max_statements = std::max<std::size_t>(statements / 4, 1);
  std::vector<double> cpu, wall;
  for (int rounds = statements > few ? 1 : 5; rounds > 0; --rounds) {
    const Seconds free = input_seconds(work, without_limits(), {});
    const Seconds at_limit =
        input_seconds(work, limited, {.policy = *value_named(forgetting_policies, policy)});
    cpu.push_back(free.cpu / at_limit.cpu);
    wall.push_back(free.wall / at_limit.wall);
  }
  return {median(cpu), median(wall)};
}

// Measures the time to save a snapshot, and the time of a restart: reading the snapshot, probably from the file cache,
// and answering one question.
void measure_restart(Session& session, const Workload& work, const Sizes& sizes, Times& times, double& sum) {
  const fs::path file = fs::temp_directory_path() / ("memory_benchmark." + std::to_string(::getpid()));
  const Stopwatch save;
  engram::bridge::write_snapshot(session, file, engram::bridge::SnapshotForm::binary);
  times.save = save.seconds();
  session = Session(without_limits());
  const Stopwatch watch;
  engram::bridge::read_snapshot(session, file);
  answer(session, method_of(sizes), work.questions.front(), sizes, sum);
  times.restart = watch.seconds();
  fs::remove(file);
}

// Measures the CPU time to input one new statement.
double input_statement(Session& session, std::size_t number) {
  const double begin = cpu_seconds();
  session.input("<(*,somebody" + std::to_string(number) + ",somewhere) --> knows>.\n");
  return cpu_seconds() - begin;
}

double worst(const std::vector<double>& seconds) {
  return seconds.empty() ? 0 : *std::ranges::max_element(seconds);
}

// The beginning of the Markdown page that --markdown writes.
constexpr const char* page_head =
    "# What a question, an input and a statement cost\n\n"
    "A row is a memory, measured in one run. As in a server, a question goes from its text to the best "
    "statements. All columns are\n"
    "ratios of CPU times, except bytes:\n"
    "\n"
    "* *question*: time of the median question, then of the slowest, divided by a pass. A pass reads the "
    "concepts of every statement once.\n"
    "* *breadth-first*: time of the median question, divided by that of a breadth-first search (Boost.Graph) "
    "from one name of the\n"
    "  question to the other.\n"
    "* *after an input*: time of a question right after an input, divided by the time before the input.\n"
    "* *parsing*: time to parse the file alone, divided by the time to read it into a memory.\n"
    "* *bytes*: bytes for a statement in the memory, then with all indexes.\n"
    "\n"
    "| knowledge | statements | question: median, slowest | breadth-first | after an input | parsing | "
    "bytes: memory, with indexes |\n"
    "|---|---:|---:|---:|---:|---:|---:|\n";

std::string page_row(const std::string& label, double statements, const Times& times) {
  const auto digits = [](const char* format, auto... numbers) {
    char text[128];
    std::snprintf(text, sizeof text, format, numbers...);
    return std::string(text);
  };
  const double question = median(times.question);
  return "| " + fs::path(label).stem().string() + digits(" | %.0f | ", statements) +
         digits("%.3g, %.3g", question / times.pass, worst(times.question) / times.pass) + " | " +
         (times.search.empty() ? "" : digits("%.2g", question / median(times.search))) +
         digits(" | %.2f | %.2f | ", median(times.question_after_input) / question,
                times.parse.cpu / times.ingest.cpu) +
         digits("%.0f, %.0f |\n", times.memory_bytes, times.all_bytes);
}

void print(const Workload& work, double statements, const Times& times) {
  std::printf("== %s: %.0f statements, %zu questions\n", work.label.c_str(), statements,
              work.questions.size());
  const double question = median(times.question);
  std::printf("  question, median / worst, ms               %10.3f %10.3f\n", 1e3 * question,
              1e3 * worst(times.question));
  std::printf("  divided by a pass over all statements      %10.4f %10.4f\n", question / times.pass,
              worst(times.question) / times.pass);
  if (!times.search.empty())
    std::printf("  divided by a search by Boost.Graph         %10.2f\n", question / median(times.search));
  std::printf("  right after an input, divided by before    %10.2f\n",
              median(times.question_after_input) / question);
  std::printf("  copying the memory, divided by a pass      %10.4f %10.4f\n", median(times.copy) / times.pass,
              worst(times.copy) / times.pass);
  std::printf("  input with a copy, divided by without      %10.2f\n",
              median(times.input_of_one_with_copy) / median(times.input_of_one));
  std::printf("  parsing divided by ingest: CPU, wall time  %10.3f %10.3f\n",
              times.parse.cpu / times.ingest.cpu, times.parse.wall / times.ingest.wall);
  std::printf("  the same, without building indexes         %10.3f %10.3f\n",
              times.parse.cpu / times.input.cpu, times.parse.wall / times.input.wall);
  std::printf("  bytes per statement: memory, with indexes  %10.0f %10.0f\n", times.memory_bytes,
              times.all_bytes);
  if (times.restart.cpu > 0) {
    std::printf("  ingest divided by a restart from a snapshot%10.2f %10.2f\n",
                times.ingest.cpu / times.restart.cpu, times.ingest.wall / times.restart.wall);
    std::printf("  ingest divided by saving the snapshot      %10.2f %10.2f\n",
                times.ingest.cpu / times.save.cpu, times.ingest.wall / times.save.wall);
  }
  if (times.input_to_input_at_limit.cpu > 0)
    std::printf("  input without a limit, divided by at limit %10.2f %10.2f\n",
                times.input_to_input_at_limit.cpu, times.input_to_input_at_limit.wall);
  std::fflush(stdout);
}

Times measure(const Workload& work, const Sizes& sizes, double& sum, std::string& page) {
  Times times;
  Session session(without_limits());
  times.parse = parse_seconds(work.text, sum);
  const Stopwatch watch;
  std::istringstream in(work.text);
  session.read(in);
  times.input = watch.seconds();
  const MemoryIndex& memory = session.index();
  memory.hops();
  times.ingest = watch.seconds();
  const auto statements = static_cast<double>(memory.statements());
  const ConfiguredMethod method = method_of(sizes);
  for (const std::string& question : work.questions)
    answer(session, method, question, sizes, sum);  // warm-up, not measured
  times.pass = pass_seconds(memory, sum);
  std::optional<NameGraph> graph;
  if (!sizes.file.empty()) graph.emplace(memory);
  for (const std::string& question : work.questions) {
    times.question.push_back(answer(session, method, question, sizes, sum));
    if (!graph) continue;
    const auto cue = session.cue(question);
    for (const NamePair& ends : name_pairs(session.index(), *cue)) {
      if (!ends.to) continue;
      const double start = cpu_seconds();
      sum += graph->leads(ends.from, *ends.to) ? 1 : 0;
      times.search.push_back(cpu_seconds() - start);
    }
  }
  for (std::size_t q = 0; q < work.questions.size(); ++q) {
    times.input_of_one.push_back(input_statement(session, q));
    times.question_after_input.push_back(answer(session, method, work.questions[q], sizes, sum));
  }
  for (std::size_t q = 0; q < work.questions.size(); ++q) {
    const double begin = cpu_seconds();
    const Session copy(session);
    times.copy.push_back(cpu_seconds() - begin);
    times.input_of_one_with_copy.push_back(input_statement(session, work.questions.size() + q));
  }
  times.memory_bytes = static_cast<double>(session.memory().bytes()) / statements;
  times.all_bytes = static_cast<double>(session.bytes()) / statements;
  if (sizes.forget != "none")
    times.input_to_input_at_limit =
        input_to_input_at_limit(work, session.memory().statements().size(), sizes.forget);
  if (!work.questions.empty()) measure_restart(session, work, sizes, times, sum);
  print(work, statements, times);
  page += page_row(work.label, statements, times);
  return times;
}

std::vector<MemoryRow> measure_all(const Sizes& sizes, double& sum, std::string& page) {
  std::vector<MemoryRow> rows;
  std::ofstream table;
  if (!sizes.table.empty()) table.open(sizes.table);
  for (const std::string& kind : sizes.kinds) {
    const std::size_t first = rows.size();
    for (const std::size_t statements : sizes.statements) {
      const Times times = measure(generate(kind, statements, sizes), sizes, sum, page);
      rows.push_back({kind, static_cast<double>(statements), median(times.question), times.ingest.wall,
                      times.memory_bytes, times.all_bytes});
      write(table, rows.back());
      table.flush();
    }
    if (sizes.statements.size() > 1)
      std::printf("== %s: median question of the last memory, divided by the first: %.2f\n", kind.c_str(),
                  rows.back().question / rows[first].question);
  }
  table << exponents(rows, "# ");
  return rows;
}

std::vector<MemoryRow> read_rows(const std::string& file) {
  std::ifstream in(file);
  std::vector<MemoryRow> rows = engram::benchmarks::read_rows(in);
  if (rows.empty()) throw std::invalid_argument(file + " contains no row");
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures the time of questions and inputs, and the bytes per statement, of memories.",
               "memory_benchmark");
  Sizes sizes;
  app.add_option("--statements", sizes.statements, "Statements of each generated memory")
      ->check(CLI::Range(100, 50'000'000))
      ->capture_default_str();
  app.add_option("--kinds", sizes.kinds,
                 "Kinds of generated knowledge: families, chains, taxonomies, events, theories, compositions")
      ->check(CLI::IsMember(engram::experiments::proof_kinds))
      ->capture_default_str();
  add_option(app, "--questions", sizes.questions, "Most questions to each memory", 1, 100'000);
  app.add_option("--method", sizes.method, "Method that answers the questions")
      ->check(known("method", [](const std::string& name) { return find_method(name) != nullptr; }))
      ->capture_default_str();
  app.add_option("--map", sizes.map, "Map of the method, if it has this option (default: that of the method)")
      ->check(CLI::IsMember({"softmax", "sparsemax", "entmax", "normmax", "budget", "argmax"}));
  app.add_option("--forget", sizes.forget,
                 "Forgetting policy of the memory with space for a quarter of the statements; none omits it")
      ->check(
          known("policy",
                [](const std::string& name) { return value_named(forgetting_policies, name).has_value(); }))
      ->capture_default_str();
  app.add_option("--file", sizes.file, "Measure this file of Narsese with questions, not generated memories");
  app.add_option(
      "--table", sizes.table,
      "Write a file with a row for each memory: kind, statements, seconds of the median question\n"
      "(CPU) and of input with indexes (wall time), bytes per statement without and with indexes.\n"
      "The last lines have the exponents with which each grows in the number of statements");
  app.add_option("--markdown", sizes.markdown, "Write a page with a row for each memory to this file");
  app.add_option("--plots", sizes.plots, "Write gnuplot scripts and plots of the --table to this folder");
  app.add_option("--rows", sizes.rows, "Read rows that --table wrote, and measure nothing");
  app.add_option("--seed", sizes.seed, "Seed of generated memories")->capture_default_str();
  app.footer(
      "Exit codes: 0 success, 1 a file without questions or rows, 2 wrong usage.\n"
      "Example:\n  memory_benchmark --statements 1000 100000 --kinds families");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  double sum = 0;
  std::string page = page_head;
  try {
    if (!sizes.file.empty()) {
      measure(read(sizes), sizes, sum, page);
      if (!sizes.markdown.empty()) engram::experiments::write_file(sizes.markdown, page);
      return 0;
    }
    const std::vector<MemoryRow> rows =
        sizes.rows.empty() ? measure_all(sizes, sum, page) : read_rows(sizes.rows);
    if (sizes.rows.empty() && !sizes.markdown.empty()) engram::experiments::write_file(sizes.markdown, page);
    std::fputs(exponents(rows, "== ").c_str(), stdout);
    if (!sizes.plots.empty()) draw(rows, sizes.plots);
  } catch (const std::exception& error) {
    std::cerr << "memory_benchmark: error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
