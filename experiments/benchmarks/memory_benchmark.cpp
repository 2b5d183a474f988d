// SPDX-License-Identifier: MIT
// The program `memory_benchmark`: measures questions, inputs and statements in memories of several sizes. Results are
// ratios to reference work in the same run: a pass over all statements, a search by Boost.Graph, and parsing.
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
#include "experiments/benchmarks/memory_growth.hpp"
#include "experiments/benchmarks/timing.hpp"
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

struct Asked {
  std::string label, text;  // lines with statements
  std::vector<std::string> questions;
};

Asked made(const std::string& kind, std::size_t statements, const Sizes& sizes) {
  engram::experiments::ChainOptions options;
  options.size = statements;
  options.questions = sizes.questions;
  const auto set = engram::experiments::generate(kind, options, sizes.seed);
  Asked asked{kind, {}, {}};
  for (std::size_t i = 0; i < set.statements.size(); ++i)
    asked.text += set.statements[i] + "." + set.truths[i] + "\n";
  for (const auto& question : set.questions) asked.questions.push_back(question.question + "?");
  return asked;
}

std::optional<Asked> read(const Sizes& sizes) {
  std::ifstream in(sizes.file);
  Asked asked{sizes.file, {}, {}};
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("//") || line.empty()) continue;
    if (line.back() != '?')
      asked.text += line + '\n';
    else if (asked.questions.size() < sizes.questions)
      asked.questions.push_back(line);
  }
  if (!asked.questions.empty()) return asked;
  std::cerr << sizes.file << ": no question is asked there\n";
  return {};
}

// CPU time of all threads, and wall time.
struct Seconds {
  double cpu = 0, wall = 0;
};

class Stopwatch {
 public:
  Seconds seconds() const { return {cpu_seconds() - cpu_, wall_seconds() - wall_}; }

 private:
  double cpu_ = cpu_seconds(), wall_ = wall_seconds();
};

// Parses a text on one thread.
Seconds parse_seconds(const std::string& text, double& sum) {
  engram::narsese::TermTable terms;
  const Stopwatch watch;
  std::istringstream in(text);
  engram::narsese::NalReader reader(in, terms, {}, engram::narsese::Dialect::any,
                                    {.least_bytes = engram::narsese::ReadAheadOptions::never});
  while (const auto line = reader.next()) sum += static_cast<double>(line->sentence.term.complexity());
  return watch.seconds();
}

// Time to read the active concepts of every statement: the lower bound for a question that scans the memory.
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

// Bipartite graph of names and statements as a static Boost.Graph.
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

  /// Whether a breadth-first search from one name finds the other.
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
    Until(boost::default_bfs_visitor, std::size_t of) : to(of) {}
    void discover_vertex(std::size_t v, const Graph&) const {
      if (v == to) throw Reached();
    }
    std::size_t to;
  };
  std::size_t names_;
  Graph graph_;
};

struct Times {
  std::vector<double> asked, after_input, searched;
  std::vector<double> copied, told,
      told_beside_copy;  // copying the memory; an input without a copy, and an input beside a copy
  Seconds parse, input, ingest, saved, restarted;
  Seconds input_to_input_at_limit;  // ratios
  double pass = 0, memory_bytes = 0, all_bytes = 0;
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
double ask(Session& session, const ConfiguredMethod& method, const std::string& question, const Sizes& sizes,
           double& sum) {
  const double begin = cpu_seconds();
  {
    const Session::Request request(session);
    const auto cue = session.cue(question);
    const Recall recall = session.recall(method, *cue);
    for (const std::uint32_t e : rank(recall.statements, sizes.given)) sum += recall.statements[e];
  }
  return cpu_seconds() - begin;
}

Seconds input_seconds(const Asked& asked, const MemoryOptions& options, const ForgettingOptions& forgetting) {
  Session session(options, forgetting);
  const Stopwatch watch;
  std::istringstream in(asked.text);
  session.read(in);
  return watch.seconds();
}

// Ratio of the time for input without a limit to that of a forgetting memory limited to a quarter of the statements.
// Median of several rounds, with both side by side, because the speed of the machine varies.
Seconds input_to_input_at_limit(const Asked& asked, std::size_t statements, const std::string& policy) {
  constexpr std::size_t few = 200'000;
  MemoryOptions limited = without_limits();
  limited.limits.max_statements = std::max<std::size_t>(statements / 4, 1);
  std::vector<double> cpu, wall;
  for (int rounds = statements > few ? 1 : 5; rounds > 0; --rounds) {
    const Seconds free = input_seconds(asked, without_limits(), {});
    const Seconds at_limit =
        input_seconds(asked, limited, {.policy = *value_named(forgetting_policies, policy)});
    cpu.push_back(free.cpu / at_limit.cpu);
    wall.push_back(free.wall / at_limit.wall);
  }
  return {median(cpu), median(wall)};
}

// Time from reading a snapshot, which may be in the file cache, to the first answer.
void restart(Session& session, const Asked& asked, const Sizes& sizes, Times& times, double& sum) {
  const fs::path file = fs::temp_directory_path() / ("memory_benchmark." + std::to_string(::getpid()));
  const Stopwatch save;
  engram::bridge::write_snapshot(session, file, engram::bridge::SnapshotForm::binary);
  times.saved = save.seconds();
  session = Session(without_limits());
  const Stopwatch watch;
  engram::bridge::read_snapshot(session, file);
  ask(session, method_of(sizes), asked.questions.front(), sizes, sum);
  times.restarted = watch.seconds();
  fs::remove(file);
}

double tell(Session& session, std::size_t number) {
  const double begin = cpu_seconds();
  session.input("<(*,somebody" + std::to_string(number) + ",somewhere) --> knows>.\n");
  return cpu_seconds() - begin;
}

double worst(const std::vector<double>& seconds) {
  return seconds.empty() ? 0 : *std::ranges::max_element(seconds);
}

// The page of --markdown, without its rows.
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
  const double question = median(times.asked);
  return "| " + fs::path(label).stem().string() + digits(" | %.0f | ", statements) +
         digits("%.3g, %.3g", question / times.pass, worst(times.asked) / times.pass) + " | " +
         (times.searched.empty() ? "" : digits("%.2g", question / median(times.searched))) +
         digits(" | %.2f | %.2f | ", median(times.after_input) / question,
                times.parse.cpu / times.ingest.cpu) +
         digits("%.0f, %.0f |\n", times.memory_bytes, times.all_bytes);
}

