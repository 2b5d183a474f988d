// SPDX-License-Identifier: MIT
// The program's commands, one function each. Data goes to stdout, talk to stderr; the result is the exit
// code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/inputs/corpus.hpp"
#include "experiments/pages/sweep_report.hpp"
#include "experiments/runs/exit_code.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Options of a memory that may take so many bytes, all else as it is by default.
inline core::MemoryOptions memory_of_bytes(std::size_t bytes) {
  core::MemoryOptions options;
  options.limits.max_bytes = bytes;
  return options;
}

struct RunArguments {
  std::vector<std::string> what;  // one SPEC.json, a shipped spec's bare name, or Narsese files
  std::string out;                // empty: engram-runs/<experiment>-<name>
  std::vector<std::string> overrides;
  unsigned jobs = 1;
  bool resume = false;
  std::string cache;  // a folder; empty: none
  std::size_t memory = core::MemoryLimits{}.max_bytes;
  bool dry_run = false;  // print the plan alone
  bool schema = false;   // print the schema of specs alone
};
ExitCode run_command(const RunArguments& arguments);
/// The specs that come along, each with its purpose.
ExitCode experiments_command();

/// Checks a run's inputs and files against their digests, does it again, and says whether it comes out the
/// same. `base`: the folder that names of inputs are relative to, where they are not where they were.
ExitCode verify_command(const std::string& folder, const std::string& base, unsigned jobs);

struct ParseArguments {
  std::string file = "-";
  std::string from = "auto";     // a dialect's name, or json
  std::string to = "canonical";  // likewise
  bool lint = false;             // findings instead of the sentences; `to` is the system they are meant for
};
ExitCode parse_command(const ParseArguments& arguments);

struct RecallArguments {
  std::vector<std::string> files;
  std::string cue;
  std::vector<std::string> methods{"attention"};
  std::size_t top = 10;
  bool json = false;
  bool explain = false;  // why each of them got its budget
  std::string report;    // the same as a page, in this file
  std::string after;     // a cue whose budget is the prior
  std::size_t memory = core::MemoryLimits{}.max_bytes;
};
ExitCode recall_command(const RecallArguments& arguments);

struct GraphArguments {
  std::vector<std::string> files;
  std::string format = "graphml";
};
ExitCode graph_command(const GraphArguments& arguments);

struct ServeArguments {
  std::string learning;            // a rule of core/graph/link_learning.hpp, or empty for none
  std::string dialect = "engram";  // the JSON lines protocol, or navm
  std::string unix_path;           // empty: no Unix socket
  int websocket_port = -1;  // 0: any that is free; -1: no websocket; neither: standard input and output
  std::string address = "127.0.0.1";  // of the websocket
  std::string token;
  std::vector<std::string> origins;
  std::size_t max_clients = 16;
  unsigned patience_ms = 30'000;
  bool shared = false;                                  // one memory for all clients
  std::size_t memory = core::MemoryLimits{}.max_bytes;  // of all clients together
  bool files = false;  // clients of sockets may name files; on standard input they always may
};
ExitCode serve_command(const ServeArguments& arguments);

struct AttachArguments {
  std::string file;
  std::vector<std::string> command;  // the NARS
  std::size_t memory = core::MemoryLimits{}.max_bytes;
  std::string system = "ona";
  std::string method = "attention";
  std::size_t gate = 0;  // statements for each question; 0: everything to one reasoner
  std::string log;
  std::string learning = {};  // what bridge::Learning names; empty: all, with a gate answers
  bool restart = false;       // a new process for each question
  bool fresh = false;         // without a gate: a new one for each question, told everything
  std::string steering = {};  // what bridge::Steering names; empty: none
  std::size_t steered = 12;
  std::string summary = {};    // a file, for JSON
  std::string report = {};     // a file, for a page
  unsigned time_limit_ms = 0;  // of a question; 0: none
  std::uint64_t cycles_before = 50, cycles_after = 20;
  unsigned patience_ms = 60'000, settling_ms = 1000, max_restarts = 3, back_off_ms = 100;
};
/// Events as JSON lines on stdout (bridge/schema/event.schema.json).
ExitCode attach_command(const AttachArguments& arguments);
/// Makes the memory of a transcript again; input_errors if it is another one.
/// `report`: a file for a page on the session, or empty.
ExitCode replay_command(const std::string& log, const std::string& report);

/// Tells of lines of the inputs that were not taken in, as file:line:column: error: ...; at most a screenful
/// or two: a binary file has an error on every line.  Returns  input_errors if there are any
ExitCode report_rejections(const Rejections& rejections);
/// Of a run, or of every point of a sweep and of the sweep itself.
ExitCode report_command(const std::string& folder);

/// Pictures that were not drawn, and why.
void tell_undrawn(const std::vector<std::string>& undrawn);

/// On stdout, what a sweep's points conclude.
void tell_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

struct CompareArguments {
  std::string a, b;             // folders of runs
  std::string format = "text";  // or csv, markdown: the table alone
};
ExitCode compare_command(const CompareArguments& arguments);

ExitCode methods_command();

struct GenerateArguments {
  std::string kind;  // families, chains, taxonomies or events
  std::size_t size = 1000, questions = 40;
  std::uint64_t seed = 1;
  int longest = 4;  // of chains: facts joined
};
/// Prints a generated .nal file whose questions have known proofs (experiments/inputs/proof_sets.hpp).
ExitCode generate_command(const GenerateArguments& arguments);

}  // namespace engram::experiments