Times measure(const Asked& asked, const Sizes& sizes, double& sum, std::string& page) {
  Times times;
  Session session(without_limits());
  times.parse = parse_seconds(asked.text, sum);
  const Stopwatch watch;
  std::istringstream in(asked.text);
  session.read(in);
  times.input = watch.seconds();
  const MemoryIndex& memory = session.index();
  memory.hops();
  times.ingest = watch.seconds();
  const auto statements = static_cast<double>(memory.statements());
  const ConfiguredMethod method = method_of(sizes);
  for (const std::string& question : asked.questions)
    ask(session, method, question, sizes, sum);  // warm-up, not measured
  times.pass = pass_seconds(memory, sum);
  std::optional<NameGraph> graph;
  if (!sizes.file.empty()) graph.emplace(memory);
  for (const std::string& question : asked.questions) {
    times.asked.push_back(ask(session, method, question, sizes, sum));
    if (!graph) continue;
    const auto cue = session.cue(question);
    for (const NamePair& ends : name_pairs(session.index(), *cue)) {
      if (!ends.to) continue;
      const double start = cpu_seconds();
      sum += graph->leads(ends.from, *ends.to) ? 1 : 0;
      times.searched.push_back(cpu_seconds() - start);
    }
  }
  for (std::size_t q = 0; q < asked.questions.size(); ++q) {
    times.told.push_back(tell(session, q));
    times.after_input.push_back(ask(session, method, asked.questions[q], sizes, sum));
  }
  for (std::size_t q = 0; q < asked.questions.size(); ++q) {
    const double begin = cpu_seconds();
    const Session copy(session);
    times.copied.push_back(cpu_seconds() - begin);
    times.told_beside_copy.push_back(tell(session, asked.questions.size() + q));
  }
  times.memory_bytes = static_cast<double>(session.memory().bytes()) / statements;
  times.all_bytes = static_cast<double>(session.bytes()) / statements;
  if (sizes.forget != "none")
    times.input_to_input_at_limit =
        input_to_input_at_limit(asked, session.memory().statements().size(), sizes.forget);
  if (!asked.questions.empty()) restart(session, asked, sizes, times, sum);
  std::printf("== %s: %.0f statements, %zu questions\n", asked.label.c_str(), statements,
              asked.questions.size());
  const double question = median(times.asked);
  std::printf("  question, median / worst, ms               %10.3f %10.3f\n", 1e3 * question,
              1e3 * worst(times.asked));
  std::printf("  to a pass over all statements              %10.4f %10.4f\n", question / times.pass,
              worst(times.asked) / times.pass);
  if (!times.searched.empty())
    std::printf("  to breadth-first search by Boost.Graph     %10.2f\n", question / median(times.searched));
  std::printf("  right after an input, to before, median    %10.2f\n", median(times.after_input) / question);
  std::printf("  a copy for a client's question, to a pass  %10.4f %10.4f\n",
              median(times.copied) / times.pass, worst(times.copied) / times.pass);
  std::printf("  an input beside a copy, to one without     %10.2f\n",
              median(times.told_beside_copy) / median(times.told));
  std::printf("  parsing alone to ingest: CPU time, clock   %10.3f %10.3f\n",
              times.parse.cpu / times.ingest.cpu, times.parse.wall / times.ingest.wall);
  std::printf("  the same, without readings                 %10.3f %10.3f\n",
              times.parse.cpu / times.input.cpu, times.parse.wall / times.input.wall);
  std::printf("  bytes a statement: memory, with readings   %10.0f %10.0f\n", times.memory_bytes,
              times.all_bytes);
  page += page_row(asked.label, statements, times);
  if (times.restarted.cpu > 0) {
    std::printf("  ingest to a restart from a snapshot        %10.2f %10.2f\n",
                times.ingest.cpu / times.restarted.cpu, times.ingest.wall / times.restarted.wall);
    std::printf("  ingest to writing the snapshot             %10.2f %10.2f\n",
                times.ingest.cpu / times.saved.cpu, times.ingest.wall / times.saved.wall);
  }
  if (times.input_to_input_at_limit.cpu > 0)
    std::printf("  input without a limit to one at a quarter  %10.2f %10.2f\n",
                times.input_to_input_at_limit.cpu, times.input_to_input_at_limit.wall);
  std::fflush(stdout);
  return times;
}

std::vector<MemoryRow> measure_all(const Sizes& sizes, double& sum, std::string& page) {
  std::vector<MemoryRow> rows;
  std::ofstream table;
  if (!sizes.table.empty()) table.open(sizes.table);
  for (const std::string& kind : sizes.kinds) {
    const std::size_t first = rows.size();
    for (const std::size_t statements : sizes.statements) {
      const Times times = measure(made(kind, statements, sizes), sizes, sum, page);
      rows.push_back({kind, static_cast<double>(statements), median(times.asked), times.ingest.wall,
                      times.memory_bytes, times.all_bytes});
      write(table, rows.back());
      table.flush();
    }
    if (sizes.statements.size() > 1)
      std::printf("== %s: the last memory's median beside the first's: %.2f\n", kind.c_str(),
                  rows.back().question / rows[first].question);
  }
  table << exponents(rows, "# ");
  return rows;
}

std::vector<MemoryRow> read_rows(const std::string& file) {
  std::ifstream in(file);
  std::vector<MemoryRow> rows = engram::benchmarks::read_rows(in);
  if (rows.empty()) throw std::invalid_argument(file + ": no row stands there");
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times questions, inputs and bytes in memories of several sizes.", "memory_benchmark");
  Sizes sizes;
  app.add_option("--statements", sizes.statements, "Of each memory; the last is compared with the first")
      ->check(CLI::Range(100, 50'000'000))
      ->capture_default_str();
  app.add_option("--kinds", sizes.kinds,
                 "Kinds of generated knowledge: families, chains, taxonomies, events, theories, compositions")
      ->check(CLI::IsMember(engram::experiments::proof_kinds))
      ->capture_default_str();
  add_option(app, "--questions", sizes.questions, "Asked of each memory, at most", 1, 100'000);
  app.add_option("--method", sizes.method, "That answers")
      ->check(known("method", [](const std::string& name) { return find_method(name) != nullptr; }))
      ->capture_default_str();
  app.add_option("--map", sizes.map, "Of a method that weighs by one, in place of its own")
      ->check(CLI::IsMember({"softmax", "sparsemax", "entmax", "normmax", "budget", "argmax"}));
  app.add_option("--forget", sizes.forget,
                 "Policy of the memory that may have a quarter of the statements; none: it is left out")
      ->check(
          known("policy",
                [](const std::string& name) { return value_named(forgetting_policies, name).has_value(); }))
      ->capture_default_str();
  app.add_option("--file", sizes.file, "Narsese with questions, in place of memories that are made");
  app.add_option("--table", sizes.table,
                 "A file for kind, statements, seconds of a question (median) and of taking all in (of the\n"
                 "clock), bytes a statement of the memory and with readings: a row a memory, and at its end\n"
                 "with which power of the number of statements each grows");
  app.add_option("--markdown", sizes.markdown, "Write a page with a row for each memory to this file");
  app.add_option("--plots", sizes.plots,
                 "A folder for pictures of these over statements, as gnuplot's scripts");
  app.add_option("--rows", sizes.rows, "What --table wrote, in place of measuring");
  app.add_option("--seed", sizes.seed, "What is made follows from it")->capture_default_str();
  app.footer(
      "Exit codes: 0 done, 1 a file without questions or rows, 2 wrong usage.\n"
      "Example:\n  memory_benchmark --statements 1000 100000 --kinds families");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  double sum = 0;
  std::string page = page_head;
  try {
    if (!sizes.file.empty()) {
      const auto asked = read(sizes);
      if (!asked) return 1;
      measure(*asked, sizes, sum, page);
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
